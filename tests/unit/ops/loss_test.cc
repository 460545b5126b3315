#include "ops/loss.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "ops/linear.h"
#include "unit/support/golden.h"
#include "unit/support/gradients.h"

namespace softalign::ops {
namespace {

template <class T>
class CrossEntropy : public ::testing::Test {};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(CrossEntropy, Numbers);

TYPED_TEST(CrossEntropy, AgreesWithPyTorch) {
  using T = TypeParam;
  for (const char* name : {"cross_entropy", "cross_entropy_plain"}) {
    const testing::Golden golden(name);
    Parameters<T> p;
    const auto& logits = testing::add_input(p, golden, "input.logits");
    const auto targets = golden.ints("input.targets");
    std::vector<T> gradients(p.size());
    Graph<T> g(gradients.data(), 1);
    const Var<T> plain = cross_entropy(g, g.use(logits), targets, 0.0);
    testing::expect_golden(golden, "output.plain", plain.value, 1);
    g.rewind();
    const Var<T> loss = cross_entropy(g, g.use(logits), targets, double(golden.floats("input.smoothing")[0]));
    testing::expect_golden(golden, "output.loss", loss.value, 1);
    g.backward(loss);
    testing::expect_golden_gradient(golden, "grad.logits", p, "input.logits", gradients);
  }
}

TEST(CrossEntropyOp, GradientsWithScaleAndPadding) {
  Parameters<double> p;
  const auto& x = p.add("x", {4, 3}, 0);
  const auto& weight = p.add("weight", {7, 3}, 0);
  testing::randomise(p, 1.5);
  const std::int32_t targets[] = {6, -1, 0, 3};
  for (const double smoothing : {0.0, 0.1, 0.5}) {
    testing::expect_gradients(p, [&](Graph<double>& g) {
      return cross_entropy(g, linear(g, g.use(x), g.use(weight)), targets, smoothing, 0.25);
    });
  }
}

TEST(CrossEntropyOp, OnlyPaddingCostsNothing) {
  Parameters<float> p;
  const auto& logits = p.add("logits", {2, 3}, 1);
  std::vector<float> gradients(p.size(), 7.0f);  // overwritten, as its header says
  Graph<float> g(gradients.data(), 1);
  const std::int32_t targets[] = {-1, -1};
  const Var<float> loss = cross_entropy(g, g.use(logits), targets, 0.1);
  EXPECT_EQ(loss.value[0], 0.0f);
  g.backward(loss);
  EXPECT_EQ(gradients, std::vector<float>(6, 0.0f));
}

TEST(CrossEntropyOp, LargeLogitsStayFinite) {
  Graph<float> g;
  const float logits[] = {1e4f, -1e4f, 0.0f};
  const std::int32_t right[] = {0}, wrong[] = {1};
  EXPECT_NEAR(cross_entropy(g, g.constant({1, 3}, logits), right, 0.0).value[0], 0.0f, 1e-3f);
  EXPECT_NEAR(cross_entropy(g, g.constant({1, 3}, logits), wrong, 0.0).value[0], 2e4f, 1e-1f);
}

TEST(CrossEntropyOp, TargetsThatDoNotFitAreNamed) {
  Graph<float> g;
  const Var<float> logits = g.zeros({2, 3});
  const std::int32_t outside[] = {0, 3}, short_list[] = {0};
  try {
    cross_entropy(g, logits, outside, 0.1);
    FAIL();
  } catch (const ArgumentError& e) {
    EXPECT_STREQ(e.what(), "cross_entropy: targets[1] is 3, expected below 3");
  }
  EXPECT_THROW(cross_entropy(g, logits, short_list, 0.1), ShapeError);
}

TEST(AlignmentLoss, IsTheCrossEntropyOfOneHead) {
  Parameters<double> p;
  const auto& weights = p.add("weights", {2, 2, 2, 3}, 0.2, 0.5);
  const AlignmentTarget targets[] = {{0, 1, 2, 0.25f}, {0, 1, 0, 0.75f}, {1, 0, 1, 1}};
  Graph<double> g;
  const auto a = [&](std::size_t b, std::size_t t, std::size_t s) { return weights.value[((b * 2 + 1) * 2 + t) * 3 + s]; };
  const double expected = -0.25 * std::log(a(0, 1, 2)) - 0.75 * std::log(a(0, 1, 0)) - std::log(a(1, 0, 1));
  EXPECT_NEAR(alignment_loss<double>(g, g.use(weights), 1, targets, 2).value[0], 2 * expected, 1e-12);
  testing::expect_gradients(p, [&](Graph<double>& h) { return alignment_loss<double>(h, h.use(weights), 1, targets, 2); });
}

TEST(AlignmentLoss, AWeightOfZeroIsFinite) {
  Parameters<float> p;
  const auto& weights = p.add("weights", {1, 1, 1, 2}, 0);
  std::vector<float> gradients(p.size());
  Graph<float> g(gradients.data(), 1);
  const AlignmentTarget targets[] = {{0, 0, 1, 1}};
  const Var<float> loss = alignment_loss<float>(g, g.use(weights), 0, targets, 1);
  EXPECT_NEAR(loss.value[0], -std::log(1e-7), 1e-4);
  g.backward(loss);
  EXPECT_NEAR(gradients[1], -1e7f, 10);
}

TEST(AlignmentLoss, TargetsOutsideAreNamed) {
  Graph<float> g;
  const Var<float> weights = g.zeros({1, 1, 2, 3});
  const AlignmentTarget beyond[] = {{0, 1, 3, 1}};
  try {
    alignment_loss<float>(g, weights, 0, beyond, 1);
    FAIL();
  } catch (const ArgumentError& e) {
    EXPECT_EQ(std::string(e.what()),
              "alignment_loss: target 0 is query 1 and key 3 of sequence 0, expected inside [1, 1, 2, 3]");
  }
  EXPECT_THROW(alignment_loss<float>(g, weights, 1, {}, 1), ShapeError);
}

}  // namespace
}  // namespace softalign::ops
