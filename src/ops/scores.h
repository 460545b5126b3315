#pragma once

#include <cstdint>
#include <span>

#include "ops/graph.h"
#include "ops/pattern.h"

// How much each query goes with each key, in the layout of ops/attention.h: queries [T, B, H A], keys
// [S, B, H A] -> scores [B, H, T, slots], unspecified outside the slots of a query.
namespace softalign::ops {

// e[b,h,t,s] = q[t,b,h] . k[s,b,h]   (Luong et al. 2015)
template <class T>
Var<T> dot_scores(Graph<T>& g, Var<T> queries, Var<T> keys, std::size_t heads, const Reach& reach);

// e[b,h,t,s] = v[h] . tanh(q[t,b,h] + k[s,b,h])   (Bahdanau et al. 2015, A.1.2, both already projected)
// v [H A].
template <class T>
Var<T> additive_scores(Graph<T>& g, Var<T> queries, Var<T> keys, Var<T> v, std::size_t heads, const Reach& reach);

// Relative positions (Shaw et al. 2018, eq. 4), added to scores:
//
//   e[b,h,t,s] += q[t,b,h] . table[clip(s - t, -r, r) + r]
//
// table [2r + 1, A] is shared by the heads.
template <class T>
void add_relative_scores(Graph<T>& g, Var<T> scores, Var<T> queries, Var<T> table, const Reach& reach);

// A number for each pair, added to scores: e[b,h,t,s] += bias[h, which[t * S + s]], none where which < 0.
// bias [H, N].
template <class T>
void add_pair_bias(Graph<T>& g, Var<T> scores, Var<T> bias, std::span<const std::int32_t> which, const Reach& reach);

}  // namespace softalign::ops
