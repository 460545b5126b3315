#pragma once

#include <cstddef>
#include <cstdint>

namespace softalign::kernels {

// Products with a weight matrix stored in bytes. Activations become 14-bit integers row by row, so
// that what is lost is what storing the weights in bytes loses, and sums are exact:
//
//   x[i] ~ scale * q[i],  scale = max |x| / 8191,  |error| <= scale / 2
inline constexpr std::int32_t kLargestActivation = 8191;
inline constexpr std::size_t kInt8Depth = 2048;  // longest row whose sum always fits 32 bits

// Writes q [n] and returns the scale; 0 for a row of zeros, of sizes below 1e-30 only, or with an
// infinity. n may be 0.
float quantise(const float* x, std::int16_t* q, std::size_t n);

// y[i, j] (+)= x_scale[i] * w_scale[j] * sum_k x[i, k] w[j, k], the sum in exact integers.
// Relative error of the product <= 2^-22.
// x rows lie k apart, w rows too, y rows y_stride. k <= kInt8Depth.
void gemv_int8(std::size_t rows, std::size_t n, std::size_t k, const std::int16_t* x, const float* x_scale,
               const std::int8_t* w, const float* w_scale, float* y, std::size_t y_stride, bool accumulate);

// The scalar twin.
void gemv_int8(std::size_t rows, std::size_t n, std::size_t k, const std::int16_t* x, const double* x_scale,
               const std::int8_t* w, const double* w_scale, double* y, std::size_t y_stride, bool accumulate);

}  // namespace softalign::kernels
