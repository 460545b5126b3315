#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace softalign {

// The character at the start of a text. Well-formed as Unicode 15, table 3-7 says: no overlong
// forms, no surrogates, nothing beyond U+10FFFF.
struct Utf8Char {
  std::size_t length;  // in bytes; of ill-formed text that of its maximal subpart, so 1..3
  bool well_formed;
  std::uint32_t code;  // U+FFFD if ill-formed
};

// `text` is not empty.
Utf8Char utf8_char(std::string_view text);

// `code` is a Unicode scalar value.
void append_utf8(std::string& text, std::uint32_t code);

// Where the first ill-formed byte is, or text.size().
std::size_t utf8_valid_up_to(std::string_view text);

}  // namespace softalign
