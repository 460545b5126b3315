#include "kernels/recurrent.h"

#include "kernels/lanes.h"

namespace softalign::kernels {
namespace {

// Functions of their own: a step has many gates, each for full lanes and for the rest, and is short beside its products.
[[gnu::noinline]] Batch sigmoid(Batch x) { return sigmoid_lanes(x); }
[[gnu::noinline]] Batch tanh(Batch x) { return tanh_lanes(x); }

}  // namespace

void gru_step(const float* x, const float* hidden, const float* h, float* out, float* gates, std::size_t width) {
  const std::size_t H = width;
  for_lanes(H, [&](auto load, auto store) {
    const Batch r = sigmoid(load(x) + load(hidden));
    const Batch z = sigmoid(load(x + H) + load(hidden + H));
    const Batch n = tanh(xsimd::fma(r, load(hidden + 2 * H), load(x + 2 * H)));
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

void rnn_step(const float* x, const float* hidden, float* out, std::size_t width) {
  for_lanes(width, [&](auto load, auto store) { store(tanh(load(x) + load(hidden)), out); });
}

void rnn_step_gradient(const float* out, const float* d_out, float* d_x, float* d_hidden, std::size_t width) {
  for_lanes(width, [&](auto load, auto store) {
    const Batch y = load(out), d = load(d_out) * (Batch(1.0f) - y * y);
    store(d, d_hidden);
    store(load(d_x) + d, d_x);
  });
}

void lstm_step(const float* x, const float* hidden, const float* c, float* out, float* c_out, float* gates,
               std::size_t width) {
  const std::size_t H = width;
  for_lanes(H, [&](auto load, auto store) {
    const auto sum = [&](std::size_t gate) { return load(x + gate * H) + load(hidden + gate * H); };
    const Batch i = sigmoid(sum(0)), f = sigmoid(sum(1)), n = tanh(sum(2)), o = sigmoid(sum(3));
    const Batch cell = xsimd::fma(f, load(c), i * n);
    store(cell, c_out);
    store(o * tanh(cell), out);
    if (gates) {
      store(i, gates);
      store(f, gates + H);
      store(n, gates + 2 * H);
      store(o, gates + 3 * H);
    }
  });
}

void lstm_step_gradient(const float* gates, const float* c, const float* c_out, const float* d_out,
                        const float* d_c_out, float* d_x, float* d_hidden, float* d_c, std::size_t width) {
  const std::size_t H = width;
  const Batch one(1.0f);
  for_lanes(H, [&](auto load, auto store) {
    const Batch i = load(gates), f = load(gates + H), n = load(gates + 2 * H), o = load(gates + 3 * H);
    const Batch t = tanh(load(c_out)), d = load(d_out);
    const Batch d_cell = xsimd::fma(d * o, one - t * t, load(d_c_out));
    const Batch parts[] = {d_cell * n * i * (one - i), d_cell * load(c) * f * (one - f), d_cell * i * (one - n * n),
                           d * t * o * (one - o)};
    for (std::size_t gate = 0; gate < 4; ++gate) {
      store(parts[gate], d_hidden + gate * H);
      store(load(d_x + gate * H) + parts[gate], d_x + gate * H);
    }
    store(d_cell * f, d_c);
  });
}

void ssru_step(const float* x, const float* c, float* out, float* c_out, float* gates, std::size_t width) {
  for_lanes(width, [&](auto load, auto store) {
    const Batch f = sigmoid(load(x)), w = load(x + width);
    const Batch cell = xsimd::fma(f, load(c) - w, w);
    store(cell, c_out);
    store(xsimd::max(cell, Batch(0.0f)), out);
    if (gates) store(f, gates);
  });
}

void ssru_step_gradient(const float* gates, const float* x, const float* c, const float* c_out, const float* d_out,
                        const float* d_c_out, float* d_x, float* d_c, std::size_t width) {
  const Batch one(1.0f), zero(0.0f);
  for_lanes(width, [&](auto load, auto store) {
    const Batch f = load(gates), w = load(x + width);
    const Batch d_cell = load(d_c_out) + xsimd::select(load(c_out) > zero, load(d_out), zero);
    store(load(d_x) + d_cell * (load(c) - w) * f * (one - f), d_x);
    store(load(d_x + width) + d_cell * (one - f), d_x + width);
    store(d_cell * f, d_c);
  });
}

}  // namespace softalign::kernels
