#include "layers/transformer/transformer.h"

#include <algorithm>

#include "layers/transformer/residual.h"

namespace softalign::layers {
namespace {

MultiHead attention(const TransformerChoices& c, bool self) {
  return {.width = c.width, .heads = c.heads, .relative = self ? c.relative : std::nullopt, .dropout = c.dropout,
          .output_gain = c.output_gain};
}

}  // namespace

template <class T>
FeedForward<T>::FeedForward(Parameters<T>& p, const std::string& name, const TransformerChoices& c)
    : activation_(c.activation),
      dropout_(c.dropout),
      linear1_(p, name + ".linear1", c.width, c.feed_forward),
      linear2_(p, name + ".linear2", c.feed_forward, c.width, Dense<T>::Bias::kLearned, c.output_gain) {}

template <class T>
Var<T> FeedForward<T>::operator()(Graph<T>& g, Var<T> x) const {
  const Var<T> hidden = linear1_(g, x);
  const Var<T> active = activation_ == Activation::kGelu ? ops::gelu(g, hidden) : ops::relu(g, hidden);
  return linear2_(g, ops::dropout(g, active, dropout_));
}

template <class T>
TransformerEncoderLayer<T>::TransformerEncoderLayer(Parameters<T>& p, const std::string& name,
                                                    const TransformerChoices& c)
    : norm_first_(c.norm_first),
      dropout_(c.dropout),
      self_attention_(p, name + ".self_attn", attention(c, true)),
      feed_forward_(p, name, c),
      norm1_(p, name + ".norm1", c.width, c.epsilon),
      norm2_(p, name + ".norm2", c.width, c.epsilon) {}

template <class T>
typename TransformerEncoderLayer<T>::Result TransformerEncoderLayer<T>::operator()(
    Graph<T>& g, Var<T> x, std::span<const std::int32_t> lengths, const ops::Pattern& pattern,
    std::span<const T> head_factors, const ops::Steering<T>& steering) const {
  std::optional<typename MultiHeadAttention<T>::Result> attended;
  x = residual(g, x, norm1_, norm_first_, dropout_, [&](Var<T> y) {
    Memory<T> own = self_attention_.project(g, y, lengths);
    own.steering = steering;
    attended.emplace(self_attention_(g, y, own, pattern, head_factors));
    return attended->output;
  });
  x = residual(g, x, norm2_, norm_first_, dropout_, [&](Var<T> y) { return feed_forward_(g, y); });
  return {x, attended->weights, attended->reach};
}

template <class T>
TransformerDecoderLayer<T>::TransformerDecoderLayer(Parameters<T>& p, const std::string& name,
                                                    const TransformerChoices& c)
    : norm_first_(c.norm_first),
      dropout_(c.dropout),
      self_attention_(p, name + ".self_attn", attention(c, true)),
      cross_attention_(p, name + ".multihead_attn", attention(c, false)),
      feed_forward_(p, name, c),
      norm1_(p, name + ".norm1", c.width, c.epsilon),
      norm2_(p, name + ".norm2", c.width, c.epsilon),
      norm3_(p, name + ".norm3", c.width, c.epsilon) {}

template <class T>
typename TransformerDecoderLayer<T>::Result TransformerDecoderLayer<T>::operator()(Graph<T>& g, Var<T> x,
                                                                                   const Memory<T>& memory,
                                                                                   const KeyValueCache<T>* cache) const {
  Result result;
  if (cache) {
    expect_shape("TransformerDecoderLayer", "x beside a cache", x.shape, {1, cache->keys.shape[1], x.width()});
  }
  x = residual(g, x, norm1_, norm_first_, dropout_, [&](Var<T> y) {
    Memory<T> own = self_attention_.project(g, y, {});
    std::size_t before = 0;
    if (cache) {
      std::copy_n(own.keys.value, own.keys.size(), cache->next_key.value);
      std::copy_n(own.values.value, own.values.size(), cache->next_value.value);
      own = {.keys = cache->keys, .values = cache->values, .lengths = {}, .steering = cache->steering};
      before = cache->keys.shape[0] - 1;
    }
    const auto attended = self_attention_(g, y, own, ops::Pattern::causal(before));
    result.self_weights = attended.weights;
    return attended.output;
  });
  x = residual(g, x, norm2_, norm_first_, dropout_, [&](Var<T> y) {
    const auto attended = cross_attention_(g, y, memory);
    result.cross_weights = attended.weights;
    return attended.output;
  });
  result.output = residual(g, x, norm3_, norm_first_, dropout_, [&](Var<T> y) { return feed_forward_(g, y); });
  return result;
}

template class FeedForward<float>;
template class FeedForward<double>;
template class TransformerEncoderLayer<float>;
template class TransformerEncoderLayer<double>;
template class TransformerDecoderLayer<float>;
template class TransformerDecoderLayer<double>;

}  // namespace softalign::layers
