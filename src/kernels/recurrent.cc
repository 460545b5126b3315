#include "kernels/recurrent.h"

#include "kernels/lanes.h"

namespace softalign::kernels {

void gru_step(const float* x, const float* hidden, const float* h, float* out, float* gates, std::size_t width) {
  const std::size_t H = width;
  for_lanes(H, [&](auto load, auto store) {
    const Batch r = sigmoid_lanes(load(x) + load(hidden));
    const Batch z = sigmoid_lanes(load(x + H) + load(hidden + H));
    const Batch n = tanh_lanes(xsimd::fma(r, load(hidden + 2 * H), load(x + 2 * H)));
    store(xsimd::fma(z, load(h) - n, n), out);
    if (gates) {
      store(r, gates);
      store(z, gates + H);
      store(n, gates + 2 * H);
    }
  });
}

void gru_step_gradient(const float* gates, const float* hidden, const float* h, const float* d_out, float* d_x,
                       float* d_hidden, float* d_h, std::size_t width) {
  const std::size_t H = width;
  const Batch one(1.0f);
  for_lanes(H, [&](auto load, auto store) {
    const Batch r = load(gates), z = load(gates + H), n = load(gates + 2 * H), d = load(d_out);
    const Batch d_n = d * (one - z) * (one - n * n);
    const Batch d_z = d * (load(h) - n) * z * (one - z);
    const Batch d_r = d_n * load(hidden + 2 * H) * r * (one - r);
    store(d * z, d_h);
    store(d_r, d_hidden);
    store(d_z, d_hidden + H);
    store(d_n * r, d_hidden + 2 * H);
    store(load(d_x) + d_r, d_x);
    store(load(d_x + H) + d_z, d_x + H);
    store(load(d_x + 2 * H) + d_n, d_x + 2 * H);
  });
}

}  // namespace softalign::kernels
