#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

namespace softalign {

// SplitMix64 (Steele, Lea & Flood 2014): the same numbers on every platform, and its whole state is
// one integer, so a training run resumes by seeding from its step number.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  // A generator of its own for each (seed, a, b), e.g. step and thread.
  Random(std::uint64_t seed, std::uint64_t a, std::uint64_t b)
      : state_(mixed(mixed(mixed(seed) + a) + b)) {}

  std::uint64_t next() { return mixed(state_ += 0x9E3779B97F4A7C15u); }
  // In [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  double normal() {  // Box-Muller; the second value is dropped to keep one integer of state
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
  }
  // In [0, n), n > 0.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(uniform() * static_cast<double>(n)); }

 private:
  static std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

}  // namespace softalign
