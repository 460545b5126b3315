// Instead of SentencePiece's filesystem.cc where it is compiled for WebAssembly: there are no files, models come as bytes.
#include <memory>
#include <string>

#include "filesystem.h"

namespace sentencepiece {
namespace filesystem {
namespace {

template <class File>
class NoFile : public File {
 public:
  util::Status status() const override { return util::Status(util::StatusCode::kNotFound, "there are no files"); }
};
struct NoReadableFile : NoFile<ReadableFile> {
  bool ReadLine(std::string*) override { return false; }
  bool ReadAll(std::string*) override { return false; }
};
struct NoWritableFile : NoFile<WritableFile> {
  bool Write(absl::string_view) override { return false; }
  bool WriteLine(absl::string_view) override { return false; }
};

}  // namespace

std::unique_ptr<ReadableFile> NewReadableFile(absl::string_view, bool) {
  return std::unique_ptr<ReadableFile>(new NoReadableFile());
}
std::unique_ptr<WritableFile> NewWritableFile(absl::string_view, bool) {
  return std::unique_ptr<WritableFile>(new NoWritableFile());
}

}  // namespace filesystem
}  // namespace sentencepiece
