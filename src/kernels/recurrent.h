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
void gru_step(const double* x, const double* hidden, const double* h, double* out, double* gates, std::size_t width);

// Its gradient: d_out [H] -> d_x [3H] added to, d_hidden [3H] overwritten, d_h [H] overwritten.
// Error <= 2e-6 * (1 + M)^2 * the largest size in d_out.
void gru_step_gradient(const float* gates, const float* hidden, const float* h, const float* d_out, float* d_x,
                       float* d_hidden, float* d_h, std::size_t width);
void gru_step_gradient(const double* gates, const double* hidden, const double* h, const double* d_out, double* d_x,
                       double* d_hidden, double* d_h, std::size_t width);

// One step of a simple recurrent network (Elman 1990) for one row: out = tanh(x + hidden), all [H].
// Error <= 1e-6. The gradient needs only what came out: d_x added to, d_hidden overwritten.
void rnn_step(const float* x, const float* hidden, float* out, std::size_t width);
void rnn_step(const double* x, const double* hidden, double* out, std::size_t width);
void rnn_step_gradient(const float* out, const float* d_out, float* d_x, float* d_hidden, std::size_t width);
void rnn_step_gradient(const double* out, const double* d_out, double* d_x, double* d_hidden, std::size_t width);

// The element-wise part of one LSTM step for one row, in PyTorch's convention:
//
//   i, f, o = sigmoid(x + hidden) of their parts,  n = tanh(x_n + h_n)
//   c_out = f * c + i * n
//   out = o * tanh(c_out)
//
// x [4H] = W x + b and hidden [4H] = U h + b', gates in the order i, f, n, o; c, out, c_out [H];
// c_out may be c. `gates` [4H] receives i, f, n, o for the gradient, or is null.
// Error <= 1e-6 * (1 + M), where M is the largest size among the values of x, hidden and c.
void lstm_step(const float* x, const float* hidden, const float* c, float* out, float* c_out, float* gates,
               std::size_t width);
void lstm_step(const double* x, const double* hidden, const double* c, double* out, double* c_out, double* gates,
               std::size_t width);

// Its gradient: d_out, d_c_out [H] -> d_x [4H] added to, d_hidden [4H] and d_c [H] overwritten.
// Error <= 4e-6 * (1 + M)^2 * the largest size in d_out and d_c_out.
void lstm_step_gradient(const float* gates, const float* c, const float* c_out, const float* d_out,
                        const float* d_c_out, float* d_x, float* d_hidden, float* d_c, std::size_t width);
void lstm_step_gradient(const double* gates, const double* c, const double* c_out, const double* d_out,
                        const double* d_c_out, double* d_x, double* d_hidden, double* d_c, std::size_t width);

// The element-wise part of one step of the simpler simple recurrent unit (SSRU, Kim et al. 2019):
//
//   f = sigmoid(x_f),  c_out = f * c + (1 - f) * x_w,  out = max(c_out, 0)
//
// x [2H] = W x, the forget gate's part first; c, out, c_out [H]; c_out may be c. `gates` [H]
// receives f for the gradient, or is null. Error as lstm_step.
void ssru_step(const float* x, const float* c, float* out, float* c_out, float* gates, std::size_t width);
void ssru_step(const double* x, const double* c, double* out, double* c_out, double* gates, std::size_t width);

// Its gradient: d_out, d_c_out [H] -> d_x [2H] added to, d_c [H] overwritten. At c_out = 0 the
// derivative of max(c_out, 0) is 0, as PyTorch's. Error as lstm_step_gradient.
void ssru_step_gradient(const float* gates, const float* x, const float* c, const float* c_out, const float* d_out,
                        const float* d_c_out, float* d_x, float* d_c, std::size_t width);
void ssru_step_gradient(const double* gates, const double* x, const double* c, const double* c_out, const double* d_out,
                        const double* d_c_out, double* d_x, double* d_c, std::size_t width);

}  // namespace softalign::kernels
