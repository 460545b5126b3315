#include "ops/elementwise.h"

#include <algorithm>

#include "kernels/vector.h"

namespace softalign::ops {

template <class T>
Var<T> add(Graph<T>& g, Var<T> a, Var<T> b) {
  expect_shape("add", "second operand", b.shape, a.shape);
  Var<T> y = g.make(a.shape);
  kernels::add(a.value, b.value, y.value, y.size());
  if (g.training()) {
    g.record([=] {
      if (a.grad) kernels::axpy(T(1), y.grad, a.grad, y.size());
      if (b.grad) kernels::axpy(T(1), y.grad, b.grad, y.size());
    });
  }
  return y;
}

template <class T>
Var<T> scale(Graph<T>& g, Var<T> a, T factor) {
  Var<T> y = g.make(a.shape);
  kernels::scale(factor, a.value, y.value, y.size());
  if (g.training() && a.grad) {
    g.record([=] { kernels::axpy(factor, y.grad, a.grad, y.size()); });
  }
  return y;
}

template <class T>
Var<T> add_scaled(Graph<T>& g, Var<T> a, Var<T> b, double scale, Var<T> into) {
  expect_shape("add_scaled", "second operand", b.shape, a.shape);
  const Var<T> y = into.value ? into : g.make(a.shape);
  expect_shape("add_scaled", "into", y.shape, a.shape);
  const T factor = static_cast<T>(scale);
  std::copy_n(a.value, y.size(), y.value);
  kernels::axpy(factor, b.value, y.value, y.size());
  if (g.training()) {
    g.record([=] {
      if (a.grad) kernels::axpy(T(1), y.grad, a.grad, y.size());
      if (b.grad) kernels::axpy(factor, y.grad, b.grad, y.size());
    });
  }
  return y;
}

template <class T>
Var<T> add_scaled(Graph<T>& g, Var<T> a, Var<T> b, Var<T> scale) {
  expect_shape("add_scaled", "second operand", b.shape, a.shape);
  expect_shape("add_scaled", "scale", scale.shape, {1});
  const Var<T> y = g.make(a.shape);
  std::copy_n(a.value, y.size(), y.value);
  kernels::axpy(*scale.value, b.value, y.value, y.size());
  if (g.training()) {
    g.record([=] {
      if (a.grad) kernels::axpy(T(1), y.grad, a.grad, y.size());
      if (b.grad) kernels::axpy(*scale.value, y.grad, b.grad, y.size());
      if (scale.grad) *scale.grad += kernels::dot(y.grad, b.value, y.size());
    });
  }
  return y;
}

template <class T>
void copy(Graph<T>& g, Var<T> a, Var<T> into) {
  expect_shape("copy", "into", into.shape, a.shape);
  std::copy_n(a.value, a.size(), into.value);
  if (g.training() && a.grad) {
    g.record([=] { kernels::axpy(T(1), into.grad, a.grad, a.size()); });
  }
}

template <class T>
Var<T> tanh(Graph<T>& g, Var<T> a) {
  Var<T> y = g.make(a.shape);
  kernels::tanh(a.value, y.value, a.size());
  if (g.training() && a.grad) {
    g.record([=] { kernels::tanh_gradient(y.value, y.grad, a.grad, y.size()); });
  }
  return y;
}

template <class T>
Var<T> relu(Graph<T>& g, Var<T> a) {
  Var<T> y = g.make(a.shape);
  kernels::relu(a.value, y.value, a.size());
  if (g.training() && a.grad) {
    g.record([=] { kernels::relu_gradient(a.value, y.grad, a.grad, y.size()); });
  }
  return y;
}

template <class T>
Var<T> gelu(Graph<T>& g, Var<T> a) {
  Var<T> y = g.make(a.shape);
  kernels::gelu(a.value, y.value, a.size());
  if (g.training() && a.grad) {
    g.record([=] { kernels::gelu_gradient(a.value, y.grad, a.grad, y.size()); });
  }
  return y;
}

template <class T>
Var<T> elu_plus_one(Graph<T>& g, Var<T> a) {
  Var<T> y = g.make(a.shape);
  kernels::elu_plus_one(a.value, y.value, a.size());
  if (g.training() && a.grad) {
    g.record([=] { kernels::elu_plus_one_gradient(y.value, y.grad, a.grad, y.size()); });
  }
  return y;
}

template <class T>
Var<T> dropout(Graph<T>& g, Var<T> a, double rate) {
  if (!g.training() || rate <= 0) return a;
  if (rate >= 1) throw ArgumentError("dropout: rate is " + std::to_string(rate) + ", expected below 1");
  Var<T> y = g.make(a.shape);
  T* factor = g.template scratch<T>(a.size());
  const T kept = static_cast<T>(1 / (1 - rate));
  // 16 bits decide one element: four elements a draw. Drawn first and compared after, which vectorises.
  const auto limit = static_cast<std::uint16_t>(rate * 65536);
  const std::size_t draws = (a.size() + 3) / 4;
  std::uint16_t* bits = g.template scratch<std::uint16_t>(4 * draws);
  for (std::size_t i = 0; i < draws; ++i) {
    const std::uint64_t drawn = g.random().next();
    for (std::size_t j = 0; j < 4; ++j) bits[4 * i + j] = static_cast<std::uint16_t>(drawn >> (16 * j));
  }
  for (std::size_t i = 0; i < a.size(); ++i) factor[i] = bits[i] < limit ? T(0) : kept;
  kernels::multiply(a.value, factor, y.value, y.size());
  if (a.grad) {
    g.record([=] { kernels::multiply_add(y.grad, factor, a.grad, y.size()); });
  }
  return y;
}

template <class T>
Var<T> concat(Graph<T>& g, Var<T> a, Var<T> b) {
  expect_size("concat", "rows of the second operand", b.rows(), a.rows());
  const std::size_t M = a.width(), N = b.width();
  Var<T> y = g.make(a.shape.with_width(M + N));
  for (std::size_t r = 0; r < a.rows(); ++r) {
    std::copy_n(a.value + r * M, M, y.value + r * (M + N));
    std::copy_n(b.value + r * N, N, y.value + r * (M + N) + M);
  }
  if (g.training()) {
    g.record([=] {
      for (std::size_t r = 0; r < a.rows(); ++r) {
        const T* from = y.grad + r * (M + N);
        if (a.grad) kernels::axpy(T(1), from, a.grad + r * M, M);
        if (b.grad) kernels::axpy(T(1), from + M, b.grad + r * N, N);
      }
    });
  }
  return y;
}

template <class T>
Var<T> stack(Graph<T>& g, std::span<const Var<T>> parts) {
  std::size_t rows = 0;
  const std::size_t D = parts.empty() ? 0 : parts[0].width();
  for (const Var<T>& part : parts) {
    expect_size("stack", "width of a part", part.width(), D);
    rows += part.rows();
  }
  Var<T> y = g.make({rows, D});
  std::size_t at = 0;
  for (const Var<T>& part : parts) {
    const Var<T> to = y.slice(at, part.rows());
    std::copy_n(part.value, part.size(), to.value);
    if (g.training() && part.grad) {
      g.record([=] { kernels::axpy(T(1), to.grad, part.grad, part.size()); });
    }
    at += part.rows();
  }
  return y;
}

template <class T>
Var<T> repeat(Graph<T>& g, Var<T> row, std::size_t times) {
  expect_size("repeat", "rows", row.rows(), 1);
  const std::size_t D = row.width();
  Var<T> y = g.make({times, D});
  for (std::size_t i = 0; i < times; ++i) std::copy_n(row.value, D, y.value + i * D);
  if (g.training() && row.grad) {
    g.record([=] {
      for (std::size_t i = 0; i < times; ++i) kernels::axpy(T(1), y.grad + i * D, row.grad, D);
    });
  }
  return y;
}

#define SOFTALIGN_INSTANTIATE(T)                          \
  template Var<T> add(Graph<T>&, Var<T>, Var<T>);         \
  template Var<T> scale(Graph<T>&, Var<T>, T);            \
  template Var<T> add_scaled(Graph<T>&, Var<T>, Var<T>, double, Var<T>); \
  template Var<T> add_scaled(Graph<T>&, Var<T>, Var<T>, Var<T>); \
  template void copy(Graph<T>&, Var<T>, Var<T>);          \
  template Var<T> tanh(Graph<T>&, Var<T>);                \
  template Var<T> relu(Graph<T>&, Var<T>);                \
  template Var<T> gelu(Graph<T>&, Var<T>);                \
  template Var<T> elu_plus_one(Graph<T>&, Var<T>);        \
  template Var<T> dropout(Graph<T>&, Var<T>, double);     \
  template Var<T> concat(Graph<T>&, Var<T>, Var<T>);      \
  template Var<T> stack(Graph<T>&, std::span<const Var<T>>); \
  template Var<T> repeat(Graph<T>&, Var<T>, std::size_t);
SOFTALIGN_INSTANTIATE(float)
SOFTALIGN_INSTANTIATE(double)
#undef SOFTALIGN_INSTANTIATE

}  // namespace softalign::ops
