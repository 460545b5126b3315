#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace softalign {

// For each word of a source language, the words of a target language that its translations are likely to have, in the binary
// format of Marian (lex.*.bin). Scores need computing for those alone (Schwenk, Costa-jussà & Fonollosa 2007), which takes a
// fraction of the time.
class LexicalShortlist {
 public:
  // Copied. Throws FormatError for bytes that are none, or for one of words that the vocabularies do not have.
  LexicalShortlist(std::span<const std::byte> file, std::size_t source_words, std::size_t target_words);

  // What translations of these words may have, in ascending order and each once: the first, most frequent words of the target,
  // the likely ones of each source word, and `more`. With one vocabulary for both languages also the source words themselves,
  // as names and numbers stay what they are. Further frequent words make their number a multiple of 8, as
  // Marian's do: one of them may be the likeliest.
  std::vector<std::int32_t> words(std::span<const std::int32_t> source, bool shared, std::span<const std::int32_t> more) const;

 private:
  std::size_t first_ = 0, target_words_ = 0;
  std::vector<std::uint32_t> begins_;  // of each source word's list; and the end of the last one
  std::vector<std::uint32_t> lists_;
};

}  // namespace softalign
