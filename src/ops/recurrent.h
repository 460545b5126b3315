#pragma once

#include <span>

#include "ops/graph.h"

namespace softalign::ops {

// One GRU step after its two products, in PyTorch's convention (kernels/recurrent.h has the
// equations): x [B, 3H] = W x + b, hidden [B, 3H] = U h + b', h [B, H].
//
// Row i is computed where active[i] != 0 and keeps h elsewhere; an empty `active` means all rows.
// The result [B, H] is written to `into` if that is a tensor (a slice of a sequence, say).
// Its gradient overwrites that of `hidden`, which must have no other use.
template <class T>
Var<T> gru_step(Graph<T>& g, Var<T> x, Var<T> hidden, Var<T> h, std::span<const unsigned char> active = {},
                Var<T> into = {});

}  // namespace softalign::ops
