#include "decoding/forced.h"

#include <algorithm>

#include "kernels/vector.h"

namespace softalign::decoding {
namespace {

using Model = models::TranslationModel<float>;
using State = models::DecoderState<float>;

// The heads of one kind, [layers][1, H, rows, columns], added with room for what they look at.
void add_heads(std::vector<HeadWeights>& heads, models::HeadKind kind, std::span<const Var<float>> layers, std::size_t rows,
               std::size_t columns) {
  for (std::size_t l = 0; l < layers.size(); ++l) {
    for (std::size_t h = 0; h < layers[l].shape[1]; ++h) {
      heads.push_back({{kind, l, h}, rows, columns, std::vector<float>(rows * columns)});
    }
  }
}

}  // namespace

Hypothesis force(Graph<float>& g, const Model& model, std::span<const std::int32_t> source,
                 std::span<const std::int32_t> target, std::int32_t eos, Heads heads, const models::Edits* edits) {
  const Arena::Mark start = g.arena().mark();
  models::Sources sources(source);
  sources.edits = {edits};
  sources.encoder_weights = heads == Heads::kKeep;
  const auto decoder = model.read(g, sources);
  State state(g, decoder->state_shape(), 1, target.size() + 1, 1);
  const Arena::Mark step_start = g.arena().mark();
  const std::size_t rows = target.size() + 1, S = source.size();
  const std::size_t shift = decoder->alignment_is_shifted() ? 1 : 0;
  Hypothesis result;
  result.ids.assign(target.begin(), target.end());
  double total = 0;
  for (std::size_t t = 0; t < rows; ++t) {
    const std::int32_t previous = t == 0 ? eos : target[t - 1];
    const std::int32_t id = t == target.size() ? eos : target[t];
    const auto step = decoder->step(g, {&previous, 1}, state);
    const float* logits = step.logits.value;
    result.log_probability.push_back(logits[id] - kernels::log_sum_exp(logits, step.logits.width()));
    total += static_cast<double>(result.log_probability.back());
    if (step.weights.value) {
      result.attention.resize(rows * S);
      if (t >= shift) std::copy_n(step.weights.value, S, result.attention.data() + (t - shift) * S);
      if (t + 1 == rows) std::copy_n(step.weights.value, S, result.attention.data() + t * S);
    }
    if (heads == Heads::kKeep) {
      if (t == 0) {
        add_heads(result.heads, models::HeadKind::kCross, step.cross, rows, S);
        add_heads(result.heads, models::HeadKind::kEncoder, decoder->encoder_weights(), S, S);
        add_heads(result.heads, models::HeadKind::kDecoder, step.self, rows, rows);
      }
      for (HeadWeights& h : result.heads) {
        const auto from = [&](std::span<const Var<float>> layers, std::size_t size) { return layers[h.layer].value + h.head * size; };
        float* to = h.weights.data() + t * h.columns;
        if (h.kind == models::HeadKind::kCross) std::copy_n(from(step.cross, S), S, to);
        if (h.kind == models::HeadKind::kEncoder && t == 0) std::copy_n(from(decoder->encoder_weights(), S * S), S * S, to);
        if (h.kind == models::HeadKind::kDecoder) {
          const float* seen = from(step.self, t + 1);  // the beginning, then the words
          std::copy_n(seen + 1, t, to);
          to[rows - 1] = seen[0];
        }
      }
    }
    g.arena().rewind(step_start);
  }
  g.arena().rewind(start);
  result.score = total / static_cast<double>(rows);
  return result;
}

}  // namespace softalign::decoding
