#pragma once

#include "ops/graph.h"

namespace softalign::ops {

// Each row of x [.., D] to mean 0 and variance 1, then times weight [D] plus bias [D];
// kernels/layer_norm.h has the equations. Throws ShapeError for shapes that do not fit or D = 0.
template <class T>
Var<T> layer_norm(Graph<T>& g, Var<T> x, Var<T> weight, Var<T> bias, double epsilon);

}  // namespace softalign::ops
