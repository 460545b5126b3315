#pragma once

#include "ops/graph.h"

namespace softalign::ops {

// Adds to every sequence of a batch the encodings of its positions: x [T, B, D] and positions [T, D]
// -> [T, B, D]; or one step alone, x [B, D] and positions [1, D] -> [B, D].
template <class T>
Var<T> add_positions(Graph<T>& g, Var<T> x, Var<T> positions);

}  // namespace softalign::ops
