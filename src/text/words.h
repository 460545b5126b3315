#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "text/annotation.h"
#include "text/tokenizer.h"

namespace softalign {

// Tokens first <= i < last of an annotation.
struct TokenSpan {
  std::size_t first = 0;
  std::size_t last = 0;

  friend bool operator==(const TokenSpan&, const TokenSpan&) = default;
};

// The words of a text, as groups of its tokens; every token is in exactly one.
//
// A word starts at the first token, at a token that begins with white space, and at punctuation,
// which stands alone, mark by mark as the model cuts it. Apostrophes and hyphens stay inside ("l'eau",
// "rendez-vous", "don't"), and so does a point, comma or colon between two digits or letters of one
// word ("3.5", "example.com"). A token of white space only belongs to the word after it.
//
//   "I don't, he said." -> "I" "don't" "," "he" "said" "."
std::vector<TokenSpan> word_spans(const Annotation& annotation, const Tokenizer& tokenizer);

// The bytes of each word, without the white space before it.
std::vector<ByteRange> word_ranges(const Annotation& annotation, std::span<const TokenSpan> words);

// Attention between words from attention between tokens.
//
// `attention` is [rows, columns], row-major: one row a target token and one column a source token,
// and perhaps more (an end-of-sentence row and column), which count only if a span names them.
// The row of a target word is the mean of its tokens' rows; the column of a source word is the sum
// of its tokens' columns. So what a row says about all source words together is kept.
//
// Returns [target_words, source_words], row-major. Throws ArgumentError if attention is not a whole
// number of rows or a span leaves it.
std::vector<float> attention_by_word(std::span<const float> attention, std::size_t columns,
                                     std::span<const TokenSpan> target_words, std::span<const TokenSpan> source_words);

// The same for words given as byte ranges, which may cut tokens, overlap and leave gaps: somebody
// else's tokenisation, say that of a gold alignment. A token takes part in a word by the bytes they
// share, white space not counted; in a source word by that share of all it shares with source
// words, so nothing is counted twice. A word that shares nothing with any token has zeros.
std::vector<float> attention_by_range(std::span<const float> attention, std::size_t columns, const Annotation& target,
                                      std::span<const ByteRange> target_words, const Annotation& source,
                                      std::span<const ByteRange> source_words);

}  // namespace softalign
