#include "core/error.h"

namespace softalign {
namespace {

std::string shortened(const std::string& what) {
  constexpr std::size_t kMost = 1024;
  return what.size() <= kMost ? what : what.substr(0, kMost) + "...";
}

}  // namespace

Error::Error(const char* code, const std::string& what) : std::runtime_error(shortened(what)), code_(code) {}
ShapeError::ShapeError(const std::string& what) : Error("shape", what) {}
FormatError::FormatError(const std::string& what) : Error("format", what) {}
ArgumentError::ArgumentError(const std::string& what) : Error("argument", what) {}
IoError::IoError(const std::string& what) : Error("io", what) {}

}  // namespace softalign
