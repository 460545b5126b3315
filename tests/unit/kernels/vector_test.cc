#include "kernels/vector.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "unit/support/guarded.h"

namespace softalign::kernels {
namespace {

using testing::Guarded;
using testing::kLongestLength;
using testing::kMisalignments;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// Floats from `low` to `high`: about one in `step` of all that exist, so tiny ones weigh as much as
// large ones.
std::vector<float> floats_between(float low, float high, std::uint32_t step) {
  std::vector<float> values = {low, high, 0.0f};
  for (std::uint64_t bits = 0; bits <= std::bit_cast<std::uint32_t>(kInf); bits += step) {
    const float size = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    for (const float v : {size, -size}) {
      if (v >= low && v <= high) values.push_back(v);
    }
  }
  return values;
}

template <class Function>
std::vector<float> apply(Function function, const std::vector<float>& x) {
  std::vector<float> y(x.size());
  function(x.data(), y.data(), x.size());
  return y;
}

constexpr auto kExp = [](const auto* x, auto* y, std::size_t n) { exp(x, y, n); };
constexpr auto kTanh = [](const auto* x, auto* y, std::size_t n) { tanh(x, y, n); };
constexpr auto kSigmoid = [](const auto* x, auto* y, std::size_t n) { sigmoid(x, y, n); };
constexpr auto kRelu = [](const auto* x, auto* y, std::size_t n) { relu(x, y, n); };
constexpr auto kGelu = [](const auto* x, auto* y, std::size_t n) { gelu(x, y, n); };
constexpr auto kEluPlusOne = [](const auto* x, auto* y, std::size_t n) { elu_plus_one(x, y, n); };
constexpr auto kSoftmax = [](const auto* x, auto* y, std::size_t n) {
  if (n > 0) softmax(x, y, n);
};

TEST(Exp, WithinItsBoundOverItsWholeRange) {
  const auto x = floats_between(-87.0f, 88.0f, 4099);
  const auto y = apply(kExp, x);
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double expected = std::exp(double(x[i]));
    const double error = std::abs(y[i] - expected) / expected;
    worst = std::max(worst, error);
    ASSERT_LE(error, 3e-7) << "exp(" << x[i] << ")";
  }
  RecordProperty("worst_relative_error", std::to_string(worst));
}

TEST(Exp, GradualUnderflowThenZeroThenInfinity) {
  const auto x = floats_between(-104.0f, -87.0f, 499);
  const auto y = apply(kExp, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] > -87.0f) continue;
    const double expected = std::exp(double(x[i]));
    ASSERT_LE(std::abs(y[i] - expected), 3e-7 * expected + 0x1p-149) << "exp(" << x[i] << ")";
  }
  const auto edges = apply(kExp, {-104.5f, -1e30f, -kInf, 0.0f, -0.0f, 89.5f, 1e30f, kInf});
  EXPECT_EQ(edges, (std::vector<float>{0, 0, 0, 1, 1, kInf, kInf, kInf}));
}

TEST(Tanh, WithinItsBoundForEveryMagnitude) {
  const auto x = floats_between(-3e38f, 3e38f, 4099);
  const auto y = apply(kTanh, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double expected = std::tanh(double(x[i]));
    ASSERT_LE(std::abs(y[i] - expected), 3e-7 * std::abs(expected)) << "tanh(" << x[i] << ")";
    ASSERT_LE(std::abs(y[i]), 1.0f);
  }
  EXPECT_EQ(apply(kTanh, {0.0f, 10.0f, -10.0f, kInf, -kInf}), (std::vector<float>{0, 1, -1, 1, -1}));
}

TEST(Sigmoid, WithinItsBoundForEveryMagnitude) {
  const auto x = floats_between(-3e38f, 3e38f, 4099);
  const auto y = apply(kSigmoid, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_NEAR(y[i], 1 / (1 + std::exp(-double(x[i]))), 2e-7) << "sigmoid(" << x[i] << ")";
  }
  EXPECT_EQ(apply(kSigmoid, {0.0f, kInf, -kInf, 1e30f, -1e30f}), (std::vector<float>{0.5f, 1, 0, 1, 0}));
}

TEST(Gelu, WithinItsBoundForEveryMagnitude) {
  const auto x = floats_between(-3e38f, 3e38f, 4099);
  const auto y = apply(kGelu, x);
  std::vector<float> gradient(x.size()), ones(x.size(), 1.0f);
  gelu_gradient(x.data(), ones.data(), gradient.data(), x.size());
  const std::vector<double> twin(x.begin(), x.end()), one(x.size(), 1.0);
  std::vector<double> expected(x.size()), slope(x.size());
  gelu(twin.data(), expected.data(), twin.size());
  gelu_gradient(twin.data(), one.data(), slope.data(), twin.size());
  double worst = 0, worst_slope = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_LE(std::abs(y[i] - expected[i]), 4e-7 * std::abs(twin[i]) + 0x1p-149) << "gelu(" << x[i] << ")";
    ASSERT_LE(std::abs(gradient[i] - slope[i]), 5e-7) << "gelu'(" << x[i] << ")";
    if (std::abs(x[i]) > 1e-30f) worst = std::max(worst, std::abs(y[i] - expected[i]) / std::abs(twin[i]));
    worst_slope = std::max(worst_slope, std::abs(gradient[i] - slope[i]));
  }
  RecordProperty("worst_error", std::to_string(1e7 * worst) + "e-7, of the slope " + std::to_string(1e7 * worst_slope) + "e-7");
  EXPECT_EQ(apply(kGelu, {0.0f, kInf, 20.0f, -20.0f}), (std::vector<float>{0, kInf, 20, 0}));
}

TEST(EluPlusOne, WithinItsBoundOverItsWholeRange) {
  const auto x = floats_between(-87.0f, 3e38f, 4099);
  const auto y = apply(kEluPlusOne, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double expected = x[i] > 0 ? 1 + double(x[i]) : std::exp(double(x[i]));
    ASSERT_LE(std::abs(y[i] - expected), 3e-7 * expected) << "elu(" << x[i] << ") + 1";
  }
  EXPECT_EQ(apply(kEluPlusOne, {0.0f, -105.0f, -kInf, kInf}), (std::vector<float>{1, 0, 0, kInf}));
}

TEST(Activations, NotANumberFlowsThrough) {
  for (std::size_t n = 1; n <= kLongestLength; ++n) {
    std::vector<float> x(n, 0.5f);
    x[n - 1] = kNan;
    const auto expect_flow = [&](auto function) {
      std::vector<float> y(n);
      function(x.data(), y.data(), n);
      for (std::size_t i = 0; i + 1 < n; ++i) ASSERT_FALSE(std::isnan(y[i])) << i << " of " << n;
      ASSERT_TRUE(std::isnan(y[n - 1])) << "length " << n;
    };
    expect_flow(kRelu);
    expect_flow(kGelu);
    expect_flow(kEluPlusOne);
    expect_flow(kTanh);
    expect_flow(kExp);
    expect_flow(kSigmoid);
    for (const float spoilt : {kNan, kInf}) {
      x[0] = spoilt;
      std::vector<float> y(n);
      softmax(x.data(), y.data(), n);
      for (const float v : y) ASSERT_TRUE(std::isnan(v)) << "length " << n;
    }
  }
  EXPECT_TRUE(std::isnan(apply(kGelu, {-kInf})[0]));
  EXPECT_EQ(apply(kRelu, {-kInf, kInf, -0.0f, 0.0f, 3.0f}), (std::vector<float>{0, kInf, 0, 0, 3}));
}

// Runs function(x, y, n) for every length, misalignment of x and of y, and in place; compares with
// its double twin through near(got, expected).
template <class Function, class Near>
void expect_elementwise(Function function, double deviation, Near near) {
  Random random(1);
  for (std::size_t n = 0; n <= kLongestLength; ++n) {
    for (const std::size_t at_x : kMisalignments) {
      const auto x = Guarded<float>::random(random, n, at_x, deviation);
      std::vector<double> twin(x.data(), x.data() + n), expected(n);
      function(twin.data(), expected.data(), n);
      for (const std::size_t at_y : kMisalignments) {
        Guarded<float> y(n, at_y);
        function(x.data(), y.data(), n);
        auto in_place = x;
        function(static_cast<const float*>(in_place.data()), in_place.data(), n);
        ASSERT_TRUE(y.untouched() && in_place.untouched()) << "length " << n;
        for (std::size_t i = 0; i < n; ++i) {
          ASSERT_TRUE(near(y[i], expected[i])) << y[i] << ", expected " << expected[i] << ", at " << i << " of " << n;
          ASSERT_EQ(in_place[i], y[i]);
        }
      }
    }
  }
}

TEST(Exp, EveryLengthAndMisalignment) {
  expect_elementwise(kExp, 10.0, [](float y, double e) { return std::abs(y - e) <= 3e-7 * e; });
}
TEST(Tanh, EveryLengthAndMisalignment) {
  expect_elementwise(kTanh, 1.0, [](float y, double e) { return std::abs(y - e) <= 3e-7 * std::abs(e); });
}
TEST(Sigmoid, EveryLengthAndMisalignment) {
  expect_elementwise(kSigmoid, 4.0, [](float y, double e) { return std::abs(y - e) <= 2e-7; });
}
TEST(Relu, EveryLengthAndMisalignment) {
  expect_elementwise(kRelu, 1.0, [](float y, double e) { return y == e; });
}
TEST(Gelu, EveryLengthAndMisalignment) {
  // |x| is at most 5 deviations
  expect_elementwise(kGelu, 1.0, [](float y, double e) { return std::abs(y - e) <= 4e-7 * 5; });
}
TEST(EluPlusOne, EveryLengthAndMisalignment) {
  expect_elementwise(kEluPlusOne, 2.0, [](float y, double e) { return std::abs(y - e) <= 3e-7 * e; });
}
TEST(Softmax, EveryLengthAndMisalignment) {
  // max x - x[i] is at most 40 for these, since the draws stay below 5 deviations.
  expect_elementwise(kSoftmax, 4.0, [](float y, double e) { return std::abs(y - e) <= (8 + 16 + 40) * 0x1p-24 * e; });
}

void expect_softmax(const std::vector<float>& x) {
  const auto y = apply(kSoftmax, x);
  const std::vector<double> twin(x.begin(), x.end());
  std::vector<double> expected(x.size());
  softmax(twin.data(), expected.data(), twin.size());
  double total = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double below = max(twin.data(), twin.size()) - twin[i];
    const double bound = (double(x.size()) / 4 + 16 + below) * 0x1p-24;
    ASSERT_LE(std::abs(y[i] - expected[i]), (expected[i] == 0 ? 0 : bound * expected[i]) + 0x1p-126) << "at " << i;
    total += y[i];
  }
  EXPECT_NEAR(total, 1.0, 1e-7 * double(x.size()));
}

TEST(Softmax, AnyFiniteScores) {
  expect_softmax({88.7f, 100.0f, 90.0f});  // e^x overflows, e^(x - max) does not
  expect_softmax({-200.0f, -201.0f, -300.0f});
  expect_softmax({3e38f, -3e38f, 3e38f});  // even the difference overflows
  expect_softmax({0.0f, -87.0f, -95.0f, -104.0f, -110.0f});
  expect_softmax(std::vector<float>(17, -3e38f));
  expect_softmax({1e10f});
  Random random(3);
  std::vector<float> many(6000);
  for (float& v : many) v = static_cast<float>(3 * random.normal());
  expect_softmax(many);
}

TEST(LogSumExp, AgreesWithItsTwinAndDoesNotOverflow) {
  Random random(4);
  for (std::size_t n = 1; n <= kLongestLength; ++n) {
    for (const std::size_t misalignment : kMisalignments) {
      for (const double deviation : {1.0, 60.0}) {
        const auto x = Guarded<float>::random(random, n, misalignment, deviation);
        const std::vector<double> twin(x.data(), x.data() + n);
        const double expected = log_sum_exp(twin.data(), n);
        ASSERT_NEAR(log_sum_exp(x.data(), n), expected, 1e-6 + 1e-7 * std::abs(expected)) << "length " << n;
      }
    }
  }
  for (const float large : {300.0f, -300.0f, 1e10f, -1e10f, 3e38f, -3e38f}) {
    const float x[] = {large};
    EXPECT_FLOAT_EQ(log_sum_exp(x, 1), large);
  }
  const float mixed[] = {500.0f, -500.0f, 500.0f};
  EXPECT_FLOAT_EQ(log_sum_exp(mixed, 3), 500.0f + std::log(2.0f));
}

// The header's bound for sums of n terms.
double sum_bound(std::size_t n, double magnitude) { return (double(n) / 4 + 8) * 0x1p-24 * magnitude; }

TEST(Sum, EveryLengthAndMisalignment) {
  Random random(5);
  for (const std::size_t misalignment : kMisalignments) {
    for (std::size_t n = 0; n <= kLongestLength; ++n) {
      const auto x = Guarded<float>::random(random, n, misalignment), y = Guarded<float>::random(random, n, misalignment);
      double total = 0, size = 0, product = 0, product_size = 0;
      for (std::size_t i = 0; i < n; ++i) {
        total += x[i];
        size += std::abs(double(x[i]));
        product += double(x[i]) * y[i];
        product_size += std::abs(double(x[i]) * y[i]);
      }
      ASSERT_LE(std::abs(sum(x.data(), n) - total), sum_bound(n, size)) << "length " << n;
      ASSERT_LE(std::abs(dot(x.data(), y.data(), n) - product), sum_bound(n, product_size)) << "length " << n;
    }
  }
}

TEST(Sum, LongAndCancelling) {
  std::vector<float> x;
  double total = 0, size = 0;
  Random random(6);
  for (int i = 0; i < 100'000; ++i) {
    x.push_back(static_cast<float>(i % 2 ? 1e6 : random.normal()));
    if (i % 4 == 1) x.back() = -x.back();
    total += x.back();
    size += std::abs(double(x.back()));
  }
  EXPECT_LE(std::abs(sum(x.data(), x.size()) - total), sum_bound(x.size(), size));
}

TEST(Max, EveryPositionOfEveryLength) {
  for (const std::size_t misalignment : kMisalignments) {
    for (std::size_t n = 1; n <= kLongestLength; ++n) {
      for (std::size_t at = 0; at < n; ++at) {
        // All others are far below 0: a tail padded with 0 would win.
        Guarded<float> x(n, misalignment, -1e30f);
        x[at] = -7.0f;
        ASSERT_EQ(max(x.data(), n), -7.0f) << "at " << at << " of " << n;
      }
    }
  }
}

TEST(Axpy, EveryLengthAndMisalignment) {
  Random random(7);
  for (const std::size_t misalignment : kMisalignments) {
    for (std::size_t n = 0; n <= kLongestLength; ++n) {
      const auto x = Guarded<float>::random(random, n, misalignment);
      auto y = Guarded<float>::random(random, n, misalignment + 1);
      const auto before = y;
      axpy(-1.7f, x.data(), y.data(), n);
      ASSERT_TRUE(y.untouched());
      for (std::size_t i = 0; i < n; ++i) {
        const double term = double(-1.7f) * x[i];
        ASSERT_LE(std::abs(y[i] - (before[i] + term)), 0x1p-23 * (std::abs(term) + std::abs(before[i])));
      }
    }
  }
}

// Runs into += function(x, y) for every length and misalignment; bound(x, y, expected) may be exceeded
// by rounding the sum alone.
template <class Function, class Bound>
void expect_accumulated(Function function, double deviation, Bound bound) {
  Random random(10);
  for (const std::size_t misalignment : kMisalignments) {
    for (std::size_t n = 0; n <= kLongestLength; ++n) {
      const auto x = Guarded<float>::random(random, n, misalignment, deviation);
      const auto y = Guarded<float>::random(random, n, misalignment + 1);
      auto into = Guarded<float>::random(random, n, misalignment);
      const std::vector<double> x2(x.data(), x.data() + n), y2(y.data(), y.data() + n);
      std::vector<double> expected(into.data(), into.data() + n);
      function(x2.data(), y2.data(), expected.data(), n);
      function(x.data(), y.data(), into.data(), n);
      ASSERT_TRUE(into.untouched());
      for (std::size_t i = 0; i < n; ++i) {
        const double rounding = 0x1p-24 * std::abs(expected[i]);
        ASSERT_LE(std::abs(into[i] - expected[i]), 1.001 * (bound(x2[i], y2[i]) + rounding)) << i << " of " << n;
      }
    }
  }
}

TEST(ActivationGradients, EveryLengthAndMisalignment) {
  const auto of_d = [](double relative) { return [=](double, double d) { return relative * std::abs(d); }; };
  expect_accumulated([](const auto* y, const auto* d, auto* into, std::size_t n) { tanh_gradient(y, d, into, n); },
                     0.3, of_d(2e-7));
  expect_accumulated([](const auto* x, const auto* d, auto* into, std::size_t n) { relu_gradient(x, d, into, n); },
                     1.0, of_d(0));
  expect_accumulated([](const auto* x, const auto* d, auto* into, std::size_t n) { gelu_gradient(x, d, into, n); },
                     2.0, of_d(5e-7));
  expect_accumulated(
      [](const auto* y, const auto* d, auto* into, std::size_t n) { elu_plus_one_gradient(y, d, into, n); }, 1.0,
      // no output is below 0, but some numbers here are: without fused multiply-add their products are rounded too
      [](double y, double d) { return 0x1p-24 * std::abs(d) * std::max(1.0, std::abs(y)); });
  // at the kinks, the slopes the headers name
  const float x[] = {0.0f, 1.0f}, d[] = {1.0f, 1.0f};
  float of_relu[2] = {}, of_elu[2] = {};
  relu_gradient(x, d, of_relu, 1);
  elu_plus_one_gradient(x + 1, d, of_elu, 1);
  EXPECT_EQ(of_relu[0], 0.0f);
  EXPECT_EQ(of_elu[0], 1.0f);
}

TEST(AddAndMultiply, EveryLengthAndMisalignment) {
  Random random(11);
  for (const std::size_t misalignment : kMisalignments) {
    for (std::size_t n = 0; n <= kLongestLength; ++n) {
      const auto x = Guarded<float>::random(random, n, misalignment);
      const auto y = Guarded<float>::random(random, n, misalignment + 1);
      Guarded<float> sums(n, misalignment), products(n, misalignment + 1), scaled(n, misalignment + 1);
      add(x.data(), y.data(), sums.data(), n);
      multiply(x.data(), y.data(), products.data(), n);
      scale(-1.7f, x.data(), scaled.data(), n);
      ASSERT_TRUE(sums.untouched() && products.untouched() && scaled.untouched());
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_EQ(sums[i], x[i] + y[i]);
        ASSERT_EQ(products[i], x[i] * y[i]);
        ASSERT_EQ(scaled[i], -1.7f * x[i]);
      }
    }
  }
  expect_accumulated([](const auto* x, const auto* y, auto* into, std::size_t n) { multiply_add(x, y, into, n); }, 1.0,
                     [](double x, double y) { return 0x1p-23 * std::abs(x * y); });
}

TEST(AdditiveScore, EveryLengthAndMisalignment) {
  Random random(8);
  for (const std::size_t misalignment : kMisalignments) {
    for (const double deviation : {0.1, 1.0, 30.0}) {
      for (std::size_t n = 0; n <= kLongestLength; ++n) {
        const auto v = Guarded<float>::random(random, n, misalignment);
        const auto q = Guarded<float>::random(random, n, misalignment, deviation);
        const auto k = Guarded<float>::random(random, n, misalignment + 1, deviation);
        double expected = 0, size = 0;
        for (std::size_t i = 0; i < n; ++i) {
          expected += v[i] * std::tanh(double(q[i] + k[i]));
          size += std::abs(double(v[i]));
        }
        ASSERT_LE(std::abs(additive_score(v.data(), q.data(), k.data(), n) - expected),
                  (double(n) / 4 + 16) * 0x1p-23 * size)
            << "length " << n;
      }
    }
  }
}

TEST(AdditiveScore, GradientEveryLengthAndMisalignment) {
  Random random(9);
  for (const std::size_t misalignment : kMisalignments) {
    for (std::size_t n = 0; n <= kLongestLength; ++n) {
      const auto draw = [&](std::size_t more) { return Guarded<float>::random(random, n, misalignment + more); };
      const auto v = draw(0), q = draw(1), k = draw(0);
      auto dv = draw(0), dq = draw(1), dk = draw(0);  // gradients are added to what is there
      const auto twin = [&](const Guarded<float>& g) { return std::vector<double>(g.data(), g.data() + n); };
      const auto v2 = twin(v), q2 = twin(q), k2 = twin(k);
      auto dv2 = twin(dv), dq2 = twin(dq), dk2 = twin(dk);
      additive_score_gradient(-0.7, v2.data(), q2.data(), k2.data(), dv2.data(), dq2.data(), dk2.data(), n);
      additive_score_gradient(-0.7f, v.data(), q.data(), k.data(), dv.data(), dq.data(), dk.data(), n);
      ASSERT_TRUE(dv.untouched() && dq.untouched() && dk.untouched());
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_NEAR(dv[i], dv2[i], 1e-6);
        ASSERT_NEAR(dq[i], dq2[i], 1e-6);
        ASSERT_NEAR(dk[i], dk2[i], 1e-6);
      }
    }
  }
}

}  // namespace
}  // namespace softalign::kernels
