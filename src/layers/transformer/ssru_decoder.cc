#include "layers/transformer/ssru_decoder.h"

#include <algorithm>

#include "layers/transformer/residual.h"

namespace softalign::layers {
namespace {

const TransformerChoices& post_norm(const TransformerChoices& c) {
  if (c.norm_first) throw ArgumentError("SsruDecoderLayer: norm_first is true, expected false: it is a post-norm layer");
  return c;
}

}  // namespace

template <class T>
SsruDecoderLayer<T>::SsruDecoderLayer(Parameters<T>& p, const std::string& name, const TransformerChoices& c)
    : dropout_(post_norm(c).dropout),
      ssru_(p, name + ".ssru", c.width, c.width),
      cross_attention_(p, name + ".multihead_attn",
                       {.width = c.width, .heads = c.heads, .dropout = c.dropout, .output_gain = c.output_gain}),
      feed_forward_(p, name, c),
      norm1_(p, name + ".norm1", c.width, c.epsilon),
      norm2_(p, name + ".norm2", c.width, c.epsilon),
      norm3_(p, name + ".norm3", c.width, c.epsilon) {}

template <class T>
typename SsruDecoderLayer<T>::Result SsruDecoderLayer<T>::rest(Graph<T>& g, Var<T> x, Var<T> remembered,
                                                               const Memory<T>& memory) const {
  Result result;
  x = residual(g, x, norm1_, false, dropout_, [&](Var<T>) { return remembered; });
  x = residual(g, x, norm2_, false, dropout_, [&](Var<T> y) {
    const auto attended = cross_attention_(g, y, memory);
    result.cross_weights = attended.weights;
    return attended.output;
  });
  result.output = residual(g, x, norm3_, false, dropout_, [&](Var<T> y) { return feed_forward_(g, y); });
  return result;
}

template <class T>
typename SsruDecoderLayer<T>::Result SsruDecoderLayer<T>::operator()(Graph<T>& g, Var<T> x, const Memory<T>& memory) const {
  return rest(g, x, ssru_(g, x, {}).states.reshape(x.shape), memory);
}

template <class T>
typename SsruDecoderLayer<T>::Result SsruDecoderLayer<T>::step(Graph<T>& g, Var<T> x, const Memory<T>& memory, Var<T> cell,
                                                               Var<T> next) const {
  const std::size_t B = memory.columns.empty() ? memory.keys.shape[1] : memory.columns.size();
  expect_shape("SsruDecoderLayer", "x of one word", x.shape, {1, B, ssru_.width()});
  const Var<T> before = cell.value ? cell : g.zeros({B, x.width()});
  // An output before plays no part in the next one.
  const auto state = ssru_.step(g, ssru_.gates(g, x.reshape({B, x.width()})), {before, before});
  std::copy_n(state.c.value, state.c.size(), next.value);
  return rest(g, x, state.h.reshape(x.shape), memory);
}

template class SsruDecoderLayer<float>;
template class SsruDecoderLayer<double>;

}  // namespace softalign::layers
