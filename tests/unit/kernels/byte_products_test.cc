#include "kernels/byte_products.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/int8.h"
#include "kernels/relaxed/multiply_bytes.h"
#include "unit/support/guarded.h"

namespace softalign::kernels {
namespace {

using testing::Guarded;

TEST(QuantiseToBytes, EveryLengthAndMisalignment) {
  Random random(1);
  for (const std::size_t misalignment : testing::kMisalignments) {
    for (std::size_t n = 1; n <= testing::kLongestLength; ++n) {
      for (const double deviation : {1e-20, 1.0, 1e20}) {
        const auto x = Guarded<float>::random(random, n, misalignment, deviation);
        std::vector<std::uint8_t> q(n + 1, 177);
        const auto [scale, least] = quantise(x.data(), q.data(), n);
        EXPECT_EQ(q[n], 177) << "wrote beyond its end";
        const auto [low, high] = std::minmax_element(x.data(), x.data() + n);
        ASSERT_EQ(least, *low);
        ASSERT_FLOAT_EQ(scale, (*high - *low) / 127) << "length " << n;
        for (std::size_t i = 0; i < n; ++i) {
          ASSERT_LE(q[i], 127);
          ASSERT_NEAR(double(scale) * q[i] + least, x[i], double(scale) * 0.501) << "at " << i << " of " << n;
        }
      }
    }
  }
}

TEST(QuantiseToBytes, RowsWithoutARange) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  std::uint8_t q[40];
  const auto quantise_row = [&](std::size_t at, float value, float others, float step = 0) {
    std::vector<float> x(std::size(q), others);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += step * static_cast<float>(i);
    x[at] = value;
    std::fill_n(q, std::size(q), std::uint8_t{5});
    const ByteScale scale = quantise(x.data(), q, std::size(q));
    for (const std::uint8_t v : q) EXPECT_EQ(v, 0);
    EXPECT_EQ(scale.scale, 0);
    return scale.least;
  };
  for (const std::size_t at : {0, 17, 39}) {
    EXPECT_EQ(quantise_row(at, 2.5f, 2.5f), 2.5f) << "equal values are what remains";
    EXPECT_EQ(quantise_row(at, 0, -1e-31f), -1e-31f);
    for (const float bad : {inf, -inf, nan}) EXPECT_EQ(quantise_row(at, bad, 1, 0.5f), 0) << bad;
  }
  EXPECT_EQ(quantise_row(3, 3e38f, -3e38f), 0) << "the range is more than a float holds";
  EXPECT_EQ(quantise(nullptr, q, 0).scale, 0);
}

void expect_product(std::size_t rows, std::size_t n, std::size_t k, std::size_t misalignment, bool accumulate) {
  SCOPED_TRACE(::testing::Message() << "rows " << rows << ", n " << n << ", k " << k << ", misalignment "
                                    << misalignment << ", accumulate " << accumulate);
  Random random(rows * 1'000'003 + n * 1009 + k);
  std::vector<std::uint8_t> x(misalignment + rows * k);
  std::vector<std::int8_t> w(misalignment + n * k);
  for (auto& v : x) v = static_cast<std::uint8_t>(random.below(128));
  for (auto& v : w) v = static_cast<std::int8_t>(static_cast<int>(random.below(256)) - 128);
  std::vector<ByteScale> x_scale(rows);
  for (ByteScale& scale : x_scale) scale = {static_cast<float>(random.normal()), static_cast<float>(random.normal())};
  const auto w_scale = Guarded<float>::random(random, n, misalignment), w_sum = Guarded<float>::random(random, n, misalignment);
  const std::size_t stride = n + 2, size = rows == 0 ? 0 : (rows - 1) * stride + n;
  Guarded<float> y(size, misalignment, accumulate ? 0.25f : std::numeric_limits<float>::quiet_NaN());
  softalign_multiply_bytes({rows, n, k, x.data() + misalignment, x_scale.data(), w.data() + misalignment, w_scale.data(),
                            w_sum.data(), y.data(), stride, accumulate});
  ASSERT_TRUE(y.untouched());
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      std::int64_t dot = 0;
      for (std::size_t c = 0; c < k; ++c) dot += std::int64_t{x[misalignment + i * k + c]} * w[misalignment + j * k + c];
      const double product = double(dot) * x_scale[i].scale * w_scale[j], rest = double(x_scale[i].least) * w_sum[j];
      ASSERT_NEAR(y[i * stride + j], (accumulate ? 0.25 : 0) + product + rest, 0x1p-21 * (std::abs(product) + std::abs(rest) + 0.25))
          << "at " << i << ", " << j;
    }
  }
}

TEST(MultiplyBytes, EveryLengthAndMisalignment) {
  for (const std::size_t misalignment : testing::kMisalignments) {
    for (const bool accumulate : {false, true}) {
      for (std::size_t k = 0; k <= 33; ++k) {
        for (std::size_t rows = 0; rows <= 5; ++rows) expect_product(rows, 5, k, misalignment, accumulate);
        for (std::size_t n = 0; n <= 9; ++n) expect_product(1, n, k, misalignment, accumulate);
      }
      expect_product(5, 31, 700, misalignment, accumulate);
      expect_product(2, 4, kInt8Depth, misalignment, accumulate);
    }
  }
}

}  // namespace
}  // namespace softalign::kernels
