#pragma once

#include <cstddef>
#include <cstdint>
#include <xsimd/xsimd.hpp>

// Shared by the kernels only: loops over SIMD lanes whose tail is handled by one padded batch.
namespace softalign::kernels {

using Batch = xsimd::batch<float>;
inline constexpr std::size_t kLanes = Batch::size;

// The first `count` < kLanes elements, then `fill`.
inline Batch load_part(const float* x, std::size_t count, float fill = 0.0f) {
  alignas(64) float part[kLanes];
  for (std::size_t i = 0; i < kLanes; ++i) part[i] = i < count ? x[i] : fill;
  return Batch::load_aligned(part);
}
inline void store_part(Batch value, float* y, std::size_t count) {
  alignas(64) float part[kLanes];
  value.store_aligned(part);
  for (std::size_t i = 0; i < count; ++i) y[i] = part[i];
}

// body(load, store, i): once for each full batch, and once for what is left, with a `load` and
// `store` that touch only existing elements. load(p) reads p[i...], store(v, p) writes p[i...].
template <class Body>
[[gnu::always_inline]] inline void for_lanes(std::size_t n, Body&& body) {
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    body([i](const float* p) { return Batch::load_unaligned(p + i); },
         [i](Batch v, float* p) { v.store_unaligned(p + i); });
  }
  if (i < n) {
    const std::size_t left = n - i;
    body([i, left](const float* p) { return load_part(p + i, left); },
         [i, left](Batch v, float* p) { store_part(v, p + i, left); });
  }
}

// The larger (smaller) of x and a bound, where a NaN in x stays one: of two operands of which one is a NaN,
// x86 takes the second and WASM the first.
[[gnu::always_inline]] inline Batch at_least(Batch x, float bound) {
#if defined(__wasm__)
  return xsimd::max(x, Batch(bound));
#else
  return xsimd::max(Batch(bound), x);
#endif
}
[[gnu::always_inline]] inline Batch at_most(Batch x, float bound) {
#if defined(__wasm__)
  return xsimd::min(x, Batch(bound));
#else
  return xsimd::min(Batch(bound), x);
#endif
}

// x = exponent ln 2 + rest with |rest| <= ln 2 / 2, and e^rest by a polynomial whose relative error is at
// most 1.1e-7 (least possible for its degree with a value and a slope of 1 at 0). |x| < 2^21.
struct Exponential {
  xsimd::batch<std::int32_t> exponent;
  Batch of_rest;

  [[gnu::always_inline]] explicit Exponential(Batch x) {
    // Added to this number, others become integers, in its low bits: less work than rounding and converting.
    const Batch integers(12582912.0f);  // 1.5 * 2^23
    const Batch shifted = xsimd::fma(x, Batch(1.44269504f), integers);
    const Batch j = shifted - integers;
    exponent = xsimd::bitwise_cast<std::int32_t>(shifted) - xsimd::bitwise_cast<std::int32_t>(integers);
    // ln 2 in two parts: the first has few bits, so j times it is exact
    Batch r = xsimd::fma(j, Batch(-0.693359375f), x);
    r = xsimd::fma(j, Batch(2.12194440e-4f), r);
    Batch p(0.00831252404f);
    p = xsimd::fma(p, r, Batch(0.0418901214f));
    p = xsimd::fma(p, r, Batch(0.166671145f));
    p = xsimd::fma(p, r, Batch(0.499992317f));
    p = xsimd::fma(p, r, Batch(1.0f));
    of_rest = xsimd::fma(p, r, Batch(1.0f));
  }
};

// 2^e, and 0 for e = -127; -127 <= e <= 127.
[[gnu::always_inline]] inline Batch power_of_two(xsimd::batch<std::int32_t> e) {
  return xsimd::bitwise_cast<float>((e + 127) << 23);
}

// e^x. 2^exponent in two halves, so that results down to the subnormals come out right.
[[gnu::always_inline]] inline Batch exp_lanes(Batch x) {
  const Exponential e(at_most(at_least(x, -104.0f), 89.0f));
  const auto half = e.exponent >> 1;
  return e.of_rest * power_of_two(half) * power_of_two(e.exponent - half);
}

// The same for x <= 0, but for x < -87.68, where it is 0.
[[gnu::always_inline]] inline Batch exp_of_nonpositive(Batch x) {
  const Exponential e(at_least(x, -88.02f));
  return e.of_rest * power_of_two(e.exponent);
}

// tanh x = x (1 + x^2 s(x^2)) near 0, where 1 - 2 / (e^2x + 1) would cancel.
[[gnu::always_inline]] inline Batch tanh_lanes(Batch x) {
  const Batch magnitude = xsimd::abs(x), size = xsimd::min(magnitude, Batch(10.0f));
  const Batch far = Batch(1.0f) - Batch(2.0f) / (exp_lanes(size + size) + Batch(1.0f));
  const Batch u = x * x;
  // Taylor coefficients of tanh; at |x| = 0.35 the first one left out is 3e-8
  Batch s(-1382.0f / 155925);
  s = xsimd::fma(s, u, Batch(62.0f / 2835));
  s = xsimd::fma(s, u, Batch(-17.0f / 315));
  s = xsimd::fma(s, u, Batch(2.0f / 15));
  s = xsimd::fma(s, u, Batch(-1.0f / 3));
  const Batch near = xsimd::fma(s * u, x, x);
  // of the magnitude, since min may lose a NaN, which then belongs to `near`
  return xsimd::select(magnitude >= Batch(0.35f), xsimd::copysign(far, x), near);
}

[[gnu::always_inline]] inline Batch sigmoid_lanes(Batch x) {
  return Batch(1.0f) / (Batch(1.0f) + exp_lanes(-x));
}

// The standard normal distribution: its density at x and what lies below x.
struct Normal {
  Batch density, below;
};
[[gnu::always_inline]] inline Normal normal_lanes(Batch x) {
  const Batch t = Batch(1.0f) / xsimd::fma(xsimd::abs(x), Batch(0.32f), Batch(1.0f));
  // e^(x^2 / 2) * (what lies below -|x|) is t times a smooth function of t in [0, 1]: its Chebyshev
  // series to degree 9, written in powers of t, leaves 5e-8 of it
  Batch p(-0.020754162285f);
  p = xsimd::fma(p, t, Batch(0.093997391898f));
  p = xsimd::fma(p, t, Batch(-0.14416794607f));
  p = xsimd::fma(p, t, Batch(0.062883592067f));
  p = xsimd::fma(p, t, Batch(-0.0080245154113f));
  p = xsimd::fma(p, t, Batch(0.058223431396f));
  p = xsimd::fma(p, t, Batch(0.087903024529f));
  p = xsimd::fma(p, t, Batch(0.11461657890f));
  p = xsimd::fma(p, t, Batch(0.12766106247f));
  p = xsimd::fma(p, t, Batch(0.12766153053f));
  const Batch e = exp_lanes(x * x * Batch(-0.5f)), tail = p * t * e;
  return {e * Batch(0.39894228040f), xsimd::select(x > Batch(0.0f), Batch(1.0f) - tail, tail)};
}

}  // namespace softalign::kernels
