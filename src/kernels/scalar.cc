// The scalar double twins of every kernel: written to be read, not to be fast.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/gemm.h"
#include "kernels/int8.h"
#include "kernels/layer_norm.h"
#include "kernels/outer.h"
#include "kernels/recurrent.h"
#include "kernels/vector.h"

namespace softalign::kernels {

void gemm(std::size_t m, std::size_t n, std::size_t k, Strided<const double> a, Strided<const double> b,
          Strided<double> c, bool accumulate, double*) {
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double total = 0;
      for (std::size_t t = 0; t < k; ++t) {
        total += a.data[i * a.row + t * a.column] * b.data[t * b.row + j * b.column];
      }
      double& out = c.data[i * c.row + j * c.column];
      out = accumulate ? out + total : total;
    }
  }
}

void gemv(std::size_t rows, std::size_t n, std::size_t k, const double* x, std::size_t x_stride, const double* w,
          double* y, std::size_t y_stride, bool accumulate) {
  gemm(rows, n, k, {x, x_stride, 1}, {w, 1, k}, {y, y_stride, 1}, accumulate, nullptr);
}

void gemv_int8(std::size_t rows, std::size_t n, std::size_t k, const std::int16_t* x, const double* x_scale,
               const std::int8_t* w, const double* w_scale, double* y, std::size_t y_stride, bool accumulate) {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      std::int64_t total = 0;
      for (std::size_t t = 0; t < k; ++t) total += std::int64_t{x[i * k + t]} * w[j * k + t];
      double& out = y[i * y_stride + j];
      out = (accumulate ? out : 0) + x_scale[i] * w_scale[j] * static_cast<double>(total);
    }
  }
}

void exp(const double* x, double* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = std::exp(x[i]);
}

void tanh(const double* x, double* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = std::tanh(x[i]);
}

void sigmoid(const double* x, double* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = 1 / (1 + std::exp(-x[i]));
}

double sum(const double* x, std::size_t n) {
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) total += x[i];
  return total;
}

double dot(const double* x, const double* y, std::size_t n) {
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) total += x[i] * y[i];
  return total;
}

double max(const double* x, std::size_t n) { return *std::max_element(x, x + n); }

void axpy(double scale, const double* x, double* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] += scale * x[i];
}

void scale(double factor, const double* x, double* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = factor * x[i];
}

void add_outer(const double* a, const double* b, double* c, std::size_t m, std::size_t n) {
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) c[i * n + j] += a[i] * b[j];
  }
}

void add_weighed_rows(const double* a, const double* c, double* y, std::size_t m, std::size_t n) {
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) y[j] += a[i] * c[i * n + j];
  }
}

void add(const double* x, const double* y, double* out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = x[i] + y[i];
}

void multiply(const double* x, const double* y, double* out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = x[i] * y[i];
}

void multiply_add(const double* x, const double* y, double* into, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) into[i] += x[i] * y[i];
}

void tanh_gradient(const double* y, const double* d, double* into, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) into[i] += d[i] * (1 - y[i] * y[i]);
}

void relu(const double* x, double* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = x[i] <= 0 ? 0 : x[i];
}

void relu_gradient(const double* x, const double* d, double* into, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) into[i] += x[i] <= 0 ? 0 : d[i];
}

namespace {
// What the standard normal distribution has below x.
double normal_below(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }
}  // namespace

void gelu(const double* x, double* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = x[i] * normal_below(x[i]);
}

void gelu_gradient(const double* x, const double* d, double* into, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const double density = std::exp(-x[i] * x[i] / 2) / std::sqrt(2 * std::numbers::pi);
    into[i] += d[i] * (normal_below(x[i]) + x[i] * density);
  }
}

void elu_plus_one(const double* x, double* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = x[i] <= 0 ? std::exp(x[i]) : x[i] + 1;
}

void elu_plus_one_gradient(const double* y, const double* d, double* into, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) into[i] += d[i] * (y[i] > 1 ? 1 : y[i]);
}

Moments<double> layer_norm(const double* x, const double* weight, const double* bias, double epsilon, double* y,
                           std::size_t n) {
  const double size = static_cast<double>(n), mean = sum(x, n) / size;
  double squares = 0;
  for (std::size_t i = 0; i < n; ++i) squares += (x[i] - mean) * (x[i] - mean);
  const double rstd = 1 / std::sqrt(squares / size + epsilon);
  for (std::size_t i = 0; i < n; ++i) y[i] = (x[i] - mean) * rstd * weight[i] + bias[i];
  return {mean, rstd};
}

void layer_norm_gradient(const Moments<double>& moments, const double* x, const double* weight, const double* d_y,
                         double* d_x, double* d_weight, double* d_bias, std::size_t n) {
  const auto z = [&](std::size_t i) { return (x[i] - moments.mean) * moments.rstd; };
  double plain = 0, weighed = 0;
  for (std::size_t i = 0; i < n; ++i) {
    plain += d_y[i] * weight[i] / static_cast<double>(n);
    weighed += d_y[i] * weight[i] * z(i) / static_cast<double>(n);
  }
  for (std::size_t i = 0; i < n; ++i) {
    d_x[i] += moments.rstd * (d_y[i] * weight[i] - plain - z(i) * weighed);
    d_weight[i] += d_y[i] * z(i);
    d_bias[i] += d_y[i];
  }
}

void softmax(const double* x, double* y, std::size_t n) {
  const double most = max(x, n);
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) total += y[i] = std::exp(x[i] - most);
  for (std::size_t i = 0; i < n; ++i) y[i] /= total;
}

double log_sum_exp(const double* x, std::size_t n) {
  const double most = max(x, n);
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) total += std::exp(x[i] - most);
  return most + std::log(total);
}

double additive_score(const double* v, const double* q, const double* k, std::size_t n) {
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) total += v[i] * std::tanh(q[i] + k[i]);
  return total;
}

void additive_score_gradient(double d, const double* v, const double* q, const double* k, double* dv, double* dq,
                             double* dk, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const double t = std::tanh(q[i] + k[i]);
    const double g = d * v[i] * (1 - t * t);
    dv[i] += d * t;
    dq[i] += g;
    dk[i] += g;
  }
}

namespace {
double sigma(double v) { return 1 / (1 + std::exp(-v)); }
}  // namespace

void gru_step(const double* x, const double* hidden, const double* h, double* out, double* gates, std::size_t H) {
  for (std::size_t i = 0; i < H; ++i) {
    const double r = sigma(x[i] + hidden[i]);
    const double z = sigma(x[H + i] + hidden[H + i]);
    const double n = std::tanh(x[2 * H + i] + r * hidden[2 * H + i]);
    out[i] = (1 - z) * n + z * h[i];
    if (gates) {
      gates[i] = r;
      gates[H + i] = z;
      gates[2 * H + i] = n;
    }
  }
}

void gru_step_gradient(const double* gates, const double* hidden, const double* h, const double* d_out, double* d_x,
                       double* d_hidden, double* d_h, std::size_t H) {
  for (std::size_t i = 0; i < H; ++i) {
    const double r = gates[i], z = gates[H + i], n = gates[2 * H + i], d = d_out[i];
    const double d_n = d * (1 - z) * (1 - n * n);
    const double d_z = d * (h[i] - n) * z * (1 - z);
    const double d_r = d_n * hidden[2 * H + i] * r * (1 - r);
    d_h[i] = d * z;
    d_hidden[i] = d_r;
    d_hidden[H + i] = d_z;
    d_hidden[2 * H + i] = d_n * r;
    d_x[i] += d_r;
    d_x[H + i] += d_z;
    d_x[2 * H + i] += d_n;
  }
}

void rnn_step(const double* x, const double* hidden, double* out, std::size_t H) {
  for (std::size_t i = 0; i < H; ++i) out[i] = std::tanh(x[i] + hidden[i]);
}

void rnn_step_gradient(const double* out, const double* d_out, double* d_x, double* d_hidden, std::size_t H) {
  for (std::size_t i = 0; i < H; ++i) {
    d_hidden[i] = d_out[i] * (1 - out[i] * out[i]);
    d_x[i] += d_hidden[i];
  }
}

void lstm_step(const double* x, const double* hidden, const double* c, double* out, double* c_out, double* gates,
               std::size_t H) {
  for (std::size_t k = 0; k < H; ++k) {
    const auto sum = [&](std::size_t gate) { return x[gate * H + k] + hidden[gate * H + k]; };
    const double i = sigma(sum(0)), f = sigma(sum(1)), n = std::tanh(sum(2)), o = sigma(sum(3));
    c_out[k] = f * c[k] + i * n;
    out[k] = o * std::tanh(c_out[k]);
    if (gates) {
      gates[k] = i;
      gates[H + k] = f;
      gates[2 * H + k] = n;
      gates[3 * H + k] = o;
    }
  }
}

void lstm_step_gradient(const double* gates, const double* c, const double* c_out, const double* d_out,
                        const double* d_c_out, double* d_x, double* d_hidden, double* d_c, std::size_t H) {
  for (std::size_t k = 0; k < H; ++k) {
    const double i = gates[k], f = gates[H + k], n = gates[2 * H + k], o = gates[3 * H + k];
    const double t = std::tanh(c_out[k]);
    const double d_cell = d_c_out[k] + d_out[k] * o * (1 - t * t);
    d_hidden[k] = d_cell * n * i * (1 - i);
    d_hidden[H + k] = d_cell * c[k] * f * (1 - f);
    d_hidden[2 * H + k] = d_cell * i * (1 - n * n);
    d_hidden[3 * H + k] = d_out[k] * t * o * (1 - o);
    for (std::size_t gate = 0; gate < 4; ++gate) d_x[gate * H + k] += d_hidden[gate * H + k];
    d_c[k] = d_cell * f;
  }
}

void ssru_step(const double* x, const double* c, double* out, double* c_out, double* gates, std::size_t H) {
  for (std::size_t i = 0; i < H; ++i) {
    const double f = sigma(x[i]);
    c_out[i] = f * c[i] + (1 - f) * x[H + i];
    out[i] = std::max(c_out[i], 0.0);
    if (gates) gates[i] = f;
  }
}

void ssru_step_gradient(const double* gates, const double* x, const double* c, const double* c_out, const double* d_out,
                        const double* d_c_out, double* d_x, double* d_c, std::size_t H) {
  for (std::size_t i = 0; i < H; ++i) {
    const double f = gates[i], d_cell = d_c_out[i] + (c_out[i] > 0 ? d_out[i] : 0);
    d_x[i] += d_cell * (c[i] - x[H + i]) * f * (1 - f);
    d_x[H + i] += d_cell * (1 - f);
    d_c[i] = d_cell * f;
  }
}

}  // namespace softalign::kernels
