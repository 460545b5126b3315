#include "layers/dense.h"

#include <gtest/gtest.h>

#include <vector>

#include "unit/support/golden.h"
#include "unit/support/gradients.h"

namespace softalign::layers {
namespace {

using testing::Golden;

template <class T>
class Dense_ : public ::testing::Test {};
template <class T>
class Embedding_ : public ::testing::Test {};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Dense_, Numbers);
TYPED_TEST_SUITE(Embedding_, Numbers);

TYPED_TEST(Dense_, AgreesWithPyTorch) {
  using T = TypeParam;
  const Golden golden("dense");
  Parameters<T> p;
  const auto& x = testing::add_input(p, golden, "input.x");
  const Dense<T> dense(p, "dense", 5, 7);
  testing::load(p, golden, "dense.weight", "weight.weight");
  testing::load(p, golden, "dense.bias", "weight.bias");
  std::vector<T> gradients(p.size());
  Graph<T> g(gradients.data(), 1);
  const Var<T> y = dense(g, g.use(x));
  EXPECT_EQ(y.shape, (Shape{3, 2, 7}));
  testing::expect_golden(golden, "output.y", y.value, y.size());
  g.backward(testing::weighed_sum<T>(g, {{y, testing::seed_of<T>(golden, "seed.y")}}));
  testing::expect_golden_gradient(golden, "grad.x", p, "input.x", gradients);
  testing::expect_golden_gradient(golden, "grad.weight", p, "dense.weight", gradients);
  testing::expect_golden_gradient(golden, "grad.bias", p, "dense.bias", gradients);
}

TYPED_TEST(Embedding_, AgreesWithPyTorch) {
  using T = TypeParam;
  const Golden golden("embedding");
  Parameters<T> p;
  const Embedding<T> embedding(p, "embedding", 7, 5);
  testing::load(p, golden, "embedding.weight", "weight.table");
  std::vector<T> gradients(p.size());
  Graph<T> g(gradients.data(), 1);
  const Var<T> rows = embedding(g, golden.ints("input.ids"));
  testing::expect_golden(golden, "output.rows", rows.value, rows.size());
  g.backward(testing::weighed_sum<T>(g, {{rows, testing::seed_of<T>(golden, "seed.rows")}}));
  testing::expect_golden_gradient(golden, "grad.table", p, "embedding.weight", gradients);
}

TEST(Dense, GradientsWithAndWithoutBiasAndAddedTo) {
  Parameters<double> p;
  const auto& x = p.add("x", {3, 4}, 0);
  const auto& z = p.add("z", {3, 2}, 0);
  const Dense<double> with(p, "with", 4, 5), without(p, "without", 2, 5, Dense<double>::Bias::kNone);
  testing::randomise(p);
  EXPECT_EQ(p.find("without.bias"), nullptr);
  testing::expect_gradients(p, [&](Graph<double>& g) {
    const Var<double> sum = with(g, g.use(x));
    without.add_to(g, sum, g.use(z));
    return testing::weighed_sum(g, {sum, without(g, g.use(z))});
  });
}

TEST(Embedding, TiedToAnOutputLayer) {
  Parameters<double> p;
  const Embedding<double> embedding(p, "embedding", 6, 4);
  const auto& bias = p.add("bias", {6}, 0);
  testing::randomise(p);
  const std::int32_t ids[] = {5, 2, 5};
  testing::expect_gradients(p, [&](Graph<double>& g) {
    return testing::weighed_sum(g, {embedding.score(g, embedding(g, ids), bias)});
  });
}

}  // namespace
}  // namespace softalign::layers
