#include "layers/transformer/transformer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ops/elementwise.h"
#include "unit/support/golden.h"
#include "unit/support/gradients.h"

namespace softalign::layers {
namespace {

using testing::Golden;
using Lengths = std::vector<std::int32_t>;

// The choices of one golden file.
struct Case {
  const char* file;
  bool norm_first;
  Activation activation;
  std::size_t width;
};

template <class T>
void load_layer(Parameters<T>& p, const Golden& golden) {
  for (const auto& weight : p.all()) {
    if (weight.name.starts_with("layer.")) testing::load(p, golden, weight.name, "weight." + weight.name.substr(6));
  }
}

template <class T>
void expect_gradients_of(const Golden& golden, const Parameters<T>& p, const std::vector<T>& gradients) {
  for (const auto& weight : p.all()) {
    const bool is_input = weight.name.starts_with("input.");
    testing::expect_golden_gradient(golden, "grad." + weight.name.substr(6), p, weight.name, gradients);
    ASSERT_TRUE(is_input || weight.name.starts_with("layer."));
  }
}

TransformerChoices choices(const Case& c) {
  return {.width = c.width, .heads = 2, .feed_forward = 7, .activation = c.activation, .norm_first = c.norm_first};
}

template <class T>
class Transformer : public ::testing::Test {};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Transformer, Numbers);

TYPED_TEST(Transformer, EncoderLayerAgreesWithPyTorch) {
  using T = TypeParam;
  for (const Case& c : {Case{"transformer_encoder_post", false, Activation::kRelu, 6},
                        {"transformer_encoder_pre", true, Activation::kGelu, 6},
                        {"transformer_encoder_one", false, Activation::kGelu, 6},
                        {"transformer_encoder_long", true, Activation::kRelu, 8}}) {
    SCOPED_TRACE(c.file);
    const Golden golden(c.file);
    Parameters<T> p;
    const auto& x = testing::add_input(p, golden, "input.x");
    const TransformerEncoderLayer<T> layer(p, "layer", choices(c));
    load_layer(p, golden);
    std::vector<T> gradients(p.size());
    Graph<T> g(gradients.data(), 1);
    const Lengths lengths = golden.ints("input.lengths");
    const Var<T> y = layer(g, g.use(x), lengths).output;
    testing::expect_golden(golden, "output.output", y.value, y.size());
    g.backward(testing::weighed_sum<T>(g, {{y, testing::seed_of<T>(golden, "seed.output")}}));
    expect_gradients_of(golden, p, gradients);
  }
}

TYPED_TEST(Transformer, DecoderLayerAgreesWithPyTorch) {
  using T = TypeParam;
  for (const Case& c : {Case{"transformer_decoder_post", false, Activation::kRelu, 6},
                        {"transformer_decoder_pre", true, Activation::kGelu, 6},
                        {"transformer_decoder_one", true, Activation::kRelu, 6}}) {
    SCOPED_TRACE(c.file);
    const Golden golden(c.file);
    Parameters<T> p;
    const auto& x = testing::add_input(p, golden, "input.x");
    const auto& memory = testing::add_input(p, golden, "input.memory");
    const TransformerDecoderLayer<T> layer(p, "layer", choices(c));
    load_layer(p, golden);
    std::vector<T> gradients(p.size());
    Graph<T> g(gradients.data(), 1);
    const Lengths lengths = golden.ints("input.lengths");
    const Var<T> y = layer(g, g.use(x), layer.project(g, g.use(memory), lengths)).output;
    testing::expect_golden(golden, "output.output", y.value, y.size());
    g.backward(testing::weighed_sum<T>(g, {{y, testing::seed_of<T>(golden, "seed.output")}}));
    expect_gradients_of(golden, p, gradients);
  }
}

TEST(TransformerLayers, Gradients) {
  const Lengths lengths = {4, 2};
  for (const bool norm_first : {false, true}) {
    for (const auto activation : {Activation::kRelu, Activation::kGelu}) {
      Parameters<double> p;
      const auto& source = p.add("source", {4, 2, 4}, 0);
      const auto& target = p.add("target", {3, 2, 4}, 0);
      const TransformerChoices c = {.width = 4, .heads = 2, .feed_forward = 5, .activation = activation,
                                    .norm_first = norm_first, .relative = 1, .dropout = 0.2};
      const TransformerEncoderLayer<double> encoder(p, "encoder", c);
      const TransformerDecoderLayer<double> decoder(p, "decoder", c);
      testing::randomise(p);
      testing::expect_gradients(p, [&](Graph<double>& g) {
        const auto encoded = encoder(g, g.use(source), lengths);
        const auto decoded = decoder(g, g.use(target), decoder.project(g, encoded.output, lengths));
        return testing::weighed_sum(g, {decoded.output, decoded.cross_weights, encoded.weights});
      }, 2e-6);
    }
  }
}

// Word by word with a cache, for two hypotheses that share one source, as all at once for each of them.
TYPED_TEST(Transformer, WordByWordIsAllAtOnce) {
  using T = TypeParam;
  constexpr std::size_t kSteps = 5, kBatch = 2, kWidth = 6;
  for (const bool norm_first : {false, true}) {
    Parameters<T> p;
    const auto& target = p.add("target", {kSteps, kBatch, kWidth}, 1);
    const auto& source = p.add("source", {7, 1, kWidth}, 1);
    const TransformerDecoderLayer<T> layer(
        p, "layer", {.width = kWidth, .heads = 3, .feed_forward = 8, .norm_first = norm_first, .relative = 2});
    Graph<T> g;
    Memory<T> memory = layer.project(g, g.use(source), {});
    const std::vector<std::int32_t> columns(kBatch, 0);  // the hypotheses of one sentence
    memory.columns = columns;
    const auto all = layer(g, g.use(target), memory);
    const Var<T> keys = g.zeros({kSteps, kBatch, kWidth}), values = g.zeros({kSteps, kBatch, kWidth});
    for (std::size_t t = 0; t < kSteps; ++t) {
      const auto so_far = [&](Var<T> x) { return x.slice(0, (t + 1) * kBatch).reshape({t + 1, kBatch, kWidth}); };
      const KeyValueCache<T> cache = {keys.slice(t * kBatch, kBatch), values.slice(t * kBatch, kBatch), so_far(keys), so_far(values)};
      const auto one = layer(g, g.use(target).slice(t * kBatch, kBatch).reshape({1, kBatch, kWidth}), memory, &cache);
      for (std::size_t i = 0; i < kBatch * kWidth; ++i) {
        EXPECT_NEAR(one.output.value[i], all.output.value[t * kBatch * kWidth + i], 1e-5);
      }
      for (std::size_t head = 0; head < kBatch * 3; ++head) {
        for (std::size_t i = 0; i < 7; ++i) {
          EXPECT_NEAR(one.cross_weights.value[head * 7 + i], all.cross_weights.value[(head * kSteps + t) * 7 + i], 1e-5);
        }
      }
    }
  }
}

TEST(TransformerLayers, NoWordSeesTheNext) {
  Parameters<double> p;
  const auto& target = p.add("target", {4, 1, 4}, 1);
  const auto& source = p.add("source", {2, 1, 4}, 1);
  const TransformerDecoderLayer<double> layer(p, "layer", {.width = 4, .heads = 2, .feed_forward = 5});
  const auto first_three = [&] {
    Graph<double> g;
    const Var<double> y = layer(g, g.use(target), layer.project(g, g.use(source), {})).output;
    return std::vector<double>(y.value, y.value + 12);
  };
  const auto before = first_three();
  for (std::size_t i = 12; i < 16; ++i) p.find("target")->value[i] = 9;
  EXPECT_EQ(first_three(), before);
}

TEST(TransformerLayers, ShapesThatDoNotFitAreNamed) {
  Parameters<float> p;
  EXPECT_THROW(TransformerEncoderLayer<float>(p, "bad", {.width = 6, .heads = 4}), ArgumentError);
  const TransformerEncoderLayer<float> encoder(p, "encoder", {.width = 6, .heads = 2, .feed_forward = 5});
  const TransformerDecoderLayer<float> decoder(p, "decoder", {.width = 6, .heads = 2, .feed_forward = 5});
  Graph<float> g;
  const Lengths three = {1, 1, 1};
  EXPECT_THROW(encoder(g, g.zeros({4, 2, 5}), {}), ShapeError);
  EXPECT_THROW(encoder(g, g.zeros({4, 2, 6}), three), ShapeError);
  const auto memory = decoder.project(g, g.zeros({3, 2, 6}), {});
  EXPECT_THROW(decoder(g, g.zeros({4, 3, 6}), memory), ShapeError);
  const KeyValueCache<float> cache = {g.zeros({2, 6}), g.zeros({2, 6}), g.zeros({1, 2, 6}), g.zeros({1, 2, 6})};
  EXPECT_THROW(decoder(g, g.zeros({2, 2, 6}), memory, &cache), ShapeError);
}

}  // namespace
}  // namespace softalign::layers
