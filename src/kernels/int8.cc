#include "kernels/int8.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/lanes.h"
#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#elif defined(__AVX2__)
#include <immintrin.h>
#endif

namespace softalign::kernels {
namespace {

// Integer lanes: bytes widened to 16 bits, multiplied and added in pairs to 32. xsimd has no such
// product, so these few lines are the intrinsics themselves.
#if defined(__wasm_simd128__)
struct Integers {
  static constexpr std::size_t kCount = 8;
  using Wide = v128_t;
  static Wide zero() { return wasm_i32x4_const_splat(0); }
  static Wide first(std::int32_t value) { return wasm_i32x4_make(value, 0, 0, 0); }
  static Wide load(const std::int16_t* x) { return wasm_v128_load(x); }
  static Wide widen(const std::int8_t* w) { return wasm_i16x8_load8x8(w); }
  static Wide add(Wide a, Wide b) { return wasm_i32x4_add(a, b); }
  static Wide products(Wide a, Wide b) { return wasm_i32x4_dot_i16x8(a, b); }
  static void round(const float* x, float factor, std::int16_t* q) {
    const auto four = [&](const float* at) {
      return wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(wasm_f32x4_mul(wasm_v128_load(at), wasm_f32x4_splat(factor))));
    };
    wasm_v128_store(q, wasm_i16x8_narrow_i32x4(four(x), four(x + 4)));
  }

  using Four = v128_t;  // floats
  // What each holds in all its lanes together.
  static Four totals(Wide a, Wide b, Wide c, Wide d) {
    const Wide ab = add(wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), wasm_i32x4_shuffle(a, b, 2, 6, 3, 7));
    const Wide cd = add(wasm_i32x4_shuffle(c, d, 0, 4, 1, 5), wasm_i32x4_shuffle(c, d, 2, 6, 3, 7));
    return wasm_f32x4_convert_i32x4(add(wasm_i32x4_shuffle(ab, cd, 0, 1, 4, 5), wasm_i32x4_shuffle(ab, cd, 2, 3, 6, 7)));
  }
  static Four load(const float* x) { return wasm_v128_load(x); }
  static void store(float* x, Four v) { wasm_v128_store(x, v); }
  static Four splat(float x) { return wasm_f32x4_splat(x); }
  static Four times(Four a, Four b) { return wasm_f32x4_mul(a, b); }
  static Four plus(Four a, Four b) { return wasm_f32x4_add(a, b); }
};
#elif defined(__AVX2__)
struct Integers {
  static constexpr std::size_t kCount = 16;
  using Wide = __m256i;
  static Wide zero() { return _mm256_setzero_si256(); }
  static Wide first(std::int32_t value) { return _mm256_zextsi128_si256(_mm_cvtsi32_si128(value)); }
  static Wide load(const std::int16_t* x) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x)); }
  static Wide widen(const std::int8_t* w) {
    return _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(w)));
  }
  static Wide add(Wide a, Wide b) { return _mm256_add_epi32(a, b); }
  static Wide products(Wide a, Wide b) { return _mm256_madd_epi16(a, b); }
  static void round(const float* x, float factor, std::int16_t* q) {
    const auto eight = [&](const float* at) {
      return _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_loadu_ps(at), _mm256_set1_ps(factor)));
    };
    // Packing works within halves: put the quarters in order.
    const __m256i packed = _mm256_permute4x64_epi64(_mm256_packs_epi32(eight(x), eight(x + 8)), 0xD8);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(q), packed);
  }

  using Four = __m128;
  // What each holds in all its lanes together.
  static Four totals(Wide a, Wide b, Wide c, Wide d) {
    const __m256i halves = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
    return _mm_cvtepi32_ps(_mm_add_epi32(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1)));
  }
  static Four load(const float* x) { return _mm_loadu_ps(x); }
  static void store(float* x, Four v) { _mm_storeu_ps(x, v); }
  static Four splat(float x) { return _mm_set1_ps(x); }
  static Four times(Four a, Four b) { return _mm_mul_ps(a, b); }
  static Four plus(Four a, Four b) { return _mm_add_ps(a, b); }
};
#else
struct Integers {
  static constexpr std::size_t kCount = 1;
  using Wide = std::int32_t;
  static Wide zero() { return 0; }
  static Wide first(std::int32_t value) { return value; }
  static Wide load(const std::int16_t* x) { return *x; }
  static Wide widen(const std::int8_t* w) { return *w; }
  static Wide add(Wide a, Wide b) { return a + b; }
  static Wide products(Wide a, Wide b) { return a * b; }
  static void round(const float* x, float factor, std::int16_t* q) {
    *q = static_cast<std::int16_t>(std::nearbyint(*x * factor));
  }

  using Four = std::array<float, 4>;
  static Four totals(Wide a, Wide b, Wide c, Wide d) {
    return {static_cast<float>(a), static_cast<float>(b), static_cast<float>(c), static_cast<float>(d)};
  }
  static Four load(const float* x) { return {x[0], x[1], x[2], x[3]}; }
  static void store(float* x, Four v) { std::copy(v.begin(), v.end(), x); }
  static Four splat(float x) { return {x, x, x, x}; }
  static Four times(Four a, Four b) { return {a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]}; }
  static Four plus(Four a, Four b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]}; }
};
#endif

// What full vectors leave of a dot product. A function of its own: unrolled wherever it is used, it was half of the code.
[[gnu::noinline]] std::int32_t dot_of_rest(const std::int16_t* a, const std::int8_t* b, std::size_t n) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

// `Outputs` rows of w against `Rows` rows of x: each widened vector is used Rows times. The results of four are added up
// and scaled together: of a row of x, or with four rows of an output.
template <std::size_t Rows, std::size_t Outputs>
[[gnu::always_inline]] inline void block(std::size_t k, const std::int16_t* x, const float* x_scale,
                                         const std::int8_t* w, const float* w_scale, float* y,
                                         std::size_t y_stride, bool accumulate) {
  static_assert(Outputs == 4 || Rows == 4 || (Outputs == 1 && Rows == 1));
  Integers::Wide sums[Rows][Outputs];
  for (auto& row : sums)
    for (auto& sum : row) sum = Integers::zero();
  std::size_t i = 0;
  for (; i + Integers::kCount <= k; i += Integers::kCount) {
    Integers::Wide input[Rows];
    for (std::size_t r = 0; r < Rows; ++r) input[r] = Integers::load(x + r * k + i);
    for (std::size_t j = 0; j < Outputs; ++j) {
      const Integers::Wide weight = Integers::widen(w + j * k + i);
      for (std::size_t r = 0; r < Rows; ++r) sums[r][j] = Integers::add(sums[r][j], Integers::products(input[r], weight));
    }
  }
  if (i < k) {
    for (std::size_t r = 0; r < Rows; ++r) {
      for (std::size_t j = 0; j < Outputs; ++j) {
        const std::int32_t rest = dot_of_rest(x + r * k + i, w + j * k + i, k - i);
        sums[r][j] = Integers::add(sums[r][j], Integers::first(rest));
      }
    }
  }
  using I = Integers;
  if constexpr (Outputs == 4) {
    for (std::size_t r = 0; r < Rows; ++r) {
      const I::Four total = I::totals(sums[r][0], sums[r][1], sums[r][2], sums[r][3]);
      const I::Four product = I::times(total, I::times(I::splat(x_scale[r]), I::load(w_scale)));
      float* const out = y + r * y_stride;
      I::store(out, accumulate ? I::plus(I::load(out), product) : product);
    }
  } else {
    for (std::size_t j = 0; j < Outputs; ++j) {
      float products[4];
      if constexpr (Rows == 4) {
        const I::Four total = I::totals(sums[0][j], sums[1][j], sums[2][j], sums[3][j]);
        I::store(products, I::times(total, I::times(I::load(x_scale), I::splat(w_scale[j]))));
      } else {
        const I::Four total = I::totals(sums[0][j], I::zero(), I::zero(), I::zero());
        I::store(products, I::times(total, I::splat(x_scale[0] * w_scale[j])));
      }
      for (std::size_t r = 0; r < Rows; ++r) {
        float& out = y[r * y_stride + j];
        out = accumulate ? out + products[r] : products[r];
      }
    }
  }
}

template <std::size_t Rows>
void few_rows(std::size_t n, std::size_t k, const std::int16_t* x, const float* x_scale, const std::int8_t* w,
              const float* w_scale, float* y, std::size_t y_stride, bool accumulate) {
  constexpr std::size_t kOutputs = Rows <= 2 ? 4 : 2;  // so that all stays in registers
  std::size_t j = 0;
  for (; j + kOutputs <= n; j += kOutputs) {
    block<Rows, kOutputs>(k, x, x_scale, w + j * k, w_scale + j, y + j, y_stride, accumulate);
  }
  if constexpr (Rows == 1) {
    for (; j < n; ++j) block<1, 1>(k, x, x_scale, w + j * k, w_scale + j, y + j, y_stride, accumulate);
  } else if (j < n) {
    for (std::size_t r = 0; r < Rows; ++r) {
      few_rows<1>(n - j, k, x + r * k, x_scale + r, w + j * k, w_scale + j, y + r * y_stride + j, y_stride, accumulate);
    }
  }
}

// Called through a table, so that each stays a function of its own: merged into one large caller, as
// the WASM optimiser likes to do, their inner loops lose their registers.
constexpr decltype(&few_rows<1>) kFewRows[] = {few_rows<1>, few_rows<2>, few_rows<4>};

}  // namespace

float quantise(const float* x, std::int16_t* q, std::size_t n) {
  Batch most(0.0f);
  // A maximum may pass over what is not a number; a sum does not.
  Batch zero(0.0f);
  for_lanes(n, [&](auto load, auto) {
    const Batch values = load(x);
    most = xsimd::max(most, xsimd::abs(values));
    zero += values * Batch(0.0f);
  });
  const float largest = xsimd::reduce_max(most);
  // Smaller ones would overflow the factor.
  if (!(largest >= 1e-30f) || !std::isfinite(largest) || xsimd::reduce_add(zero) != 0) {
    std::fill_n(q, n, std::int16_t{0});
    return 0;
  }
  const float factor = static_cast<float>(kLargestActivation) / largest;
  std::size_t i = 0;
  for (; i + Integers::kCount <= n; i += Integers::kCount) Integers::round(x + i, factor, q + i);
  for (; i < n; ++i) q[i] = static_cast<std::int16_t>(std::nearbyint(x[i] * factor));
  return largest / static_cast<float>(kLargestActivation);
}

void gemv_int8(std::size_t rows, std::size_t n, std::size_t k, const std::int16_t* x, const float* x_scale,
               const std::int8_t* w, const float* w_scale, float* y, std::size_t y_stride, bool accumulate) {
  while (rows > 0) {
    const std::size_t size = rows >= 4 ? 2 : rows >= 2 ? 1 : 0, now = std::size_t{1} << size;
    kFewRows[size](n, k, x, x_scale, w, w_scale, y, y_stride, accumulate);
    rows -= now;
    x += now * k;
    x_scale += now;
    y += now * y_stride;
  }
}

}  // namespace softalign::kernels
