#pragma once

#include <cstdint>
#include <span>

#include "ops/graph.h"

namespace softalign::ops {

// Cross entropy with label smoothing (Szegedy et al. 2016; as PyTorch's CrossEntropyLoss with
// reduction "sum"): over rows with targets[i] >= 0,
//
//   loss = sum_i  lse(x_i) - (1 - smoothing) x_i[target_i] - smoothing * mean_v x_i[v]
//
// multiplied by `scale`. logits [N, V], one target a row, negative ones are left out. -> one element.
// Its gradient overwrites that of logits, which must have no other use.
template <class T>
Var<T> cross_entropy(Graph<T>& g, Var<T> logits, std::span<const std::int32_t> targets, double smoothing,
                     double scale = 1);

// A position a query should look at, and how much of its attention that should have.
struct AlignmentTarget {
  std::uint32_t sequence = 0, query = 0, key = 0;  // b, t, s
  float share = 1;
};

// Cross entropy between given alignments and one head's weights (Garg et al. 2019, arXiv:1909.02074, 4.2):
//
//   loss = -scale * sum of share[i] * ln weights[b_i, head, t_i, s_i]
//
// for dense or causal weights [B, H, T, S]. A weight below 1e-7 counts as 1e-7, in the gradient too.
// -> [1]. Throws ArgumentError naming a target outside of the weights.
template <class T>
Var<T> alignment_loss(Graph<T>& g, Var<T> weights, std::size_t head, std::span<const AlignmentTarget> targets,
                      double scale);

}  // namespace softalign::ops
