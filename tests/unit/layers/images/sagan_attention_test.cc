#include "layers/images/sagan_attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "ops/patches.h"
#include "unit/support/golden.h"
#include "unit/support/gradients.h"

namespace softalign::layers {
namespace {

using testing::Golden;

template <class T>
class SaganAttention_ : public ::testing::Test {};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(SaganAttention_, Numbers);

TYPED_TEST(SaganAttention_, AgreesWithPyTorch) {
  using T = TypeParam;
  for (const char* name : {"sagan_attention", "sagan_attention_large", "sagan_attention_pixel"}) {
    SCOPED_TRACE(name);
    const Golden golden(name);
    Parameters<T> p;
    const auto& images = testing::add_input(p, golden, "input.images");
    const Shape size = images.shape;
    const SaganAttention<T> layer(p, "layer", size[1], golden.shape("weight.f.weight")[0]);
    const std::vector<std::string> weights = {"f.weight", "g.weight", "h.weight", "v.weight", "gamma"};
    for (const std::string& part : weights) {  // the numbers of a Conv2d, [out, in, 1, 1]
      const auto values = golden.floats("weight." + part);
      auto& to = p.find("layer." + part)->value;
      ASSERT_EQ(values.size(), to.size()) << part;
      to.assign(values.begin(), values.end());
    }
    std::vector<T> gradients(p.size());
    Graph<T> g(gradients.data(), 1);
    const auto result = layer(g, ops::patches(g, g.use(images), 1));
    const Var<T> y = ops::from_patches(g, result.output, {size[2], size[3]}, 1);
    EXPECT_EQ(y.shape, size);
    EXPECT_EQ(result.weights.shape, (Shape{size[0], 1, size[2] * size[3], size[2] * size[3]}));
    testing::expect_golden(golden, "output.images", y.value, y.size());
    testing::expect_golden(golden, "output.weights", result.weights.value, result.weights.size());
    g.backward(testing::weighed_sum<T>(g, {{y, testing::seed_of<T>(golden, "seed.images")},
                                           {result.weights, testing::seed_of<T>(golden, "seed.weights")}}));
    testing::expect_golden_gradient(golden, "grad.images", p, "input.images", gradients);
    for (const std::string& part : weights) {
      testing::expect_golden_gradient(golden, "grad." + part, p, "layer." + part, gradients);
    }
  }
}

TEST(SaganAttention, Gradients) {
  Parameters<double> p;
  const auto& x = p.add("x", {6, 2, 3}, 0);
  const SaganAttention<double> layer(p, "layer", 3, 2);
  testing::randomise(p);
  testing::expect_gradients(p, [&](Graph<double>& g) {
    const auto result = layer(g, g.use(x));
    return testing::weighed_sum(g, {result.output, result.weights});
  });
}

TEST(SaganAttention, StartsAsTheIdentityAndAnEighthWide) {
  Parameters<float> p;
  const auto& x = p.add("x", {12, 2, 20}, 1);
  const SaganAttention<float> layer(p, "layer", 20);
  EXPECT_EQ(p.find("layer.f.weight")->shape, (Shape{2, 20}));
  EXPECT_EQ(p.find("layer.v.weight")->shape, (Shape{20, 2}));
  Graph<float> g;
  const Var<float> y = layer(g, g.use(x)).output;
  EXPECT_EQ(AlignedVector<float>(y.value, y.value + y.size()), x.value);
  SaganAttention<float>(p, "narrow", 7);
  EXPECT_EQ(p.find("narrow.h.weight")->shape, (Shape{1, 7}));
}

TYPED_TEST(SaganAttention_, OnePositionsNotANumberStaysInItsImage) {
  using T = TypeParam;
  Parameters<T> p;
  const SaganAttention<T> layer(p, "layer", 2);
  p.find("layer.gamma")->value = {1};
  for (const T bad : {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity()}) {
    std::vector<T> x(4 * 2 * 2, T(1));
    x[2] = bad;  // position 0 of image 1
    Graph<T> g;
    const Var<T> y = layer(g, g.constant({4, 2, 2}, x.data())).output;
    for (std::size_t row = 0; row < 8; ++row) EXPECT_EQ(std::isfinite(y.value[row * 2]), row % 2 == 0) << row;
  }
}

TEST(SaganAttention, WhatDoesNotFitIsNamed) {
  Parameters<float> p;
  try {
    SaganAttention<float>(p, "none", 8, 0);
    FAIL();
  } catch (const ArgumentError& e) {
    EXPECT_EQ(std::string(e.what()), "SaganAttention: width is 8, reduced to 0, expected both above 0");
  }
  EXPECT_THROW(SaganAttention<float>(p, "none", 0), ArgumentError);
  const SaganAttention<float> layer(p, "layer", 8);
  Graph<float> g;
  EXPECT_THROW(layer(g, g.zeros({4, 2, 7})), ShapeError);
  EXPECT_THROW(layer(g, g.zeros({4, 8})), ShapeError);
  EXPECT_THROW(layer(g, g.zeros({2, 8, 2, 2})), ShapeError);
  EXPECT_THROW(layer(g, g.zeros({0, 2, 8})), ShapeError);
  EXPECT_THROW(layer(g, g.zeros({4, 0, 8})), ShapeError);
}

}  // namespace
}  // namespace softalign::layers
