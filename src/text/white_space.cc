#include "text/white_space.h"

#include "core/utf8.h"

namespace softalign {

bool is_white_space(std::uint32_t code) {
  return (code >= 0x09 && code <= 0x0D) || (code >= 0x1C && code <= 0x20) || code == 0x85 || code == 0xA0 ||
         code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 || code == 0x202F ||
         code == 0x205F || code == 0x3000;
}

std::vector<std::string_view> split_white_space(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  std::size_t at = 0;
  const auto close = [&] {
    if (at > begin) parts.push_back(text.substr(begin, at - begin));
  };
  while (at < text.size()) {
    const Utf8Char next = utf8_char(text.substr(at));
    if (is_white_space(next.code)) {
      close();
      begin = at + next.length;
    }
    at += next.length;
  }
  close();
  return parts;
}

}  // namespace softalign
