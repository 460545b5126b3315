#pragma once

#include <span>

#include "layers/dense.h"
#include "layers/positions/positions.h"

namespace softalign::layers {

// Continuous positions: FLOATER (Liu, Yu, Dhillon & Hsieh 2020, arXiv:2003.09229). Positions are points
// on a path through time, the solution of a differential equation that is learned:
//
//   p(t + d) = p(t) + integral from t to t + d of h(s, p(s)) ds,   p(0) = first
//   h(s, p)  = out.weight tanh(hidden.weight p + s * time + hidden.bias) + out.bias
//
// So there are positions between positions, and elements need not be evenly spaced: times may be any
// numbers that do not decrease. The integral is computed by the classical Runge-Kutta method of order
// 4; between two times it takes the fewest equal steps of at most 1 / solver_steps each, that is
// solver_steps for each whole position. Gradients are those of the solver's own steps.
//
// H is the width of the hidden layer. Weights: first [D]; hidden.weight [H, D], hidden.bias [H];
// time [H]; out.weight [D, H], out.bias [D]. `out` starts a tenth as large as a Dense, for a path that
// bends slowly, and so does `time`, which stands for a large number's weight.
template <class T>
class ContinuousPositions {
 public:
  static constexpr double kLatest = 1e6;

  // Throws ArgumentError if a width or solver_steps is 0.
  ContinuousPositions(Parameters<T>& p, const std::string& name, std::size_t width, std::size_t hidden,
                      std::size_t solver_steps);

  Var<T> operator()(Graph<T>& g, std::size_t steps) const;
  // p at each of the times -> [times.size(), D]. Throws ArgumentError if there are none, or one is not
  // in 0..kLatest or smaller than the one before it.
  Var<T> operator()(Graph<T>& g, std::span<const double> times) const;
  // p(t) -> [1, D], walking there from time 0.
  Var<T> at_time(Graph<T>& g, double t) const { return (*this)(g, std::span<const double>(&t, 1)); }
  Var<T> at(Graph<T>& g, std::size_t t) const { return at_time(g, static_cast<double>(t)); }
  std::size_t width() const { return first_.shape.width(); }

 private:
  Var<T> slope(Graph<T>& g, double t, Var<T> p) const;
  // One step of the solver, from p(t) to p(t + d), written to `into`.
  void step(Graph<T>& g, double t, double d, Var<T> p, Var<T> into) const;

  std::size_t solver_steps_;
  const Parameter<T>& first_;
  Dense<T> hidden_;
  const Parameter<T>&time_, &out_weight_, &out_bias_;
};

}  // namespace softalign::layers
