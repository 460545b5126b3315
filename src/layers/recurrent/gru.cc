#include "layers/recurrent/gru.h"

#include <cmath>

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
typename Gru<T>::State Gru<T>::step(Graph<T>& g, Var<T> gates, State h, std::span<const unsigned char> active,
                                    Var<T> into) const {
  return ops::gru_step(g, gates, ops::linear(g, h, g.use(weight_hh_), g.use(bias_hh_)), h, active, into);
}

template class Gru<float>;
template class Gru<double>;

}  // namespace softalign::layers
