#pragma once

#include <vector>

#include "layers/positions/positions.h"

namespace softalign::layers {

// Sinusoidal positions (Vaswani et al. 2017, arXiv:1706.03762, 3.5), without any weights:
//
//   p[t, 2i]     = sin(t / 10000^(2i / D))
//   p[t, 2i + 1] = cos(t / 10000^(2i / D))
//
// For odd D the last column is a sine without its cosine. Computed in double precision, so any t is
// as exact as its type holds. Throws ArgumentError for 0 positions or a width of 0.
template <class T>
class SinusoidalPositions {
 public:
  explicit SinusoidalPositions(std::size_t width);

  Var<T> operator()(Graph<T>& g, std::size_t steps) const { return from(g, 0, steps); }
  Var<T> at(Graph<T>& g, std::size_t t) const { return from(g, t, 1); }
  std::size_t width() const { return width_; }

 private:
  // Positions first .. first + steps - 1.
  Var<T> from(Graph<T>& g, std::size_t first, std::size_t steps) const;

  std::size_t width_;
  std::vector<double> rates_;  // of each pair of columns: 10000^(-2i / D)
};

}  // namespace softalign::layers
