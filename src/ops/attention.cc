#include "ops/attention.h"

#include <algorithm>
#include <limits>

#include "kernels/vector.h"
#include "ops/heads.h"

namespace softalign::ops {
namespace {

// weights[row] = normalise(scores[row]) over the slots of each query, 0 outside.
template <class T, class Normalise>
Var<T> normalised(Graph<T>& g, Var<T> scores, const Reach& reach, std::size_t heads, Normalise normalise) {
  Var<T> weights = g.make(scores.shape);
  for_queries(reach, heads, [&](std::size_t b, std::size_t, std::size_t t, std::size_t row) {
    const std::size_t first = reach.first(t), last = reach.last(t, b);
    T* to = weights.value + row;
    std::fill(to, to + first, T(0));
    if (first < last) normalise(scores.value + row + first, to + first, last - first);
    std::fill(to + last, to + reach.slots(), T(0));
  });
  return weights;
}

}  // namespace

template <class T>
void mask_scores(Var<T> scores, std::span<const unsigned char> mask, const Reach& reach) {
  const std::size_t H = heads_of("mask_scores", "scores", scores, reach), S = reach.keys();
  expect_size("mask_scores", "size of the mask", mask.size(), reach.sequences() * S);
  for_queries(reach, H, [&](std::size_t b, std::size_t, std::size_t t, std::size_t row) {
    const unsigned char* masked = mask.data() + reach.column(b) * S;
    for (std::size_t i = reach.first(t); i < reach.last(t, b); ++i) {
      if (masked[reach.key(t, i)]) scores.value[row + i] = std::numeric_limits<T>::lowest();
    }
  });
}

template <class T>
void set_weights(Var<T> weights, std::span<const T* const> given, const Reach& reach) {
  const std::size_t H = heads_of("set_weights", "weights", weights, reach);
  expect_size("set_weights", "number of heads that are given", given.size(), reach.sequences() * H);
  for_queries(reach, H, [&](std::size_t b, std::size_t h, std::size_t t, std::size_t row) {
    const T* from = given[reach.column(b) * H + h];
    for (std::size_t i = reach.first(t); from && i < reach.last(t, b); ++i) weights.value[row + i] = from[reach.key(t, i)];
  });
}

template <class T>
Var<T> softmax(Graph<T>& g, Var<T> scores, const Reach& reach) {
  const std::size_t H = heads_of("softmax", "scores", scores, reach);
  Var<T> y = normalised(g, scores, reach, H, [](const T* e, T* a, std::size_t n) { kernels::softmax(e, a, n); });
  if (g.training() && scores.grad) {
    g.record([=] {
      for_queries(reach, H, [&](std::size_t b, std::size_t, std::size_t t, std::size_t row) {
        const std::size_t first = reach.first(t), last = reach.last(t, b);
        const T *a = y.value + row, *d = y.grad + row;
        const T mean = kernels::dot(a + first, d + first, last - first);
        for (std::size_t i = first; i < last; ++i) scores.grad[row + i] += a[i] * (d[i] - mean);
      });
    });
  }
  return y;
}

template <class T>
Var<T> relu_normalise(Graph<T>& g, Var<T> scores, const Reach& reach) {
  const std::size_t H = heads_of("relu_normalise", "scores", scores, reach);
  T* sums = g.template scratch<T>(reach.batch() * H * reach.queries());
  std::size_t at = 0;
  Var<T> y = normalised(g, scores, reach, H, [&](const T* e, T* a, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) a[i] = std::max(e[i], T(0));
    const T sum = kernels::sum(a, n);
    for (std::size_t i = 0; i < n && sum != 0; ++i) a[i] /= sum;  // NaN makes the whole row NaN
    sums[at++] = sum;
  });
  if (g.training() && scores.grad) {
    g.record([=] {
      std::size_t query = 0;
      for_queries(reach, H, [&](std::size_t b, std::size_t, std::size_t t, std::size_t row) {
        const std::size_t first = reach.first(t), last = reach.last(t, b);
        if (first >= last) return;
        const T sum = sums[query++];
        if (!(sum > 0)) return;
        const T *a = y.value + row, *d = y.grad + row;
        const T mean = kernels::dot(a + first, d + first, last - first);
        for (std::size_t i = first; i < last; ++i) {
          if (scores.value[row + i] > 0) scores.grad[row + i] += (d[i] - mean) / sum;
        }
      });
    });
  }
  return y;
}

template <class T>
Var<T> weighted_sum(Graph<T>& g, Var<T> weights, Var<T> values, const Reach& reach) {
  const std::size_t H = heads_of("weighted_sum", "weights", weights, reach);
  const Heads v = expect_keys("weighted_sum", "values", values, H, reach);
  const Heads c = {reach.batch(), H, v.width};  // of the result
  const std::size_t T_ = reach.queries(), K = reach.slots(), D = v.width;
  const bool product = is_large_matrix(reach, D);
  const Shape shape = {T_, reach.batch(), H * D};
  Var<T> y = product ? g.make(shape) : g.zeros(shape);
  if (product) {
    for_heads(reach, H, [&](std::size_t b, std::size_t h, std::size_t at) {
      kernels::gemm(T_, D, reach.length(b), {weights.value + at, K, 1}, v.matrix<const T>(values.value, reach.column(b), h),
                    c.matrix(y.value, b, h), false, g.gemm_scratch());
    });
  } else {
    for_queries(reach, H, [&](std::size_t b, std::size_t h, std::size_t t, std::size_t row) {
      for (std::size_t i = reach.first(t); i < reach.last(t, b); ++i) {
        kernels::axpy(weights.value[row + i], values.value + v.at(reach.key(t, i), reach.column(b), h), y.value + c.at(t, b, h), D);
      }
    });
  }
  if (g.training()) {
    g.record([=, &g] {
      if (product) {
        for_heads(reach, H, [&](std::size_t b, std::size_t h, std::size_t at) {
          const auto d = c.matrix<const T>(y.grad, b, h);
          const std::size_t S = reach.length(b);
          if (weights.grad) {
            kernels::gemm(T_, S, D, d, v.matrix<const T>(values.value, reach.column(b), h).transposed(), {weights.grad + at, K, 1},
                          true, g.gemm_scratch());
          }
          if (values.grad) {
            kernels::gemm(S, D, T_, kernels::Strided<const T>{weights.value + at, K, 1}.transposed(), d,
                          v.matrix(values.grad, reach.column(b), h), true, g.gemm_scratch());
          }
        });
        return;
      }
      for_queries(reach, H, [&](std::size_t b, std::size_t h, std::size_t t, std::size_t row) {
        const T* d = y.grad + c.at(t, b, h);
        for (std::size_t i = reach.first(t); i < reach.last(t, b); ++i) {
          const std::size_t at = v.at(reach.key(t, i), reach.column(b), h);
          if (weights.grad) weights.grad[row + i] += kernels::dot(d, values.value + at, D);
          if (values.grad) kernels::axpy(weights.value[row + i], d, values.grad + at, D);
        }
      });
    });
  }
  return y;
}

template <class T>
void add_relative_values(Graph<T>& g, Var<T> context, Var<T> weights, Var<T> table, const Reach& reach) {
  const std::size_t H = heads_of("add_relative_values", "weights", weights, reach);
  const Heads c = expect_queries("add_relative_values", "context", context, H, reach);
  const Offsets offset = expect_table("add_relative_values", table, c.width);
  const std::size_t D = c.width;
  for_queries(reach, H, [&](std::size_t b, std::size_t h, std::size_t t, std::size_t row) {
    T* to = context.value + c.at(t, b, h);
    for (std::size_t i = reach.first(t); i < reach.last(t, b); ++i) {
      kernels::axpy(weights.value[row + i], table.value + offset(reach, t, i) * D, to, D);
    }
  });
  if (g.training()) {
    g.record([=] {
      for_queries(reach, H, [&](std::size_t b, std::size_t h, std::size_t t, std::size_t row) {
        const T* d = context.grad + c.at(t, b, h);
        for (std::size_t i = reach.first(t); i < reach.last(t, b); ++i) {
          const std::size_t at = offset(reach, t, i) * D;
          if (weights.grad) weights.grad[row + i] += kernels::dot(d, table.value + at, D);
          if (table.grad) kernels::axpy(weights.value[row + i], d, table.grad + at, D);
        }
      });
    });
  }
}

template <class T>
Var<T> scale_heads(Graph<T>& g, Var<T> x, std::span<const T> factors) {
  const std::size_t H = factors.size();
  if (H == 0 || x.width() % H != 0) {
    throw ShapeError("scale_heads: x is " + x.shape.to_string() + ", expected a width that " + std::to_string(H) +
                     " factors divide");
  }
  const std::size_t D = x.width() / H;
  T* factor = g.template scratch<T>(H);
  std::copy(factors.begin(), factors.end(), factor);
  Var<T> y = g.make(x.shape);
  const std::size_t parts = x.rows() * H;
  for (std::size_t i = 0; i < parts; ++i) kernels::scale(factor[i % H], x.value + i * D, y.value + i * D, D);
  if (g.training() && x.grad) {
    g.record([=] {
      for (std::size_t i = 0; i < parts; ++i) kernels::axpy(factor[i % H], y.grad + i * D, x.grad + i * D, D);
    });
  }
  return y;
}

template <class T>
Var<T> by_key(Graph<T>& g, Var<T> weights, const Reach& reach) {
  const std::size_t H = heads_of("by_key", "weights", weights, reach), S = reach.keys();
  Var<T> y = g.zeros({reach.batch(), H, reach.queries(), S});
  for_queries(reach, H, [&](std::size_t b, std::size_t h, std::size_t t, std::size_t row) {
    T* to = y.value + ((b * H + h) * reach.queries() + t) * S;
    for (std::size_t i = reach.first(t); i < reach.last(t, b); ++i) to[reach.key(t, i)] = weights.value[row + i];
  });
  return y;
}

#define SOFTALIGN_INSTANTIATE(T) \
  template void mask_scores(Var<T>, std::span<const unsigned char>, const Reach&); \
  template void set_weights(Var<T>, std::span<const T* const>, const Reach&); \
  template Var<T> softmax(Graph<T>&, Var<T>, const Reach&); \
  template Var<T> relu_normalise(Graph<T>&, Var<T>, const Reach&); \
  template Var<T> weighted_sum(Graph<T>&, Var<T>, Var<T>, const Reach&); \
  template void add_relative_values(Graph<T>&, Var<T>, Var<T>, Var<T>, const Reach&); \
  template Var<T> scale_heads(Graph<T>&, Var<T>, std::span<const T>); \
  template Var<T> by_key(Graph<T>&, Var<T>, const Reach&);
SOFTALIGN_INSTANTIATE(float)
SOFTALIGN_INSTANTIATE(double)
#undef SOFTALIGN_INSTANTIATE

}  // namespace softalign::ops
