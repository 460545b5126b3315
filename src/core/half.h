#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

// IEEE 754 half precision, which C++20 has no type for.
namespace softalign {

// Rounds to nearest even; beyond the range of halves stands their largest finite value.
inline std::uint16_t to_half(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000);
  const float size = std::min(std::abs(value), 65504.0f);
  if (size < 0x1p-14f) {  // subnormal: a multiple of 2^-24
    return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(std::nearbyint(size * 0x1p24f)));
  }
  std::uint32_t b = std::bit_cast<std::uint32_t>(size);
  b += 0xFFF + ((b >> 13) & 1);
  return static_cast<std::uint16_t>(sign | ((b >> 13) - (112u << 10)));
}

inline float from_half(std::uint16_t half) {
  const float sign = half & 0x8000 ? -1.0f : 1.0f;
  const std::uint32_t exponent = (half >> 10) & 31, mantissa = half & 1023;
  if (exponent == 0) return sign * static_cast<float>(mantissa) * 0x1p-24f;
  if (exponent == 31) return mantissa ? NAN : sign * INFINITY;
  return sign * std::bit_cast<float>(((exponent + 112) << 23) | (mantissa << 13));
}

}  // namespace softalign
