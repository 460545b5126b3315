#include "layers/recurrent/lstm.h"

#include <cmath>

#include "ops/linear.h"

namespace softalign::layers {

template <class T>
Lstm<T>::Lstm(Parameters<T>& p, const std::string& name, std::size_t in, std::size_t width)
    : width_(width),
      weight_ih_(p.add(name + ".weight_ih", {4 * width, in}, 1 / std::sqrt(static_cast<double>(width)))),
      weight_hh_(p.add(name + ".weight_hh", {4 * width, width}, 1 / std::sqrt(static_cast<double>(width)))),
      bias_ih_(p.add(name + ".bias_ih", {4 * width}, 1 / std::sqrt(static_cast<double>(width)))),
      bias_hh_(p.add(name + ".bias_hh", {4 * width}, 1 / std::sqrt(static_cast<double>(width)))) {}

template <class T>
Var<T> Lstm<T>::gates(Graph<T>& g, Var<T> x) const {
  return ops::linear(g, x, g.use(weight_ih_), g.use(bias_ih_));
}

template <class T>
typename Lstm<T>::State Lstm<T>::step(Graph<T>& g, Var<T> gates, State state, std::span<const unsigned char> active,
                                      Var<T> into) const {
  const Var<T> hidden = ops::linear(g, output(state), g.use(weight_hh_), g.use(bias_hh_));
  return ops::lstm_step(g, gates, hidden, state, active, into);
}

template class Lstm<float>;
template class Lstm<double>;

}  // namespace softalign::layers
