#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "decoding/beam_search.h"
#include "decoding/forced.h"
#include "models/transformer.h"
#include "unit/support/search.h"

// Searching with a model whose state grows and whose alignment is read one step later.
namespace softalign::decoding {
namespace {

using Ids = std::vector<std::int32_t>;
using models::HeadKind;
using testing::search;
constexpr std::int32_t kEos = 1, kUnknown = 0;
constexpr std::size_t kLayers = 2, kHeads = 2;
const Ids kSource = {4, 2, 5, 3, kEos};

struct Model {
  explicit Model(bool shifted, std::uint64_t seed = 1) : weights(seed), model(weights, config(shifted)) {
    Random random(seed);
    for (auto& p : weights.all()) {
      for (float& v : p.value) v = static_cast<float>(0.5 * random.normal());
    }
    weights.find("output.bias")->value[kUnknown] = -1e4f;
  }
  static models::TransformerConfig config(bool shifted) {
    models::TransformerConfig c;
    c.vocabulary = 6;
    c.width = 8;
    c.heads = kHeads;
    c.feed_forward = 9;
    c.encoder_layers = 1;
    c.decoder_layers = kLayers;
    c.alignment = {.layer = 1, .head = 1, .shifted = shifted};
    return c;
  }
  Parameters<float> weights;
  models::Transformer<float> model;
};

std::vector<float> rows(const std::vector<float>& all, std::size_t first, std::size_t count) {
  const auto from = all.begin() + static_cast<std::ptrdiff_t>(first * kSource.size());
  return {from, from + static_cast<std::ptrdiff_t>(count * kSource.size())};
}

TEST(TransformerSearch, ForcedDecodingKeepsEveryHead) {
  for (const bool shifted : {false, true}) {
    const Model m(shifted);
    Graph<float> g;
    const Ids target = {3, 5, 2};
    const Hypothesis forced = force(g, m.model, kSource, target, kEos, Heads::kKeep);
    const std::size_t n = target.size() + 1;
    // Cross-attention, the encoder's, of one layer here, and the decoder's.
    ASSERT_EQ(forced.heads.size(), (kLayers + 1 + kLayers) * kHeads);
    for (std::size_t i = 0; i < forced.heads.size(); ++i) {
      const HeadWeights& h = forced.heads[i];
      const std::size_t layer = i / kHeads;
      EXPECT_EQ(h.kind, layer < kLayers ? HeadKind::kCross : layer == kLayers ? HeadKind::kEncoder : HeadKind::kDecoder);
      EXPECT_EQ(h.layer, layer < kLayers ? layer : layer == kLayers ? 0 : layer - kLayers - 1);
      EXPECT_EQ(h.head, i % kHeads);
      EXPECT_EQ(h.rows, h.kind == HeadKind::kEncoder ? kSource.size() : n);
      EXPECT_EQ(h.columns, h.kind == HeadKind::kDecoder ? n : kSource.size());
      ASSERT_EQ(h.weights.size(), h.rows * h.columns);
      for (std::size_t row = 0; row < h.rows; ++row) {
        double sum = 0;
        for (std::size_t column = 0; column < h.columns; ++column) {
          const float w = h.weights[row * h.columns + column];
          sum += static_cast<double>(w);
          if (h.kind != HeadKind::kDecoder) continue;
          // the words before, and the beginning in the last column
          EXPECT_EQ(w == 0, column >= row && column + 1 < n);
        }
        EXPECT_NEAR(sum, 1, 1e-5);
      }
    }
    // The alignment is head 1 of layer 1: of the same step, or of the next one.
    const std::vector<float>& shown = forced.heads[1 * kHeads + 1].weights;
    EXPECT_EQ(rows(forced.attention, 0, n - 1), rows(shown, shifted ? 1 : 0, n - 1));
    EXPECT_EQ(rows(forced.attention, n - 1, 1), rows(shown, n - 1, 1));
    EXPECT_TRUE(force(g, m.model, kSource, target, kEos).heads.empty());
  }
}

// What a search found, forced again: the same probabilities and the same attention.
TEST(TransformerSearch, TracesWhatForcingTraces) {
  for (const bool shifted : {false, true}) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const Model m(shifted, seed);
      Graph<float> g;
      for (const std::size_t beam : {1, 2, 5}) {
        const Hypothesis found = search(g, m.model, kSource, {.beam = beam, .longest = 12, .trace = true});
        const Hypothesis forced = force(g, m.model, kSource, found.ids, kEos);
        ASSERT_EQ(found.attention.size(), forced.attention.size());
        for (std::size_t i = 0; i < found.attention.size(); ++i) EXPECT_NEAR(found.attention[i], forced.attention[i], 1e-5);
        ASSERT_EQ(found.log_probability.size(), forced.log_probability.size());
        for (std::size_t i = 0; i < forced.log_probability.size(); ++i) {
          EXPECT_NEAR(found.log_probability[i], forced.log_probability[i], 1e-4);
        }
      }
    }
  }
}

TEST(TransformerSearch, AWiderBeamFindsNoWorse) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Model m(true, seed);
    Graph<float> g;
    const auto score = [&](std::size_t beam) {
      return search(g, m.model, kSource, {.beam = beam, .length_penalty = 0, .longest = 6}).score;
    };
    EXPECT_GE(score(64), score(1) - 1e-5) << seed;
  }
}

TEST(TransformerSearch, SentencesTogetherAreTranslatedAsAlone) {
  const std::vector<Ids> sources = {kSource, {kEos}, {2, 2, 3, kEos}, {5, 4, 3, 2, 5, 4, 3, 2, kEos}, {3, kEos}};
  for (const bool shifted : {false, true}) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const Model m(shifted, seed);
      Graph<float> g;
      std::vector<Request> requests;
      for (const Ids& source : sources) requests.push_back({.source = source, .longest = source.size() + 3});
      for (const std::size_t beam : {1, 4}) {
        const auto together = decoding::search(g, m.model, requests, {.beam = beam, .trace = true});
        for (std::size_t i = 0; i < sources.size(); ++i) {
          const auto alone = decoding::search(g, m.model, std::span(requests).subspan(i, 1), {.beam = beam, .trace = true}).front();
          ASSERT_EQ(together[i].size(), alone.size());
          for (std::size_t n = 0; n < alone.size(); ++n) {
            EXPECT_EQ(together[i][n].ids, alone[n].ids) << "seed " << seed << ", beam " << beam << ", sentence " << i;
            EXPECT_NEAR(together[i][n].score, alone[n].score, 1e-5);
            ASSERT_EQ(together[i][n].attention.size(), alone[n].attention.size());
            for (std::size_t k = 0; k < alone[n].attention.size(); ++k) {
              EXPECT_NEAR(together[i][n].attention[k], alone[n].attention[k], 1e-5f);
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace softalign::decoding
