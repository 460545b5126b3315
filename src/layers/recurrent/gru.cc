#include "layers/recurrent/gru.h"

#include <cmath>

#include "ops/elementwise.h"
#include "ops/linear.h"
#include "ops/recurrent.h"

namespace softalign::layers {

template <class T>
Gru<T>::Gru(Parameters<T>& p, const std::string& name, std::size_t in, std::size_t width)
    : width_(width),
      weight_ih_(p.add(name + ".weight_ih", {3 * width, in}, 1 / std::sqrt(static_cast<double>(width)))),
      weight_hh_(p.add(name + ".weight_hh", {3 * width, width}, 1 / std::sqrt(static_cast<double>(width)))),
      bias_ih_(p.add(name + ".bias_ih", {3 * width}, 1 / std::sqrt(static_cast<double>(width)))),
      bias_hh_(p.add(name + ".bias_hh", {3 * width}, 1 / std::sqrt(static_cast<double>(width)))) {}

template <class T>
Var<T> Gru<T>::gates(Graph<T>& g, Var<T> x) const {
  return ops::linear(g, x, g.use(weight_ih_), g.use(bias_ih_));
}

template <class T>
Var<T> Gru<T>::step(Graph<T>& g, Var<T> gates, Var<T> h, std::span<const unsigned char> active, Var<T> into) const {
  return ops::gru_step(g, gates, ops::linear(g, h, g.use(weight_hh_), g.use(bias_hh_)), h, active, into);
}

template <class T>
typename Gru<T>::Sequence Gru<T>::operator()(Graph<T>& g, Var<T> x, std::span<const std::int32_t> lengths,
                                             Direction direction) const {
  if (x.shape.rank() != 3) throw ShapeError("Gru: x is " + x.shape.to_string() + ", expected [T, B, in]");
  const std::size_t steps = x.shape[0], B = x.shape[1];
  if (!lengths.empty()) expect_size("Gru", "number of lengths", lengths.size(), B);
  for (const std::int32_t length : lengths) {
    if (length < 1 || static_cast<std::size_t>(length) > steps) {
      throw ShapeError("Gru: a length is " + std::to_string(length) + ", expected 1.." + std::to_string(steps));
    }
  }
  const Var<T> all_gates = gates(g, x).reshape({steps * B, 3 * width_});
  const Var<T> states = g.make({steps, B, width_});
  unsigned char* active = lengths.empty() ? nullptr : g.template scratch<unsigned char>(B);
  Var<T> h = g.zeros({B, width_});
  for (std::size_t i = 0; i < steps; ++i) {
    const std::size_t t = direction == Direction::kForward ? i : steps - 1 - i;
    for (std::size_t b = 0; b < lengths.size(); ++b) active[b] = static_cast<std::size_t>(lengths[b]) > t;
    h = step(g, all_gates.slice(t * B, B), h, {active, lengths.size()}, states.slice(t * B, B));
  }
  return {states, h};
}

template <class T>
BidirectionalGru<T>::BidirectionalGru(Parameters<T>& p, const std::string& name, std::size_t in, std::size_t width)
    : forward_(p, name + ".forward", in, width), backward_(p, name + ".backward", in, width) {}

template <class T>
typename BidirectionalGru<T>::Sequence BidirectionalGru<T>::operator()(
    Graph<T>& g, Var<T> x, std::span<const std::int32_t> lengths) const {
  const auto forward = forward_(g, x, lengths, Gru<T>::Direction::kForward);
  const auto backward = backward_(g, x, lengths, Gru<T>::Direction::kBackward);
  return {ops::concat(g, forward.states, backward.states), ops::concat(g, forward.last, backward.last)};
}

template class Gru<float>;
template class Gru<double>;
template class BidirectionalGru<float>;
template class BidirectionalGru<double>;

}  // namespace softalign::layers
