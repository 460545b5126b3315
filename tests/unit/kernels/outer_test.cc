#include "kernels/outer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "unit/support/guarded.h"

namespace softalign::kernels {
namespace {

using testing::Guarded;
using testing::kLongestLength;
using testing::kMisalignments;

std::vector<double> twin(const Guarded<float>& x) { return {x.data(), x.data() + x.size()}; }

// body(m, n, misalignment) for shapes around every width of a register block, and empty ones.
template <class Body>
void for_shapes(Body body) {
  for (const std::size_t misalignment : kMisalignments) {
    for (const std::size_t m : {0, 1, 2, 3, 7, 40}) {
      for (std::size_t n = 0; n <= kLongestLength; ++n) body(m, n, misalignment);
      for (const std::size_t n : {63, 64, 65, 96, 129, 131}) body(m, n, misalignment);
    }
  }
}

TEST(AddOuter, EveryLengthAndMisalignment) {
  Random random(1);
  for_shapes([&](std::size_t m, std::size_t n, std::size_t misalignment) {
    const auto a = Guarded<float>::random(random, m, misalignment);
    const auto b = Guarded<float>::random(random, n, misalignment + 1);
    auto c = Guarded<float>::random(random, m * n, misalignment);
    const auto before = c;
    auto expected = twin(c);
    add_outer(twin(a).data(), twin(b).data(), expected.data(), m, n);
    add_outer(a.data(), b.data(), c.data(), m, n);
    ASSERT_TRUE(c.untouched());
    for (std::size_t i = 0; i < m * n; ++i) {
      const double size = std::abs(double(before[i])) + std::abs(double(a[i / n]) * b[i % n]);
      ASSERT_LE(std::abs(c[i] - expected[i]), 0x1p-23 * size) << m << " x " << n << " at " << i;
    }
  });
}

TEST(AddWeighedRows, EveryLengthAndMisalignment) {
  Random random(2);
  for_shapes([&](std::size_t m, std::size_t n, std::size_t misalignment) {
    const auto a = Guarded<float>::random(random, m, misalignment);
    const auto c = Guarded<float>::random(random, m * n, misalignment + 1);
    auto y = Guarded<float>::random(random, n, misalignment);
    const auto before = y;
    auto expected = twin(y);
    add_weighed_rows(twin(a).data(), twin(c).data(), expected.data(), m, n);
    add_weighed_rows(a.data(), c.data(), y.data(), m, n);
    ASSERT_TRUE(y.untouched());
    for (std::size_t j = 0; j < n; ++j) {
      double size = std::abs(double(before[j]));
      for (std::size_t i = 0; i < m; ++i) size += std::abs(double(a[i]) * c[i * n + j]);
      ASSERT_LE(std::abs(y[j] - expected[j]), (double(m) + 8) * 0x1p-24 * size) << m << " x " << n << " at " << j;
    }
  });
}

}  // namespace
}  // namespace softalign::kernels
