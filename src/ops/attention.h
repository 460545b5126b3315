#pragma once

#include <cstdint>
#include <span>

#include "ops/graph.h"

// The pieces every attention is made of. Memories are time-major: keys [S, B, A], values [S, B, D].
// A memory of batch 1 is shared by all queries (beam search). `lengths` has one entry for each
// memory row, in 1..S; positions beyond a length take no part and get weight exactly 0.
namespace softalign::ops {

// e[b, s] = v . tanh(query[b] + keys[s, b])   (Bahdanau et al. 2015, A.1.2, both already projected)
// query [B, A], v [A] -> [B, S]. Scores beyond a length are 0.
template <class T>
Var<T> additive_scores(Graph<T>& g, Var<T> query, Var<T> keys, Var<T> v, std::span<const std::int32_t> lengths);

// e[b, s] = query[b] . keys[s, b]   (Luong et al. 2015)
template <class T>
Var<T> dot_scores(Graph<T>& g, Var<T> query, Var<T> keys, std::span<const std::int32_t> lengths);

// Row-wise softmax over the first lengths[b] of S scores, exactly 0 beyond. [B, S] -> [B, S].
template <class T>
Var<T> softmax(Graph<T>& g, Var<T> scores, std::span<const std::int32_t> lengths);

// c[b] = sum_s weights[b, s] * values[s, b]. weights [B, S] -> [B, D].
template <class T>
Var<T> weighted_sum(Graph<T>& g, Var<T> weights, Var<T> values, std::span<const std::int32_t> lengths);

}  // namespace softalign::ops
