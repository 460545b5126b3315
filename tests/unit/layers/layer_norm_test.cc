#include "layers/layer_norm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "ops/elementwise.h"
#include "ops/layer_norm.h"
#include "unit/support/golden.h"
#include "unit/support/gradients.h"

namespace softalign::layers {
namespace {

using testing::Golden;

template <class T>
class LayerNorm_ : public ::testing::Test {};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(LayerNorm_, Numbers);

TYPED_TEST(LayerNorm_, AgreesWithPyTorch) {
  using T = TypeParam;
  for (const char* name : {"layer_norm", "layer_norm_one", "layer_norm_wide"}) {
    SCOPED_TRACE(name);
    const Golden golden(name);
    Parameters<T> p;
    const auto& x = testing::add_input(p, golden, "input.x");
    const LayerNorm<T> norm(p, "norm", x.shape.width());
    testing::load(p, golden, "norm.weight", "weight.weight");
    testing::load(p, golden, "norm.bias", "weight.bias");
    std::vector<T> gradients(p.size());
    Graph<T> g(gradients.data(), 1);
    const Var<T> y = norm(g, g.use(x));
    EXPECT_EQ(y.shape, x.shape);
    testing::expect_golden(golden, "output.y", y.value, y.size());
    g.backward(testing::weighed_sum<T>(g, {{y, testing::seed_of<T>(golden, "seed.y")}}));
    testing::expect_golden_gradient(golden, "grad.x", p, "input.x", gradients);
    testing::expect_golden_gradient(golden, "grad.weight", p, "norm.weight", gradients);
    testing::expect_golden_gradient(golden, "grad.bias", p, "norm.bias", gradients);
  }
}

TYPED_TEST(LayerNorm_, ActivationsAgreeWithPyTorch) {
  using T = TypeParam;
  const Golden golden("activations");
  Parameters<T> p;
  const auto& x = testing::add_input(p, golden, "input.x");
  std::vector<T> gradients(p.size());
  Graph<T> g(gradients.data(), 1);
  const Var<T> relu = ops::relu(g, g.use(x)), gelu = ops::gelu(g, g.use(x)), elu = ops::elu_plus_one(g, g.use(x));
  testing::expect_golden(golden, "output.relu", relu.value, relu.size());
  testing::expect_golden(golden, "output.gelu", gelu.value, gelu.size());
  testing::expect_golden(golden, "output.elu_plus_one", elu.value, elu.size());
  g.backward(testing::weighed_sum<T>(g, {{relu, testing::seed_of<T>(golden, "seed.relu")},
                                         {gelu, testing::seed_of<T>(golden, "seed.gelu")},
                                         {elu, testing::seed_of<T>(golden, "seed.elu_plus_one")}}));
  testing::expect_golden_gradient(golden, "grad.x", p, "input.x", gradients);
}

TEST(LayerNorm, Gradients) {
  Parameters<double> p;
  const auto& x = p.add("x", {3, 2, 5}, 0);
  const LayerNorm<double> norm(p, "norm", 5);
  testing::randomise(p);
  const double fixed[] = {0.3, -1, 2, 0.5, 0};
  testing::expect_gradients(p, [&](Graph<double>& g) {
    // weight and bias without a gradient, and x without one
    const Var<double> row = g.constant({5}, fixed);
    return testing::weighed_sum(g, {norm(g, g.use(x)), ops::layer_norm(g, g.use(x), row, row, 1e-5),
                                    ops::add(g, norm(g, row), row)});
  });
}

TYPED_TEST(LayerNorm_, StartsAsTheIdentityOnNormalisedRows) {
  using T = TypeParam;
  Parameters<T> p;
  const LayerNorm<T> norm(p, "norm", 4);
  EXPECT_EQ(p.find("norm.weight")->value, AlignedVector<T>(4, T(1)));
  EXPECT_EQ(p.find("norm.bias")->value, AlignedVector<T>(4, T(0)));
  Graph<T> g;
  const T rows[] = {-1, 1, 1, -1, 101, 99, 101, 99};
  const Var<T> y = norm(g, g.constant({2, 4}, rows));
  const T expected[] = {-1, 1, 1, -1, 1, -1, 1, -1};
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(y.value[i], expected[i], 1e-5);  // epsilon is 1e-5
}

TYPED_TEST(LayerNorm_, OneRowsNotANumberStaysThere) {
  using T = TypeParam;
  Parameters<T> p;
  const LayerNorm<T> norm(p, "norm", 2);
  Graph<T> g;
  const T rows[] = {1, std::numeric_limits<T>::quiet_NaN(), 1, 2};
  const Var<T> y = norm(g, g.constant({2, 2}, rows));
  EXPECT_TRUE(std::isnan(y.value[0]) && std::isnan(y.value[1]));
  EXPECT_TRUE(std::isfinite(y.value[2]) && std::isfinite(y.value[3]));
}

TYPED_TEST(LayerNorm_, ShapesThatDoNotFitAreNamed) {
  using T = TypeParam;
  Parameters<T> p;
  const LayerNorm<T> norm(p, "norm", 4);
  Graph<T> g;
  try {
    norm(g, g.zeros({2, 3}));
    FAIL();
  } catch (const ShapeError& e) {
    EXPECT_STREQ(e.what(), "layer_norm: weight is [4], expected [3]");
  }
  EXPECT_THROW(ops::layer_norm(g, g.zeros({2, 0}), g.zeros({0}), g.zeros({0}), 1e-5), ShapeError);
  EXPECT_THROW(LayerNorm<T>(p, "none", 0), ArgumentError);
}

}  // namespace
}  // namespace softalign::layers
