#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "ops/graph.h"

namespace softalign::ops {

// How long each sequence of a padded batch [T, B, ..] is. A copy in the graph's memory: the caller may
// change the lengths before backward().
class Lengths {
 public:
  // `lengths` has B entries in 1..steps, or is empty if all sequences are `steps` long; anything else,
  // and steps = 0, throws ShapeError.
  template <class T>
  Lengths(Graph<T>& g, const char* who, std::span<const std::int32_t> lengths, std::size_t steps, std::size_t B)
      : steps_(steps) {
    if (steps == 0) throw ShapeError(std::string(who) + ": the sequence has 0 steps, expected at least 1");
    if (lengths.empty()) return;
    expect_size(who, "number of lengths", lengths.size(), B);
    for (std::size_t b = 0; b < B; ++b) {
      if (lengths[b] < 1 || static_cast<std::size_t>(lengths[b]) > steps) {
        throw ShapeError(std::string(who) + ": lengths[" + std::to_string(b) + "] is " + std::to_string(lengths[b]) +
                         ", expected 1.." + std::to_string(steps));
      }
    }
    auto* copy = g.template scratch<std::int32_t>(B);
    std::copy(lengths.begin(), lengths.end(), copy);
    lengths_ = copy;
  }

  std::size_t operator[](std::size_t b) const { return lengths_ ? static_cast<std::size_t>(lengths_[b]) : steps_; }

 private:
  std::size_t steps_;
  const std::int32_t* lengths_ = nullptr;
};

}  // namespace softalign::ops
