#pragma once

#include <cstddef>

// Functions of whole vectors. Any length (0 too), any alignment; nothing is read or written beyond
// n elements; y may be x. The float versions are SIMD; the double versions are their plain scalar
// twins, which tests compare with and finite differences run on.
namespace softalign::kernels {

// y[i] = e^x[i].  Relative error <= 3e-7 for x in [-87, 88]; 0 below -104, inf above 89.
void exp(const float* x, float* y, std::size_t n);
void exp(const double* x, double* y, std::size_t n);

// y[i] = tanh x[i].  Error <= 3e-7 relative, exact at 0, +-1 beyond 10.
void tanh(const float* x, float* y, std::size_t n);
void tanh(const double* x, double* y, std::size_t n);

// y[i] = 1 / (1 + e^-x[i]).  Error <= 2e-7 absolute.
void sigmoid(const float* x, float* y, std::size_t n);
void sigmoid(const double* x, double* y, std::size_t n);

// Sums of n terms; error <= (n / 4 + 8) * 2^-24 * sum |terms|.
float sum(const float* x, std::size_t n);
double sum(const double* x, std::size_t n);
float dot(const float* x, const float* y, std::size_t n);
double dot(const double* x, const double* y, std::size_t n);

// Largest element; n > 0.
float max(const float* x, std::size_t n);
double max(const double* x, std::size_t n);

// y[i] += scale * x[i]
void axpy(float scale, const float* x, float* y, std::size_t n);
void axpy(double scale, const double* x, double* y, std::size_t n);

// y = softmax of x: e^(x - max x) / sum, for any finite x; n > 0. Sums to 1 within n * 1e-7.
// Relative error of y[i] <= (n / 4 + 16 + max x - x[i]) * 2^-24, down to the subnormals.
void softmax(const float* x, float* y, std::size_t n);
void softmax(const double* x, double* y, std::size_t n);

// ln sum_i e^x[i], without overflow; n > 0.  Error <= 1e-6 absolute + 1e-7 relative.
float log_sum_exp(const float* x, std::size_t n);
double log_sum_exp(const double* x, std::size_t n);

// sum_i v[i] * tanh(q[i] + k[i]): the score of additive attention (Bahdanau et al. 2015, A.1.2).
// Error <= (n / 4 + 16) * 2^-23 * sum |v|.
float additive_score(const float* v, const float* q, const float* k, std::size_t n);
double additive_score(const double* v, const double* q, const double* k, std::size_t n);

// Its gradient for a gradient d of the score: with t = tanh(q + k) and g = d * v * (1 - t^2),
// dv += d * t, dq += g, dk += g.
void additive_score_gradient(float d, const float* v, const float* q, const float* k, float* dv, float* dq,
                             float* dk, std::size_t n);
void additive_score_gradient(double d, const double* v, const double* q, const double* k, double* dv,
                             double* dq, double* dk, std::size_t n);

}  // namespace softalign::kernels
