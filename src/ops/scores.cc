#include "ops/scores.h"

#include <algorithm>

#include "kernels/vector.h"
#include "ops/heads.h"

namespace softalign::ops {

template <class T>
Var<T> dot_scores(Graph<T>& g, Var<T> queries, Var<T> keys, std::size_t heads, const Reach& reach) {
  const Heads q = expect_queries("dot_scores", "queries", queries, heads, reach);
  const Heads k = expect_keys("dot_scores", "keys", keys, heads, reach);
  expect_size("dot_scores", "width of keys", keys.width(), queries.width());
  const std::size_t T_ = reach.queries(), K = reach.slots(), A = q.width;
  Var<T> scores = g.make({reach.batch(), heads, T_, K});
  const bool product = is_large_matrix(reach, A);
  if (product) {
    for_heads(reach, heads, [&](std::size_t b, std::size_t h, std::size_t at) {
      kernels::gemm(T_, reach.length(b), A, q.matrix<const T>(queries.value, b, h),
                    k.matrix<const T>(keys.value, reach.column(b), h).transposed(), {scores.value + at, K, 1}, false, g.gemm_scratch());
    });
  } else {
    for_queries(reach, heads, [&](std::size_t b, std::size_t h, std::size_t t, std::size_t row) {
      const T* query = queries.value + q.at(t, b, h);
      for (std::size_t i = reach.first(t); i < reach.last(t, b); ++i) {
        scores.value[row + i] = kernels::dot(query, keys.value + k.at(reach.key(t, i), reach.column(b), h), A);
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
            kernels::gemm(T_, A, S, d, k.matrix<const T>(keys.value, reach.column(b), h), q.matrix(queries.grad, b, h), true,
                          g.gemm_scratch());
          }
          if (keys.grad) {
            kernels::gemm(S, A, T_, d.transposed(), q.matrix<const T>(queries.value, b, h), k.matrix(keys.grad, reach.column(b), h),
                          true, g.gemm_scratch());
          }
        });
        return;
      }
      for_queries(reach, heads, [&](std::size_t b, std::size_t h, std::size_t t, std::size_t row) {
        const std::size_t query = q.at(t, b, h);
        for (std::size_t i = reach.first(t); i < reach.last(t, b); ++i) {
          const std::size_t key = k.at(reach.key(t, i), reach.column(b), h);
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
  const Heads q = expect_queries("additive_scores", "queries", queries, heads, reach);
  const Heads k = expect_keys("additive_scores", "keys", keys, heads, reach);
  expect_size("additive_scores", "width of keys", keys.width(), queries.width());
  expect_shape("additive_scores", "v", v.shape, {queries.width()});
  const std::size_t A = q.width;
  Var<T> scores = g.make({reach.batch(), heads, reach.queries(), reach.slots()});
  for_queries(reach, heads, [&](std::size_t b, std::size_t h, std::size_t t, std::size_t row) {
    const T* query = queries.value + q.at(t, b, h);
    for (std::size_t i = reach.first(t); i < reach.last(t, b); ++i) {
      scores.value[row + i] =
          kernels::additive_score(v.value + h * A, query, keys.value + k.at(reach.key(t, i), reach.column(b), h), A);
    }
  });
  if (g.training()) {
    g.record([=] {
      for_queries(reach, heads, [&](std::size_t b, std::size_t h, std::size_t t, std::size_t row) {
        const std::size_t query = q.at(t, b, h);
        for (std::size_t i = reach.first(t); i < reach.last(t, b); ++i) {
          const std::size_t key = k.at(reach.key(t, i), reach.column(b), h);
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
  const Heads q = expect_queries("add_relative_scores", "queries", queries, H, reach);
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
  for (std::size_t i = 0; i < which.size(); ++i) {
    if (which[i] >= 0 && static_cast<std::size_t>(which[i]) >= N) {
      throw ArgumentError("add_pair_bias: which[" + std::to_string(i) + "] is " + std::to_string(which[i]) +
                          ", expected below " + std::to_string(N));
    }
  }
  for_queries(reach, H, [&](std::size_t b, std::size_t h, std::size_t t, std::size_t row) {
    for (std::size_t i = reach.first(t); i < reach.last(t, b); ++i) {
      const std::int32_t c = which[t * S + reach.key(t, i)];
      if (c >= 0) scores.value[row + i] += bias.value[h * N + static_cast<std::size_t>(c)];
    }
  });
  if (g.training() && bias.grad) {
    std::int32_t* column = g.template scratch<std::int32_t>(which.size());
    std::copy(which.begin(), which.end(), column);
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

#define SOFTALIGN_INSTANTIATE(T) \
  template Var<T> dot_scores(Graph<T>&, Var<T>, Var<T>, std::size_t, const Reach&); \
  template Var<T> additive_scores(Graph<T>&, Var<T>, Var<T>, Var<T>, std::size_t, const Reach&); \
  template void add_relative_scores(Graph<T>&, Var<T>, Var<T>, Var<T>, const Reach&); \
  template void add_pair_bias(Graph<T>&, Var<T>, Var<T>, std::span<const std::int32_t>, const Reach&);
SOFTALIGN_INSTANTIATE(float)
SOFTALIGN_INSTANTIATE(double)
#undef SOFTALIGN_INSTANTIATE

}  // namespace softalign::ops
