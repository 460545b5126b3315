#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "unit/support/golden.h"

// Recurrent networks' golden files; make_goldens.py says what is in them.
namespace softalign::testing {

// states [T, B, D] against the golden ones, up to each sequence's own end: beyond it PyTorch has 0.
template <class T>
void expect_states(const Golden& golden, const Var<T>& states, const std::vector<std::int32_t>& lengths) {
  std::vector<T> inside(states.value, states.value + states.size());
  const std::size_t B = states.shape[1], D = states.shape[2];
  for (std::size_t t = 0; t < states.shape[0]; ++t) {
    for (std::size_t b = 0; b < B; ++b) {
      if (t >= static_cast<std::size_t>(lengths[b]))
        std::fill_n(inside.begin() + static_cast<std::ptrdiff_t>((t * B + b) * D), D, T(0));
    }
  }
  expect_golden(golden, "output.states", inside.data(), inside.size());
}

// [2, B, H], as PyTorch has it, to [B, 2H], as ours is.
template <class T>
std::vector<T> side_by_side(const std::vector<T>& x, std::size_t B, std::size_t H) {
  std::vector<T> y(x.size());
  for (std::size_t d = 0; d < 2; ++d) {
    for (std::size_t b = 0; b < B; ++b) {
      for (std::size_t h = 0; h < H; ++h) y[b * 2 * H + d * H + h] = x[(d * B + b) * H + h];
    }
  }
  return y;
}

// The last states of both directions [B, 2H] against [2, B, H].
template <class T>
void expect_last(const Golden& golden, const std::string& name, const Var<T>& last) {
  const auto expected = side_by_side(golden.floats(name), last.rows(), last.width() / 2);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(static_cast<double>(last.value[i]), expected[i], kGoldenTolerance<T> * (1 + std::abs(expected[i])))
        << name << " at " << i;
  }
}

}  // namespace softalign::testing
