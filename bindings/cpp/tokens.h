#pragma once

#include <vector>

#include "boundary.h"
#include "text/utf16.h"
#include "text/words.h"

// What tokens are to JavaScript.
namespace softalign::js {

// Which tokens make up what the caller wants to see: each one alone, or words.
inline std::vector<TokenSpan> group(const Annotation& text, const Tokenizer& tokenizer, bool words) {
  if (words) return word_spans(text, tokenizer);
  std::vector<TokenSpan> spans;
  for (std::size_t i = 0; i < text.tokens.size(); ++i) spans.push_back({i, i + 1});
  return spans;
}

// [start, end) of each of the spans, in JavaScript string offsets.
inline val ranges(const Annotation& text, std::span<const TokenSpan> spans) {
  std::vector<std::uint32_t> offsets;
  for (const TokenSpan& span : spans) {
    offsets.push_back(text.tokens[span.first].range.begin);
    offsets.push_back(text.tokens[span.last - 1].range.end);
  }
  return copy_out(utf16_offsets(text.text, offsets));
}

// The number of each piece in the vocabulary, the end's last; nothing for words.
inline val ids(const Annotation& text, const Tokenizer& tokenizer, bool words) {
  std::vector<std::int32_t> all;
  if (words) return copy_out(all);
  for (const Token& token : text.tokens) all.push_back(token.id);
  all.push_back(tokenizer.eos());
  return copy_out(all);
}

}  // namespace softalign::js
