#include "layers/attention/multi_head.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ops/linear.h"
#include "unit/support/bytes.h"
#include "unit/support/golden.h"
#include "unit/support/gradients.h"

namespace softalign::layers {
namespace {

using testing::Golden;
using testing::seed_of;
using Lengths = std::vector<std::int32_t>;

template <class T>
class MultiHeadLayer : public ::testing::Test {};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(MultiHeadLayer, Numbers);

// One golden file of multi_head(): self-attention with one score, pattern, normaliser and position.
template <class T>
void expect_agreement(const std::string& file, const MultiHead& choices, const std::string& pattern_name) {
  SCOPED_TRACE(file);
  const Golden golden(file);
  const Lengths lengths = golden.ints("input.lengths");
  Parameters<T> p;
  const auto& x = testing::add_input(p, golden, "input.x");
  const MultiHeadAttention<T> layer(p, "layer", choices);
  const std::size_t steps = x.shape[0];
  for (const auto& weight : p.all()) {
    if (weight.name != "input.x") testing::load(p, golden, weight.name, "weight." + weight.name.substr(6));
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  if (pattern_name == "edges") {
    const auto flat = golden.ints("input.edges");
    for (std::size_t i = 0; i < flat.size(); i += 2) edges.emplace_back(flat[i], flat[i + 1]);
  }
  const ops::EdgeList list(steps, steps, edges);
  const ops::Pattern pattern = pattern_name == "causal"   ? ops::Pattern::causal()
                               : pattern_name == "window" ? ops::Pattern::window(2)
                               : pattern_name == "edges"  ? ops::Pattern::edges(list)
                                                          : ops::Pattern();
  std::vector<T> gradients(p.size());
  Graph<T> g(gradients.data(), 1);
  const auto result = layer(g, g.use(x), lengths, pattern);
  const Var<T> weights = ops::by_key(g, result.weights, result.reach);
  testing::expect_golden(golden, "output.output", result.output.value, result.output.size());
  testing::expect_golden(golden, "output.heads", result.heads.value, result.heads.size());
  testing::expect_golden(golden, "output.weights", weights.value, weights.size());
  // The seeds of the weights stand at their keys; the gradient goes in at their slots.
  const auto seeds = seed_of<T>(golden, "seed.weights");
  std::vector<T> in_slots(result.weights.size());
  const std::size_t K = result.reach.slots(), rows = in_slots.size() / K;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t t = row % steps, b = row / steps / choices.heads;
    for (std::size_t i = result.reach.first(t); i < result.reach.last(t, b); ++i) {
      in_slots[row * K + i] = seeds[row * steps + result.reach.key(t, i)];
    }
  }
  g.backward(testing::weighed_sum<T>(g, {{result.output, seed_of<T>(golden, "seed.output")},
                                         {result.heads, seed_of<T>(golden, "seed.heads")},
                                         {result.weights, in_slots}}));
  testing::expect_golden_gradient(golden, "grad.x", p, "input.x", gradients);
  for (const auto& weight : p.all()) {
    if (weight.name == "input.x") continue;
    testing::expect_golden_gradient(golden, "grad." + weight.name.substr(6), p, weight.name, gradients);
  }
}

TYPED_TEST(MultiHeadLayer, EveryScoreAndPatternAgreesWithPyTorch) {
  const char* patterns[] = {"dense", "causal", "window", "edges"};
  std::size_t i = 0;
  for (const auto score : {ScoreKind::kAdditive, ScoreKind::kDot, ScoreKind::kScaledDot, ScoreKind::kGeneral}) {
    for (std::size_t j = 0; j < 4; ++j) {  // the choices of make_goldens
      MultiHead choices = {.width = 6, .heads = 2, .score = score};
      if ((i + j) % 2 == 0) choices.relative = 3;
      if ((i + j) % 4 == 1) choices.normaliser = Normaliser::kRelu;
      expect_agreement<TypeParam>(std::string("multi_head_") + score_name(score) + "_" + patterns[j], choices, patterns[j]);
    }
    ++i;
  }
}

TYPED_TEST(MultiHeadLayer, LongAndShortSequencesAgreeWithPyTorch) {
  expect_agreement<TypeParam>("multi_head_long", {.width = 12, .heads = 2, .relative = 4}, "causal");
  expect_agreement<TypeParam>("multi_head_one_step", {.width = 6, .heads = 2, .relative = 1}, "dense");
}

TYPED_TEST(MultiHeadLayer, AgreesWithTorchMultiheadAttention) {
  using T = TypeParam;
  struct Case {
    const char* file;
    std::size_t width, heads;
  };
  for (const Case c : {Case{"multi_head_torch", 6, 2}, {"multi_head_torch_long", 12, 2}, {"multi_head_torch_one", 5, 1}}) {
    SCOPED_TRACE(c.file);
    const Golden golden(c.file);
    const Lengths lengths = golden.ints("input.lengths");
    Parameters<T> p;
    const auto& x = testing::add_input(p, golden, "input.x");
    const auto& memory = testing::add_input(p, golden, "input.memory");
    const MultiHeadAttention<T> layer(p, "layer", {.width = c.width, .heads = c.heads});
    const auto in_weight = golden.floats("weight.in_proj_weight"), in_bias = golden.floats("weight.in_proj_bias");
    const char* parts[] = {"q_proj", "k_proj", "v_proj"};
    const auto part_of = [](const std::vector<float>& all, std::size_t i) {
      const auto n = static_cast<std::ptrdiff_t>(all.size() / 3), from = n * static_cast<std::ptrdiff_t>(i);
      return AlignedVector<T>(all.begin() + from, all.begin() + from + n);
    };
    for (std::size_t i = 0; i < 3; ++i) {
      p.find(std::string("layer.") + parts[i] + ".weight")->value = part_of(in_weight, i);
      p.find(std::string("layer.") + parts[i] + ".bias")->value = part_of(in_bias, i);
    }
    testing::load(p, golden, "layer.out_proj.weight", "weight.out_proj.weight");
    testing::load(p, golden, "layer.out_proj.bias", "weight.out_proj.bias");
    std::vector<T> gradients(p.size());
    Graph<T> g(gradients.data(), 1);
    const auto result = layer(g, g.use(x), layer.project(g, g.use(memory), lengths));
    testing::expect_golden(golden, "output.output", result.output.value, result.output.size());
    testing::expect_golden(golden, "output.weights", result.weights.value, result.weights.size());
    g.backward(testing::weighed_sum<T>(g, {{result.output, seed_of<T>(golden, "seed.output")},
                                           {result.weights, seed_of<T>(golden, "seed.weights")}}));
    testing::expect_golden_gradient(golden, "grad.x", p, "input.x", gradients);
    testing::expect_golden_gradient(golden, "grad.memory", p, "input.memory", gradients);
    testing::expect_golden_gradient(golden, "grad.out_proj.weight", p, "layer.out_proj.weight", gradients);
    const auto grad_weight = golden.floats("grad.in_proj_weight");
    for (std::size_t i = 0; i < 3; ++i) {
      const auto expected = part_of(grad_weight, i);
      const T* got = gradients.data() + p.find(std::string("layer.") + parts[i] + ".weight")->offset;
      for (std::size_t j = 0; j < expected.size(); ++j) ASSERT_NEAR(got[j], expected[j], 1e-5 * (1 + std::abs(static_cast<double>(expected[j]))));
    }
  }
}

TEST(MultiHeadAttentionLayer, GradientsOfEveryChoice) {
  const Lengths lengths = {5, 3};
  for (const auto score : {ScoreKind::kAdditive, ScoreKind::kDot, ScoreKind::kScaledDot, ScoreKind::kGeneral}) {
    for (const auto normaliser : {Normaliser::kSoftmax, Normaliser::kRelu}) {
      SCOPED_TRACE(score_name(score));
      Parameters<double> p;
      const auto& x = p.add("x", {5, 2, 4}, 0);
      const auto& memory = p.add("memory", {5, 2, 3}, 0);
      const MultiHeadAttention<double> self(
          p, "self", {.width = 4, .heads = 2, .score = score, .normaliser = normaliser, .relative = 1, .dropout = 0.2});
      const MultiHeadAttention<double> cross(p, "cross", {.width = 4, .heads = 2, .memory = 3, .score = score, .normaliser = normaliser});
      testing::randomise(p);
      const double factors[] = {0.25, 1};
      testing::expect_gradients(p, [&](Graph<double>& g) {
        const auto a = self(g, g.use(x), lengths, ops::Pattern::window(1));
        const auto b = cross(g, a.output, cross.project(g, g.use(memory), lengths), {}, std::span<const double>(factors));
        return testing::weighed_sum(g, {a.output, a.weights, b.output, b.heads, b.weights});
      });
    }
  }
}

TEST(MultiHeadAttentionLayer, AHeadSwitchedOffBringsNothing) {
  Parameters<float> p;
  const auto& x = p.add("x", {4, 1, 6}, 1);
  const MultiHeadAttention<float> layer(p, "layer", {.width = 6, .heads = 3});
  Graph<float> g;
  const float off[] = {1, 0, 1};
  const auto all = layer(g, g.use(x), std::span<const std::int32_t>{});
  const auto without = layer(g, g.use(x), std::span<const std::int32_t>{}, {}, std::span<const float>(off));
  // The output without head 1 is W_O [c_0; 0; c_2] + b.
  Var<float> heads = g.constant(all.heads.shape, all.heads.value);
  for (std::size_t t = 0; t < 4; ++t) heads.value[t * 6 + 2] = heads.value[t * 6 + 3] = 0;
  const Var<float> expected = ops::linear(g, heads, g.use(*p.find("layer.out_proj.weight")), g.use(*p.find("layer.out_proj.bias")));
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_FLOAT_EQ(without.output.value[i], expected.value[i]);
  const float two[] = {1, 1};
  EXPECT_THROW(layer(g, g.use(x), std::span<const std::int32_t>{}, {}, std::span<const float>(two)), ShapeError);
}

// Whatever a model file stores in bytes is computed with, or written out again where an op takes no bytes.
TEST(MultiHeadAttentionLayer, WeightsInBytesAreTheirNumbers) {
  for (const auto score : {ScoreKind::kScaledDot, ScoreKind::kGeneral}) {
    Parameters<float> p;
    const auto& x = p.add("x", {4, 1, 6}, 1);
    const MultiHeadAttention<float> layer(p, "layer", {.width = 6, .heads = 2, .score = score, .relative = 1});
    const auto run = [&] {
      Graph<float> g;
      const Var<float> y = layer(g, g.use(x), std::span<const std::int32_t>{}).output;
      return std::vector<float>(y.value, y.value + y.size());
    };
    for (auto& weight : p.all()) {
      if (weight.name == "x" || weight.shape.rank() < 2) continue;
      const auto numbers = weight.value;
      const Int8Matrix bytes = testing::take_numbers_of_bytes(weight);
      const auto before = run();
      testing::store_in_bytes(weight, bytes);
      const auto after = run();
      // Products with bytes round activations, to 14 bits.
      for (std::size_t i = 0; i < before.size(); ++i) ASSERT_NEAR(after[i], before[i], 1e-3) << weight.name;
      weight.int8 = {};
      weight.value = numbers;
    }
  }
}

TEST(MultiHeadAttentionLayer, ChoicesThatDoNotFitAreNamed) {
  Parameters<float> p;
  try {
    MultiHeadAttention<float>(p, "layer", {.width = 6, .heads = 4});
    FAIL();
  } catch (const ArgumentError& e) {
    EXPECT_EQ(std::string(e.what()), "MultiHeadAttention: width is 6 with 4 heads, expected heads that divide the width");
  }
  EXPECT_THROW(MultiHeadAttention<float>(p, "none", {.width = 6, .heads = 0}), ArgumentError);
  const MultiHeadAttention<float> layer(p, "good", {.width = 6, .heads = 2});
  Graph<float> g;
  EXPECT_THROW(layer(g, g.zeros({4, 6}), std::span<const std::int32_t>{}), ShapeError);
  EXPECT_THROW(layer(g, g.zeros({4, 2, 5}), std::span<const std::int32_t>{}), ShapeError);
  EXPECT_THROW(layer(g, g.zeros({4, 3, 6}), layer.project(g, g.zeros({4, 2, 6}), {})), ShapeError);
}

}  // namespace
}  // namespace softalign::layers
