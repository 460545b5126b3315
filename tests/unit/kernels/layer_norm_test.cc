#include "kernels/layer_norm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "unit/support/guarded.h"

namespace softalign::kernels {
namespace {

using testing::Guarded;
using testing::kLongestLength;
using testing::kMisalignments;

std::vector<double> twin(const Guarded<float>& x) { return {x.data(), x.data() + x.size()}; }

double largest(const std::vector<double>& x) {
  double most = 0;
  for (const double v : x) most = std::max(most, std::abs(v));
  return most;
}

// One row through both precisions, forward and backward, against the header's bounds. Returns the
// largest share of a bound that was needed.
double expect_row(Random& random, const Guarded<float>& x, std::size_t misalignment) {
  const std::size_t n = x.size();
  const auto draw = [&](std::size_t more) { return Guarded<float>::random(random, n, misalignment + more); };
  const auto weight = draw(1), bias = draw(0), d_y = draw(1);
  const float epsilon = 1e-5f;
  Guarded<float> y(n, misalignment + 1);
  const auto moments = layer_norm(x.data(), weight.data(), bias.data(), epsilon, y.data(), n);
  const auto x2 = twin(x), weight2 = twin(weight), bias2 = twin(bias), d_y2 = twin(d_y);
  std::vector<double> y2(n);
  const auto moments2 = layer_norm(x2.data(), weight2.data(), bias2.data(), double{epsilon}, y2.data(), n);
  auto in_place = x;
  layer_norm(in_place.data(), weight.data(), bias.data(), epsilon, in_place.data(), n);

  auto d_x = draw(0), d_weight = draw(1), d_bias = draw(0);  // gradients are added to what is there
  auto d_x2 = twin(d_x), d_weight2 = twin(d_weight), d_bias2 = twin(d_bias);
  layer_norm_gradient(moments, x.data(), weight.data(), d_y.data(), d_x.data(), d_weight.data(), d_bias.data(), n);
  layer_norm_gradient(moments2, x2.data(), weight2.data(), d_y2.data(), d_x2.data(), d_weight2.data(), d_bias2.data(),
                      n);
  EXPECT_TRUE(y.untouched() && in_place.untouched() && d_x.untouched() && d_weight.untouched() && d_bias.untouched());

  double worst = 0;
  const auto expect = [&](const char* what, std::size_t i, double got, double expected, double bound) {
    EXPECT_LE(std::abs(got - expected), bound) << what << " at " << i << " of " << n;
    if (bound > 0) worst = std::max(worst, std::abs(got - expected) / bound);
  };
  const double rstd = moments2.rstd, spread = 1 + largest(x2) * rstd, terms = double(n) / 4 + 16;
  double G = 0;
  for (std::size_t i = 0; i < n; ++i) G = std::max(G, std::abs(d_y2[i] * weight2[i]));
  for (std::size_t i = 0; i < n; ++i) {
    const double z = 1 + std::abs((x2[i] - moments2.mean) * rstd);
    const auto rounding = [](double sum) { return 0x1p-24 * std::abs(sum); };
    expect("y", i, y[i], y2[i], terms * 0x1p-23 * (z * spread * std::abs(weight2[i]) + std::abs(bias2[i])));
    EXPECT_EQ(in_place[i], y[i]);
    expect("d_x", i, d_x[i], d_x2[i], terms * 0x1p-22 * rstd * G * z * spread + rounding(d_x2[i]));
    expect("d_weight", i, d_weight[i], d_weight2[i],
           terms * 0x1p-22 * std::abs(d_y2[i]) * z * spread + rounding(d_weight2[i]));
    expect("d_bias", i, d_bias[i], d_bias2[i], 1.001 * rounding(d_bias2[i]));
  }
  return worst;
}

TEST(LayerNorm, EveryLengthAndMisalignment) {
  Random random(1);
  double worst = 0;
  for (const std::size_t misalignment : kMisalignments) {
    for (std::size_t n = 1; n <= kLongestLength; ++n) {
      worst = std::max(worst, expect_row(random, Guarded<float>::random(random, n, misalignment), misalignment));
    }
  }
  RecordProperty("worst_share_of_bound", std::to_string(worst));
}

TEST(LayerNorm, RowsMeantToBreakIt) {
  Random random(2);
  for (const std::size_t n : {1, 2, 5, 16, 17, 300, 5000}) {
    for (const double deviation : {1e-12, 1e-3, 1e6}) {
      for (const float offset : {0.0f, 1.0f, -1e4f}) {  // far from 0, where E x^2 - (E x)^2 would cancel
        auto x = Guarded<float>::random(random, n, 0, deviation);
        for (std::size_t i = 0; i < n; ++i) x[i] += offset;
        expect_row(random, x, 0);
      }
    }
  }
}

TEST(LayerNorm, EqualNumbersBecomeTheBias) {
  for (std::size_t n = 1; n <= kLongestLength; ++n) {
    const std::vector<float> x(n, 3.25f), weight(n, 2.0f), bias(n, -0.5f);
    std::vector<float> y(n);
    layer_norm(x.data(), weight.data(), bias.data(), 1e-5f, y.data(), n);
    EXPECT_EQ(y, bias);
  }
}

TEST(LayerNorm, NotANumberSpoilsItsRow) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    std::vector<float> x(21, 1.0f), y(21);
    const std::vector<float> weight(21, 1.0f), bias(21, 0.0f);
    x[20] = bad;
    layer_norm(x.data(), weight.data(), bias.data(), 1e-5f, y.data(), x.size());
    for (const float v : y) EXPECT_TRUE(std::isnan(v));
  }
}

}  // namespace
}  // namespace softalign::kernels
