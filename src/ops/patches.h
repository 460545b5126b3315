#pragma once

#include "ops/graph.h"

namespace softalign::ops {

// Images cut into squares of P pixels: images [B, C, H, W] -> [N, B, C P P], N = (H / P) (W / P).
// Patches come row by row as one reads; within a patch the order is channel, row, column, as the
// weights of PyTorch's Conv2d have it. Throws ShapeError unless images have four dimensions above 0,
// ArgumentError unless P divides H and W.
template <class T>
Var<T> patches(Graph<T>& g, Var<T> images, std::size_t patch);

}  // namespace softalign::ops
