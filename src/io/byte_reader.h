#pragma once

#include <bit>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>

#include "core/error.h"

static_assert(std::endian::native == std::endian::little, "files are little-endian, and are read as they are");

namespace softalign {

// Reads a binary file from its beginning to its end and never beyond it.
class ByteReader {
 public:
  // `what` the file is, for errors.
  ByteReader(const char* what, std::span<const std::byte> bytes) : what_(what), bytes_(bytes) {}

  std::size_t at() const { return at_; }
  std::size_t left() const { return bytes_.size() - at_; }

  std::span<const std::byte> take(std::size_t count, const char* of) {
    if (count > left()) {
      throw FormatError(std::string(what_) + ": " + of + " at byte " + std::to_string(at_) + " takes " + std::to_string(count) +
                        " bytes, expected at most the " + std::to_string(left()) + " that are left");
    }
    const auto taken = bytes_.subspan(at_, count);
    at_ += count;
    return taken;
  }
  template <class U>
  U number(const char* of) {
    U value;
    std::memcpy(&value, take(sizeof(U), of).data(), sizeof(U));
    return value;
  }
  // A count or size of 64 bits, of things that take at least `each` bytes of what is left.
  std::size_t count(const char* of, std::size_t each) {
    const auto value = number<std::uint64_t>(of);
    if (value > left() / each) {
      throw FormatError(std::string(what_) + ": " + of + " is " + std::to_string(value) + ", expected at most " +
                        std::to_string(left() / each) + ", for which there are bytes");
    }
    return static_cast<std::size_t>(value);
  }

 private:
  const char* what_;
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

}  // namespace softalign
