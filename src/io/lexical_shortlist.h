#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/bytes.h"

namespace softalign {

// For each word of a source language, the words of a target language that its translations are likely to have, in the binary
// format of Marian (lex.*.bin). Scores need computing for those alone (Schwenk, Costa-jussà & Fonollosa 2007), which takes a
// fraction of the time.
class LexicalShortlist {
 public:
  // Kept, or copied if they have no owner. Throws FormatError for bytes that are none, or for one of words that the vocabularies
  // do not have.
  LexicalShortlist(Bytes file, std::size_t source_words, std::size_t target_words);

  // What translations of these words may have, in ascending order and each once: the first, most frequent words of the target,
  // the likely ones of each source word, and `more`. With one vocabulary for both languages also the source words themselves,
  // as names and numbers stay what they are. Further frequent words make their number a multiple of 8, as
  // Marian's do: one of them may be the likeliest.
  std::vector<std::int32_t> words(std::span<const std::int32_t> source, bool shared, std::span<const std::int32_t> more) const;

 private:
  std::size_t first_ = 0, target_words_ = 0;
  std::shared_ptr<const void> owner_;
  const std::byte *begins_ = nullptr, *lists_ = nullptr;  // 64 bits for each source word and one more; 32 bits an entry
};

}  // namespace softalign
