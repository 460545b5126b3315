#include "ops/linear.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "kernels/byte_products.h"
#include "kernels/relaxed/multiply_bytes.h"
#include "unit/support/bytes.h"
#include "unit/support/golden.h"
#include "unit/support/gradients.h"

namespace softalign::ops {
namespace {

using testing::expect_gradients;
using testing::weighed_sum;

TEST(Linear, GradientsForFewAndManyRows) {
  // 3 and 20 rows: the product is a gemv for the first, a gemm for the second.
  for (const std::size_t rows : {std::size_t{1}, std::size_t{3}, std::size_t{20}}) {
    Parameters<double> p;
    const auto& x = p.add("x", {rows, 5}, 0);
    const auto& weight = p.add("weight", {4, 5}, 0);
    const auto& bias = p.add("bias", {4}, 0);
    testing::randomise(p);
    expect_gradients(p, [&](Graph<double>& g) {
      return weighed_sum(g, {linear(g, g.use(x), g.use(weight), g.use(bias)), linear(g, g.use(x), g.use(weight))});
    });
  }
}

TEST(Linear, OneWeightUsedSeveralTimesGathersAllItsGradients) {
  Parameters<double> p;
  const auto& x = p.add("x", {2, 3}, 0);
  const auto& weight = p.add("weight", {3, 3}, 0);
  const auto& bias = p.add("bias", {3}, 0);
  testing::randomise(p);
  expect_gradients(p, [&](Graph<double>& g) {
    Var<double> y = g.use(x);
    for (int i = 0; i < 4; ++i) y = linear(g, y, g.use(weight), g.use(bias));
    return weighed_sum(g, {y});
  });
}

TEST(Linear, AddedToAnExistingTensor) {
  Parameters<double> p;
  const auto& x = p.add("x", {2, 3}, 0);
  const auto& z = p.add("z", {2, 4}, 0);
  const auto& of_x = p.add("of_x", {5, 3}, 0);
  const auto& of_z = p.add("of_z", {5, 4}, 0);
  testing::randomise(p);
  expect_gradients(p, [&](Graph<double>& g) {
    const Var<double> y = linear(g, g.use(x), g.use(of_x));
    add_linear(g, y, g.use(z), g.use(of_z));
    return weighed_sum(g, {y});
  });
  Graph<double> g;
  const Var<double> sum = linear(g, g.use(x), g.use(of_x));
  add_linear(g, sum, g.use(z), g.use(of_z));
  const Var<double> one = linear(g, g.use(x), g.use(of_x)), two = linear(g, g.use(z), g.use(of_z));
  for (std::size_t i = 0; i < sum.size(); ++i) EXPECT_NEAR(sum.value[i], one.value[i] + two.value[i], 1e-12);
}

TEST(Linear, FloatFewAndManyRowsAgree) {
  Parameters<float> p;
  const auto& x = p.add("x", {20, 37}, 1);
  const auto& weight = p.add("weight", {19, 37}, 1);
  const auto& bias = p.add("bias", {19}, 1);
  Graph<float> g;
  const Var<float> all = linear(g, g.use(x), g.use(weight), g.use(bias));
  for (std::size_t r = 0; r < 20; ++r) {
    const Var<float> one = linear(g, g.use(x).slice(r, 1), g.use(weight), g.use(bias));
    for (std::size_t i = 0; i < 19; ++i) EXPECT_NEAR(one.value[i], all.value[r * 19 + i], 1e-5);
  }
}

// What is lost of x is at most half a step of its row, of which there are 127.
TEST(Linear, ByProductsOfBytes) {
  constexpr std::size_t kRows = 3, kWidth = 37, kOutputs = 21;
  Parameters<float> p;
  const auto& x = p.add("x", {kRows, kWidth}, 1, 0.5);
  const auto& bias = p.add("bias", {kOutputs}, 1);
  p.add("weight", {kOutputs, kWidth}, 1);
  p.add("bytes", {kOutputs, kWidth}, 1);
  Parameter<float>&weight = *p.find("weight"), &bytes = *p.find("bytes");
  testing::store_in_bytes(bytes, testing::take_numbers_of_bytes(weight));
  const std::array<std::int32_t, 3> ids{20, 3, 3};
  const Parameter<float> some = rows_of(weight, ids), some_bytes = rows_of(bytes, ids);

  const auto all = [&](const Parameter<float>& w, const Parameter<float>& some_of_w) {
    Graph<float> g;
    std::vector<float> values;
    for (const Var<float> y : {linear(g, g.use(x), g.use(w)), linear(g, g.use(x), g.use(w), g.use(bias)), linear(g, g.use(x), g.use(some_of_w))}) {
      values.insert(values.end(), y.value, y.value + y.size());
    }
    return values;
  };
  const std::vector<float> expected = all(weight, some), exact = all(bytes, some_bytes);
  kernels::multiply_bytes = softalign_multiply_bytes;
  const std::vector<float> is = all(bytes, some_bytes);
  kernels::multiply_bytes = nullptr;

  // x is within [-0.5, 1.5], the weights' sizes add up to less than 37 * 127 * 0.008.
  const double bound = 2.0 / 127 / 2 * 37 * 127 * 0.008;
  double most = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(exact[i], expected[i], 1e-3);
    ASSERT_NEAR(is[i], expected[i], bound) << i;
    most = std::max(most, std::abs(double(is[i]) - exact[i]));
  }
  EXPECT_GT(most, 1e-4) << "these products were not asked";
  EXPECT_LT(most, bound / 4) << "errors should cancel";
}

TEST(Linear, NoRowsGiveNoRows) {
  Parameters<float> p;
  const auto& weight = p.add("weight", {4, 3}, 1);
  Graph<float> g;
  EXPECT_EQ(linear(g, g.make({0, 3}), g.use(weight)).shape, (Shape{0, 4}));
}

TEST(Linear, ShapesThatDoNotFitAreNamed) {
  Parameters<float> p;
  const auto& weight = p.add("weight", {4, 3}, 1);
  const auto& bias = p.add("bias", {5}, 1);
  Graph<float> g;
  const Var<float> x = g.zeros({2, 3}), wide = g.zeros({2, 4});
  try {
    linear(g, wide, g.use(weight));
    FAIL();
  } catch (const ShapeError& e) {
    EXPECT_STREQ(e.what(), "linear: width of x is 4, expected 3");
    EXPECT_STREQ(e.code(), "shape");
  }
  EXPECT_THROW(linear(g, x, g.use(weight), g.use(bias)), ShapeError);
  EXPECT_THROW(add_linear(g, wide, wide, g.use(weight)), ShapeError);
  EXPECT_THROW(add_linear(g, x, x, g.use(weight)), ShapeError);
}

TEST(Lookup, GradientsOfRepeatedRowsAddUp) {
  Parameters<double> p;
  const auto& table = p.add("table", {5, 3}, 0);
  testing::randomise(p);
  const std::int32_t ids[] = {4, 0, 4, 2, 4};
  expect_gradients(p, [&](Graph<double>& g) { return weighed_sum(g, {lookup(g, g.use(table), ids)}); });
}

TEST(Lookup, AnIdOutsideTheTableIsAnError) {
  Parameters<float> p;
  const auto& table = p.add("table", {5, 3}, 1);
  Graph<float> g;
  for (const std::int32_t bad : {5, -1, 2'000'000'000}) {
    const std::int32_t ids[] = {0, bad};
    try {
      lookup(g, g.use(table), ids);
      FAIL();
    } catch (const ArgumentError& e) {
      EXPECT_EQ(std::string(e.what()), "lookup: id " + std::to_string(bad) + " at position 1, expected 0..4");
    }
  }
}

}  // namespace
}  // namespace softalign::ops
