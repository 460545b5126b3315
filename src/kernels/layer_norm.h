#pragma once

#include <cstddef>

namespace softalign::kernels {

// What layer normalisation keeps of a row for its gradient: the mean, and 1 / sqrt(variance + epsilon).
template <class T>
struct Moments {
  T mean, rstd;
};

// Layer normalisation (Ba, Kiros & Hinton 2016) of one row:
//
//   mean = sum_i x[i] / n,  variance = sum_i (x[i] - mean)^2 / n
//   z[i] = (x[i] - mean) / sqrt(variance + epsilon),  y[i] = z[i] * weight[i] + bias[i]
//
// n > 0, epsilon > 0, any alignment; y may be x. A row of equal numbers has z = 0 up to rounding.
// Error of y[i] <= (n / 4 + 16) * 2^-23 * ((1 + |z[i]|) * (1 + M * rstd) * |weight[i]| + |bias[i]|), M the
// largest size in x: what a row far from 0 loses is lost in its own rounding.
Moments<float> layer_norm(const float* x, const float* weight, const float* bias, float epsilon, float* y,
                          std::size_t n);
Moments<double> layer_norm(const double* x, const double* weight, const double* bias, double epsilon, double* y,
                           std::size_t n);

// Its gradient, all three added to, from g = d_y * weight:
//
//   d_x[i] += rstd * (g[i] - mean(g) - z[i] * mean(g * z)),  d_weight[i] += d_y[i] * z[i],  d_bias[i] += d_y[i]
//
// Error of d_x[i] <= (n / 4 + 16) * 2^-22 * (1 + |z[i]|) * (1 + M * rstd) * rstd * G, G the largest size in g;
// of d_weight[i] the same with |d_y[i]| for rstd * G; each, and d_bias, plus rounding the sum once.
void layer_norm_gradient(const Moments<float>& moments, const float* x, const float* weight, const float* d_y,
                         float* d_x, float* d_weight, float* d_bias, std::size_t n);
void layer_norm_gradient(const Moments<double>& moments, const double* x, const double* weight, const double* d_y,
                         double* d_x, double* d_weight, double* d_bias, std::size_t n);

}  // namespace softalign::kernels
