#include "decoding/text_reader.h"

#include <algorithm>
#include <numeric>

#include "kernels/vector.h"
#include "text/word_pieces.h"
#include "text/words.h"

namespace softalign {
namespace {

// A batch of one text. What reads it needs at least one id: an empty text is one unknown piece.
models::TextBatch batch_of(std::vector<std::int32_t> ids, std::vector<std::int32_t> places, std::int32_t unk) {
  if (ids.empty()) ids = {unk};
  const auto length = static_cast<std::int32_t>(ids.size());
  return {std::move(ids), {length}, std::move(places), {}};
}

std::vector<std::int32_t> ids_of(const Annotation& text) {
  std::vector<std::int32_t> ids;
  for (const Token& token : text.tokens) ids.push_back(token.id);
  return ids;
}

// Softmax of each row.
std::vector<float> probabilities(const Var<float>& logits) {
  std::vector<float> p(logits.size());
  const std::size_t V = logits.width();
  for (std::size_t i = 0; i < logits.rows(); ++i) kernels::softmax(logits.value + i * V, p.data() + i * V, V);
  return p;
}

// weights: of each layer [1, H, n, n]; show(a) makes what is shown of one head's [n, n].
template <class Show>
SelfAttention self_attention(const std::vector<Var<float>>& weights, const Show& show) {
  SelfAttention result;
  for (const Var<float>& layer : weights) {
    const std::size_t n = layer.shape[2];
    result.heads = layer.shape[1];
    auto& shown = result.layers.emplace_back();
    for (std::size_t h = 0; h < result.heads; ++h) {
      const auto head = show(std::span<const float>(layer.value + h * n * n, n * n));
      shown.insert(shown.end(), head.begin(), head.end());
    }
  }
  return result;
}

}  // namespace

Reading LanguageReader::read(std::string_view text) {
  Reading reading = {tokenizer().encode(text), {}, {}};
  std::vector<std::int32_t> ids = ids_of(reading.text);
  const std::size_t n = ids.size();
  ids.insert(ids.begin(), tokenizer().eos());
  std::vector<std::int32_t> places(n + 1);
  std::iota(places.begin(), places.end(), 0);
  Graph<float>& g = fresh();
  Var<float> weights;
  if (config().reader == models::ReaderKind::kLstmn) weights = g.make({1, n + 1, n + 1});
  const models::TextBatch batch = batch_of(std::move(ids), std::move(places), tokenizer().unk());
  const Var<float> logits = model().logits(g, batch, weights);
  for (std::size_t i = 0; i <= n; ++i) {
    const float* x = logits.value + i * logits.width();
    const std::int32_t next = i < n ? batch.ids[i + 1] : tokenizer().eos();
    reading.log_probability.push_back(x[next] - kernels::log_sum_exp(x, logits.width()));
  }
  // Step 0 reads the beginning of the text, step i the i-th token; the last column, of the last token itself, is 0.
  for (std::size_t i = 1; weights.value && i <= n; ++i) {
    const float* row = weights.value + i * (n + 1);
    reading.attention.insert(reading.attention.end(), row, row + n + 1);
  }
  return reading;
}

Tagging TextTagger::tag(std::span<const std::string> words) {
  if (words.empty()) throw ArgumentError("there is no word, expected at least one");
  WordPieces pieces = word_pieces(words, tokenizer());
  // A word's label is read at its last piece: so is whom it looks at.
  std::vector<TokenSpan> looking, seen;
  std::size_t first = 0;
  for (const std::int32_t place : pieces.last) {
    const auto last = static_cast<std::size_t>(place);
    looking.push_back({last, last + 1});
    seen.push_back({first, last + 1});
    first = last + 1;
  }
  std::vector<Var<float>> weights;
  const Var<float> logits =
      model().logits(fresh(), batch_of(std::move(pieces.ids), std::move(pieces.last), tokenizer().unk()), &weights);
  return {probabilities(logits), self_attention(weights, [&](std::span<const float> head) {
            return attention_by_word(head, first, looking, seen);
          })};
}

Classification TextClassifier::classify(std::string_view text) {
  Classification result = {tokenizer().encode(text), {}, {}, {}};
  std::vector<Var<float>> weights;
  const auto output = model().classify(fresh(), batch_of(ids_of(result.text), {}, tokenizer().unk()), &weights);
  result.probability = probabilities(output.logits);
  if (result.text.tokens.empty()) return result;
  result.pooling.assign(output.pooling.value, output.pooling.value + output.pooling.size());
  result.attention = self_attention(weights, [](std::span<const float> head) { return head; });
  return result;
}

MaskedText MaskFiller::masked(std::span<const std::string> parts) const {
  if (parts.size() < 2) throw ArgumentError("there is no masked word, expected at least one");
  MaskedText result;
  auto& [whole, tokens] = result.text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) {
      // White space before it is its own, as it is of words.
      const auto at = static_cast<std::uint32_t>(whole.find_last_not_of(" \t\r\n") + 1);
      if (!tokens.empty()) tokens.back().range.end = std::max(tokens.back().range.begin, std::min(tokens.back().range.end, at));
      whole += kMask;
      result.masks.push_back(tokens.size());
      tokens.push_back({model().mask(), {at, static_cast<std::uint32_t>(whole.size())}});
    }
    // What follows a masked word without white space is to be read as inside a text, and not as its beginning.
    const std::string before = i > 0 ? "a" : "";
    auto from = static_cast<std::uint32_t>(before.size());
    Annotation part = tokenizer().encode(before + parts[i]);
    if (std::ranges::any_of(part.tokens, [&](const Token& token) { return token.range.begin < from && token.range.end > from; })) {
      from = 0;
      part = tokenizer().encode(parts[i]);
    }
    const auto start = static_cast<std::uint32_t>(whole.size());
    for (const Token& token : part.tokens) {
      if (token.range.begin >= from) tokens.push_back({token.id, {start + token.range.begin - from, start + token.range.end - from}});
    }
    whole += parts[i];
  }
  return result;
}

Var<float> MaskFiller::logits(const MaskedText& masked, std::vector<Var<float>>* weights) {
  std::vector<std::int32_t> places(masked.masks.begin(), masked.masks.end());
  return model().logits(fresh(), batch_of(ids_of(masked.text), std::move(places), tokenizer().unk()), weights);
}

MaskedText MaskFiller::look(std::span<const std::string> parts) {
  MaskedText result = masked(parts);
  std::vector<Var<float>> weights;
  logits(result, &weights);
  result.attention = self_attention(weights, [](std::span<const float> head) { return head; });
  return result;
}

std::vector<std::vector<Guess>> MaskFiller::fill(std::span<const std::string> parts, std::size_t count) {
  const Var<float> logits = this->logits(masked(parts), nullptr);
  const std::vector<float> p = probabilities(logits);
  std::vector<std::vector<Guess>> guesses;
  for (std::size_t i = 0; i < logits.rows(); ++i) {
    // The mask itself, the last of all, is no guess.
    std::vector<Guess> all;
    for (std::size_t v = 0; v < config().vocabulary; ++v) all.push_back({static_cast<std::int32_t>(v), p[i * logits.width() + v]});
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(count, all.size()));
    std::partial_sort(all.begin(), end, all.end(), [](const Guess& a, const Guess& b) { return a.probability > b.probability; });
    guesses.emplace_back(all.begin(), end);
  }
  return guesses;
}

}  // namespace softalign
