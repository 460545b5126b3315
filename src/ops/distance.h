#pragma once

#include "ops/graph.h"
#include "ops/patches.h"

namespace softalign::ops {

// How near every offset is to a centre of each of H heads (Cordonnier, Loukas & Jaggi 2020, eq. 9):
//
//   y[h,delta] = -sharpness[h] |delta - centre[h]|^2
//
// The offsets delta = (row, column) are those in the box -reach.height .. reach.height by -reach.width ..
// reach.width, row by row as one reads: N = (2 reach.height + 1) (2 reach.width + 1). Centres [H, 2],
// sharpness [H] -> [H, N]: the bias of add_pair_bias for positions of an image. Throws ShapeError for
// centres or sharpness of another shape.
template <class T>
Var<T> distance_scores(Graph<T>& g, Var<T> centres, Var<T> sharpness, const ImageSize& reach);

}  // namespace softalign::ops
