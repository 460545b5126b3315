#pragma once

#include <cstddef>
#include <cstdint>

namespace softalign::kernels {

// Products with a weight matrix stored in bytes, of activations that are 7-bit integers:
//
//   x[i] ~ scale * q[i] + least,  0 <= q[i] <= 127,  least = min x, scale = (max x - min x) / 127,  |error| <= scale / 2
//
// Coarser than what int8.h makes of activations, for the sake of one instruction, the dot product of WebAssembly's relaxed
// SIMD: it multiplies and adds 16 pairs of bytes, and where one operand of each pair has 7 bits at most, all processors agree on the result.
struct ByteScale {
  float scale, least;
};

// Writes q [n]. A row with an infinity or a NaN becomes zeros; of values that are all but equal only `least` remains.
ByteScale quantise(const float* x, std::uint8_t* q, std::size_t n);

// The sum of n bytes, n <= kInt8Depth.
std::int32_t sum(const std::int8_t* w, std::size_t n);

// y[i, j] (+)= x_scale[i].scale * w_scale[j] * sum_k x[i, k] w[j, k] + x_scale[i].least * w_sum[j],
// w_sum[j] = w_scale[j] * sum_k w[j, k].
// Rows of x lie k apart, rows of w too, rows of y y_stride. k <= kInt8Depth.
struct ByteProduct {
  std::size_t rows, n, k;
  const std::uint8_t* x;
  const ByteScale* x_scale;
  const std::int8_t* w;
  const float* w_scale;
  const float* w_sum;
  float* y;
  std::size_t y_stride;
  bool accumulate;
};
using MultiplyBytes = void (*)(const ByteProduct&);

// Who computes these products; null where nobody does, so that int8.h's are to be taken. Engines that cannot run the
// instruction refuse a module that has it, so it is in a module of its own, which whoever loads both hands to this one.
inline MultiplyBytes multiply_bytes = nullptr;

}  // namespace softalign::kernels
