#pragma once

#include "layers/positions/positions.h"

namespace softalign::layers {

// Learned positions (Devlin et al. 2019, arXiv:1810.04805): one vector for each, p[t] = weight[t].
//
// Weight: weight [N, D], starting with a deviation of 0.02 as BERT's do. There is no vector beyond the
// table: asking for position N or more throws ArgumentError, as do 0 positions and an empty table.
template <class T>
class LearnedPositions {
 public:
  LearnedPositions(Parameters<T>& p, const std::string& name, std::size_t positions, std::size_t width);

  Var<T> operator()(Graph<T>& g, std::size_t steps) const { return from(g, 0, steps); }
  Var<T> at(Graph<T>& g, std::size_t t) const { return from(g, t, 1); }
  std::size_t width() const { return weight_.shape.width(); }
  // N
  std::size_t positions() const { return weight_.shape.rows(); }

 private:
  // Positions first .. first + steps - 1.
  Var<T> from(Graph<T>& g, std::size_t first, std::size_t steps) const;

  const Parameter<T>& weight_;
};

}  // namespace softalign::layers
