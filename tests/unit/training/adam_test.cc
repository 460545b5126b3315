#include "training/adam.h"

#include <gtest/gtest.h>

#include <vector>

#include "unit/support/golden.h"

namespace softalign::training {
namespace {

template <class T>
class Adam_ : public ::testing::Test {};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Adam_, Numbers);

TYPED_TEST(Adam_, FiveStepsAgreeWithPyTorch) {
  using T = TypeParam;
  const testing::Golden golden("adam");
  Parameters<T> p;
  p.add("before", {3}, 1);  // offsets count
  p.add("w", {11}, 0);
  testing::load(p, golden, "w", "input.start");
  Adam<T> whole(p, {});
  const auto gradients = golden.floats("input.gradients");
  std::vector<T> got;
  for (std::size_t step = 0; step < 5; ++step) {
    std::vector<T> gradient(14);
    for (std::size_t i = 0; i < 11; ++i) gradient[3 + i] = static_cast<T>(gradients[step * 11 + i]);
    if (step % 2) {
      whole.step(gradient.data(), 0.0015);
    } else {  // in parts, as threads do it
      whole.begin_step();
      whole.update(gradient.data(), 0.0015, 9, 14);
      whole.update(gradient.data(), 0.0015, 0, 9);
    }
    const auto& w = p.find("w")->value;
    got.insert(got.end(), w.begin(), w.end());
  }
  testing::expect_golden(golden, "output.steps", got.data(), got.size());
  EXPECT_EQ(whole.steps(), 5u);
}

TEST(Adam, AveragesTheWeights) {
  Parameters<double> p;
  p.add("w", {1}, 0);
  AdamSettings settings;
  settings.average_decay = 0.5;
  Adam<double> adam(p, settings);
  double expected = 0;
  for (int t = 1; t <= 30; ++t) {
    const double gradient = -1;
    adam.step(&gradient, 0.1);
    const double decay = std::min(0.5, (1.0 + t) / (10.0 + t));
    expected = decay * expected + (1 - decay) * p.find("w")->value[0];
    EXPECT_NEAR(adam.average[0], expected, 1e-12);
  }
}

TEST(CosineRate, WarmsUpAndComesDown) {
  EXPECT_DOUBLE_EQ(cosine_rate(0.002, 0, 100, 1000), 0.002 / 100);
  EXPECT_DOUBLE_EQ(cosine_rate(0.002, 99, 100, 1000), 0.002);
  EXPECT_DOUBLE_EQ(cosine_rate(0.002, 100, 100, 1000), 0.002);
  EXPECT_NEAR(cosine_rate(0.002, 550, 100, 1000), 0.001, 1e-12);
  EXPECT_NEAR(cosine_rate(0.002, 1000, 100, 1000), 2e-6, 1e-12);
  EXPECT_NEAR(cosine_rate(0.002, 5000, 100, 1000), 2e-6, 1e-12);
  EXPECT_NEAR(cosine_rate(0.002, 5, 0, 0), 2e-6, 1e-12);
  for (std::uint64_t t = 101; t <= 1000; ++t) {
    EXPECT_LE(cosine_rate(0.002, t, 100, 1000), cosine_rate(0.002, t - 1, 100, 1000));
  }
}

}  // namespace
}  // namespace softalign::training
