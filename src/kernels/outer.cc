#include "kernels/outer.h"

#include "kernels/lanes.h"

namespace softalign::kernels {

void add_outer(const float* a, const float* b, float* c, std::size_t m, std::size_t n) {
  for (std::size_t i = 0; i < m; ++i, c += n) {
    const Batch factor(a[i]);
    for_lanes(n, [&](auto load, auto store) { store(xsimd::fma(factor, load(b), load(c)), c); });
  }
}

void add_weighed_rows(const float* a, const float* c, float* y, std::size_t m, std::size_t n) {
  // columns of y that stay in registers while all rows pass by
  constexpr std::size_t kVectors = 4;
  std::size_t j = 0;
  for (; j + kVectors * kLanes <= n; j += kVectors * kLanes) {
    Batch sums[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) sums[v] = Batch::load_unaligned(y + j + v * kLanes);
    for (std::size_t i = 0; i < m; ++i) {
      const Batch factor(a[i]);
      for (std::size_t v = 0; v < kVectors; ++v) {
        sums[v] = xsimd::fma(factor, Batch::load_unaligned(c + i * n + j + v * kLanes), sums[v]);
      }
    }
    for (std::size_t v = 0; v < kVectors; ++v) sums[v].store_unaligned(y + j + v * kLanes);
  }
  for_lanes(n - j, [&](auto load, auto store) {
    Batch sum = load(y + j);
    for (std::size_t i = 0; i < m; ++i) sum = xsimd::fma(Batch(a[i]), load(c + i * n + j), sum);
    store(sum, y + j);
  });
}

}  // namespace softalign::kernels
