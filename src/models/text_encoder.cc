#include "models/text_encoder.h"

#include <cmath>

#include "ops/elementwise.h"

namespace softalign::models {

const char* encoder_name(EncoderKind kind) {
  switch (kind) {
    case EncoderKind::kSelfAttention: return "self-attention";
    case EncoderKind::kBiLstm: return "bilstm";
    case EncoderKind::kWindow: return "window";
  }
  return "";
}

EncoderKind encoder_by_name(const std::string& name) {
  for (const auto kind : {EncoderKind::kSelfAttention, EncoderKind::kBiLstm, EncoderKind::kWindow}) {
    if (name == encoder_name(kind)) return kind;
  }
  throw ArgumentError("encoder is \"" + name + "\", expected \"self-attention\", \"bilstm\" or \"window\"");
}

template <class T>
TextEncoder<T>::TextEncoder(Parameters<T>& p, const std::string& name, std::size_t vocabulary, const EncoderChoices& c)
    : choices_(c), embedding_(p, name + ".embedding", vocabulary + 1, c.width) {
  if (c.layers == 0) throw ArgumentError("TextEncoder: layers is 0, expected at least 1");
  const auto layer_name = [&](std::size_t i) { return name + ".layers." + std::to_string(i); };
  switch (c.kind) {
    case EncoderKind::kSelfAttention:
      for (std::size_t i = 0; i < c.layers; ++i) {
        attention_.emplace_back(p, layer_name(i),
                                layers::TransformerChoices{.width = c.width,
                                                           .heads = c.heads,
                                                           .feed_forward = c.feed_forward,
                                                           .activation = layers::Activation::kGelu,
                                                           .norm_first = true,
                                                           .relative = c.radius,
                                                           .dropout = c.dropout});
      }
      norm_.emplace(p, name + ".norm", c.width);
      break;
    case EncoderKind::kBiLstm:
      if (c.width % 2 != 0) {
        throw ArgumentError("TextEncoder: width is " + std::to_string(c.width) + ", expected an even one for two directions");
      }
      lstm_.emplace(p, name + ".layers", c.width, c.width / 2, c.layers, c.dropout);
      break;
    case EncoderKind::kWindow:
      for (std::size_t i = 0; i < c.layers; ++i) windows_.emplace_back(p, layer_name(i), c.width, c.width, c.radius);
      break;
  }
}

template <class T>
Var<T> TextEncoder<T>::operator()(Graph<T>& g, std::span<const std::int32_t> ids,
                                  std::span<const std::int32_t> lengths, std::vector<Var<T>>* weights) const {
  const std::size_t B = lengths.size(), steps = ids.size() / B;
  const Var<T> words = ops::scale(g, embedding_(g, ids), static_cast<T>(std::sqrt(static_cast<double>(width()))));
  Var<T> x = ops::dropout(g, words, choices_.dropout).reshape({steps, B, width()});
  for (const auto& layer : attention_) {
    const auto result = layer(g, x, lengths);
    if (weights) weights->push_back(result.weights);
    x = result.output;
  }
  if (norm_) x = (*norm_)(g, x);
  if (lstm_) x = (*lstm_)(g, x, lengths).states;
  for (const auto& window : windows_) x = ops::dropout(g, window(g, x, lengths), choices_.dropout);
  return lstm_ ? ops::dropout(g, x, choices_.dropout) : x;
}

template class TextEncoder<float>;
template class TextEncoder<double>;

}  // namespace softalign::models
