#pragma once

#include <stdexcept>
#include <string>

namespace softalign {

// Every error this library throws on purpose. The code is stable and meant for programs; what()
// names the culprit, its value and what was expected, and is meant for people.
class Error : public std::runtime_error {
 public:
  // Of a message that quotes megabytes from outside, what() has the first kilobyte.
  Error(const char* code, const std::string& what);
  const char* code() const noexcept { return code_; }

 private:
  const char* code_;
};

// Tensors whose dimensions do not fit each other.
struct ShapeError : Error {
  explicit ShapeError(const std::string& what);
};

// Bytes that are not what they should be: a model file, a tokenizer, a line of data.
struct FormatError : Error {
  explicit FormatError(const std::string& what);
};

// An argument out of its range.
struct ArgumentError : Error {
  explicit ArgumentError(const std::string& what);
};

// The file system said no.
struct IoError : Error {
  explicit IoError(const std::string& what);
};

}  // namespace softalign
