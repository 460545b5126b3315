#pragma once

#include <cstdint>
#include <span>

#include "ops/graph.h"
#include "ops/pattern.h"

// The pieces every attention is made of, for T queries and S keys in each of B sequences and H heads of
// width A. Queries are [T, B, H A], keys [S, B, H A], values [S, B, H D], time-major, heads side by side.
// Scores and weights are [B, H, T, slots], where Reach says which key stands in which slot; scores
// outside the slots of a query are unspecified, weights there are exactly 0.
//
// Where several sequences of queries share keys (beam search), keys and values are [S, N, ..]; see Reach.
// In the dense and the causal pattern a NaN or an infinity among the values of a sequence reaches all of
// its queries; beyond a length nothing is read.
namespace softalign::ops {

// Where queries are made to look instead of where they would, for what-if questions to a trained model: of each of
// N sequences of S keys. Borrowed. In inference only: no gradient knows of it.
template <class T>
struct Steering {
  std::span<const unsigned char> mask = {};  // [N, S]: a 1 for keys that no query may look at
  std::span<const T* const> weights = {};    // [N, H]: what all queries of a head have as weights [S], or nullptr
};

// e[b,h,t,s] = the lowest number there is where a mask [N, S] has a 1: the key's weight becomes exactly 0. Some key
// of each query is to be left. Throws ShapeError, and so does the next.
template <class T>
void mask_scores(Var<T> scores, std::span<const unsigned char> mask, const Reach& reach);

// a[b,h,t,:] = given[n,h][:] for the N sequences n and the heads for which it is no nullptr.
template <class T>
void set_weights(Var<T> weights, std::span<const T* const> given, const Reach& reach);

// a[b,h,t,:] = softmax of e[b,h,t,:]. A query that may look at nothing has weights 0.
template <class T>
Var<T> softmax(Graph<T>& g, Var<T> scores, const Reach& reach);

// a[b,h,t,s] = max(e[b,h,t,s], 0) / sum of the same over s; all 0 where no score is above 0.
template <class T>
Var<T> relu_normalise(Graph<T>& g, Var<T> scores, const Reach& reach);

// c[t,b,h] = sum_s a[b,h,t,s] values[s,b,h]   -> [T, B, H D]
template <class T>
Var<T> weighted_sum(Graph<T>& g, Var<T> weights, Var<T> values, const Reach& reach);

// The same for relative positions (Shaw et al. 2018, eq. 3): c[t,b,h] += sum_s a[b,h,t,s] table[clip(s - t) + r],
// table [2r + 1, D].
template <class T>
void add_relative_values(Graph<T>& g, Var<T> context, Var<T> weights, Var<T> table, const Reach& reach);

// y[t,b,h] = factors[h] x[t,b,h] for x [T, B, H D]: heads switched off (0) or weighed. The factors have no gradient.
template <class T>
Var<T> scale_heads(Graph<T>& g, Var<T> x, std::span<const T> factors);

// Weights (or scores) where their keys are: [B, H, T, slots] -> [B, H, T, S], 0 for pairs that do not meet.
// For looking at: not differentiable.
template <class T>
Var<T> by_key(Graph<T>& g, Var<T> weights, const Reach& reach);

}  // namespace softalign::ops
