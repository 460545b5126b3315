#include "bench/complexity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/error.h"

namespace softalign::bench {
namespace {

// Samples of a law seconds = c n^a d^b.
std::vector<Sample> law(double c, double a, double b) {
  std::vector<Sample> samples;
  for (const std::size_t d : {16, 64, 128}) {
    for (const std::size_t n : {10, 50, 100, 200}) {
      samples.push_back({n, d, c * std::pow(n, a) * std::pow(d, b), n * d});
    }
  }
  return samples;
}

TEST(Fit, FindsTheExponentsOfALaw) {
  const auto time = [](const Sample& s) { return s.seconds; };
  const Exponents quadratic = fit(law(3e-9, 2, 1), time), recurrent = fit(law(2e-8, 1, 2), time);
  EXPECT_NEAR(quadratic.of_n, 2, 1e-9);
  EXPECT_NEAR(quadratic.of_d, 1, 1e-9);
  EXPECT_NEAR(recurrent.of_n, 1, 1e-9);
  EXPECT_NEAR(recurrent.of_d, 2, 1e-9);
}

TEST(Fit, NeedsSeveralSizes) {
  const std::vector<Sample> one_width = {{10, 4, 1, 1}, {20, 4, 2, 1}};
  EXPECT_THROW(fit(one_width, [](const Sample& s) { return s.seconds; }), ArgumentError);
  EXPECT_THROW(fit({}, [](const Sample& s) { return s.seconds; }), ArgumentError);
}

TEST(Crossover, IsWhereTwoLawsMeet) {
  LayerCost dense, linear;
  dense.samples = law(1, 2, 0);
  linear.samples = law(80, 1, 0);  // n^2 = 80 n at n = 80
  EXPECT_EQ(crossover(linear, dense, 64), 80);
  EXPECT_EQ(crossover(dense, linear, 64), 0);
  linear.samples = law(1e6, 1, 0);
  EXPECT_EQ(crossover(linear, dense, 64), SIZE_MAX);
}

// Small sizes, since what is tested is that all layers run and are told apart, not how fast.
TEST(Complexity, MeasuresEveryLayer) {
  std::size_t reported = 0;
  const auto costs = measure_complexity({.lengths = {8, 16}, .fit_from = 0, .widths = {4, 8}, .kernel = 3, .radius = 2, .seconds = 0},
                                        [&](const LayerCost&) { ++reported; });
  EXPECT_EQ(costs.size(), 5);
  EXPECT_EQ(reported, 5);
  for (const LayerCost& cost : costs) {
    EXPECT_EQ(cost.samples.size(), 4);
    for (const Sample& s : cost.samples) {
      EXPECT_GT(s.seconds, 0);
      EXPECT_GT(s.bytes, 0);
    }
    EXPECT_EQ(cost.is_sequential, cost.name == "recurrent");
  }
  const std::string table = complexity_table(costs, 8);
  EXPECT_NE(table.find("linear attention"), std::string::npos);
  EXPECT_NE(table.find("beats self-attention at d = 8"), std::string::npos);
}

}  // namespace
}  // namespace softalign::bench
