#include "decoding/token_edits.h"

#include <algorithm>
#include <string>

namespace softalign {
namespace {

// A row of tokens as one of pieces and the sentence's end.
std::vector<float> by_piece(const std::vector<float>& weights, const std::vector<TokenSpan>& spans, std::size_t pieces) {
  if (weights.size() != spans.size()) {
    throw ArgumentError("edits: a row has " + std::to_string(weights.size()) + " weights, expected one for each of " +
                        std::to_string(spans.size()) + " source tokens");
  }
  std::vector<float> row(pieces);
  for (std::size_t w = 0; w < spans.size(); ++w) {
    for (std::size_t i = spans[w].first; i < spans[w].last; ++i) row[i] = weights[w] / static_cast<float>(spans[w].last - spans[w].first);
  }
  return row;
}

}  // namespace

std::vector<TokenSpan> TokenLevel::spans(const Annotation& text, const Tokenizer& tokenizer) const {
  std::vector<TokenSpan> spans;
  if (words) spans = word_spans(text, tokenizer);
  for (std::size_t i = 0; !words && i < text.tokens.size(); ++i) spans.push_back({i, i + 1});
  if (end) spans.push_back({text.tokens.size(), text.tokens.size() + 1});
  return spans;
}

std::vector<Translation> translate_edited(Translator& translator, const Sentence& sentence, const Options& options,
                                          const models::Edits& edits, const TokenLevel& level) {
  const Annotation source = translator.encode_source(sentence.text);
  const auto spans = level.spans(source, translator.source_tokenizer());
  models::Edits of_pieces = {.mask = {}, .off = edits.off, .rows = {}, .uniform = edits.uniform};
  for (const std::size_t token : edits.mask) {
    if (token >= spans.size()) {
      throw ArgumentError("edits: source token " + std::to_string(token) + " is masked, expected one below " +
                          std::to_string(spans.size()));
    }
    for (std::size_t i = spans[token].first; i < spans[token].last; ++i) of_pieces.mask.push_back(i);
  }
  Sentence edited = sentence;
  edited.edits = &of_pieces;
  const auto best = [&](const Options& with) { return std::move(translator.translate({&edited, 1}, with).front()); };

  Options plain = options;
  plain.trace = plain.heads = false;
  const auto tokens_now = [&] { return level.spans(best(plain).front().target, translator.target_tokenizer()); };
  std::size_t before = 0;
  for (const models::Edits::Row& row : edits.rows) {
    if (row.step < before) {
      throw ArgumentError("edits: the row of token " + std::to_string(row.step) + " follows that of " + std::to_string(before) +
                          ", expected rows in the order of their tokens");
    }
    before = row.step;
    const std::vector<float> weights = by_piece(row.weights, spans, source.tokens.size() + 1);
    auto tokens = tokens_now();
    if (row.step >= tokens.size()) continue;
    std::size_t step = tokens[row.step].first;
    for (bool goes_on = true; goes_on; ++step) {
      of_pieces.rows.push_back({step, weights, row.head});
      if (!level.words) break;
      // The token may be another now, and longer.
      tokens = tokens_now();
      goes_on = std::any_of(tokens.begin(), tokens.end(), [&](const TokenSpan& s) { return s.first <= step && step + 1 < s.last; });
    }
  }
  return best(options);
}

}  // namespace softalign
