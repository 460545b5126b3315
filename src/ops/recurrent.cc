#include "ops/recurrent.h"

#include <algorithm>

#include "kernels/recurrent.h"
#include "kernels/vector.h"

namespace softalign::ops {

template <class T>
Var<T> gru_step(Graph<T>& g, Var<T> x, Var<T> hidden, Var<T> h, std::span<const unsigned char> active,
                Var<T> into) {
  const std::size_t B = h.rows(), H = h.width();
  expect_shape("gru_step", "x", x.shape, {B, 3 * H});
  expect_shape("gru_step", "hidden", hidden.shape, {B, 3 * H});
  if (!active.empty()) expect_size("gru_step", "size of active", active.size(), B);
  Var<T> y = into.value ? into : g.make({B, H});
  expect_shape("gru_step", "into", y.shape, {B, H});
  T* gates = g.training() ? g.template scratch<T>(B * 3 * H) : nullptr;
  const auto skipped = [](const unsigned char* flags, std::size_t b) { return flags && !flags[b]; };
  unsigned char* flags = nullptr;
  if (!active.empty()) {
    flags = g.template scratch<unsigned char>(B);
    std::copy(active.begin(), active.end(), flags);
  }
  for (std::size_t b = 0; b < B; ++b) {
    if (skipped(flags, b)) {
      std::copy_n(h.value + b * H, H, y.value + b * H);
    } else {
      kernels::gru_step(x.value + b * 3 * H, hidden.value + b * 3 * H, h.value + b * H, y.value + b * H,
                        gates ? gates + b * 3 * H : nullptr, H);
    }
  }
  if (g.training()) {
    T* d_h = g.template scratch<T>(H);
    g.record([=] {
      for (std::size_t b = 0; b < B; ++b) {
        const T* d_y = y.grad + b * H;
        const T* from = d_y;
        if (!skipped(flags, b)) {
          kernels::gru_step_gradient(gates + b * 3 * H, hidden.value + b * 3 * H, h.value + b * H, d_y,
                                     x.grad + b * 3 * H, hidden.grad + b * 3 * H, d_h, H);
          from = d_h;
        }
        if (h.grad) kernels::axpy(T(1), from, h.grad + b * H, H);
      }
    });
  }
  return y;
}

template Var<float> gru_step(Graph<float>&, Var<float>, Var<float>, Var<float>, std::span<const unsigned char>,
                             Var<float>);
template Var<double> gru_step(Graph<double>&, Var<double>, Var<double>, Var<double>,
                              std::span<const unsigned char>, Var<double>);

}  // namespace softalign::ops
