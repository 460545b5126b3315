#pragma once

#include "layers/layer_norm.h"
#include "ops/elementwise.h"

namespace softalign::layers {

// x + sublayer(x): the sublayer reads a normalised x (pre-norm), or the sum is normalised (post-norm).
template <class T, class Sublayer>
Var<T> residual(Graph<T>& g, Var<T> x, const LayerNorm<T>& norm, bool norm_first, double dropout, Sublayer sublayer) {
  const Var<T> y = sublayer(norm_first ? norm(g, x) : x);
  const Var<T> sum = ops::add(g, x, ops::dropout(g, y, dropout));
  return norm_first ? sum : norm(g, sum);
}

}  // namespace softalign::layers
