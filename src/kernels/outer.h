#pragma once

#include <cstddef>

// Sums of products of vectors, for matrices that change with every step and so are not worth packing:
// c [m, n] is row-major without gaps. Any sizes (0 too), any alignment, no overlap.
namespace softalign::kernels {

// c[i, j] += a[i] * b[j].  Error <= 2^-23 * (|c[i, j]| + |a[i] b[j]|).
void add_outer(const float* a, const float* b, float* c, std::size_t m, std::size_t n);
void add_outer(const double* a, const double* b, double* c, std::size_t m, std::size_t n);

// y[j] += sum_i a[i] * c[i, j]: rows, weighed.  Error <= (m + 8) * 2^-24 * (|y[j]| + sum_i |a[i] c[i, j]|).
void add_weighed_rows(const float* a, const float* c, float* y, std::size_t m, std::size_t n);
void add_weighed_rows(const double* a, const double* c, double* y, std::size_t m, std::size_t n);

}  // namespace softalign::kernels
