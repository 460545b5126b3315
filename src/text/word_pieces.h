#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "text/tokenizer.h"

namespace softalign {

// A sentence that is already cut into words, as pieces: each word begins with white space, whatever stood before
// it in its text. A word of which nothing remains after normalisation is one unknown piece.
struct WordPieces {
  std::vector<std::int32_t> ids;
  std::vector<std::int32_t> last;  // of each word: the place of its last piece, which stands for it
};
WordPieces word_pieces(std::span<const std::string> words, const Tokenizer& tokenizer);

}  // namespace softalign
