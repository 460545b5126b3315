#pragma once

#include <span>

#include "ops/graph.h"

// Element by element. Results are new tensors of the first operand's shape.
namespace softalign::ops {

// a + b, equal shapes.
template <class T>
Var<T> add(Graph<T>& g, Var<T> a, Var<T> b);

// factor * a
template <class T>
Var<T> scale(Graph<T>& g, Var<T> a, T factor);

// a + scale * b, equal shapes. Written to `into` if that is a tensor (a part of a larger one, say).
template <class T>
Var<T> add_scaled(Graph<T>& g, Var<T> a, Var<T> b, double scale, Var<T> into = {});
// The same with a learned scale [1].
template <class T>
Var<T> add_scaled(Graph<T>& g, Var<T> a, Var<T> b, Var<T> scale);

// into = a, where `into` is a part of a larger tensor.
template <class T>
void copy(Graph<T>& g, Var<T> a, Var<T> into);

// tanh a
template <class T>
Var<T> tanh(Graph<T>& g, Var<T> a);

// max(a, 0)
template <class T>
Var<T> relu(Graph<T>& g, Var<T> a);

// a * Phi(a), with the error function, as PyTorch's default (Hendrycks & Gimpel 2016).
template <class T>
Var<T> gelu(Graph<T>& g, Var<T> a);

// elu(a) + 1: above 0 everywhere, the feature map of linear attention (Katharopoulos et al. 2020, eq. 7).
template <class T>
Var<T> elu_plus_one(Graph<T>& g, Var<T> a);

// Dropout (Srivastava et al. 2014), inverted: each element is 0 with probability `rate`, otherwise
// divided by 1 - rate. Returns `a` itself when the graph infers or rate is 0.
template <class T>
Var<T> dropout(Graph<T>& g, Var<T> a, double rate);

// Two tensors of as many rows side by side: [.., M] and [.., N] -> [.., M + N].
template <class T>
Var<T> concat(Graph<T>& g, Var<T> a, Var<T> b);

// Tensors of equal width below each other: parts [.., D] -> [sum of rows, D].
template <class T>
Var<T> stack(Graph<T>& g, std::span<const Var<T>> parts);

// One row, `times` times: [1, D] -> [times, D].
template <class T>
Var<T> repeat(Graph<T>& g, Var<T> row, std::size_t times);

}  // namespace softalign::ops
