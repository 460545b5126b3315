#include "ops/unfold.h"

#include <algorithm>

#include "kernels/vector.h"
#include "ops/lengths.h"

namespace softalign::ops {

template <class T>
Var<T> unfold(Graph<T>& g, Var<T> x, std::size_t radius, std::span<const std::int32_t> lengths, Neighbours order) {
  if (x.shape.rank() != 3) throw ShapeError("unfold: x is " + x.shape.to_string() + ", expected [T, B, in]");
  if (radius > kLargestRadius) {
    throw ArgumentError("unfold: radius is " + std::to_string(radius) + ", expected 0.." +
                        std::to_string(kLargestRadius));
  }
  const std::size_t steps = x.shape[0], B = x.shape[1], in = x.shape[2], count = 2 * radius + 1;
  const Lengths length(g, "unfold", lengths, steps, B);
  const Var<T> y = g.zeros({steps, B, count * in});
  // each(from, to): element `from` of x starts a row that goes to y from `to` on
  const auto for_neighbours = [=](auto each) {
    for (std::size_t t = 0; t < steps; ++t) {
      for (std::size_t b = 0; b < B; ++b) {
        const std::size_t row = (t * B + b) * count * in;
        // s = t + j - radius, where it is within the sequence
        const std::size_t first = t < radius ? radius - t : 0;
        for (std::size_t j = first; j < count && t + j < length[b] + radius; ++j) {
          each(((t + j - radius) * B + b) * in, row + (order == Neighbours::kInTurn ? j * in : j));
        }
      }
    }
  };
  if (order == Neighbours::kInTurn) {
    for_neighbours([=](std::size_t from, std::size_t to) { std::copy_n(x.value + from, in, y.value + to); });
  } else {
    for_neighbours([=](std::size_t from, std::size_t to) {
      for (std::size_t i = 0; i < in; ++i) y.value[to + i * count] = x.value[from + i];
    });
  }
  if (g.training() && x.grad) {
    g.record([=] {
      if (order == Neighbours::kInTurn) {
        for_neighbours([=](std::size_t from, std::size_t to) { kernels::axpy(T(1), y.grad + to, x.grad + from, in); });
      } else {
        for_neighbours([=](std::size_t from, std::size_t to) {
          for (std::size_t i = 0; i < in; ++i) x.grad[from + i] += y.grad[to + i * count];
        });
      }
    });
  }
  return y;
}

template Var<float> unfold(Graph<float>&, Var<float>, std::size_t, std::span<const std::int32_t>, Neighbours);
template Var<double> unfold(Graph<double>&, Var<double>, std::size_t, std::span<const std::int32_t>, Neighbours);

}  // namespace softalign::ops
