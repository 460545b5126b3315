#pragma once

#include <vector>

#include "layers/positions/positions.h"

namespace softalign::layers {

// Sinusoidal positions (Vaswani et al. 2017, arXiv:1706.03762, 3.5), without any weights:
//
//   p[t, 2i]     = sin(t / 10000^(2i / D))
//   p[t, 2i + 1] = cos(t / 10000^(2i / D))
//
// or, as in tensor2tensor and Marian, all sines before all cosines and rates that reach 1 / 10000:
//
//   p[t, i]         = sin(t / 10000^(i / (D / 2 - 1)))      i < D / 2
//   p[t, D / 2 + i] = cos(t / 10000^(i / (D / 2 - 1)))
//
// For odd D the last column is a sine without its cosine (0 in halves). Computed in double precision, so any t is
// as exact as its type holds. Throws ArgumentError for 0 positions or a width of 0.
template <class T>
class SinusoidalPositions {
 public:
  enum class Order { kInterleaved, kHalves };
  explicit SinusoidalPositions(std::size_t width, Order order = Order::kInterleaved);

  Var<T> operator()(Graph<T>& g, std::size_t steps) const { return from(g, 0, steps); }
  Var<T> at(Graph<T>& g, std::size_t t) const { return from(g, t, 1); }
  std::size_t width() const { return width_; }

 private:
  // Positions first .. first + steps - 1.
  Var<T> from(Graph<T>& g, std::size_t first, std::size_t steps) const;

  void write(std::size_t t, T* row) const;

  std::size_t width_;
  Order order_;
  std::vector<double> rates_;  // of each sine and its cosine
  std::vector<T> first_;       // the first positions, which nearly all sentences need: a sine takes longer than a product
};

}  // namespace softalign::layers
