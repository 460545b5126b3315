#include "ops/layer_norm.h"

#include <algorithm>

#include "kernels/layer_norm.h"

namespace softalign::ops {

template <class T>
Var<T> layer_norm(Graph<T>& g, Var<T> x, Var<T> weight, Var<T> bias, double epsilon) {
  const std::size_t rows = x.rows(), D = x.width();
  if (D == 0) throw ShapeError("layer_norm: x is " + x.shape.to_string() + ", expected a last dimension above 0");
  expect_shape("layer_norm", "weight", weight.shape, {D});
  expect_shape("layer_norm", "bias", bias.shape, {D});
  const Var<T> y = g.make(x.shape);
  auto* moments = g.training() ? g.template scratch<kernels::Moments<T>>(rows) : nullptr;
  for (std::size_t r = 0; r < rows; ++r) {
    const auto of_row =
        kernels::layer_norm(x.value + r * D, weight.value, bias.value, static_cast<T>(epsilon), y.value + r * D, D);
    if (moments) moments[r] = of_row;
  }
  if (g.training()) {
    // takes the gradient of whatever has none
    T* nowhere = g.template scratch<T>(D);
    std::fill_n(nowhere, D, T(0));
    g.record([=] {
      for (std::size_t r = 0; r < rows; ++r) {
        kernels::layer_norm_gradient(moments[r], x.value + r * D, weight.value, y.grad + r * D,
                                     x.grad ? x.grad + r * D : nowhere, weight.grad ? weight.grad : nowhere,
                                     bias.grad ? bias.grad : nowhere, D);
      }
    });
  }
  return y;
}

template Var<float> layer_norm(Graph<float>&, Var<float>, Var<float>, Var<float>, double);
template Var<double> layer_norm(Graph<double>&, Var<double>, Var<double>, Var<double>, double);

}  // namespace softalign::ops
