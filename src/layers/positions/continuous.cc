#include "layers/positions/continuous.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ops/elementwise.h"

namespace softalign::layers {
namespace {

std::size_t checked(std::size_t width, std::size_t hidden, std::size_t solver_steps) {
  expect_positions("ContinuousPositions", 1, width);
  if (hidden == 0) throw ArgumentError("ContinuousPositions: the hidden layer's width is 0, expected at least 1");
  if (solver_steps == 0) throw ArgumentError("ContinuousPositions: solver_steps is 0, expected at least 1");
  return solver_steps;
}

double glorot(std::size_t in, std::size_t out) { return std::sqrt(6.0 / static_cast<double>(in + out)); }

}  // namespace

template <class T>
ContinuousPositions<T>::ContinuousPositions(Parameters<T>& p, const std::string& name, std::size_t width,
                                            std::size_t hidden, std::size_t solver_steps)
    : solver_steps_(checked(width, hidden, solver_steps)),
      first_(p.add(name + ".first", {width}, 0.1)),
      hidden_(p, name + ".hidden", width, hidden),
      time_(p.add(name + ".time", {hidden}, 0.1)),
      out_weight_(p.add(name + ".out.weight", {width, hidden}, 0.1 * glorot(width, hidden))),
      out_bias_(p.add(name + ".out.bias", {width}, 0)) {}

template <class T>
Var<T> ContinuousPositions<T>::slope(Graph<T>& g, double t, Var<T> p) const {
  const Var<T> time = g.use(time_).reshape({1, time_.shape.width()});
  const Var<T> hidden = ops::tanh(g, ops::add_scaled(g, hidden_(g, p), time, t));
  return ops::linear(g, hidden, g.use(out_weight_), g.use(out_bias_));
}

template <class T>
void ContinuousPositions<T>::step(Graph<T>& g, double t, double d, Var<T> p, Var<T> into) const {
  const Var<T> k1 = slope(g, t, p);
  const Var<T> k2 = slope(g, t + d / 2, ops::add_scaled(g, p, k1, d / 2));
  const Var<T> k3 = slope(g, t + d / 2, ops::add_scaled(g, p, k2, d / 2));
  const Var<T> k4 = slope(g, t + d, ops::add_scaled(g, p, k3, d));
  Var<T> sum = ops::add_scaled(g, p, k1, d / 6);
  sum = ops::add_scaled(g, sum, k2, d / 3);
  sum = ops::add_scaled(g, sum, k3, d / 3);
  ops::add_scaled(g, sum, k4, d / 6, into);
}

template <class T>
Var<T> ContinuousPositions<T>::operator()(Graph<T>& g, std::size_t steps) const {
  auto* times = g.template scratch<double>(steps);
  std::iota(times, times + steps, 0.0);
  return (*this)(g, std::span<const double>(times, steps));
}

template <class T>
Var<T> ContinuousPositions<T>::operator()(Graph<T>& g, std::span<const double> times) const {
  expect_positions("ContinuousPositions", times.size(), width());
  const Var<T> rows = g.make({times.size(), width()});
  Var<T> p = g.use(first_).reshape({1, width()});
  double now = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!(times[i] >= now && times[i] <= kLatest)) {
      throw ArgumentError("ContinuousPositions: times[" + std::to_string(i) + "] is " + std::to_string(times[i]) +
                          ", expected " + std::to_string(now) + ".." + std::to_string(kLatest));
    }
    const double whole = times[i] - now;
    // a hair less, so that what rounding added to a time costs no step
    const auto count = static_cast<std::size_t>(std::ceil(whole * static_cast<double>(solver_steps_) * (1 - 1e-12)));
    const double d = whole / static_cast<double>(std::max<std::size_t>(count, 1));
    for (std::size_t s = 0; s < count; ++s) {
      const Var<T> into = s + 1 < count ? g.make({1, width()}) : rows.slice(i, 1);
      const Arena::Mark mark = g.arena().mark();
      step(g, now + static_cast<double>(s) * d, d, p, into);
      if (!g.training()) g.arena().rewind(mark);
      p = into;
    }
    if (count == 0) ops::copy(g, p, rows.slice(i, 1));
    now = times[i];
  }
  return rows;
}

template class ContinuousPositions<float>;
template class ContinuousPositions<double>;

}  // namespace softalign::layers
