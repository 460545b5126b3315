#include "ops/elementwise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/support/gradients.h"

namespace softalign::ops {
namespace {

using testing::expect_gradients;
using testing::weighed_sum;

TEST(Elementwise, Gradients) {
  Parameters<double> p;
  const auto& a = p.add("a", {2, 3}, 0);
  const auto& b = p.add("b", {2, 3}, 0);
  const auto& narrow = p.add("narrow", {2, 1}, 0);
  const auto& row = p.add("row", {1, 3}, 0);
  const auto& factor = p.add("factor", {1}, 0);
  testing::randomise(p);
  expect_gradients(p, [&](Graph<double>& g) {
    const Var<double> parts[] = {g.use(a), g.use(row), g.use(b)};
    return weighed_sum(g, {add(g, g.use(a), g.use(b)), add(g, g.use(a), g.use(a)), tanh(g, g.use(a)),
                           add_scaled(g, g.use(a), g.use(b), -0.3),
                           add_scaled(g, g.use(a), g.use(b), g.use(factor)), relu(g, g.use(a)),
                           gelu(g, g.use(a)), elu_plus_one(g, g.use(a)),
                           concat(g, g.use(a), g.use(narrow)), stack<double>(g, parts), repeat(g, g.use(row), 4),
                           dropout(g, g.use(b), 0.4)});
  });
}

TEST(Elementwise, Values) {
  Graph<float> g;
  const float x[] = {1, 2, 3, 4}, z[] = {10, 20, 30, 40};
  const Var<float> a = g.constant({2, 2}, x), b = g.constant({2, 2}, z);
  const auto expect = [](const Var<float>& v, const Shape& shape, const std::vector<float>& values) {
    EXPECT_EQ(v.shape, shape);
    EXPECT_EQ(std::vector<float>(v.value, v.value + v.size()), values);
  };
  expect(add(g, a, b), {2, 2}, {11, 22, 33, 44});
  const float signs[] = {-2, 0, 0.5f, 3};
  const Var<float> s = g.constant({2, 2}, signs);
  expect(relu(g, s), {2, 2}, {0, 0, 0.5f, 3});
  expect(elu_plus_one(g, s.slice(1, 1)), {1, 2}, {1.5f, 4});
  expect(concat(g, a, b), {2, 4}, {1, 2, 10, 20, 3, 4, 30, 40});
  const Var<float> parts[] = {a, b.slice(1, 1)};
  expect(stack<float>(g, parts), {3, 2}, {1, 2, 3, 4, 30, 40});
  expect(repeat(g, a.slice(1, 1), 3), {3, 2}, {3, 4, 3, 4, 3, 4});
}

TEST(Elementwise, PartsOfALargerTensor) {
  Parameters<double> p;
  const auto& a = p.add("a", {2, 3}, 0);
  const auto& b = p.add("b", {2, 3}, 0);
  testing::randomise(p);
  expect_gradients(p, [&](Graph<double>& g) {
    const Var<double> all = g.make({4, 3});
    copy(g, g.use(a), all.slice(0, 2));
    add_scaled(g, g.use(a), g.use(b), 0.6, all.slice(2, 2));
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_EQ(all.value[i], a.value[i]);
      EXPECT_DOUBLE_EQ(all.value[6 + i], a.value[i] + 0.6 * b.value[i]);
    }
    return weighed_sum(g, {all});
  });
}

TEST(Elementwise, ShapesThatDoNotFitAreNamed) {
  Graph<float> g;
  const Var<float> a = g.zeros({2, 3}), b = g.zeros({3, 2});
  EXPECT_THROW(add(g, a, b), ShapeError);
  EXPECT_THROW(add_scaled(g, a, b, 1), ShapeError);
  EXPECT_THROW(add_scaled(g, a, a, 1, b), ShapeError);
  EXPECT_THROW(add_scaled(g, a, b, g.zeros({1})), ShapeError);
  EXPECT_THROW(add_scaled(g, a, a, g.zeros({2})), ShapeError);
  EXPECT_THROW(copy(g, a, b), ShapeError);
  EXPECT_THROW(concat(g, a, b), ShapeError);
  EXPECT_THROW(repeat(g, a, 2), ShapeError);
  const Var<float> parts[] = {a, b};
  EXPECT_THROW(stack<float>(g, parts), ShapeError);
}

TEST(Dropout, KeepsTheMeanAndDropsItsShare) {
  std::vector<float> none(1);
  Graph<float> g(none.data(), 5);
  const std::size_t n = 100'000;
  const std::vector<float> ones(n, 1.0f);
  for (const double rate : {0.1, 0.3, 0.75}) {
    const Var<float> y = dropout(g, g.constant({n}, ones.data()), rate);
    double dropped = 0, total = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (y.value[i] == 0) ++dropped;
      else ASSERT_FLOAT_EQ(y.value[i], static_cast<float>(1 / (1 - rate)));
      total += y.value[i];
    }
    // Five standard deviations of a share of n draws.
    const double slack = 5 * std::sqrt(rate * (1 - rate) / double(n));
    EXPECT_NEAR(dropped / double(n), rate, slack);
    EXPECT_NEAR(total / double(n), 1.0, slack / (1 - rate));
  }
}

TEST(Dropout, DoesNothingWhenInferringAndDependsOnTheSeedWhenTraining) {
  const std::vector<float> ones(1000, 1.0f);
  Graph<float> infers;
  const Var<float> a = infers.constant({1000}, ones.data());
  EXPECT_EQ(dropout(infers, a, 0.5).value, a.value);
  std::vector<float> none(1);
  const auto drawn = [&](std::uint64_t seed) {
    Graph<float> g(none.data(), seed);
    const Var<float> y = dropout(g, g.constant({1000}, ones.data()), 0.5);
    return std::vector<float>(y.value, y.value + y.size());
  };
  EXPECT_EQ(drawn(1), drawn(1));
  EXPECT_NE(drawn(1), drawn(2));
  Graph<float> g(none.data(), 1);
  EXPECT_THROW(dropout(g, g.constant({1}, ones.data()), 1.0), ArgumentError);
}

}  // namespace
}  // namespace softalign::ops
