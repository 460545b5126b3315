#pragma once

#include "layers/positions/positions.h"

namespace softalign::layers {

// Recurrent positions: a simple recurrent network (Elman 1990) that reads nothing and walks from one
// position to the next, so that any number of positions shares its few weights:
//
//   p[0] = first
//   p[t] = tanh(U p[t-1] + b)
//
// Weights: first [D]; weight U [D, D]; bias b [D]; all start uniform in +-1/sqrt(D). at(g, t) walks
// from p[0] in t steps; next(g, p) takes one. Throws ArgumentError for 0 positions or a width of 0.
template <class T>
class RecurrentPositions {
 public:
  RecurrentPositions(Parameters<T>& p, const std::string& name, std::size_t width);

  Var<T> operator()(Graph<T>& g, std::size_t steps) const;
  Var<T> at(Graph<T>& g, std::size_t t) const { return (*this)(g, t + 1).slice(t, 1); }
  // p[t] from p[t-1], both [1, D]. Writes to `into` if that is a tensor.
  Var<T> next(Graph<T>& g, Var<T> p, Var<T> into = {}) const;
  std::size_t width() const { return weight_.shape.width(); }

 private:
  const Parameter<T>&first_, &weight_, &bias_;
};

}  // namespace softalign::layers
