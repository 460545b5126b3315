#include "layers/positions/recurrent.h"

#include <cmath>

#include "ops/elementwise.h"
#include "ops/linear.h"
#include "ops/recurrent.h"

namespace softalign::layers {
namespace {

double range_of(std::size_t width) {
  expect_positions("RecurrentPositions", 1, width);
  return 1 / std::sqrt(static_cast<double>(width));
}

}  // namespace

template <class T>
RecurrentPositions<T>::RecurrentPositions(Parameters<T>& p, const std::string& name, std::size_t width)
    : first_(p.add(name + ".first", {width}, range_of(width))),
      weight_(p.add(name + ".weight", {width, width}, range_of(width))),
      bias_(p.add(name + ".bias", {width}, range_of(width))) {}

template <class T>
Var<T> RecurrentPositions<T>::operator()(Graph<T>& g, std::size_t steps) const {
  expect_positions("RecurrentPositions", steps, width());
  const Var<T> p = g.make({steps, width()});
  ops::copy(g, g.use(first_).reshape({1, width()}), p.slice(0, 1));
  for (std::size_t t = 1; t < steps; ++t) next(g, p.slice(t - 1, 1), p.slice(t, 1));
  return p;
}

template <class T>
Var<T> RecurrentPositions<T>::next(Graph<T>& g, Var<T> p, Var<T> into) const {
  const Var<T> bias = g.use(bias_).reshape({1, width()});
  return ops::rnn_step<T>(g, bias, ops::linear(g, p, g.use(weight_)), p, {}, into);
}

template class RecurrentPositions<float>;
template class RecurrentPositions<double>;

}  // namespace softalign::layers
