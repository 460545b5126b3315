#include "models/transformer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "unit/support/golden.h"
#include "unit/support/gradients.h"

namespace softalign::models {
namespace {

using testing::Golden;

TransformerConfig tiny() {
  TransformerConfig c;
  c.vocabulary = 19;
  c.width = 8;
  c.heads = 2;
  c.feed_forward = 10;
  c.encoder_layers = 2;
  c.decoder_layers = 2;
  c.alignment = {.layer = 0, .head = 1, .shifted = true};
  c.dropout = 0;
  return c;
}

Batch golden_batch(const Golden& golden) {
  return {.size = 3,
          .source = golden.ints("input.source"),
          .source_lengths = golden.ints("input.lengths"),
          .previous = golden.ints("input.previous"),
          .target = golden.ints("input.target"),
          .alignment = {}};
}

template <class T>
class TransformerModel : public ::testing::Test {};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(TransformerModel, Numbers);

TYPED_TEST(TransformerModel, LossAndAllGradientsAgreeWithPyTorch) {
  using T = TypeParam;
  for (const bool guided : {false, true}) {
    const Golden golden(guided ? "transformer_guided" : "transformer");
    Batch batch = golden_batch(golden);
    TransformerConfig config = tiny();
    if (guided) {
      config.guidance = 0.3;
      const auto links = golden.ints("input.links");  // the first two share their query
      for (std::size_t i = 0; i < links.size(); i += 3) {
        batch.alignment.push_back({static_cast<std::uint32_t>(links[i + 1]), static_cast<std::uint32_t>(links[i]),
                                   static_cast<std::uint32_t>(links[i + 2]), i < 6 ? 0.5f : 1.0f});
      }
    }
    Parameters<T> p;
    const Transformer<T> model(p, config);
    for (const auto& weight : p.all()) testing::load(p, golden, weight.name, "weight." + weight.name);
    std::vector<T> gradients(p.size());
    Graph<T> g(gradients.data(), 1);
    const Var<T> loss = model.loss(g, batch, 0.1, 1);
    testing::expect_golden(golden, "output.loss", loss.value, 1);
    g.backward(loss);
    for (const auto& weight : p.all()) {
      testing::expect_golden_gradient(golden, "grad." + weight.name, p, weight.name, gradients);
    }
  }
}

// Each sentence alone, word by word, has the logits and the weights that PyTorch computes of all at once.
TYPED_TEST(TransformerModel, WordByWordAgreesWithPyTorch) {
  using T = TypeParam;
  const Golden golden("transformer");
  const Batch batch = golden_batch(golden);
  Parameters<T> p;
  const TransformerConfig config = tiny();
  const Transformer<T> model(p, config);
  for (const auto& weight : p.all()) testing::load(p, golden, weight.name, "weight." + weight.name);
  const auto logits = golden.floats("output.logits");    // [T, B, V]
  const auto weights = golden.floats("output.weights");  // [L, B, H, T, S]
  const std::size_t B = 3, S = 7, steps = 6, V = 19;
  for (std::size_t b = 0; b < B; ++b) {
    std::vector<std::int32_t> source;
    const auto length = static_cast<std::size_t>(batch.source_lengths[b]);
    for (std::size_t s = 0; s < length; ++s) source.push_back(batch.source[s * B + b]);
    Graph<T> g;
    const auto decoder = model.read(g, Sources(source));
    EXPECT_TRUE(decoder->alignment_is_shifted());
    DecoderState<T> state(g, decoder->state_shape(), 1, steps, 1);
    for (std::size_t t = 0; t < steps; ++t) {
      const auto step = decoder->step(g, {&batch.previous[t * B + b], 1}, state);
      for (std::size_t v = 0; v < V; ++v) {
        const double expected = logits[(t * B + b) * V + v];
        ASSERT_NEAR(step.logits.value[v], expected, 1e-4 * (1 + std::abs(expected)));
      }
      ASSERT_EQ(step.cross.size(), 2);
      for (std::size_t layer = 0; layer < 2; ++layer) {
        for (std::size_t h = 0; h < 2; ++h) {
          for (std::size_t s = 0; s < length; ++s) {
            const double expected = weights[((((layer * B + b) * 2 + h) * steps) + t) * S + s];
            EXPECT_NEAR(step.cross[layer].value[h * length + s], expected, 1e-5);
            if (layer == 0 && h == 1) {
              EXPECT_EQ(step.weights.value[s], step.cross[layer].value[h * length + s]);
            }
          }
        }
      }
      const std::size_t kept[] = {0};
      state.select(kept);
    }
  }
}

TEST(Transformer, GradientsWithDropout) {
  const Golden golden("transformer");  // for its batch
  TransformerConfig config = tiny();
  config.dropout = 0.2;
  config.guidance = 0.5;
  Batch batch = golden_batch(golden);
  batch.alignment = {{0, 1, 3, 0.5f}, {1, 2, 1, 1}};
  Parameters<double> p;
  const Transformer<double> model(p, config);
  testing::randomise(p, 0.4);
  testing::expect_gradients(p, [&](Graph<double>& g) { return model.loss(g, batch, 0.1, 0.2); }, 1e-5);
}

TEST(TransformerConfig, SurvivesItsJson) {
  TransformerConfig c = tiny();
  c.name = "x";
  const TransformerConfig read = TransformerConfig::from_json(c.to_json());
  EXPECT_EQ(read.to_json(), c.to_json());
  EXPECT_EQ(read.alignment.layer, 0);
  EXPECT_EQ(read.alignment.head, 1);
  EXPECT_TRUE(read.alignment.shifted);
}

TEST(TransformerConfig, WhatDoesNotFitIsNamed) {
  const std::string good = tiny().to_json();
  const auto message_of = [&](const std::string& from, const std::string& to) {
    std::string json = good;
    json.replace(json.find(from), from.size(), to);
    try {
      TransformerConfig::from_json(json);
    } catch (const FormatError& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message_of("\"heads\":2", "\"heads\":3"), "model config: heads is 3, expected a number that divides the width, 8");
  EXPECT_EQ(message_of("\"alignment_head\":1", "\"alignment_head\":2"),
            "model config: alignment_head is 2, expected a whole number in 0..1");
  EXPECT_EQ(message_of("\"alignment_layer\":0", "\"alignment_layer\":-1"),
            "model config: alignment_layer is -1, expected a whole number in 0..1");
  EXPECT_EQ(message_of("\"alignment_shifted\":true", "\"alignment_shifted\":1"),
            "model config: alignment_shifted is 1, expected true or false");
  EXPECT_EQ(message_of("\"width\":8", "\"width\":99999"), "model config: width is 99999, expected a whole number in 1..8192");
  EXPECT_EQ(message_of("\"encoder_layers\":2", "\"encoder_layers\":0"),
            "model config: encoder_layers is 0, expected a whole number in 1..64");
  Parameters<float> p;
  TransformerConfig c = tiny();
  c.alignment.layer = 2;
  EXPECT_THROW(Transformer<float>(p, c), ArgumentError);
}

TEST(AlignmentHead, IsReadFromItsName) {
  const AlignmentHead plain = alignment_head("2:13"), shifted = alignment_head("0:1:shifted");
  EXPECT_EQ(plain.layer, 2);
  EXPECT_EQ(plain.head, 13);
  EXPECT_FALSE(plain.shifted);
  EXPECT_EQ(shifted.head, 1);
  EXPECT_TRUE(shifted.shifted);
  for (const char* bad : {"", "1", "1:", ":1", "1:2:", "1:2:shift", "1:2:shifted ", "-1:2", "a:b", "1:2:3"}) {
    EXPECT_THROW(alignment_head(bad), ArgumentError) << bad;
  }
}

}  // namespace
}  // namespace softalign::models
