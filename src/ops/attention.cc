#include "ops/attention.h"

#include <algorithm>

#include "kernels/gemm.h"
#include "kernels/vector.h"

namespace softalign::ops {
namespace {

// Below this many multiplications a head's matrix product costs more to set up than it saves.
constexpr std::size_t kSmallProduct = 4096;

// What the rows of a time-major [steps, B, H width] tensor look like to one head of one sequence.
struct Heads {
  std::size_t batch, count, width;
  std::size_t row() const { return batch * count * width; }
  std::size_t at(std::size_t step, std::size_t b, std::size_t h) const {
    return ((step * batch + b) * count + h) * width;
  }
  template <class U>
  kernels::Strided<U> matrix(U* data, std::size_t b, std::size_t h) const {
    return {data + at(0, b, h), row(), 1};
  }
};

template <class T>
Heads expect_heads(const char* who, const char* what, const Var<T>& x, std::size_t steps, std::size_t heads,
                   const Reach& reach) {
  if (heads == 0 || x.width() % heads != 0) {
    throw ShapeError(std::string(who) + ": " + what + " is " + x.shape.to_string() + ", expected a width that " +
                     std::to_string(heads) + " heads divide");
  }
  expect_shape(who, what, x.shape, {steps, reach.batch(), x.width()});
  return {reach.batch(), heads, x.width() / heads};
}

template <class T>
std::size_t heads_of(const char* who, const char* what, const Var<T>& weights, const Reach& reach) {
  const std::size_t H = weights.shape.rank() == 4 ? weights.shape[1] : 0;
  expect_shape(who, what, weights.shape, {reach.batch(), H, reach.queries(), reach.slots()});
  return H;
}

// body(b, h, t, row) for every query, where row is its place among [B, H, T] rows of slots.
template <class Body>
void for_queries(const Reach& reach, std::size_t heads, Body body) {
  std::size_t row = 0;
  for (std::size_t b = 0; b < reach.batch(); ++b) {
    for (std::size_t h = 0; h < heads; ++h) {
      for (std::size_t t = 0; t < reach.queries(); ++t, ++row) body(b, h, t, row * reach.slots());
    }
  }
}

// Whether a head's scores are a matrix product large enough to be computed as one.
bool is_large_matrix(const Reach& reach, std::size_t width) {
  return reach.is_matrix() && reach.queries() * reach.keys() * width >= kSmallProduct && reach.queries() >= 4;
}

// body(b, h, at) for every head, where `at` is the place of its scores.
template <class Body>
void for_heads(const Reach& reach, std::size_t heads, Body body) {
  for (std::size_t b = 0; b < reach.batch(); ++b) {
    for (std::size_t h = 0; h < heads; ++h) {
      body(b, h, (b * heads + h) * reach.queries() * reach.slots());
    }
  }
}

// Columns of relative positions, [T, K] each: clip(s - t, -r, r) + r.
struct Offsets {
  std::size_t radius;
  std::size_t operator()(const Reach& reach, std::size_t t, std::size_t slot) const {
    const std::size_t s = reach.key(t, slot), at = reach.position(t);
    return s >= at ? radius + std::min(s - at, radius) : radius - std::min(at - s, radius);
  }
};

template <class T>
Offsets expect_table(const char* who, const Var<T>& table, std::size_t width) {
  if (table.shape.rank() != 2 || table.rows() % 2 == 0 || table.width() != width) {
    throw ShapeError(std::string(who) + ": table is " + table.shape.to_string() + ", expected [2 r + 1, " +
                     std::to_string(width) + "]");
  }
  return {table.rows() / 2};
}

}  // namespace

template <class T>
Var<T> dot_scores(Graph<T>& g, Var<T> queries, Var<T> keys, std::size_t heads, const Reach& reach) {
  const Heads q = expect_heads("dot_scores", "queries", queries, reach.queries(), heads, reach);
  const Heads k = expect_heads("dot_scores", "keys", keys, reach.keys(), heads, reach);
  expect_size("dot_scores", "width of keys", keys.width(), queries.width());
  const std::size_t T_ = reach.queries(), K = reach.slots(), A = q.width;
  Var<T> scores = g.make({reach.batch(), heads, T_, K});
  const bool product = is_large_matrix(reach, A);
  if (product) {
    for_heads(reach, heads, [&](std::size_t b, std::size_t h, std::size_t at) {
      kernels::gemm(T_, reach.length(b), A, q.matrix<const T>(queries.value, b, h),
                    k.matrix<const T>(keys.value, b, h).transposed(), {scores.value + at, K, 1}, false, g.gemm_scratch());
    });
  } else {
    for_queries(reach, heads, [&](std::size_t b, std::size_t h, std::size_t t, std::size_t row) {
      const T* query = queries.value + q.at(t, b, h);
      for (std::size_t i = reach.first(t); i < reach.last(t, b); ++i) {
        scores.value[row + i] = kernels::dot(query, keys.value + k.at(reach.key(t, i), b, h), A);
      }
    });
  }
  if (g.training()) {
    g.record([=, &g] {
      if (product) {
        for_heads(reach, heads, [&](std::size_t b, std::size_t h, std::size_t at) {
          const kernels::Strided<const T> d{scores.grad + at, K, 1};
          const std::size_t S = reach.length(b);
          if (queries.grad) {
            kernels::gemm(T_, A, S, d, k.matrix<const T>(keys.value, b, h), q.matrix(queries.grad, b, h), true,
                          g.gemm_scratch());
          }
          if (keys.grad) {
            kernels::gemm(S, A, T_, d.transposed(), q.matrix<const T>(queries.value, b, h), k.matrix(keys.grad, b, h),
                          true, g.gemm_scratch());
          }
        });
        return;
      }
      for_queries(reach, heads, [&](std::size_t b, std::size_t h, std::size_t t, std::size_t row) {
        const std::size_t query = q.at(t, b, h);
        for (std::size_t i = reach.first(t); i < reach.last(t, b); ++i) {
          const std::size_t key = k.at(reach.key(t, i), b, h);
          const T d = scores.grad[row + i];
          if (queries.grad) kernels::axpy(d, keys.value + key, queries.grad + query, A);
          if (keys.grad) kernels::axpy(d, queries.value + query, keys.grad + key, A);
        }
      });
    });
  }
  return scores;
}

template <class T>
Var<T> additive_scores(Graph<T>& g, Var<T> queries, Var<T> keys, Var<T> v, std::size_t heads, const Reach& reach) {
  const Heads q = expect_heads("additive_scores", "queries", queries, reach.queries(), heads, reach);
  const Heads k = expect_heads("additive_scores", "keys", keys, reach.keys(), heads, reach);
  expect_size("additive_scores", "width of keys", keys.width(), queries.width());
  expect_shape("additive_scores", "v", v.shape, {queries.width()});
  const std::size_t A = q.width;
  Var<T> scores = g.make({reach.batch(), heads, reach.queries(), reach.slots()});
  for_queries(reach, heads, [&](std::size_t b, std::size_t h, std::size_t t, std::size_t row) {
    const T* query = queries.value + q.at(t, b, h);
    for (std::size_t i = reach.first(t); i < reach.last(t, b); ++i) {
      scores.value[row + i] =
          kernels::additive_score(v.value + h * A, query, keys.value + k.at(reach.key(t, i), b, h), A);
    }
  });
  if (g.training()) {
    g.record([=] {
      for_queries(reach, heads, [&](std::size_t b, std::size_t h, std::size_t t, std::size_t row) {
        const std::size_t query = q.at(t, b, h);
        for (std::size_t i = reach.first(t); i < reach.last(t, b); ++i) {
          const std::size_t key = k.at(reach.key(t, i), b, h);
          kernels::additive_score_gradient(scores.grad[row + i], v.value + h * A, queries.value + query,
                                           keys.value + key, v.grad + h * A, queries.grad + query, keys.grad + key, A);
        }
      });
    });
  }
  return scores;
}

template <class T>
void add_relative_scores(Graph<T>& g, Var<T> scores, Var<T> queries, Var<T> table, const Reach& reach) {
  const std::size_t H = heads_of("add_relative_scores", "scores", scores, reach);
  const Heads q = expect_heads("add_relative_scores", "queries", queries, reach.queries(), H, reach);
  const Offsets offset = expect_table("add_relative_scores", table, q.width);
  const std::size_t A = q.width;
  for_queries(reach, H, [&](std::size_t b, std::size_t h, std::size_t t, std::size_t row) {
    const T* query = queries.value + q.at(t, b, h);
    for (std::size_t i = reach.first(t); i < reach.last(t, b); ++i) {
      scores.value[row + i] += kernels::dot(query, table.value + offset(reach, t, i) * A, A);
    }
  });
  if (g.training()) {
    g.record([=] {
      for_queries(reach, H, [&](std::size_t b, std::size_t h, std::size_t t, std::size_t row) {
        const std::size_t query = q.at(t, b, h);
        for (std::size_t i = reach.first(t); i < reach.last(t, b); ++i) {
          const std::size_t at = offset(reach, t, i) * A;
          const T d = scores.grad[row + i];
          if (queries.grad) kernels::axpy(d, table.value + at, queries.grad + query, A);
          if (table.grad) kernels::axpy(d, queries.value + query, table.grad + at, A);
        }
      });
    });
  }
}

template <class T>
void add_pair_bias(Graph<T>& g, Var<T> scores, Var<T> bias, std::span<const std::int32_t> which, const Reach& reach) {
  const std::size_t H = heads_of("add_pair_bias", "scores", scores, reach), S = reach.keys();
  const std::size_t N = bias.width();
  expect_shape("add_pair_bias", "bias", bias.shape, {H, N});
  expect_size("add_pair_bias", "number of pairs", which.size(), reach.queries() * S);
  std::int32_t* column = g.template scratch<std::int32_t>(which.size());
  for (std::size_t i = 0; i < which.size(); ++i) {
    if (which[i] >= 0 && static_cast<std::size_t>(which[i]) >= N) {
      throw ArgumentError("add_pair_bias: which[" + std::to_string(i) + "] is " + std::to_string(which[i]) +
                          ", expected below " + std::to_string(N));
    }
    column[i] = which[i];
  }
  for_queries(reach, H, [&](std::size_t b, std::size_t h, std::size_t t, std::size_t row) {
    for (std::size_t i = reach.first(t); i < reach.last(t, b); ++i) {
      const std::int32_t c = column[t * S + reach.key(t, i)];
      if (c >= 0) scores.value[row + i] += bias.value[h * N + static_cast<std::size_t>(c)];
    }
  });
  if (g.training() && bias.grad) {
    g.record([=] {
      for_queries(reach, H, [&](std::size_t b, std::size_t h, std::size_t t, std::size_t row) {
        for (std::size_t i = reach.first(t); i < reach.last(t, b); ++i) {
          const std::int32_t c = column[t * S + reach.key(t, i)];
          if (c >= 0) bias.grad[h * N + static_cast<std::size_t>(c)] += scores.grad[row + i];
        }
      });
    });
  }
}

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
  const Heads v = expect_heads("weighted_sum", "values", values, reach.keys(), H, reach);
  const std::size_t T_ = reach.queries(), K = reach.slots(), D = v.width;
  const bool product = is_large_matrix(reach, D);
  const Shape shape = {T_, reach.batch(), H * D};
  Var<T> y = product ? g.make(shape) : g.zeros(shape);
  if (product) {
    for_heads(reach, H, [&](std::size_t b, std::size_t h, std::size_t at) {
      kernels::gemm(T_, D, reach.length(b), {weights.value + at, K, 1}, v.matrix<const T>(values.value, b, h),
                    v.matrix(y.value, b, h), false, g.gemm_scratch());
    });
  } else {
    for_queries(reach, H, [&](std::size_t b, std::size_t h, std::size_t t, std::size_t row) {
      for (std::size_t i = reach.first(t); i < reach.last(t, b); ++i) {
        kernels::axpy(weights.value[row + i], values.value + v.at(reach.key(t, i), b, h), y.value + v.at(t, b, h), D);
      }
    });
  }
  if (g.training()) {
    g.record([=, &g] {
      if (product) {
        for_heads(reach, H, [&](std::size_t b, std::size_t h, std::size_t at) {
          const auto d = v.matrix<const T>(y.grad, b, h);
          const std::size_t S = reach.length(b);
          if (weights.grad) {
            kernels::gemm(T_, S, D, d, v.matrix<const T>(values.value, b, h).transposed(), {weights.grad + at, K, 1},
                          true, g.gemm_scratch());
          }
          if (values.grad) {
            kernels::gemm(S, D, T_, kernels::Strided<const T>{weights.value + at, K, 1}.transposed(), d,
                          v.matrix(values.grad, b, h), true, g.gemm_scratch());
          }
        });
        return;
      }
      for_queries(reach, H, [&](std::size_t b, std::size_t h, std::size_t t, std::size_t row) {
        const T* d = y.grad + v.at(t, b, h);
        for (std::size_t i = reach.first(t); i < reach.last(t, b); ++i) {
          const std::size_t at = v.at(reach.key(t, i), b, h);
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
  const Heads c = expect_heads("add_relative_values", "context", context, reach.queries(), H, reach);
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
  Var<T> y = g.zeros(x.shape);
  const std::size_t parts = x.rows() * H;
  for (std::size_t i = 0; i < parts; ++i) kernels::axpy(factor[i % H], x.value + i * D, y.value + i * D, D);
  if (g.training() && x.grad) {
    g.record([=] {
      for (std::size_t i = 0; i < parts; ++i) kernels::axpy(factor[i % H], y.grad + i * D, x.grad + i * D, D);
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

#define SOFTALIGN_INSTANTIATE(T)                                                                                   \
  template Var<T> dot_scores(Graph<T>&, Var<T>, Var<T>, std::size_t, const Reach&);                                \
  template Var<T> additive_scores(Graph<T>&, Var<T>, Var<T>, Var<T>, std::size_t, const Reach&);                   \
  template void add_relative_scores(Graph<T>&, Var<T>, Var<T>, Var<T>, const Reach&);                              \
  template void add_pair_bias(Graph<T>&, Var<T>, Var<T>, std::span<const std::int32_t>, const Reach&);             \
  template Var<T> softmax(Graph<T>&, Var<T>, const Reach&);                                                        \
  template Var<T> relu_normalise(Graph<T>&, Var<T>, const Reach&);                                                 \
  template Var<T> weighted_sum(Graph<T>&, Var<T>, Var<T>, const Reach&);                                           \
  template void add_relative_values(Graph<T>&, Var<T>, Var<T>, Var<T>, const Reach&);                              \
  template Var<T> scale_heads(Graph<T>&, Var<T>, std::span<const T>);                                              \
  template Var<T> linear_by_head(Graph<T>&, Var<T>, Var<T>);                                                       \
  template Var<T> by_key(Graph<T>&, Var<T>, const Reach&);
SOFTALIGN_INSTANTIATE(float)
SOFTALIGN_INSTANTIATE(double)
#undef SOFTALIGN_INSTANTIATE

}  // namespace softalign::ops
