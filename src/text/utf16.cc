#include "text/utf16.h"

#include <string>

#include "core/error.h"
#include "core/utf8.h"

namespace softalign {

std::vector<std::uint32_t> utf16_offsets(std::string_view utf8, std::span<const std::uint32_t> byte_offsets) {
  std::vector<std::uint32_t> result;
  result.reserve(byte_offsets.size());
  std::size_t at = 0;  // always the start of a character, `units` its offset
  std::uint32_t units = 0;
  for (std::size_t i = 0; i < byte_offsets.size(); ++i) {
    const std::uint32_t wanted = byte_offsets[i];
    const std::uint32_t least = i == 0 ? 0 : byte_offsets[i - 1];
    if (wanted < least || wanted > utf8.size()) {
      throw ArgumentError("utf16_offsets: offset " + std::to_string(i) + " is " + std::to_string(wanted) +
                          ", expected " + std::to_string(least) + " to " + std::to_string(utf8.size()));
    }
    while (at < wanted) {
      const Utf8Char next = utf8_char(utf8.substr(at));
      if (at + next.length > wanted) break;
      at += next.length;
      units += next.code > 0xFFFF ? 2 : 1;
    }
    result.push_back(units);
  }
  return result;
}

}  // namespace softalign
