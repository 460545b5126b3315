#pragma once

#include <cstdint>
#include <span>

#include "ops/graph.h"

namespace softalign::ops {

// y = x W' + b: x [.., K], weight [N, K], bias [N] or no tensor at all -> [.., N].
template <class T>
Var<T> linear(Graph<T>& g, Var<T> x, Var<T> weight, Var<T> bias = {});

// into += x W': the same product added to an existing tensor, e.g. a second input of one layer.
// Reads of `into` from before this call must not need its old value in their gradients.
template <class T>
void add_linear(Graph<T>& g, Var<T> into, Var<T> x, Var<T> weight);

// A weight as numbers, for ops that do not take bytes: one stored in bytes is written out, which a
// training graph does not (ArgumentError); any other is returned as it is.
template <class T>
Var<T> numbers(Graph<T>& g, Var<T> weight);

// Rows of a table by number: table [V, E], ids -> [ids.size(), E].
// Throws ArgumentError for an id outside the table.
template <class T>
Var<T> lookup(Graph<T>& g, Var<T> table, std::span<const std::int32_t> ids);

// Rows of a matrix, or elements of a vector, by number: a weight for inference that has these alone, in numbers or bytes as
// the whole one. Throws ArgumentError for an id outside.
template <class T>
Parameter<T> rows_of(const Parameter<T>& whole, std::span<const std::int32_t> ids);

// y[.., h] = W[h] x[.., h]: a matrix of its own for each head. x [.., H A], W [H, N, A] -> [.., H N].
template <class T>
Var<T> linear_by_head(Graph<T>& g, Var<T> x, Var<T> weight);

}  // namespace softalign::ops
