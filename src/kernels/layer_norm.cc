#include "kernels/layer_norm.h"

#include <cmath>

#include "kernels/lanes.h"
#include "kernels/vector.h"

namespace softalign::kernels {

Moments<float> layer_norm(const float* x, const float* weight, const float* bias, float epsilon, float* y,
                          std::size_t n) {
  const float size = static_cast<float>(n), mean = sum(x, n) / size;
  const Batch centre(mean);
  Batch squares(0.0f);
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const Batch d = Batch::load_unaligned(x + i) - centre;
    squares = xsimd::fma(d, d, squares);
  }
  if (i < n) {
    // filled with the mean, the rest adds nothing
    const Batch d = load_part(x + i, n - i, mean) - centre;
    squares = xsimd::fma(d, d, squares);
  }
  const float rstd = 1.0f / std::sqrt(xsimd::reduce_add(squares) / size + epsilon);
  for_lanes(n, [&](auto load, auto store) {
    store(xsimd::fma((load(x) - centre) * Batch(rstd), load(weight), load(bias)), y);
  });
  return {mean, rstd};
}

void layer_norm_gradient(const Moments<float>& moments, const float* x, const float* weight, const float* d_y,
                         float* d_x, float* d_weight, float* d_bias, std::size_t n) {
  const Batch centre(moments.mean), rstd(moments.rstd);
  Batch plain(0.0f), weighed(0.0f);
  // beyond the end d_y is read as 0, so whatever z is there adds nothing
  for_lanes(n, [&](auto load, auto) {
    const Batch g = load(d_y) * load(weight);
    plain += g;
    weighed = xsimd::fma(g, (load(x) - centre) * rstd, weighed);
  });
  const float size = static_cast<float>(n);
  const Batch mean_plain(xsimd::reduce_add(plain) / size), mean_weighed(xsimd::reduce_add(weighed) / size);
  for_lanes(n, [&](auto load, auto store) {
    const Batch d = load(d_y), z = (load(x) - centre) * rstd;
    const Batch inner = xsimd::fma(d, load(weight), -xsimd::fma(z, mean_weighed, mean_plain));
    store(xsimd::fma(rstd, inner, load(d_x)), d_x);
    store(xsimd::fma(d, z, load(d_weight)), d_weight);
    store(load(d_bias) + d, d_bias);
  });
}

}  // namespace softalign::kernels
