#include "kernels/int8.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "unit/support/guarded.h"

namespace softalign::kernels {
namespace {

using testing::Guarded;

constexpr std::size_t kLongest = 2 * 16 + 1;  // the widest step reads 16 bytes

// Bytes and shorts at a chosen misalignment, ending where the allocation ends.
template <class T>
std::vector<T> random_integers(Random& random, std::size_t size, std::size_t misalignment, int most) {
  std::vector<T> v(misalignment + size);
  for (T& x : v) x = static_cast<T>(static_cast<int>(random.below(static_cast<std::size_t>(2 * most + 1))) - most);
  return v;
}

TEST(Quantise, EveryLengthAndMisalignment) {
  Random random(1);
  for (const std::size_t misalignment : testing::kMisalignments) {
    for (std::size_t n = 0; n <= testing::kLongestLength; ++n) {
      for (const double deviation : {1e-20, 1.0, 1e20}) {
        const auto x = Guarded<float>::random(random, n, misalignment, deviation);
        std::vector<std::int16_t> q(n + 1, 77);
        const float scale = quantise(x.data(), q.data(), n);
        EXPECT_EQ(q[n], 77) << "wrote beyond its end";
        float most = 0;
        for (std::size_t i = 0; i < n; ++i) most = std::max(most, std::abs(x[i]));
        ASSERT_FLOAT_EQ(scale, most / static_cast<float>(kLargestActivation)) << "length " << n;
        for (std::size_t i = 0; i < n; ++i) {
          ASSERT_LE(std::abs(q[i]), kLargestActivation);
          ASSERT_NEAR(double(scale) * q[i], x[i], double(scale) * 0.501) << "at " << i << " of " << n;
        }
      }
    }
  }
}

TEST(Quantise, RowsWithoutAUsefulSizeAreZeros) {
  const float inf = std::numeric_limits<float>::infinity();
  for (const float size : {0.0f, 1e-31f, 1e-40f, inf}) {
    const float x[] = {size, 0.0f, -size};
    std::int16_t q[] = {5, 5, 5};
    EXPECT_EQ(quantise(x, q, 3), 0.0f) << size;
    for (const std::int16_t v : q) EXPECT_EQ(v, 0);
  }
}

TEST(Quantise, RowsWithWhatIsNoNumberAreZeros) {
  for (std::size_t n : {1, 3, 8, 16, 33, 64}) {
    for (std::size_t at = 0; at < n; ++at) {
      std::vector<float> x(n, 1.0f);
      x[at] = std::numeric_limits<float>::quiet_NaN();
      std::vector<std::int16_t> q(n, 5);
      EXPECT_EQ(quantise(x.data(), q.data(), n), 0.0f) << at << " of " << n;
      EXPECT_EQ(q, std::vector<std::int16_t>(n, 0)) << at << " of " << n;
    }
  }
}

void expect_product(std::size_t rows, std::size_t n, std::size_t k, std::size_t misalignment, bool accumulate) {
  SCOPED_TRACE(::testing::Message() << "rows " << rows << ", n " << n << ", k " << k << ", misalignment "
                                    << misalignment << ", accumulate " << accumulate);
  Random random(rows * 1'000'003 + n * 1009 + k);
  const auto x = random_integers<std::int16_t>(random, rows * k, misalignment, kLargestActivation);
  const auto w = random_integers<std::int8_t>(random, n * k, misalignment, 127);
  const auto x_scale = Guarded<float>::random(random, rows, misalignment);
  const auto w_scale = Guarded<float>::random(random, n, misalignment);
  const std::size_t stride = n + 2;
  const std::size_t size = rows == 0 ? 0 : (rows - 1) * stride + n;
  Guarded<float> y(size, misalignment, accumulate ? 0.25f : std::numeric_limits<float>::quiet_NaN());
  std::vector<double> expected(size, 0.25);
  const std::vector<double> x_twin(x_scale.data(), x_scale.data() + rows), w_twin(w_scale.data(), w_scale.data() + n);
  gemv_int8(rows, n, k, x.data() + misalignment, x_twin.data(), w.data() + misalignment, w_twin.data(),
            expected.data(), stride, accumulate);
  gemv_int8(rows, n, k, x.data() + misalignment, x_scale.data(), w.data() + misalignment, w_scale.data(), y.data(),
            stride, accumulate);
  ASSERT_TRUE(y.untouched());
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const double e = expected[i * stride + j], product = accumulate ? e - 0.25 : e;
      ASSERT_NEAR(y[i * stride + j], e, 0x1p-22 * std::abs(product) + 0x1p-24 * std::abs(e)) << "at " << i << ", " << j;
    }
  }
}

TEST(GemvInt8, EveryLengthAndMisalignment) {
  for (const std::size_t misalignment : testing::kMisalignments) {
    for (const bool accumulate : {false, true}) {
      for (std::size_t k = 0; k <= kLongest; ++k) {
        for (std::size_t rows = 0; rows <= 9; ++rows) expect_product(rows, 5, k, misalignment, accumulate);
        for (std::size_t n = 0; n <= 9; ++n) expect_product(1, n, k, misalignment, accumulate);
      }
      expect_product(6, 31, 700, misalignment, accumulate);
    }
  }
}

TEST(GemvInt8, TheLargestSumsFit) {
  const std::vector<std::int16_t> x(3 * kInt8Depth, static_cast<std::int16_t>(kLargestActivation));
  const float one[] = {1, 1, 1};
  for (const int byte : {127, -127, -128}) {
    const std::vector<std::int8_t> w(kInt8Depth, static_cast<std::int8_t>(byte));
    float y[3];
    gemv_int8(3, 1, kInt8Depth, x.data(), one, w.data(), one, y, 1, false);
    for (const float v : y) EXPECT_FLOAT_EQ(v, static_cast<float>(double(kInt8Depth) * kLargestActivation * byte));
  }
}

}  // namespace
}  // namespace softalign::kernels
