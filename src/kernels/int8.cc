#include "kernels/int8.h"

#include <algorithm>
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
  static Wide load(const std::int16_t* x) { return wasm_v128_load(x); }
  static Wide widen(const std::int8_t* w) { return wasm_i16x8_load8x8(w); }
  static Wide add_products(Wide sum, Wide a, Wide b) { return wasm_i32x4_add(sum, wasm_i32x4_dot_i16x8(a, b)); }
  static std::int32_t total(Wide v) {
    v = wasm_i32x4_add(v, wasm_i32x4_shuffle(v, v, 2, 3, 0, 1));
    v = wasm_i32x4_add(v, wasm_i32x4_shuffle(v, v, 1, 0, 3, 2));
    return wasm_i32x4_extract_lane(v, 0);
  }
};
#elif defined(__AVX2__)
struct Integers {
  static constexpr std::size_t kCount = 16;
  using Wide = __m256i;
  static Wide zero() { return _mm256_setzero_si256(); }
  static Wide load(const std::int16_t* x) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x)); }
  static Wide widen(const std::int8_t* w) {
    return _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(w)));
  }
  static Wide add_products(Wide sum, Wide a, Wide b) { return _mm256_add_epi32(sum, _mm256_madd_epi16(a, b)); }
  static std::int32_t total(Wide v) {
    __m128i s = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4E));
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0xB1));
    return _mm_cvtsi128_si32(s);
  }
};
#else
struct Integers {
  static constexpr std::size_t kCount = 1;
  using Wide = std::int32_t;
  static Wide zero() { return 0; }
  static Wide load(const std::int16_t* x) { return *x; }
  static Wide widen(const std::int8_t* w) { return *w; }
  static Wide add_products(Wide sum, Wide a, Wide b) { return sum + a * b; }
  static std::int32_t total(Wide v) { return v; }
};
#endif

// What full vectors leave of a dot product. A function of its own: unrolled wherever it is used, it was half of the code.
[[gnu::noinline]] std::int32_t dot_of_rest(const std::int16_t* a, const std::int8_t* b, std::size_t n) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

// `Outputs` rows of w from row j against `Rows` rows of x: each widened vector is used Rows times.
template <std::size_t Rows, std::size_t Outputs>
[[gnu::always_inline]] inline void block(std::size_t k, const std::int16_t* x, const float* x_scale,
                                         const std::int8_t* w, const float* w_scale, float* y,
                                         std::size_t y_stride, bool accumulate) {
  Integers::Wide sums[Rows][Outputs];
  for (auto& row : sums)
    for (auto& sum : row) sum = Integers::zero();
  std::size_t i = 0;
  for (; i + Integers::kCount <= k; i += Integers::kCount) {
    Integers::Wide input[Rows];
    for (std::size_t r = 0; r < Rows; ++r) input[r] = Integers::load(x + r * k + i);
    for (std::size_t j = 0; j < Outputs; ++j) {
      const Integers::Wide weight = Integers::widen(w + j * k + i);
      for (std::size_t r = 0; r < Rows; ++r) sums[r][j] = Integers::add_products(sums[r][j], input[r], weight);
    }
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t j = 0; j < Outputs; ++j) {
      std::int32_t sum = Integers::total(sums[r][j]);
      if (i < k) sum += dot_of_rest(x + r * k + i, w + j * k + i, k - i);
      const float product = static_cast<float>(sum) * (x_scale[r] * w_scale[j]);
      float& out = y[r * y_stride + j];
      out = accumulate ? out + product : product;
    }
  }
}

template <std::size_t Rows>
void few_rows(std::size_t n, std::size_t k, const std::int16_t* x, const float* x_scale, const std::int8_t* w,
              const float* w_scale, float* y, std::size_t y_stride, bool accumulate) {
  constexpr std::size_t kOutputs = Rows <= 2 ? 4 : 2;
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
constexpr decltype(&few_rows<1>) kFewRows[] = {few_rows<1>, few_rows<2>, few_rows<3>, few_rows<4>};

}  // namespace

float quantise(const float* x, std::int16_t* q, std::size_t n) {
  Batch most(0.0f);
  for_lanes(n, [&](auto load, auto) { most = xsimd::max(most, xsimd::abs(load(x))); });
  const float largest = xsimd::reduce_max(most);
  if (!(largest >= 1e-30f) || !std::isfinite(largest)) {  // smaller ones would overflow the factor
    std::fill_n(q, n, std::int16_t{0});
    return 0;
  }
  const float factor = static_cast<float>(kLargestActivation) / largest;
  for (std::size_t i = 0; i < n; ++i) q[i] = static_cast<std::int16_t>(std::nearbyint(x[i] * factor));
  return largest / static_cast<float>(kLargestActivation);
}

void gemv_int8(std::size_t rows, std::size_t n, std::size_t k, const std::int16_t* x, const float* x_scale,
               const std::int8_t* w, const float* w_scale, float* y, std::size_t y_stride, bool accumulate) {
  while (rows > 0) {
    const std::size_t now = std::min<std::size_t>(rows, 4);
    kFewRows[now - 1](n, k, x, x_scale, w, w_scale, y, y_stride, accumulate);
    rows -= now;
    x += now * k;
    x_scale += now;
    y += now * y_stride;
  }
}

}  // namespace softalign::kernels
