#include "io/file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <string>
#include <system_error>

#include "core/error.h"

namespace softalign {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

IoError failure(const char* what, const std::filesystem::path& path, int reason) {
  return IoError(std::string(what) + " " + path.string() + ": " + std::generic_category().message(reason));
}

}  // namespace

std::vector<std::byte> read_file(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) throw failure("cannot read", path, EISDIR);
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file) throw failure("cannot read", path, errno);

  // The size is a first guess only: pipes have none, and a file may grow meanwhile.
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  std::vector<std::byte> bytes(error ? 0 : static_cast<std::size_t>(size));
  std::size_t used = 0;
  for (;;) {
    if (used == bytes.size()) bytes.resize(used + used / 2 + 4096);
    const std::size_t got = std::fread(bytes.data() + used, 1, bytes.size() - used, file.get());
    used += got;
    if (got == 0) break;
  }
  if (std::ferror(file.get())) throw failure("cannot read", path, errno);
  bytes.resize(used);
  return bytes;
}

void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  std::filesystem::path temporary = path;
  temporary += ".tmp" + std::to_string(::getpid());
  File file(std::fopen(temporary.c_str(), "wb"));
  if (!file) throw failure("cannot write", temporary, errno);

  int reason = 0;
  if (!bytes.empty() && std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size()) {
    reason = errno;
  } else if (std::fflush(file.get()) != 0 || ::fsync(::fileno(file.get())) != 0) {
    reason = errno;
  }
  if (std::fclose(file.release()) != 0 && reason == 0) reason = errno;
  if (reason == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) reason = errno;
  if (reason != 0) {
    std::remove(temporary.c_str());
    throw failure("cannot write", path, reason);
  }
}

}  // namespace softalign
