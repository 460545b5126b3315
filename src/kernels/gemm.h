#pragma once

#include <cstddef>

namespace softalign::kernels {

// A matrix in memory by its two strides, in elements; a transpose swaps them.
template <class T>
struct Strided {
  T* data;
  std::size_t row, column;
  Strided transposed() const { return {data, column, row}; }
};

// c[m, n] (+)= sum_k a[m, k] b[k, n]
//
// Any sizes (0 too) and strides; c overlaps neither a nor b. With `accumulate` false c is
// overwritten without being read. `scratch` holds gemm_scratch<T>() elements, any alignment.
// Error against the double twin: at most (k + 8) * 2^-24 * sum_k |a b| for each element.
void gemm(std::size_t m, std::size_t n, std::size_t k, Strided<const float> a, Strided<const float> b,
          Strided<float> c, bool accumulate, float* scratch);
void gemm(std::size_t m, std::size_t n, std::size_t k, Strided<const double> a, Strided<const double> b,
          Strided<double> c, bool accumulate, double* scratch);

// Elements of scratch that gemm needs: panels of both operands that fit the second-level cache.
inline constexpr std::size_t kGemmDepth = 512, kGemmColumns = 128, kGemmRows = 72;
template <class T>
constexpr std::size_t gemm_scratch() {
  return kGemmDepth * (kGemmColumns + kGemmRows);
}

// y[i, n] (+)= sum_k w[n, k] x[i, k] for a few rows i: w is read once and nothing is packed.
// x rows are x_stride apart, y rows y_stride. Same error bound as gemm.
void gemv(std::size_t rows, std::size_t n, std::size_t k, const float* x, std::size_t x_stride,
          const float* w, float* y, std::size_t y_stride, bool accumulate);
void gemv(std::size_t rows, std::size_t n, std::size_t k, const double* x, std::size_t x_stride,
          const double* w, double* y, std::size_t y_stride, bool accumulate);

}  // namespace softalign::kernels
