#include "kernels/byte_products.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/lanes.h"
#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

namespace softalign::kernels {
namespace {

constexpr float kLargest = 127;

// q[i] = round((x[i] - least) * factor) for what is in full vectors; returns how many those are.
std::size_t round_all([[maybe_unused]] const float* x, [[maybe_unused]] float least, [[maybe_unused]] float factor,
                      [[maybe_unused]] std::uint8_t* q, [[maybe_unused]] std::size_t n) {
  std::size_t i = 0;
#if defined(__wasm_simd128__)
  const auto four = [&](const float* at) {
    const v128_t above = wasm_f32x4_sub(wasm_v128_load(at), wasm_f32x4_splat(least));
    return wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(wasm_f32x4_mul(above, wasm_f32x4_splat(factor))));
  };
  for (; i + 16 <= n; i += 16) {
    const v128_t low = wasm_i16x8_narrow_i32x4(four(x + i), four(x + i + 4));
    const v128_t high = wasm_i16x8_narrow_i32x4(four(x + i + 8), four(x + i + 12));
    wasm_v128_store(q + i, wasm_u8x16_narrow_i16x8(low, high));
  }
#endif
  return i;
}

}  // namespace

ByteScale quantise(const float* x, std::uint8_t* q, std::size_t n) {
  if (n == 0) return {0, 0};
  Batch least_lanes(x[0]), most_lanes(x[0]), zeros(0.0f);
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const Batch value = Batch::load_unaligned(x + i);
    least_lanes = xsimd::min(least_lanes, value);
    most_lanes = xsimd::max(most_lanes, value);
    zeros += value * Batch(0.0f);  // NaN of an infinity or a NaN
  }
  float least = xsimd::reduce_min(least_lanes), most = xsimd::reduce_max(most_lanes), zero = xsimd::reduce_add(zeros);
  for (; i < n; ++i) {
    least = std::min(least, x[i]);
    most = std::max(most, x[i]);
    zero += x[i] * 0;
  }
  const float range = most - least;
  if (!(range >= 1e-30f) || zero != 0 || !std::isfinite(range)) {  // a smaller one would overflow the factor
    std::fill_n(q, n, std::uint8_t{0});
    return {0, zero == 0 && std::isfinite(range) ? least : 0};
  }
  const float factor = kLargest / range;
  for (i = round_all(x, least, factor, q, n); i < n; ++i) q[i] = static_cast<std::uint8_t>(std::nearbyint((x[i] - least) * factor));
  return {range / kLargest, least};
}

std::int32_t sum(const std::int8_t* w, std::size_t n) { return std::accumulate(w, w + n, std::int32_t{0}); }

}  // namespace softalign::kernels
