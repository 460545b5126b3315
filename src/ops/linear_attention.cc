#include "ops/linear_attention.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <utility>

#include "kernels/gemm.h"
#include "kernels/outer.h"
#include "kernels/vector.h"
#include "ops/lengths.h"

namespace softalign::ops {
namespace {

// Where head h of sequence b lies in a tensor [T, B, H A]: its rows are `stride` elements apart.
struct HeadLayout {
  std::size_t B, H, A, stride;

  // `others` are k, and v where the op reads it.
  HeadLayout(const char* who, Shape shape, std::size_t heads, std::initializer_list<std::pair<const char*, Shape>> others) {
    for (const auto& other : others) expect_shape(who, other.first, other.second, shape);
    if (shape.rank() != 3) throw ShapeError(std::string(who) + ": q is " + shape.to_string() + ", expected [T, B, H A]");
    if (heads == 0 || shape[2] == 0 || shape[2] % heads != 0) {
      throw ArgumentError(std::string(who) + ": heads is " + std::to_string(heads) + ", expected a divisor of the width " +
                          std::to_string(shape[2]));
    }
    B = shape[1];
    H = heads;
    A = shape[2] / heads;
    stride = B * H * A;
  }
  std::size_t at(std::size_t b, std::size_t h) const { return (b * H + h) * A; }
};

// 1 / (z . q), or 0 where it would be no number to work with. A NaN stays one.
template <class T>
T inverse(T sum) {
  return sum < std::numeric_limits<T>::min() ? T(0) : 1 / sum;
}

// Rows of A elements, `stride` apart, as gemm takes them.
template <class T>
kernels::Strided<T> strided_rows(T* first, std::size_t stride) {
  return {first, stride, 1};
}

// dy / (z . q) and what the sum z . q itself is to blame for.
template <class T>
T numerator_gradient(T factor, const T* d_y, const T* y, T* d_numerator, std::size_t A) {
  kernels::scale(factor, d_y, d_numerator, A);
  return -kernels::dot(d_numerator, y, A);
}

}  // namespace

template <class T>
Var<T> linear_attention(Graph<T>& g, Var<T> q, Var<T> k, Var<T> v, std::size_t heads,
                        std::span<const std::int32_t> lengths) {
  const HeadLayout at("linear_attention", q.shape, heads, {{"k", k.shape}, {"v", v.shape}});
  const std::size_t steps = q.shape[0], A = at.A, stride = at.stride;
  const Lengths length(g, "linear_attention", lengths, steps, at.B);
  const Var<T> y = g.zeros(q.shape);
  // S, z and the inverse sums of each head; in training all are kept
  const std::size_t kept = g.training() ? at.B * at.H : 1;
  T* all_sums = g.template scratch<T>(kept * A * A);
  T* all_keys = g.template scratch<T>(kept * A);
  T* all_factors = g.template scratch<T>(kept * steps);
  for (std::size_t b = 0; b < at.B; ++b) {
    for (std::size_t h = 0; h < at.H; ++h) {
      const std::size_t o = at.at(b, h), i = g.training() ? b * at.H + h : 0, L = length[b];
      T *sums = all_sums + i * A * A, *keys = all_keys + i * A, *factors = all_factors + i * steps;
      kernels::gemm(A, A, L, strided_rows<const T>(k.value + o, stride).transposed(), strided_rows<const T>(v.value + o, stride),
                    strided_rows(sums, A), false, g.gemm_scratch());
      std::fill_n(keys, A, T(0));
      for (std::size_t s = 0; s < L; ++s) kernels::axpy(T(1), k.value + o + s * stride, keys, A);
      kernels::gemm(L, A, A, strided_rows<const T>(q.value + o, stride), strided_rows<const T>(sums, A),
                    strided_rows(y.value + o, stride), false, g.gemm_scratch());
      for (std::size_t t = 0; t < L; ++t) {
        T* row = y.value + o + t * stride;
        factors[t] = inverse(kernels::dot(q.value + o + t * stride, keys, A));
        kernels::scale(factors[t], row, row, A);
      }
    }
  }
  if (g.training()) {
    T* d_numerator = g.template scratch<T>(steps * A);
    T* d_sum = g.template scratch<T>(steps);
    T* d_sums = g.template scratch<T>(A * A);
    T* d_keys = g.template scratch<T>(A);
    g.record([=, &g] {
      for (std::size_t b = 0; b < at.B; ++b) {
        for (std::size_t h = 0; h < at.H; ++h) {
          const std::size_t o = at.at(b, h), i = b * at.H + h, L = length[b];
          const T *sums = all_sums + i * A * A, *keys = all_keys + i * A, *factors = all_factors + i * steps;
          std::fill_n(d_keys, A, T(0));
          for (std::size_t t = 0; t < L; ++t) {
            const std::size_t row = o + t * stride;
            d_sum[t] = numerator_gradient<T>(factors[t], y.grad + row, y.value + row, d_numerator + t * A, A);
            kernels::axpy(d_sum[t], q.value + row, d_keys, A);
            if (q.grad) kernels::axpy(d_sum[t], keys, q.grad + row, A);
          }
          const auto d_n = strided_rows<const T>(d_numerator, A);
          kernels::gemm(A, A, L, strided_rows<const T>(q.value + o, stride).transposed(), d_n, strided_rows(d_sums, A), false,
                        g.gemm_scratch());
          if (q.grad) {
            kernels::gemm(L, A, A, d_n, strided_rows<const T>(sums, A).transposed(), strided_rows(q.grad + o, stride), true,
                          g.gemm_scratch());
          }
          if (k.grad) {
            kernels::gemm(L, A, A, strided_rows<const T>(v.value + o, stride), strided_rows<const T>(d_sums, A).transposed(),
                          strided_rows(k.grad + o, stride), true, g.gemm_scratch());
            for (std::size_t s = 0; s < L; ++s) kernels::axpy(T(1), d_keys, k.grad + o + s * stride, A);
          }
          if (v.grad) {
            kernels::gemm(L, A, A, strided_rows<const T>(k.value + o, stride), strided_rows<const T>(d_sums, A),
                          strided_rows(v.grad + o, stride), true, g.gemm_scratch());
          }
        }
      }
    });
  }
  return y;
}

template <class T>
Var<T> causal_linear_attention(Graph<T>& g, Var<T> q, Var<T> k, Var<T> v, std::size_t heads,
                               std::span<const std::int32_t> lengths) {
  const HeadLayout at("causal_linear_attention", q.shape, heads, {{"k", k.shape}, {"v", v.shape}});
  const std::size_t steps = q.shape[0], A = at.A, stride = at.stride;
  const Lengths length(g, "causal_linear_attention", lengths, steps, at.B);
  const Var<T> y = g.zeros(q.shape);
  T* sums = g.template scratch<T>(A * A);
  T* keys = g.template scratch<T>(A);
  T* factors = g.training() ? g.template scratch<T>(at.B * at.H * steps) : nullptr;
  const auto start = [=] {
    std::fill_n(sums, A * A, T(0));
    std::fill_n(keys, A, T(0));
  };
  const auto advance = [=](std::size_t row) {
    kernels::add_outer(k.value + row, v.value + row, sums, A, A);
    kernels::axpy(T(1), k.value + row, keys, A);
  };
  for (std::size_t b = 0; b < at.B; ++b) {
    for (std::size_t h = 0; h < at.H; ++h) {
      start();
      for (std::size_t t = 0; t < length[b]; ++t) {
        const std::size_t row = at.at(b, h) + t * stride;
        advance(row);
        const T factor = inverse(kernels::dot(q.value + row, keys, A));
        kernels::add_weighed_rows(q.value + row, sums, y.value + row, A, A);
        kernels::scale(factor, y.value + row, y.value + row, A);
        if (factors) factors[(b * at.H + h) * steps + t] = factor;
      }
    }
  }
  if (g.training()) {
    T* d_numerator = g.template scratch<T>(A);
    g.record([=] {
      for (std::size_t b = 0; b < at.B; ++b) {
        for (std::size_t h = 0; h < at.H; ++h) {
          const T* of_head = factors + (b * at.H + h) * steps;
          const auto numerator = [&](std::size_t t, std::size_t row) {
            return numerator_gradient<T>(of_head[t], y.grad + row, y.value + row, d_numerator, A);
          };
          // forwards again, for what a query sees
          start();
          for (std::size_t t = 0; q.grad && t < length[b]; ++t) {
            const std::size_t row = at.at(b, h) + t * stride;
            advance(row);
            const T d_sum = numerator(t, row);
            kernels::gemv(1, A, A, d_numerator, A, sums, q.grad + row, A, true);
            kernels::axpy(d_sum, keys, q.grad + row, A);
          }
          // and backwards, for all that see a key: now sum_t q[t] d_numerator[t]' and sum_t d_sum[t] q[t]
          start();
          for (std::size_t t = length[b]; t-- > 0;) {
            const std::size_t row = at.at(b, h) + t * stride;
            const T d_sum = numerator(t, row);
            kernels::add_outer(q.value + row, d_numerator, sums, A, A);
            kernels::axpy(d_sum, q.value + row, keys, A);
            if (k.grad) {
              kernels::gemv(1, A, A, v.value + row, A, sums, k.grad + row, A, true);
              kernels::axpy(T(1), keys, k.grad + row, A);
            }
            if (v.grad) kernels::add_weighed_rows(k.value + row, sums, v.grad + row, A, A);
          }
        }
      }
    });
  }
  return y;
}

template <class T>
LinearAttentionStep<T> linear_attention_step(Graph<T>& g, Var<T> q, Var<T> k, Var<T> v,
                                             const LinearAttentionState<T>& state,
                                             const LinearAttentionState<T>& into) {
  const char* who = "linear_attention_step";
  if (state.sums.shape.rank() != 4) {
    throw ShapeError(std::string(who) + ": sums is " + state.sums.shape.to_string() + ", expected [B, H, A, A]");
  }
  const std::size_t B = state.sums.shape[0], H = state.sums.shape[1], A = state.sums.shape[2];
  expect_shape(who, "sums", state.sums.shape, {B, H, A, A});
  expect_shape(who, "keys", state.keys.shape, {B, H, A});
  for (const Var<T>& x : {q, k, v}) expect_shape(who, "q, k or v", x.shape, {B, H * A});
  if (into.sums.value && g.training()) {
    throw ArgumentError(std::string(who) + ": `into` is given to a training graph, expected none");
  }
  LinearAttentionState<T> after = into;
  if (!into.sums.value) after = {g.make(state.sums.shape), g.make(state.keys.shape)};
  expect_shape(who, "sums of `into`", after.sums.shape, state.sums.shape);
  expect_shape(who, "keys of `into`", after.keys.shape, state.keys.shape);
  if (after.sums.value != state.sums.value) {
    std::copy_n(state.sums.value, state.sums.size(), after.sums.value);
    std::copy_n(state.keys.value, state.keys.size(), after.keys.value);
  }
  const Var<T> y = g.zeros(q.shape);
  T* factors = g.training() ? g.template scratch<T>(B * H) : nullptr;
  // head i of B * H: its row in q, k, v, y and keys starts at i * A
  for (std::size_t i = 0; i < B * H; ++i) {
    const std::size_t row = i * A;
    T* sums = after.sums.value + row * A;
    kernels::add_outer(k.value + row, v.value + row, sums, A, A);
    kernels::axpy(T(1), k.value + row, after.keys.value + row, A);
    const T factor = inverse(kernels::dot(q.value + row, after.keys.value + row, A));
    kernels::add_weighed_rows(q.value + row, sums, y.value + row, A, A);
    kernels::scale(factor, y.value + row, y.value + row, A);
    if (factors) factors[i] = factor;
  }
  if (g.training()) {
    T* d_numerator = g.template scratch<T>(A);
    g.record([=] {
      for (std::size_t i = 0; i < B * H; ++i) {
        const std::size_t row = i * A;
        const T d_sum = numerator_gradient<T>(factors[i], y.grad + row, y.value + row, d_numerator, A);
        if (q.grad) {
          kernels::gemv(1, A, A, d_numerator, A, after.sums.value + row * A, q.grad + row, A, true);
          kernels::axpy(d_sum, after.keys.value + row, q.grad + row, A);
        }
        // what later steps left in the state's gradient, and this step's own share
        T *d_sums = after.sums.grad + row * A, *d_keys = after.keys.grad + row;
        kernels::add_outer(q.value + row, d_numerator, d_sums, A, A);
        kernels::axpy(d_sum, q.value + row, d_keys, A);
        if (k.grad) {
          kernels::gemv(1, A, A, v.value + row, A, d_sums, k.grad + row, A, true);
          kernels::axpy(T(1), d_keys, k.grad + row, A);
        }
        if (v.grad) kernels::add_weighed_rows(k.value + row, d_sums, v.grad + row, A, A);
        if (state.sums.grad) kernels::axpy(T(1), d_sums, state.sums.grad + row * A, A * A);
        if (state.keys.grad) kernels::axpy(T(1), d_keys, state.keys.grad + row, A);
      }
    });
  }
  return {y, after};
}

template <class T>
Var<T> linear_attention_weights(Graph<T>& g, Var<T> q, Var<T> k, std::size_t heads,
                                std::span<const std::int32_t> lengths, bool causal) {
  const HeadLayout at("linear_attention_weights", q.shape, heads, {{"k", k.shape}});
  const std::size_t steps = q.shape[0];
  const Lengths length(g, "linear_attention_weights", lengths, steps, at.B);
  const Shape shape = {at.B, heads, steps, steps};
  const Var<T> weights{g.template scratch<T>(shape.size()), nullptr, shape, nullptr};
  std::fill_n(weights.value, weights.size(), T(0));
  for (std::size_t b = 0; b < at.B; ++b) {
    for (std::size_t h = 0; h < heads; ++h) {
      for (std::size_t t = 0; t < length[b]; ++t) {
        T* row = weights.value + ((b * heads + h) * steps + t) * steps;
        const std::size_t seen = causal ? t + 1 : length[b];
        for (std::size_t s = 0; s < seen; ++s) {
          row[s] = kernels::dot(q.value + at.at(b, h) + t * at.stride, k.value + at.at(b, h) + s * at.stride, at.A);
        }
        kernels::scale(inverse(kernels::sum(row, seen)), row, row, seen);
      }
    }
  }
  return weights;
}

#define SOFTALIGN_INSTANTIATE(T)                                                                                    \
  template Var<T> linear_attention(Graph<T>&, Var<T>, Var<T>, Var<T>, std::size_t, std::span<const std::int32_t>);  \
  template Var<T> causal_linear_attention(Graph<T>&, Var<T>, Var<T>, Var<T>, std::size_t,                           \
                                          std::span<const std::int32_t>);                                           \
  template LinearAttentionStep<T> linear_attention_step(                                                            \
      Graph<T>&, Var<T>, Var<T>, Var<T>, const LinearAttentionState<T>&, const LinearAttentionState<T>&);           \
  template Var<T> linear_attention_weights(Graph<T>&, Var<T>, Var<T>, std::size_t, std::span<const std::int32_t>,   \
                                           bool);
SOFTALIGN_INSTANTIATE(float)
SOFTALIGN_INSTANTIATE(double)
#undef SOFTALIGN_INSTANTIATE

}  // namespace softalign::ops
