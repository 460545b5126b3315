#include "layers/attention/linear_attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "unit/support/golden.h"
#include "unit/support/gradients.h"

namespace softalign::layers {
namespace {

using testing::Golden;
using Lengths = std::vector<std::int32_t>;

template <class T>
class LinearAttention_ : public ::testing::Test {};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(LinearAttention_, Numbers);

template <class T>
using Over = typename LinearAttention<T>::Over;

const std::vector<std::string> kWeights = {"q_proj.weight", "q_proj.bias", "k_proj.weight",   "k_proj.bias",
                                           "v_proj.weight", "v_proj.bias", "out_proj.weight", "out_proj.bias"};

TYPED_TEST(LinearAttention_, AgreesWithPyTorch) {
  using T = TypeParam;
  const std::pair<const char*, std::size_t> cases[] = {
      {"linear_attention", 2},        {"linear_attention_one", 1},        {"linear_attention_long", 4},
      {"causal_linear_attention", 3}, {"causal_linear_attention_one", 3}, {"causal_linear_attention_long", 2}};
  for (const auto& [name, heads] : cases) {
    SCOPED_TRACE(name);
    const Golden golden(name);
    const auto over = std::string(name).starts_with("causal") ? Over<T>::kPast : Over<T>::kAll;
    const Lengths lengths = golden.ints("input.lengths");
    Parameters<T> p;
    const auto& x = testing::add_input(p, golden, "input.x");
    const LinearAttention<T> attention(p, "attention", x.shape.width(), heads);
    for (const std::string& weight : kWeights) testing::load(p, golden, "attention." + weight, "weight." + weight);
    std::vector<T> gradients(p.size());
    Graph<T> g(gradients.data(), 1);
    const Var<T> y = attention(g, g.use(x), lengths, over), weights = attention.weights(g, g.use(x), lengths, over);
    EXPECT_EQ(y.shape, x.shape);
    EXPECT_EQ(weights.shape.to_string(), golden.shape("output.weights").to_string());
    testing::expect_golden(golden, "output.y", y.value, y.size());
    testing::expect_golden(golden, "output.weights", weights.value, weights.size());
    g.backward(testing::weighed_sum<T>(g, {{y, testing::seed_of<T>(golden, "seed.y")}}));
    testing::expect_golden_gradient(golden, "grad.x", p, "input.x", gradients);
    for (const std::string& weight : kWeights) {
      testing::expect_golden_gradient(golden, "grad." + weight, p, "attention." + weight, gradients);
    }
    if (over == Over<T>::kAll) continue;
    // and one step after the other
    Graph<T> steps;
    const std::size_t B = x.shape[1], D = x.shape[2];
    auto state = attention.start(steps, B);
    for (std::size_t t = 0; t < x.shape[0]; ++t) {
      const auto step = attention.step(steps, steps.use(x).slice(t * B, B), state);
      for (std::size_t b = 0; b < B; ++b) {
        if (t >= static_cast<std::size_t>(lengths[b])) continue;
        for (std::size_t i = 0; i < D; ++i) {
          const double expected = y.value[(t * B + b) * D + i];
          ASSERT_NEAR(step.y.value[b * D + i], expected, testing::kGoldenTolerance<T> * (1 + std::abs(expected)));
        }
      }
      state = step.state;
    }
  }
}

TEST(LinearAttention, Gradients) {
  Parameters<double> p;
  const auto& x = p.add("x", {4, 2, 6}, 0);
  const LinearAttention<double> attention(p, "attention", 6, 3);
  testing::randomise(p);
  const Lengths lengths = {3, 4};
  testing::expect_gradients(p, [&](Graph<double>& g) {
    std::vector<Var<double>> outputs = {attention(g, g.use(x), lengths),
                                        attention(g, g.use(x), lengths, Over<double>::kPast)};
    auto state = attention.start(g, 2);
    for (std::size_t t = 0; t < 4; ++t) {
      const auto step = attention.step(g, g.use(x).slice(t * 2, 2), state);
      outputs.push_back(step.y);
      state = step.state;
    }
    outputs.push_back(state.sums);
    outputs.push_back(state.keys);
    return testing::weighed_sum(g, outputs);
  });
}

TYPED_TEST(LinearAttention_, AStepInPlaceIsTheSameStep) {
  using T = TypeParam;
  Parameters<T> p;
  const LinearAttention<T> attention(p, "attention", 4, 2);
  const auto& x = p.add("x", {5, 2, 4}, 1);
  Graph<T> g;
  auto apart = attention.start(g, 2), in_place = attention.start(g, 2);
  for (std::size_t t = 0; t < 5; ++t) {
    const auto one = attention.step(g, g.use(x).slice(t * 2, 2), apart);
    const auto other = attention.step(g, g.use(x).slice(t * 2, 2), in_place, in_place);
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(one.y.value[i], other.y.value[i]);
    EXPECT_EQ(other.state.sums.value, in_place.sums.value);
    EXPECT_NE(one.state.sums.value, apart.sums.value);
    apart = one.state;
  }
}

TYPED_TEST(LinearAttention_, InfinityAndNotANumberStayInTheirSequence) {
  using T = TypeParam;
  for (const T bad : {std::numeric_limits<T>::infinity(), std::numeric_limits<T>::quiet_NaN()}) {
    Parameters<T> p;
    const LinearAttention<T> attention(p, "attention", 4, 2);
    const auto& x = p.add("x", {3, 2, 4}, 1);
    p.find("x")->value[(1 * 2 + 0) * 4] = bad;
    Graph<T> g;
    const Var<T> all = attention(g, g.use(x), {}), past = attention(g, g.use(x), {}, Over<T>::kPast);
    for (std::size_t t = 0; t < 3; ++t) {
      for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_TRUE(std::isnan(all.value[(t * 2 + 0) * 4 + i]));
        EXPECT_EQ(std::isnan(past.value[(t * 2 + 0) * 4 + i]), t >= 1);
        EXPECT_TRUE(std::isfinite(all.value[(t * 2 + 1) * 4 + i]) && std::isfinite(past.value[(t * 2 + 1) * 4 + i]));
      }
    }
  }
}

TYPED_TEST(LinearAttention_, WhatDoesNotFitIsNamed) {
  using T = TypeParam;
  Parameters<T> p;
  try {
    LinearAttention<T>(p, "attention", 6, 4);
    FAIL();
  } catch (const ArgumentError& e) {
    EXPECT_STREQ(e.what(), "LinearAttention: heads is 4, expected a divisor of the width 6");
  }
  EXPECT_THROW(LinearAttention<T>(p, "attention", 6, 0), ArgumentError);
  EXPECT_THROW(LinearAttention<T>(p, "attention", 0, 1), ArgumentError);
  const LinearAttention<T> attention(p, "attention", 6, 3);
  EXPECT_EQ(attention.width(), 6u);
  EXPECT_EQ(attention.heads(), 3u);
  Graph<T> g;
  EXPECT_THROW(attention(g, g.zeros({3, 6}), {}), ShapeError);
  EXPECT_THROW(attention(g, g.zeros({3, 2, 5}), {}), ShapeError);
  EXPECT_THROW(attention.weights(g, g.zeros({3, 6}), {}), ShapeError);
  EXPECT_THROW(attention(g, g.zeros({3, 2, 6}), Lengths{3}), ShapeError);
  EXPECT_THROW(attention.step(g, g.zeros({3, 6}), attention.start(g, 2)), ShapeError);
}

}  // namespace
}  // namespace softalign::layers
