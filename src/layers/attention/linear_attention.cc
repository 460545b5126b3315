#include "layers/attention/linear_attention.h"

#include "ops/elementwise.h"

namespace softalign::layers {
namespace {

std::size_t checked(std::size_t width, std::size_t heads) {
  if (width == 0 || heads == 0 || width % heads != 0) {
    throw ArgumentError("LinearAttention: heads is " + std::to_string(heads) + ", expected a divisor of the width " +
                        std::to_string(width));
  }
  return width;
}

}  // namespace

template <class T>
LinearAttention<T>::LinearAttention(Parameters<T>& p, const std::string& name, std::size_t width, std::size_t heads)
    : width_(checked(width, heads)),
      heads_(heads),
      q_(p, name + ".q_proj", width, width),
      k_(p, name + ".k_proj", width, width),
      v_(p, name + ".v_proj", width, width),
      out_(p, name + ".out_proj", width, width) {}

template <class T>
void LinearAttention<T>::check(const Var<T>& x) const {
  if (x.shape.rank() != 3) {
    throw ShapeError("LinearAttention: x is " + x.shape.to_string() + ", expected [T, B, " + std::to_string(width_) + "]");
  }
}

template <class T>
Var<T> LinearAttention<T>::features(Graph<T>& g, const Dense<T>& projection, Var<T> x) const {
  return ops::elu_plus_one(g, projection(g, x));
}

template <class T>
Var<T> LinearAttention<T>::operator()(Graph<T>& g, Var<T> x, std::span<const std::int32_t> lengths, Over over) const {
  check(x);
  const Var<T> q = features(g, q_, x), k = features(g, k_, x), v = v_(g, x);
  return out_(g, over == Over::kPast ? ops::causal_linear_attention(g, q, k, v, heads_, lengths)
                                     : ops::linear_attention(g, q, k, v, heads_, lengths));
}

template <class T>
typename LinearAttention<T>::State LinearAttention<T>::start(Graph<T>& g, std::size_t B) const {
  const std::size_t A = width_ / heads_;
  return {g.zeros({B, heads_, A, A}), g.zeros({B, heads_, A})};
}

template <class T>
typename LinearAttention<T>::Step LinearAttention<T>::step(Graph<T>& g, Var<T> x, const State& state,
                                                           const State& into) const {
  const Step step = ops::linear_attention_step(g, features(g, q_, x), features(g, k_, x), v_(g, x), state, into);
  return {out_(g, step.y), step.state};
}

template <class T>
Var<T> LinearAttention<T>::weights(Graph<T>& g, Var<T> x, std::span<const std::int32_t> lengths, Over over) const {
  check(x);
  return ops::linear_attention_weights(g, features(g, q_, x), features(g, k_, x), heads_, lengths,
                                       over == Over::kPast);
}

template class LinearAttention<float>;
template class LinearAttention<double>;

}  // namespace softalign::layers
