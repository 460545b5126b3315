#include "layers/recurrent/simple_rnn.h"

#include <cmath>

#include "ops/linear.h"
#include "ops/recurrent.h"

namespace softalign::layers {

template <class T>
SimpleRnn<T>::SimpleRnn(Parameters<T>& p, const std::string& name, std::size_t in, std::size_t width)
    : width_(width),
      weight_ih_(p.add(name + ".weight_ih", {width, in}, 1 / std::sqrt(static_cast<double>(width)))),
      weight_hh_(p.add(name + ".weight_hh", {width, width}, 1 / std::sqrt(static_cast<double>(width)))),
      bias_ih_(p.add(name + ".bias_ih", {width}, 1 / std::sqrt(static_cast<double>(width)))),
      bias_hh_(p.add(name + ".bias_hh", {width}, 1 / std::sqrt(static_cast<double>(width)))) {}

template <class T>
Var<T> SimpleRnn<T>::gates(Graph<T>& g, Var<T> x) const {
  return ops::linear(g, x, g.use(weight_ih_), g.use(bias_ih_));
}

template <class T>
typename SimpleRnn<T>::State SimpleRnn<T>::step(Graph<T>& g, Var<T> gates, State state,
                                                std::span<const unsigned char> active, Var<T> into) const {
  const Var<T> hidden = ops::linear(g, output(state), g.use(weight_hh_), g.use(bias_hh_));
  return ops::rnn_step(g, gates, hidden, state, active, into);
}

template class SimpleRnn<float>;
template class SimpleRnn<double>;

}  // namespace softalign::layers
