#include "layers/window.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "layers/conv1d.h"
#include "unit/support/bytes.h"
#include "unit/support/errors.h"
#include "unit/support/golden.h"
#include "unit/support/gradients.h"

// Window and Conv1d, which see the same neighbours.
namespace softalign::layers {
namespace {

using testing::Golden;
using Lengths = std::vector<std::int32_t>;

template <class T>
class Windows : public ::testing::Test {};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Windows, Numbers);

// make(p, in, out, size of the kernel, if it has one) -> a layer whose weights are named layer.*
template <class T, class Make>
void expect_golden_layer(const char* name, Make make) {
  SCOPED_TRACE(name);
  const Golden golden(name);
  const Lengths lengths = golden.ints("input.lengths");
  Parameters<T> p;
  const auto& x = testing::add_input(p, golden, "input.x");
  const auto layer = make(p, golden.shape("weight.weight"), x.shape.width());
  for (const std::string part : {"weight", "bias"}) testing::load(p, golden, "layer." + part, "weight." + part);
  std::vector<T> gradients(p.size());
  Graph<T> g(gradients.data(), 1);
  const Var<T> y = layer(g, g.use(x), lengths);
  EXPECT_EQ(y.shape, x.shape.with_width(layer.width()));
  testing::expect_golden(golden, "output.y", y.value, y.size());
  g.backward(testing::weighed_sum<T>(g, {{y, testing::seed_of<T>(golden, "seed.y")}}));
  testing::expect_golden_gradient(golden, "grad.x", p, "input.x", gradients);
  testing::expect_golden_gradient(golden, "grad.weight", p, "layer.weight", gradients);
  testing::expect_golden_gradient(golden, "grad.bias", p, "layer.bias", gradients);
}

TYPED_TEST(Windows, ConvolutionsAgreeWithPyTorch) {
  using T = TypeParam;
  for (const char* name : {"conv1d", "conv1d_one", "conv1d_wider_than_long", "conv1d_long"}) {
    expect_golden_layer<T>(name, [](Parameters<T>& p, const Shape& weight, std::size_t in) {
      return Conv1d<T>(p, "layer", in, weight[0], weight[2]);
    });
  }
}

TYPED_TEST(Windows, WindowsAgreeWithPyTorch) {
  using T = TypeParam;
  for (const char* name : {"window", "window_of_none", "window_one", "window_long"}) {
    expect_golden_layer<T>(name, [](Parameters<T>& p, const Shape& weight, std::size_t in) {
      return Window<T>(p, "layer", in, weight[0], (weight[1] / in - 1) / 2);
    });
  }
}

TEST(Windows, Gradients) {
  Parameters<double> p;
  const auto& x = p.add("x", {4, 2, 3}, 0);
  const Conv1d<double> convolution(p, "convolution", 3, 4, 5), point(p, "point", 3, 4, 1);
  const Window<double> window(p, "window", 3, 4, 1), alone(p, "alone", 3, 4, 0);
  testing::randomise(p);
  const Lengths lengths = {4, 2};
  testing::expect_gradients(p, [&](Graph<double>& g) {
    return testing::weighed_sum(g, {convolution(g, g.use(x), lengths), point(g, g.use(x), {}),
                                    window(g, g.use(x), lengths), alone(g, g.use(x), lengths)});
  });
}

// The outputs whose window holds position 2 of 6, and no others, become NaN.
template <class T, class Layer>
void expect_reach(const Layer& layer, std::size_t radius) {
  std::vector<T> x(6 * 2, T(0.5));
  x[2 * 2] = std::numeric_limits<T>::quiet_NaN();
  Graph<T> g;
  const Var<T> y = layer(g, g.constant({6, 1, 2}, x.data()), {});
  for (std::size_t t = 0; t < 6; ++t) {
    const bool within = t + radius >= 2 && t <= 2 + radius;
    for (std::size_t i = 0; i < y.width(); ++i) EXPECT_EQ(std::isnan(y.value[t * y.width() + i]), within) << t;
  }
}

TYPED_TEST(Windows, ANumberThatIsNoneReachesAsFarAsTheWindow) {
  using T = TypeParam;
  Parameters<T> p;
  expect_reach<T>(Conv1d<T>(p, "point", 2, 3, 1), 0);
  expect_reach<T>(Conv1d<T>(p, "convolution", 2, 3, 3), 1);
  expect_reach<T>(Window<T>(p, "alone", 2, 3, 0), 0);
  expect_reach<T>(Window<T>(p, "window", 2, 3, 2), 2);
}

TYPED_TEST(Windows, PaddingDoesNotMatter) {
  using T = TypeParam;
  Parameters<T> p;
  const auto& x = p.add("x", {5, 1, 2}, 1);
  const Conv1d<T> convolution(p, "convolution", 2, 3, 3);
  const Window<T> window(p, "window", 2, 3, 1);
  const Lengths lengths = {3};
  const auto run = [&] {
    Graph<T> g;
    const Var<T> a = convolution(g, g.use(x), lengths), b = window(g, g.use(x), lengths);
    std::vector<T> all(a.value, a.value + a.size());
    all.insert(all.end(), b.value, b.value + b.size());
    return all;
  };
  const auto before = run();
  for (std::size_t i = 6; i < 10; ++i) p.find("x")->value[i] = std::numeric_limits<T>::infinity();
  EXPECT_EQ(run(), before);
}

TEST(Windows, AKernelInBytesIsItsNumbers) {
  Parameters<float> p;
  const auto& x = p.add("x", {5, 2, 3}, 1);
  const Conv1d<float> convolution(p, "convolution", 3, 4, 3);
  Parameter<float>& weight = *p.find("convolution.weight");
  const Int8Matrix bytes = testing::take_numbers_of_bytes(weight);
  Graph<float> g;
  const Var<float> numbers = convolution(g, g.use(x), {});
  testing::store_in_bytes(weight, bytes);
  const Var<float> from_bytes = convolution(g, g.use(x), {});
  for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(numbers.value[i], from_bytes.value[i]);
  std::vector<float> gradients(p.size());
  Graph<float> trains(gradients.data(), 1);
  EXPECT_THROW(convolution(trains, trains.use(x), {}), ArgumentError);
}

TYPED_TEST(Windows, WhatDoesNotFitIsNamed) {
  using T = TypeParam;
  Parameters<T> p;
  EXPECT_EQ(testing::message_of([&] { Conv1d<T>(p, "even", 2, 3, 4); }),
            "Conv1d: the kernel is 4 wide, expected an odd number up to 2097153");
  EXPECT_EQ(testing::message_of([&] { Window<T>(p, "far", 2, 3, 1048577); }),
            "Window: radius is 1048577, expected 0..1048576");
  EXPECT_THROW(Conv1d<T>(p, "none", 2, 3, 0), ArgumentError);
  EXPECT_THROW(Conv1d<T>(p, "wide", 2, 3, 2097155), ArgumentError);
  EXPECT_THROW(Conv1d<T>(p, "none", 0, 3, 1), ArgumentError);
  EXPECT_THROW(Conv1d<T>(p, "none", 2, 0, 1), ArgumentError);
  EXPECT_THROW(Window<T>(p, "none", 0, 3, 1), ArgumentError);
  EXPECT_THROW(Window<T>(p, "none", 2, 0, 1), ArgumentError);
  const Conv1d<T> convolution(p, "convolution", 2, 3, 3);
  const Window<T> window(p, "window", 2, 3, 1);
  EXPECT_EQ(window.radius(), 1u);
  Graph<T> g;
  EXPECT_EQ(testing::message_of([&] { convolution(g, g.zeros({4, 2, 3}), {}); }), "Conv1d: width of x is 3, expected 2");
  EXPECT_EQ(testing::message_of([&] { window(g, g.zeros({4, 2, 3}), {}); }), "Window: width of x is 3, expected 2");
  EXPECT_THROW(convolution(g, g.zeros({4, 2}), {}), ShapeError);
  EXPECT_THROW(window(g, g.zeros({4, 2}), {}), ShapeError);
  EXPECT_THROW(window(g, g.zeros({0, 1, 2}), {}), ShapeError);
  EXPECT_THROW(convolution(g, g.zeros({4, 1, 2}), Lengths{5}), ShapeError);
}

}  // namespace
}  // namespace softalign::layers
