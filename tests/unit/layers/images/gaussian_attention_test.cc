#include "layers/images/gaussian_attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "unit/support/bytes.h"
#include "unit/support/errors.h"
#include "unit/support/golden.h"
#include "unit/support/gradients.h"

namespace softalign::layers {
namespace {

using testing::Golden;

template <class T>
class GaussianAttention_ : public ::testing::Test {};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(GaussianAttention_, Numbers);

template <class T>
std::vector<T> numbers_of(const Golden& golden, const char* name) {
  const auto values = golden.floats(name);
  return {values.begin(), values.end()};
}

TYPED_TEST(GaussianAttention_, AgreesWithPyTorch) {
  using T = TypeParam;
  struct Case {
    const char* file;
    std::size_t width, padding;
  };
  for (const Case& c : {Case{"gaussian_attention", 2, 1}, {"gaussian_attention_large", 2, 2}, {"gaussian_attention_pixel", 1, 0}}) {
    SCOPED_TRACE(c.file);
    const Golden golden(c.file);
    Parameters<T> p;
    const auto& images = testing::add_input(p, golden, "input.images");
    const ops::ImageSize size = {images.shape[2], images.shape[3]};
    const std::size_t H = golden.shape("weight.sharpness")[0], out = golden.shape("weight.out_proj.bias")[0];
    const GaussianAttention<T> layer(p, "layer", {images.shape[1], out, H, c.width, c.padding});
    const std::vector<std::string> weights = {"centres", "sharpness", "v_proj.weight", "out_proj.weight", "out_proj.bias"};
    for (const std::string& part : weights) testing::load(p, golden, "layer." + part, "weight." + part);
    std::vector<T> gradients(p.size());
    Graph<T> g(gradients.data(), 1);
    const auto result = layer(g, ops::patches(g, g.use(images), 1), size);
    const Var<T> y = ops::from_patches(g, result.output, size, 1);
    EXPECT_EQ(result.weights.shape, golden.shape("output.weights"));
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

TYPED_TEST(GaussianAttention_, IsTheConvolutionItIsMadeFrom) {
  using T = TypeParam;
  for (const char* name : {"convolution_1", "convolution_3", "convolution_3_pixel", "convolution_5", "convolution_5_small"}) {
    SCOPED_TRACE(name);
    const Golden golden(name);
    Parameters<T> p;
    const auto& images = testing::add_input(p, golden, "input.images");
    const ops::ImageSize size = {images.shape[2], images.shape[3]};
    const Shape shape = golden.shape("weight.weight");
    const auto weight = numbers_of<T>(golden, "weight.weight"), bias = numbers_of<T>(golden, "weight.bias");
    const auto layer = GaussianAttention<T>::equal_to(p, "layer", shape, weight, bias);
    std::vector<T> gradients(p.size());
    Graph<T> g(gradients.data(), 1);
    const auto result = layer(g, ops::patches(g, g.use(images), 1), size);
    const Var<T> y = ops::from_patches(g, result.output, size, 1);
    testing::expect_golden(golden, "output.images", y.value, y.size());
    const std::size_t out = shape[0], in = shape[1], K = shape[2], heads = K * K, slots = result.weights.width();
    EXPECT_EQ(slots, (size.height + K - 1) * (size.width + K - 1));
    for (std::size_t row = 0; row < result.weights.rows(); ++row) {
      std::size_t ones = 0, zeros = 0;
      for (std::size_t s = 0; s < slots; ++s) {
        ones += result.weights.value[row * slots + s] == 1;
        zeros += result.weights.value[row * slots + s] == 0;
      }
      ASSERT_TRUE(ones == 1 && zeros == slots - 1) << row;
    }
    g.backward(testing::weighed_sum<T>(g, {{y, testing::seed_of<T>(golden, "seed.images")}}));
    testing::expect_golden_gradient(golden, "grad.images", p, "input.images", gradients);
    testing::expect_golden_gradient(golden, "grad.bias", p, "layer.out_proj.bias", gradients);
    // The convolution's weight is in the projection that is not the identity, and so is its gradient.
    std::vector<T> gradient(weight.size());
    const std::size_t A = std::min(in, out);
    const T* of_value = gradients.data() + p.find("layer.v_proj.weight")->offset;
    const T* of_output = gradients.data() + p.find("layer.out_proj.weight")->offset;
    for (std::size_t o = 0; o < out; ++o) {
      for (std::size_t i = 0; i < in; ++i) {
        for (std::size_t h = 0; h < heads; ++h) {
          gradient[(o * in + i) * heads + h] =
              A == out ? of_value[(h * A + o) * in + i] : of_output[o * heads * A + h * A + i];
        }
      }
    }
    testing::expect_golden(golden, "grad.weight", gradient.data(), gradient.size());
  }
}

TEST(GaussianAttention, Gradients) {
  for (const std::size_t padding : {0, 1}) {
    Parameters<double> p;
    const auto& x = p.add("x", {6, 2, 2}, 0);
    const GaussianAttention<double> layer(p, "layer", {2, 3, 2, 2, padding});
    testing::randomise(p);
    testing::expect_gradients(p, [&](Graph<double>& g) {
      const auto result = layer(g, g.use(x), {2, 3});
      return testing::weighed_sum(g, {result.output, result.weights});
    });
  }
}

TEST(GaussianAttention, LooksWhereItsCentrePoints) {
  Parameters<float> p;
  const GaussianAttention<float> layer(p, "layer", {1, 1, 1, 1, 0});
  p.find("layer.centres")->value = {1, -1};  // a row down, a column to the left
  p.find("layer.sharpness")->value = {20};
  Graph<float> g;
  const auto result = layer(g, g.zeros({12, 1, 1}), {3, 4});
  for (std::size_t q = 0; q < 12; ++q) {
    const std::size_t row = std::min<std::size_t>(q / 4 + 1, 2), column = std::max<std::size_t>(q % 4, 1) - 1;
    EXPECT_NEAR(result.weights.value[q * 12 + row * 4 + column], 1, 1e-6) << q;
  }
}

TEST(GaussianAttention, NeedsNoBiasOfTheConvolution) {
  Parameters<double> p;
  const std::vector<double> weight = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const auto layer = GaussianAttention<double>::equal_to(p, "layer", {1, 1, 3, 3}, weight);
  EXPECT_EQ(layer.sizes().padding, 1u);
  EXPECT_EQ(p.find("layer.out_proj.bias")->value, AlignedVector<double>{0});
  Graph<double> g;
  const double one = 1;
  EXPECT_EQ(*layer(g, g.constant({1, 1, 1}, &one), {1, 1}).output.value, 5);
}

TYPED_TEST(GaussianAttention_, OnePositionsNotANumberStaysInItsImage) {
  using T = TypeParam;
  Parameters<T> p;
  const std::vector<T> weight(9, T(1));
  const auto layer = GaussianAttention<T>::equal_to(p, "layer", {1, 1, 3, 3}, weight);
  for (const T bad : {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity()}) {
    std::vector<T> x(5 * 2, T(1));
    x[1] = bad;  // position 0 of image 1
    Graph<T> g;
    const Var<T> y = layer(g, g.constant({5, 2, 1}, x.data()), {1, 5}).output;
    for (std::size_t row = 0; row < 10; ++row) EXPECT_EQ(std::isfinite(y.value[row]), row % 2 == 0) << row;
  }
}

TEST(GaussianAttention, CentresInBytesAreTheirNumbers) {
  Parameters<float> p;
  const auto& x = p.add("x", {4, 1, 1}, 1);
  const GaussianAttention<float> layer(p, "layer", {1, 1, 2, 1, 1});
  auto& centres = *p.find("layer.centres");
  centres.value = {0.5f, -1, 1.5f, 2};
  const auto run = [&] {
    Graph<float> g;
    const Var<float> y = layer(g, g.use(x), {2, 2}).output;
    return std::vector<float>(y.value, y.value + y.size());
  };
  const auto before = run();
  testing::store_in_bytes(centres, Int8Matrix::of({1, -2, 3, 4}, {0.5f, 0.5f}));
  EXPECT_EQ(run(), before);
}

TEST(GaussianAttention, WhatDoesNotFitIsNamed) {
  using Layer = GaussianAttention<float>;
  Parameters<float> p;
  EXPECT_EQ(testing::message_of([&] { Layer(p, "none", {3, 4, 0, 2, 0}); }),
            "GaussianAttention: it maps 3 channels to 4 with 0 heads 2 wide, expected all above 0");
  EXPECT_THROW(Layer(p, "none", {0, 4, 1, 2, 0}), ArgumentError);
  EXPECT_THROW(Layer(p, "none", {3, 0, 1, 2, 0}), ArgumentError);
  EXPECT_THROW(Layer(p, "none", {3, 4, 1, 0, 0}), ArgumentError);
  EXPECT_EQ(testing::message_of([&] { Layer(p, "none", {3, 4, 1, 2, 1025}); }),
            "GaussianAttention: padding is 1025, expected at most 1024");
  const Layer layer(p, "layer", {3, 4, 2, 2, 1});
  Graph<float> g;
  EXPECT_EQ(testing::message_of([&] { layer(g, g.zeros({6, 2, 3}), {2, 4}); }),
            "GaussianAttention: x is [6, 2, 3], expected [8, 2, 3]");
  EXPECT_THROW(layer(g, g.zeros({6, 2, 4}), {2, 3}), ShapeError);
  EXPECT_THROW(layer(g, g.zeros({6, 3}), {2, 3}), ShapeError);
  EXPECT_THROW(layer(g, g.zeros({0, 2, 3}), {0, 3}), ShapeError);
  EXPECT_THROW(layer(g, g.zeros({6, 0, 3}), {2, 3}), ShapeError);
}

TEST(GaussianAttention, ConvolutionsThatDoNotFitAreNamed) {
  using Layer = GaussianAttention<float>;
  Parameters<float> p;
  const std::vector<float> numbers(64);
  const auto make = [&](const Shape& shape, std::size_t weights, std::size_t biases) {
    return testing::message_of([&] {
      Layer::equal_to(p, "none", shape, std::span(numbers).first(weights), std::span(numbers).first(biases));
    });
  };
  EXPECT_EQ(make({2, 2, 4, 4}, 64, 2), "GaussianAttention: K is 4, expected an odd number up to 2049");
  EXPECT_EQ(make({2, 2, 0, 0}, 0, 2), "GaussianAttention: K is 0, expected an odd number up to 2049");
  EXPECT_EQ(make({1, 1, 2051, 2051}, 1, 1), "GaussianAttention: K is 2051, expected an odd number up to 2049");
  EXPECT_EQ(make({2, 2, 3, 1}, 12, 2), "GaussianAttention: the convolution's weight is [2, 2, 3, 1], expected [out, in, K, K]");
  EXPECT_EQ(make({4, 3, 3}, 36, 4), "GaussianAttention: the convolution's weight is [4, 3, 3], expected [out, in, K, K]");
  EXPECT_EQ(make({4, 9}, 36, 4), "GaussianAttention: the convolution's weight is [4, 9], expected [out, in, K, K]");
  EXPECT_EQ(make({2, 1, 3, 3}, 17, 2), "GaussianAttention: number of the convolution's weights is 17, expected 18");
  EXPECT_EQ(make({2, 1, 3, 3}, 18, 1), "GaussianAttention: number of the convolution's biases is 1, expected 2");
  EXPECT_EQ(make({0, 1, 3, 3}, 0, 0),
            "GaussianAttention: it maps 1 channels to 0 with 9 heads 0 wide, expected all above 0");
  EXPECT_THROW(Layer::equal_to(p, "none", {1, 0, 1, 1}, {}), ArgumentError);
}

}  // namespace
}  // namespace softalign::layers
