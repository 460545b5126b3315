#include "layers/transformer/transformer.h"

#include "layer.h"

namespace softalign::js {
namespace {

layers::TransformerChoices choices_of(Options& o) {
  return {
      .width = o.size("width"),
      .heads = o.size("heads"),
      .feed_forward = o.size("feedForward"),
      .activation = o.is_second("activation", "relu", "gelu") ? layers::Activation::kGelu : layers::Activation::kRelu,
      .norm_first = o.flag("normFirst"),
      .relative = o.optional_size("relative", 0),
  };
}

Forward encoder(Parameters<float>& p, Options& o) {
  const layers::TransformerChoices choices = choices_of(o);
  const layers::TransformerEncoderLayer<float> layer(p, "", choices);
  return [=](Call& c) {
    Graph<float>& g = c.graph();
    const Var<float> x = c.tensor("x", {"T", "B", choices.width});
    const auto result = layer(g, x, c.lengths(x), c.pattern(x.shape[0], x.shape[0]), c.head_mask(choices.heads));
    c.give("output", result.output);
    if (c.flag("attention")) c.give("attention", ops::by_key(g, result.weights, result.reach));
  };
}

Forward decoder(Parameters<float>& p, Options& o) {
  const std::size_t width = o.size("width");
  const layers::TransformerDecoderLayer<float> layer(p, "", choices_of(o));
  return [=](Call& c) {
    Graph<float>& g = c.graph();
    const Var<float> x = c.tensor("x", {"T", "B", width}), m = c.tensor("memory", {"S", x.shape[1], width});
    const auto result = layer(g, x, layer.project(g, m, c.lengths(m)));
    c.give("output", result.output);
    if (!c.flag("attention")) return;
    c.give("attention", result.cross_weights);
    c.give("selfAttention", result.self_weights);
  };
}

}  // namespace

std::span<const Kind> transformer_kinds() {
  static constexpr Kind kinds[] = {
      {"TransformerEncoderLayer", encoder, in_proj},
      {"TransformerDecoderLayer", decoder, in_proj},
  };
  return kinds;
}

}  // namespace softalign::js
