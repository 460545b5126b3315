#pragma once

#include "ops/graph.h"

namespace softalign::ops {

struct ImageSize {
  std::size_t height = 0, width = 0;
};

// Images cut into squares of P pixels: images [B, C, H, W] -> [N, B, C P P], N = (H / P) (W / P).
// Patches come row by row as one reads; within a patch the order is channel, row, column, as the
// weights of PyTorch's Conv2d have it. With P = 1 an image is the sequence of its pixels, [H W, B, C].
// Throws ShapeError unless images have four dimensions above 0, ArgumentError unless P divides H and W.
template <class T>
Var<T> patches(Graph<T>& g, Var<T> images, std::size_t patch);

// The way back: patches x [N, B, C P P] of images of this size -> [B, C, H, W]. Throws ShapeError unless x
// is all of such images, ArgumentError for a size of 0 or a P that does not divide it.
template <class T>
Var<T> from_patches(Graph<T>& g, Var<T> x, const ImageSize& size, std::size_t patch);

}  // namespace softalign::ops
