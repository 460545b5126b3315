#include "layers/attention/attention.h"

#include "layer.h"
#include "layers/attention/linear_attention.h"
#include "layers/attention/multi_head.h"

namespace softalign::js {
namespace {

using layers::Normaliser;
using layers::ScoreKind;

Normaliser normaliser(Options& o) {
  return o.is_second("normaliser", "softmax", "relu") ? Normaliser::kRelu : Normaliser::kSoftmax;
}

Forward attention(Parameters<float>& p, Options& o) {
  const ScoreKind score = layers::score_by_name(o.text("score", "additive"));
  const std::size_t query = o.size("query"), key = o.size("key");
  // The general score has no other widths than these.
  const std::size_t width = score == ScoreKind::kGeneral ? query : o.size("width");
  const layers::Attention<float> layer(p, "", score, query, key, width, normaliser(o));
  return [=](Call& c) {
    Graph<float>& g = c.graph();
    const Var<float> x = c.tensor("x", {"B", query}), m = c.tensor("memory", {"S", x.shape[0], key});
    layers::Memory<float> memory = layer.project(g, m, c.lengths(m));
    if (c.has("values")) memory.values = c.tensor("values", {m.shape[0], m.shape[1], "V"});
    const auto attended = layer(g, x, memory);
    c.give("output", attended.context);
    if (c.flag("attention")) c.give("attention", attended.weights);
  };
}

Forward multi_head(Parameters<float>& p, Options& o) {
  const layers::MultiHead choices = {
      .width = o.size("width"),
      .heads = o.size("heads"),
      .memory = o.optional_size("memoryWidth").value_or(o.size("width")),
      .score = layers::score_by_name(o.text("score", "scaled_dot")),
      .normaliser = normaliser(o),
      .relative = o.optional_size("relative", 0),
  };
  const layers::MultiHeadAttention<float> layer(p, "", choices);
  return [=](Call& c) {
    Graph<float>& g = c.graph();
    const Var<float> x = c.tensor("x", {"T", "B", choices.width});
    const bool itself = !c.has("memory") && choices.memory == choices.width;
    const Var<float> m = itself ? x : c.tensor("memory", {"S", x.shape[1], choices.memory});
    const auto result = layer(g, x, layer.project(g, m, c.lengths(m)), c.pattern(x.shape[0], m.shape[0]),
                              c.head_mask(choices.heads));
    c.give("output", result.output);
    if (c.flag("heads")) c.give("heads", result.heads);
    if (c.flag("attention")) c.give("attention", ops::by_key(g, result.weights, result.reach));
  };
}

Forward linear_attention(Parameters<float>& p, Options& o) {
  using Layer = layers::LinearAttention<float>;
  const std::size_t width = o.size("width"), heads = o.size("heads");
  const Layer::Over over = o.flag("causal") ? Layer::Over::kPast : Layer::Over::kAll;
  const Layer layer(p, "", width, heads);
  return [=](Call& c) {
    Graph<float>& g = c.graph();
    if (c.flag("step")) {
      if (over != Layer::Over::kPast) throw ArgumentError("LinearAttention: a step needs the future, expected a causal layer");
      const Var<float> x = c.tensor("x", {"B", width});
      const std::size_t B = x.shape[0], A = width / heads;
      Layer::State state = layer.start(g, B);
      if (c.has("sums") || c.has("keys")) {
        state = {c.tensor("sums", {B, heads, A, A}), c.tensor("keys", {B, heads, A})};
      }
      const auto step = layer.step(g, x, state);
      c.give("output", step.y);
      c.give("sums", step.state.sums);
      c.give("keys", step.state.keys);
      return;
    }
    const Var<float> x = c.tensor("x", {"T", "B", width});
    const auto lengths = c.lengths(x);
    c.give("output", layer(g, x, lengths, over));
    if (c.flag("attention")) c.give("attention", layer.weights(g, x, lengths, over));
  };
}

}  // namespace

std::span<const Kind> attention_kinds() {
  static constexpr Kind kinds[] = {
      {"Attention", attention},
      {"MultiHeadAttention", multi_head, in_proj},
      {"LinearAttention", linear_attention, in_proj},
  };
  return kinds;
}

}  // namespace softalign::js
