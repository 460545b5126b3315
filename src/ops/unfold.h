#pragma once

#include <cstdint>
#include <span>

#include "ops/graph.h"

namespace softalign::ops {

// The order of what unfold puts side by side: neighbour after neighbour, [x[t-r]; ...; x[t+r]], or, as
// the weights of a convolution have it, channel after channel, each with its 2r + 1 numbers.
enum class Neighbours { kInTurn, kOfEachChannel };

// A larger radius is a mistake, such as a negative number.
inline constexpr std::size_t kLargestRadius = std::size_t{1} << 20;

// Every element of a sequence with its neighbours up to `radius` away: x [T, B, in] ->
// [T, B, (2 radius + 1) in]. What lies before the start, behind the end or beyond a length is 0;
// `lengths` has B entries in 1..T, or is empty if all are T long. Throws ShapeError for an x or lengths
// that do not fit, ArgumentError for a radius above kLargestRadius.
template <class T>
Var<T> unfold(Graph<T>& g, Var<T> x, std::size_t radius, std::span<const std::int32_t> lengths, Neighbours order);

}  // namespace softalign::ops
