#pragma once

#include <cstdint>
#include <span>

#include "ops/graph.h"

// Linear attention (Katharopoulos et al. 2020, arXiv:2006.16236): softmax is replaced by a product of
// features q and k, both above 0, so that the sum over all positions can be done once for all queries:
//
//   y[t] = sum_s (q[t] . k[s]) v[s] / sum_s (q[t] . k[s]) = S' q[t] / (z . q[t])
//   S = sum_s k[s] v[s]',  z = sum_s k[s]
//
// for each sequence and each of H heads on its own. q, k (features: see elu_plus_one) and v are
// time-major [T, B, H A], head after head, and so is the result. Sums run over s < lengths[b], in the
// causal form also over s <= t only; rows beyond a length are 0. `lengths` has B entries in 1..T or is
// empty. Where z . q is below the smallest normal number, as when every feature underflowed, y is 0.
//
// Throws ShapeError for shapes or lengths that do not fit, ArgumentError for heads that do not divide
// the width.
namespace softalign::ops {

// Over all positions, in O(T A^2) time; memory beyond the tensors is O(H A^2) a sequence.
template <class T>
Var<T> linear_attention(Graph<T>& g, Var<T> q, Var<T> k, Var<T> v, std::size_t heads,
                        std::span<const std::int32_t> lengths);

// Over the past and the present. The same time; S of each position is not kept but computed again for
// the gradient (their section 3.3.1), so memory is that of the form above.
template <class T>
Var<T> causal_linear_attention(Graph<T>& g, Var<T> q, Var<T> k, Var<T> v, std::size_t heads,
                               std::span<const std::int32_t> lengths);

// All that the past is to the steps after it, whose size does not grow.
template <class T>
struct LinearAttentionState {
  Var<T> sums;  // S [B, H, A, A]: sums[b, h, i, j] = sum_s k[i] v[j]
  Var<T> keys;  // z [B, H, A]
};

template <class T>
struct LinearAttentionStep {
  Var<T> y;  // [B, H A]
  LinearAttentionState<T> state;
};

// One step of the causal form: q, k, v [B, H A]. The new state is written to `into` if that has
// tensors, which may be the old state itself: then memory is constant. Inferring only, since the
// gradient needs every state: with `into` a training graph throws ArgumentError.
template <class T>
LinearAttentionStep<T> linear_attention_step(Graph<T>& g, Var<T> q, Var<T> k, Var<T> v,
                                             const LinearAttentionState<T>& state,
                                             const LinearAttentionState<T>& into = {});

// What the forms above never compute, for showing: the weights [B, H, T, S] they amount to, rows
// summing to 1 for t < lengths[b], else 0. No gradient flows through them.
template <class T>
Var<T> linear_attention_weights(Graph<T>& g, Var<T> q, Var<T> k, std::size_t heads,
                                std::span<const std::int32_t> lengths, bool causal);

}  // namespace softalign::ops
