#include "layers/attention/attention.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "unit/support/golden.h"
#include "unit/support/gradients.h"

namespace softalign::layers {
namespace {

using testing::Golden;
using Lengths = std::vector<std::int32_t>;

template <class T>
class AttentionLayer : public ::testing::Test {};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(AttentionLayer, Numbers);

// Runs a layer with the golden weights `names` (ours, theirs) and compares everything.
template <class T>
void expect_agreement(const std::string& file, ScoreKind score, const std::vector<std::pair<std::string, std::string>>& names) {
  SCOPED_TRACE(file);
  const Golden golden(file);
  const Lengths lengths = golden.ints("input.lengths");
  Parameters<T> p;
  const auto& query = testing::add_input(p, golden, "input.query");
  const auto& memory = testing::add_input(p, golden, "input.memory");
  const Attention<T> layer(p, "attention", score, 5, 6, 7);
  for (const auto& [ours, theirs] : names) testing::load(p, golden, "attention." + ours, "weight." + theirs);
  std::vector<T> gradients(p.size());
  Graph<T> g(gradients.data(), 1);
  const Memory<T> projected = layer.project(g, g.use(memory), lengths);
  testing::expect_golden(golden, "output.projected", projected.keys.value, projected.keys.size());
  const Attended<T> attended = layer(g, g.use(query), projected);
  testing::expect_golden(golden, "output.context", attended.context.value, attended.context.size());
  testing::expect_golden(golden, "output.weights", attended.weights.value, attended.weights.size());

  const auto seed = [&](const std::string& name) {
    const auto values = golden.floats(name);
    return std::vector<T>(values.begin(), values.end());
  };
  g.backward(testing::weighed_sum<T>(
      g, {{attended.context, seed("seed.context")}, {attended.weights, seed("seed.weights")}}));
  testing::expect_golden_gradient(golden, "grad.query", p, "input.query", gradients);
  testing::expect_golden_gradient(golden, "grad.memory", p, "input.memory", gradients);
  for (const auto& [ours, theirs] : names) {
    testing::expect_golden_gradient(golden, "grad." + theirs, p, "attention." + ours, gradients);
  }
}

TYPED_TEST(AttentionLayer, AdditiveAgreesWithPyTorch) {
  for (const char* file : {"additive_attention", "additive_attention_one", "additive_attention_long"}) {
    expect_agreement<TypeParam>(file, ScoreKind::kAdditive, {{"query.weight", "query_weight"},
                                                                     {"key.weight", "key_weight"},
                                                                     {"key.bias", "key_bias"},
                                                                     {"score", "score"}});
  }
}

TYPED_TEST(AttentionLayer, DotAgreesWithPyTorch) {
  for (const char* file : {"dot_attention", "dot_attention_one", "dot_attention_long"}) {
    expect_agreement<TypeParam>(
        file, ScoreKind::kDot, {{"query.weight", "query_weight"}, {"key.weight", "key_weight"}});
  }
}

TEST(AttentionLayers, Gradients) {
  Parameters<double> p;
  const auto& query = p.add("query", {2, 3}, 0);
  const auto& memory = p.add("memory", {4, 2, 5}, 0);
  const Attention<double> additive(p, "additive", ScoreKind::kAdditive, 3, 5, 6);
  const Attention<double> dot(p, "dot", ScoreKind::kDot, 3, 5, 6);
  testing::randomise(p);
  const Lengths lengths = {4, 2};
  testing::expect_gradients(p, [&](Graph<double>& g) {
    const auto a = additive(g, g.use(query), additive.project(g, g.use(memory), lengths));
    const auto d = dot(g, g.use(query), dot.project(g, g.use(memory), lengths));
    return testing::weighed_sum(g, {a.context, a.weights, d.context, d.weights});
  });
}

// The same memory asked twice, as a decoder does: its gradients add up.
TEST(AttentionLayers, OneMemoryServesManySteps) {
  Parameters<double> p;
  const auto& query = p.add("query", {2, 3}, 0);
  const auto& memory = p.add("memory", {4, 2, 3}, 0);
  const Attention<double> additive(p, "additive", ScoreKind::kAdditive, 3, 3, 6);
  const Attention<double> dot(p, "dot", ScoreKind::kDot, 3, 3, 6);
  testing::randomise(p);
  const Lengths lengths = {3, 4};
  testing::expect_gradients(p, [&](Graph<double>& g) {
    const auto of_additive = additive.project(g, g.use(memory), lengths);
    const auto of_dot = dot.project(g, g.use(memory), lengths);
    Var<double> state = g.use(query);
    for (int step = 0; step < 3; ++step) {
      state = additive(g, state, of_additive).context;
      state = dot(g, state, of_dot).context;
    }
    return testing::weighed_sum(g, {state});
  });
}

TEST(AttentionLayers, ShapesThatDoNotFitAreNamed) {
  Parameters<float> p;
  const Attention<float> additive(p, "additive", ScoreKind::kAdditive, 3, 5, 6);
  Graph<float> g;
  const Lengths lengths = {4, 2}, wrong = {4};
  EXPECT_THROW(additive.project(g, g.zeros({4, 2, 3}), lengths), ShapeError);
  const auto memory = additive.project(g, g.zeros({4, 2, 5}), lengths);
  EXPECT_THROW(additive(g, g.zeros({2, 5}), memory), ShapeError);
  EXPECT_THROW(additive(g, g.zeros({3, 3}), memory), ShapeError);
  EXPECT_THROW(additive(g, g.zeros({2, 3}), additive.project(g, g.zeros({4, 2, 5}), wrong)), ShapeError);
}

}  // namespace
}  // namespace softalign::layers
