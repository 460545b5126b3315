#include "ops/positions.h"

#include "kernels/vector.h"

namespace softalign::ops {

template <class T>
Var<T> add_positions(Graph<T>& g, Var<T> x, Var<T> positions) {
  const std::size_t rank = x.shape.rank(), D = x.width();
  if (rank != 2 && rank != 3) {
    throw ShapeError("add_positions: x is " + x.shape.to_string() + ", expected [T, B, D] or [B, D]");
  }
  const std::size_t steps = rank == 3 ? x.shape[0] : 1;
  expect_shape("add_positions", "positions", positions.shape, {steps, D});
  const std::size_t B = rank == 3 ? x.shape[1] : x.shape[0];
  const Var<T> y = g.make(x.shape);
  for (std::size_t r = 0; r < steps * B; ++r) {
    kernels::add(x.value + r * D, positions.value + r / B * D, y.value + r * D, D);
  }
  if (g.training()) {
    g.record([=] {
      if (x.grad) kernels::axpy(T(1), y.grad, x.grad, y.size());
      if (!positions.grad) return;
      for (std::size_t r = 0; r < steps * B; ++r) {
        kernels::axpy(T(1), y.grad + r * D, positions.grad + r / B * D, D);
      }
    });
  }
  return y;
}

template Var<float> add_positions(Graph<float>&, Var<float>, Var<float>);
template Var<double> add_positions(Graph<double>&, Var<double>, Var<double>);

}  // namespace softalign::ops
