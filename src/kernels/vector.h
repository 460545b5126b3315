#pragma once

#include <cstddef>

// Functions of whole vectors. Any length (0 too), any alignment; nothing is read or written beyond
// n elements; y may be x. The float versions are SIMD; the double versions are their plain scalar
// twins, which tests compare with and finite differences run on.
namespace softalign::kernels {

// y[i] = e^x[i].  Relative error <= 3e-7 for x in [-87, 88]; 0 below -104, inf above 89. A NaN stays one, here and in
// all functions that stand on this one.
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

// y[i] = factor * x[i], correctly rounded.
void scale(float factor, const float* x, float* y, std::size_t n);
void scale(double factor, const double* x, double* y, std::size_t n);

// Element by element: out = x + y, out = x * y, into += x * y; out and into may be x or y. Correctly
// rounded, but for into, whose error is <= 2^-23 * (|x * y| + |into|).
void add(const float* x, const float* y, float* out, std::size_t n);
void add(const double* x, const double* y, double* out, std::size_t n);
void multiply(const float* x, const float* y, float* out, std::size_t n);
void multiply(const double* x, const double* y, double* out, std::size_t n);
void multiply_add(const float* x, const float* y, float* into, std::size_t n);
void multiply_add(const double* x, const double* y, double* into, std::size_t n);

// The gradient of y = tanh x: into[i] += d[i] * (1 - y[i]^2).
// Error <= 2e-7 * |d[i]|, plus rounding the sum once.
void tanh_gradient(const float* y, const float* d, float* into, std::size_t n);
void tanh_gradient(const double* y, const double* d, double* into, std::size_t n);

// y[i] = max(x[i], 0), exact; NaN stays NaN. Its gradient, 0 at 0 as PyTorch's:
// into[i] += d[i] where x[i] > 0.
void relu(const float* x, float* y, std::size_t n);
void relu(const double* x, double* y, std::size_t n);
void relu_gradient(const float* x, const float* d, float* into, std::size_t n);
void relu_gradient(const double* x, const double* d, double* into, std::size_t n);

// y[i] = x[i] * Phi(x[i]), where Phi(x) = (1 + erf(x / sqrt 2)) / 2 (Hendrycks & Gimpel 2016, GELU).
// Error <= 4e-7 * |x[i]| + 2^-149. Of -infinity it is NaN, as PyTorch's.
// Its gradient: into[i] += d[i] * (Phi(x[i]) + x[i] * phi(x[i])), phi the normal density.
// Error <= 5e-7 * |d[i]|, plus rounding the sum once.
void gelu(const float* x, float* y, std::size_t n);
void gelu(const double* x, double* y, std::size_t n);
void gelu_gradient(const float* x, const float* d, float* into, std::size_t n);
void gelu_gradient(const double* x, const double* d, double* into, std::size_t n);

// y[i] = elu(x[i]) + 1, which is x[i] + 1 where x[i] > 0 and e^x[i] elsewhere (Clevert et al. 2016).
// Relative error <= 3e-7 for x >= -87; 0 below -104. Its gradient, from what came out:
// into[i] += d[i] * min(y[i], 1). Error <= 2^-24 * |d[i]|, plus rounding the sum once.
void elu_plus_one(const float* x, float* y, std::size_t n);
void elu_plus_one(const double* x, double* y, std::size_t n);
void elu_plus_one_gradient(const float* y, const float* d, float* into, std::size_t n);
void elu_plus_one_gradient(const double* y, const double* d, double* into, std::size_t n);

// y = softmax of x: e^(x - max x) / sum, for any finite x; n > 0. Sums to 1 within n * 1e-7.
// Relative error of y[i] <= (n / 4 + 16 + max x - x[i]) * 2^-24 down to 2^-126; what is smaller may be 0. A NaN or
// an infinity makes all of y NaN.
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
