#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace softalign {

// Bytes begin <= i < end of a text.
struct ByteRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  std::uint32_t size() const { return end - begin; }
  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

struct Token {
  std::int32_t id = 0;
  ByteRange range;
};

// A text (UTF-8 as it came, valid or not) and its tokens, which tile it: in order, no gap, no
// overlap; the first begins at 0 and the last ends at text.size(). So every grid cell answers
// "which characters?", and every character has its token.
//
//   text   "Il pleut,  non ?"         white space belongs to the token after it,
//   tokens "Il" " pleut" "," "  non" " ?"      at the end of the text to the last one
//
// A range may be empty: a control symbol has no text, and of two tokens that share a character
// ("½" is read as "1⁄2") the later has it. A text of which nothing remains after normalisation
// (empty, or white space only) has no tokens.
struct Annotation {
  std::string text;
  std::vector<Token> tokens;
};

}  // namespace softalign
