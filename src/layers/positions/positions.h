#pragma once

#include <cstddef>
#include <string>

#include "ops/graph.h"
#include "ops/positions.h"

// Where in its sequence an element stands, as a vector to be added to it by ops::add_positions:
// attention by itself does not see any order. All members of the family share
//
//   Var operator()(g, steps)   positions 0 .. steps - 1 -> p [steps, D]
//   Var at(g, t)               position t alone -> p [1, D], the same up to rounding
//   std::size_t width()        D
//
// and depend on nothing but their weights: a decoder may compute p once and slice it step by step.
namespace softalign::layers {

// Throws ArgumentError unless there is something to encode.
inline void expect_positions(const char* who, std::size_t steps, std::size_t width) {
  if (steps == 0) throw ArgumentError(std::string(who) + ": it is asked for 0 positions, expected at least 1");
  if (width == 0) throw ArgumentError(std::string(who) + ": width is 0, expected at least 1");
}

}  // namespace softalign::layers
