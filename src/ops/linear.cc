#include "ops/linear.h"

#include <algorithm>
#include <type_traits>

#include "kernels/byte_products.h"
#include "kernels/gemm.h"
#include "kernels/int8.h"
#include "kernels/vector.h"

namespace softalign::ops {
namespace {

// Up to this many rows of x, reading the weight once as it lies beats packing for gemm.
constexpr std::size_t kFewRows = 8, kFewLeft = 4;

// The same with a weight in bytes. Inference only, and only in single precision.
void multiply_int8(Graph<float>& g, Var<float> x, const Int8Matrix& weight, Var<float> y, bool accumulate) {
  if (g.training()) throw ArgumentError("linear: the weight is stored in bytes, expected numbers to train");
  const std::size_t rows = x.rows(), K = x.width(), N = y.width();
  const Arena::Mark mark = g.arena().mark();
  const auto quantise = [&](auto* q, auto* scale) {
    for (std::size_t r = 0; r < rows; ++r) scale[r] = kernels::quantise(x.value + r * K, q + r * K, K);
  };
  if (kernels::multiply_bytes) {
    auto* q = g.scratch<std::uint8_t>(rows * K);
    auto* scale = g.scratch<kernels::ByteScale>(rows);
    quantise(q, scale);
    kernels::multiply_bytes({rows, N, K, q, scale, weight.bytes.data(), weight.scale.data(), weight.sum.data(), y.value, N,
                             accumulate});
  } else {
    auto* q = g.scratch<std::int16_t>(rows * K);
    auto* scale = g.scratch<float>(rows);
    quantise(q, scale);
    kernels::gemv_int8(rows, N, K, q, scale, weight.bytes.data(), weight.scale.data(), y.value, N, accumulate);
  }
  g.arena().rewind(mark);
}

template <class T>
void multiply(Graph<T>& g, Var<T> x, Var<T> weight, Var<T> y, bool accumulate) {
  const std::size_t rows = x.rows(), K = x.width(), N = weight.rows();
  if constexpr (std::is_same_v<T, float>) {
    if (weight.int8) return multiply_int8(g, x, *weight.int8, y, accumulate);
  }
  // What is left of full panels costs gemm half as much as a panel, and gemv less.
  const std::size_t left = rows <= kFewRows ? rows : rows % kFewRows <= kFewLeft ? rows % kFewRows : 0, packed = rows - left;
  if (packed > 0) {
    kernels::gemm(packed, N, K, {x.value, K, 1}, {weight.value, 1, K}, {y.value, N, 1}, accumulate, g.gemm_scratch());
  }
  if (left > 0) kernels::gemv(left, N, K, x.value + packed * K, K, weight.value, y.value + packed * N, N, accumulate);
}

// ids[i], of `rows` rows.
std::size_t row_number(const char* who, std::span<const std::int32_t> ids, std::size_t i, std::size_t rows) {
  if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= rows) {
    throw ArgumentError(std::string(who) + ": id " + std::to_string(ids[i]) + " at position " + std::to_string(i) +
                        ", expected 0.." + std::to_string(rows - 1));
  }
  return static_cast<std::size_t>(ids[i]);
}

// Row r of a weight in bytes.
template <class T>
void write_numbers(const Int8Matrix& weight, std::size_t r, T* to, std::size_t width) {
  const T scale = static_cast<T>(weight.scale[r]);
  const std::int8_t* bytes = weight.bytes.data() + r * width;
  for (std::size_t i = 0; i < width; ++i) to[i] = static_cast<T>(bytes[i]) * scale;
}

template <class T>
void record_gradient(Graph<T>& g, Var<T> x, Var<T> weight, Var<T> bias, Var<T> y) {
  if (!g.training()) return;
  g.record([&g, x, weight, bias, y] {
    const std::size_t rows = x.rows(), K = x.width(), N = weight.rows();
    if (x.grad) {
      kernels::gemm(rows, K, N, {y.grad, N, 1}, {weight.value, K, 1}, {x.grad, K, 1}, true, g.gemm_scratch());
    }
    if (weight.grad) g.add_weight_gradient(weight.grad, bias.grad, x.value, K, y.grad, N, rows);
  });
}

}  // namespace

template <class T>
Var<T> linear(Graph<T>& g, Var<T> x, Var<T> weight, Var<T> bias) {
  expect_size("linear", "width of x", x.width(), weight.width());
  Var<T> y = g.make(x.shape.with_width(weight.rows()));
  if (bias.value) {
    expect_shape("linear", "bias", bias.shape, {weight.rows()});
    for (std::size_t r = 0; r < y.rows(); ++r) std::copy_n(bias.value, y.width(), y.value + r * y.width());
  }
  multiply(g, x, weight, y, bias.value != nullptr);
  record_gradient(g, x, weight, bias, y);
  return y;
}

template <class T>
void add_linear(Graph<T>& g, Var<T> into, Var<T> x, Var<T> weight) {
  expect_size("add_linear", "width of x", x.width(), weight.width());
  expect_shape("add_linear", "sum", into.shape, x.shape.with_width(weight.rows()));
  multiply(g, x, weight, into, true);
  record_gradient(g, x, weight, {}, into);
}

template <class T>
Var<T> numbers(Graph<T>& g, Var<T> weight) {
  if (!weight.int8) return weight;
  if (g.training()) throw ArgumentError("numbers: the weight is stored in bytes, expected numbers to train");
  const Var<T> y{g.template scratch<T>(weight.size()), nullptr, weight.shape, nullptr};
  for (std::size_t r = 0; r < y.rows(); ++r) write_numbers(*weight.int8, r, y.value + r * y.width(), y.width());
  return y;
}

template <class T>
Parameter<T> rows_of(const Parameter<T>& whole, std::span<const std::int32_t> ids) {
  const bool vector = whole.shape.rank() < 2;
  const std::size_t all = vector ? whole.shape.size() : whole.shape.rows(), width = vector ? 1 : whole.shape.width();
  Parameter<T> some{.name = whole.name, .shape = vector ? Shape{ids.size()} : Shape{ids.size(), width}, .value = {}, .int8 = {}};
  const auto gather = [&](const auto& from, auto& to, std::size_t each) {
    if (from.empty()) return;
    to.resize(ids.size() * each);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      std::copy_n(from.data() + row_number("rows_of", ids, i, all) * each, each, to.data() + i * each);
    }
  };
  gather(whole.value, some.value, width);
  if (!whole.int8.bytes.empty()) {
    AlignedVector<std::int8_t> bytes;
    AlignedVector<float> scale;
    gather(whole.int8.bytes, bytes, width);
    gather(whole.int8.scale, scale, 1);
    some.int8 = Int8Matrix::of(std::move(bytes), std::move(scale));
  }
  return some;
}

template <class T>
Var<T> lookup(Graph<T>& g, Var<T> table, std::span<const std::int32_t> ids) {
  const std::size_t V = table.rows(), E = table.width();
  Var<T> y = g.make({ids.size(), E});
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::size_t row = row_number("lookup", ids, i, V);
    if (table.int8) {
      write_numbers(*table.int8, row, y.value + i * E, E);
    } else {
      std::copy_n(table.value + row * E, E, y.value + i * E);
    }
  }
  if (g.training() && table.grad) {
    std::int32_t* kept = g.template scratch<std::int32_t>(ids.size());
    std::copy(ids.begin(), ids.end(), kept);
    g.record([=] {
      for (std::size_t i = 0; i < y.rows(); ++i) {
        kernels::axpy(T(1), y.grad + i * E, table.grad + static_cast<std::size_t>(kept[i]) * E, E);
      }
    });
  }
  return y;
}

template <class T>
Var<T> linear_by_head(Graph<T>& g, Var<T> x, Var<T> weight) {
  const std::size_t H = weight.shape.rank() == 3 ? weight.shape[0] : 0;
  if (H == 0 || x.width() != H * weight.width()) {
    throw ShapeError("linear_by_head: weight is " + weight.shape.to_string() + " and x " + x.shape.to_string() +
                     ", expected [H, N, A] and [.., H A]");
  }
  const std::size_t N = weight.shape[1], A = weight.shape[2], rows = x.rows();
  Var<T> y = g.make(x.shape.with_width(H * N));
  const auto of_x = [=](T* data, std::size_t h) { return kernels::Strided<T>{data + h * A, H * A, 1}; };
  const auto of_y = [=](T* data, std::size_t h) { return kernels::Strided<T>{data + h * N, H * N, 1}; };
  const auto of_w = [=](T* data, std::size_t h) { return kernels::Strided<T>{data + h * N * A, A, 1}; };
  const auto given = [](kernels::Strided<T> m) { return kernels::Strided<const T>{m.data, m.row, m.column}; };
  for (std::size_t h = 0; h < H; ++h) {
    kernels::gemm(rows, N, A, given(of_x(x.value, h)), given(of_w(weight.value, h)).transposed(), of_y(y.value, h),
                  false, g.gemm_scratch());
  }
  if (g.training()) {
    g.record([=, &g] {
      for (std::size_t h = 0; h < H; ++h) {
        const auto d = given(of_y(y.grad, h));
        if (x.grad) {
          kernels::gemm(rows, A, N, d, given(of_w(weight.value, h)), of_x(x.grad, h), true, g.gemm_scratch());
        }
        if (weight.grad) {
          kernels::gemm(N, A, rows, d.transposed(), given(of_x(x.value, h)), of_w(weight.grad, h), true,
                        g.gemm_scratch());
        }
      }
    });
  }
  return y;
}

#define SOFTALIGN_INSTANTIATE(T)                                     \
  template Var<T> linear_by_head(Graph<T>&, Var<T>, Var<T>);         \
  template Var<T> linear(Graph<T>&, Var<T>, Var<T>, Var<T>);         \
  template void add_linear(Graph<T>&, Var<T>, Var<T>, Var<T>);       \
  template Var<T> numbers(Graph<T>&, Var<T>);                        \
  template Parameter<T> rows_of(const Parameter<T>&, std::span<const std::int32_t>); \
  template Var<T> lookup(Graph<T>&, Var<T>, std::span<const std::int32_t>);
SOFTALIGN_INSTANTIATE(float)
SOFTALIGN_INSTANTIATE(double)
#undef SOFTALIGN_INSTANTIATE

}  // namespace softalign::ops
