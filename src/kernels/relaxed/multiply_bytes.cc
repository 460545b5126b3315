#include "kernels/relaxed/multiply_bytes.h"

#if defined(__wasm_relaxed_simd__)
#include <wasm_simd128.h>
#else
#include <array>
#endif

namespace softalign::kernels {
namespace {

#if defined(__wasm_relaxed_simd__)
struct Bytes {
  static constexpr std::size_t kCount = 16;
  using Sums = v128_t;
  using Four = v128_t;  // floats
  static Sums zero() { return wasm_i32x4_const_splat(0); }
  static Sums first(std::int32_t value) { return wasm_i32x4_make(value, 0, 0, 0); }
  static Sums plus(Sums a, Sums b) { return wasm_i32x4_add(a, b); }
  static v128_t load(const void* bytes) { return wasm_v128_load(bytes); }
  static Sums add_products(v128_t w, v128_t x, Sums sums) { return wasm_i32x4_relaxed_dot_i8x16_i7x16_add(w, x, sums); }
  // What each holds in all its lanes together.
  static Four totals(Sums a, Sums b, Sums c, Sums d) {
    const Sums ab = plus(wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), wasm_i32x4_shuffle(a, b, 2, 6, 3, 7));
    const Sums cd = plus(wasm_i32x4_shuffle(c, d, 0, 4, 1, 5), wasm_i32x4_shuffle(c, d, 2, 6, 3, 7));
    return wasm_f32x4_convert_i32x4(plus(wasm_i32x4_shuffle(ab, cd, 0, 1, 4, 5), wasm_i32x4_shuffle(ab, cd, 2, 3, 6, 7)));
  }
  static Four floats(const float* x) { return wasm_v128_load(x); }
  static void store(float* x, Four v) { wasm_v128_store(x, v); }
  static Four splat(float x) { return wasm_f32x4_splat(x); }
  static Four times(Four a, Four b) { return wasm_f32x4_mul(a, b); }
  static Four sum(Four a, Four b) { return wasm_f32x4_add(a, b); }
};
#else
// The same one by one, so that all around the instruction is tested where there is none.
struct Bytes {
  static constexpr std::size_t kCount = 1;
  using Sums = std::int32_t;
  using Four = std::array<float, 4>;
  static Sums zero() { return 0; }
  static Sums first(std::int32_t value) { return value; }
  static Sums plus(Sums a, Sums b) { return a + b; }
  template <class T>
  static std::int32_t load(const T* bytes) { return *bytes; }
  static Sums add_products(std::int32_t w, std::int32_t x, Sums sums) { return sums + w * x; }
  static Four totals(Sums a, Sums b, Sums c, Sums d) {
    return {static_cast<float>(a), static_cast<float>(b), static_cast<float>(c), static_cast<float>(d)};
  }
  static Four floats(const float* x) { return {x[0], x[1], x[2], x[3]}; }
  static void store(float* x, Four v) { for (std::size_t i = 0; i < 4; ++i) x[i] = v[i]; }
  static Four splat(float x) { return {x, x, x, x}; }
  static Four times(Four a, Four b) { return {a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]}; }
  static Four sum(Four a, Four b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]}; }
};
#endif

// Row by row, of the columns from `first` on. A function of its own: unrolled wherever it is used, it was most of the code.
[[gnu::noinline]] std::int32_t dot_of_rest(const ByteProduct& p, std::size_t row, std::size_t output, std::size_t first) {
  const std::uint8_t* const x = p.x + row * p.k;
  const std::int8_t* const w = p.w + output * p.k;
  std::int32_t sum = 0;
#if defined(__clang__)
#pragma clang loop vectorize(disable) unroll(disable)
#endif
  for (std::size_t i = first; i < p.k; ++i) sum += std::int32_t{w[i]} * x[i];
  return sum;
}

// Rows of x by four rows of w, each vector of which is used Rows times.
template <std::size_t Rows>
[[gnu::always_inline]] inline void block(const ByteProduct& p, std::size_t row, std::size_t output) {
  constexpr std::size_t kOutputs = 4;
  const std::size_t k = p.k;
  const std::uint8_t* const x = p.x + row * k;
  const std::int8_t* const w = p.w + output * k;
  Bytes::Sums sums[Rows][kOutputs];
  for (auto& of_row : sums)
    for (auto& sum : of_row) sum = Bytes::zero();
  std::size_t i = 0;
  for (; i + Bytes::kCount <= k; i += Bytes::kCount) {
    for (std::size_t j = 0; j < kOutputs; ++j) {
      const auto weight = Bytes::load(w + j * k + i);
      for (std::size_t r = 0; r < Rows; ++r) {
        sums[r][j] = Bytes::add_products(weight, Bytes::load(x + r * k + i), sums[r][j]);
      }
    }
  }
  if (i < k) {
    for (std::size_t r = 0; r < Rows; ++r) {
      for (std::size_t j = 0; j < kOutputs; ++j) {
        sums[r][j] = Bytes::plus(sums[r][j], Bytes::first(dot_of_rest(p, row + r, output + j, i)));
      }
    }
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    const ByteScale& scale = p.x_scale[row + r];
    const Bytes::Four total = Bytes::totals(sums[r][0], sums[r][1], sums[r][2], sums[r][3]);
    const Bytes::Four product = Bytes::sum(
        Bytes::times(total, Bytes::times(Bytes::splat(scale.scale), Bytes::floats(p.w_scale + output))),
        Bytes::times(Bytes::splat(scale.least), Bytes::floats(p.w_sum + output)));
    float* const y = p.y + (row + r) * p.y_stride + output;
    Bytes::store(y, p.accumulate ? Bytes::sum(Bytes::floats(y), product) : product);
  }
}

void one(const ByteProduct& p, std::size_t row, std::size_t output) {
  const ByteScale& scale = p.x_scale[row];
  const float total = static_cast<float>(dot_of_rest(p, row, output, 0));
  const float product = total * (scale.scale * p.w_scale[output]) + scale.least * p.w_sum[output];
  float& y = p.y[row * p.y_stride + output];
  y = p.accumulate ? y + product : product;
}

// Two rows by four outputs keep all sums in registers; of three or four rows, half of the speed is lost.
template <std::size_t Rows>
[[gnu::noinline]] void few_rows(const ByteProduct& p, std::size_t row) {
  std::size_t j = 0;
  for (; j + 4 <= p.n; j += 4) block<Rows>(p, row, j);
  for (; j < p.n; ++j) {
    for (std::size_t r = 0; r < Rows; ++r) one(p, row + r, j);
  }
}

}  // namespace
}  // namespace softalign::kernels

void softalign_multiply_bytes(const softalign::kernels::ByteProduct& p) {
  using namespace softalign::kernels;
  std::size_t row = 0;
  for (; row + 2 <= p.rows; row += 2) few_rows<2>(p, row);
  if (row < p.rows) few_rows<1>(p, row);
}
