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

}  // namespace softalign::ops
