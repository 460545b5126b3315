#pragma once

#include <cstddef>

namespace softalign::kernels {

// The element-wise part of one GRU step for one row, in PyTorch's convention:
//
//   r = sigmoid(x_r + h_r),  z = sigmoid(x_z + h_z),  n = tanh(x_n + r * h_n)
//   out = (1 - z) * n + z * h
//
// x [3H] = W x + b and hidden [3H] = U h + b', gates in the order r, z, n; h, out [H]; out may be h.
// `gates` [3H] receives r, z, n for the gradient, or is null.
// Error <= 1e-6 * (1 + M), where M is the largest size among the values of x, hidden and h.
void gru_step(const float* x, const float* hidden, const float* h, float* out, float* gates, std::size_t width);
void gru_step(const double* x, const double* hidden, const double* h, double* out, double* gates,
              std::size_t width);

// Its gradient: d_out [H] -> d_x [3H] added to, d_hidden [3H] overwritten, d_h [H] overwritten.
// Error <= 2e-6 * (1 + M)^2 * the largest size in d_out.
void gru_step_gradient(const float* gates, const float* hidden, const float* h, const float* d_out, float* d_x,
                       float* d_hidden, float* d_h, std::size_t width);
void gru_step_gradient(const double* gates, const double* hidden, const double* h, const double* d_out,
                       double* d_x, double* d_hidden, double* d_h, std::size_t width);

}  // namespace softalign::kernels
