#include "models/seq2seq.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "unit/support/golden.h"
#include "unit/support/gradients.h"

namespace softalign::models {
namespace {

using testing::Golden;

constexpr AttentionKind kKinds[] = {AttentionKind::kNone, AttentionKind::kAdditive, AttentionKind::kDot};

Seq2SeqConfig tiny(AttentionKind attention) {
  Seq2SeqConfig c;
  c.attention = attention;
  c.vocabulary = 19;
  c.embedding = 6;
  c.encoder = 5;
  c.decoder = 7;
  c.alignment = 8;
  c.dropout = 0;
  return c;
}

Batch golden_batch(const Golden& golden) {
  return {.size = 3,
          .source = golden.ints("input.source"),
          .source_lengths = golden.ints("input.lengths"),
          .previous = golden.ints("input.previous"),
          .target = golden.ints("input.target")};
}

template <class T>
class Seq2Seq_ : public ::testing::Test {};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Seq2Seq_, Numbers);

TYPED_TEST(Seq2Seq_, LossAndAllGradientsAgreeWithPyTorch) {
  using T = TypeParam;
  for (const AttentionKind kind : kKinds) {
    SCOPED_TRACE(attention_name(kind));
    const Golden golden(std::string("seq2seq_") + attention_name(kind));
    Parameters<T> p;
    const Seq2Seq<T> model(p, tiny(kind));
    for (const auto& weight : p.all()) testing::load(p, golden, weight.name, "weight." + weight.name);
    std::vector<T> gradients(p.size());
    Graph<T> g(gradients.data(), 1);
    const Var<T> loss = model.loss(g, golden_batch(golden), 0.1, 1);
    testing::expect_golden(golden, "output.loss", loss.value, 1);
    g.backward(loss);
    for (const auto& weight : p.all()) {
      testing::expect_golden_gradient(golden, "grad." + weight.name, p, weight.name, gradients);
    }
  }
}

TYPED_TEST(Seq2Seq_, StepByStepAgreesWithPyTorch) {
  using T = TypeParam;
  for (const AttentionKind kind : kKinds) {
    SCOPED_TRACE(attention_name(kind));
    const Golden golden(std::string("seq2seq_") + attention_name(kind));
    const Batch batch = golden_batch(golden);
    Parameters<T> p;
    const Seq2Seq<T> model(p, tiny(kind));
    for (const auto& weight : p.all()) testing::load(p, golden, weight.name, "weight." + weight.name);
    Graph<T> g;
    const auto encoded = model.encode(g, batch.source, batch.source_lengths);
    std::vector<T> logits, weights;
    Var<T> state = encoded.start;
    for (std::size_t t = 0; t < 6; ++t) {
      const auto step = model.step(g, encoded.memory, std::span(batch.previous).subspan(t * 3, 3), state);
      state = step.state;
      logits.insert(logits.end(), step.logits.value, step.logits.value + step.logits.size());
      if (kind == AttentionKind::kNone) {
        EXPECT_EQ(step.weights.value, nullptr);
      } else {
        weights.insert(weights.end(), step.weights.value, step.weights.value + step.weights.size());
      }
    }
    testing::expect_golden(golden, "output.logits", logits.data(), logits.size());
    if (!weights.empty()) testing::expect_golden(golden, "output.weights", weights.data(), weights.size());
  }
}

TEST(Seq2Seq, GradientsWithDropout) {
  const Golden golden("seq2seq_dot");  // for its batch
  for (const AttentionKind kind : kKinds) {
    SCOPED_TRACE(attention_name(kind));
    Seq2SeqConfig config = tiny(kind);
    config.dropout = 0.3;
    Parameters<double> p;
    const Seq2Seq<double> model(p, config);
    testing::randomise(p, 0.5);
    testing::expect_gradients(p, [&](Graph<double>& g) { return model.loss(g, golden_batch(golden), 0.1, 0.2); }, 1e-6);
  }
}

// Each sentence pair alone, without padding, costs what it costs inside a padded batch.
TEST(Seq2Seq, PaddingDoesNotMatter) {
  const Golden golden("seq2seq_dot");
  const Batch batch = golden_batch(golden);
  for (const AttentionKind kind : kKinds) {
    SCOPED_TRACE(attention_name(kind));
    Parameters<double> p;
    const Seq2Seq<double> model(p, tiny(kind));
    testing::randomise(p, 0.5);
    Graph<double> g;
    const double together = model.loss(g, batch, 0.1, 1).value[0];
    double apart = 0;
    for (std::size_t b = 0; b < 3; ++b) {
      Batch one{.size = 1, .source = {}, .source_lengths = {batch.source_lengths[b]}, .previous = {}, .target = {}};
      for (std::size_t s = 0; s < static_cast<std::size_t>(batch.source_lengths[b]); ++s) {
        one.source.push_back(batch.source[s * 3 + b]);
      }
      for (std::size_t t = 0; t < 6 && batch.target[t * 3 + b] >= 0; ++t) {
        one.previous.push_back(batch.previous[t * 3 + b]);
        one.target.push_back(batch.target[t * 3 + b]);
      }
      apart += model.loss(g, one, 0.1, 1).value[0];
    }
    EXPECT_NEAR(together, apart, 1e-9);
  }
}

// Beam search: several hypotheses read one encoded sentence.
TEST(Seq2Seq, HypothesesShareOneSentence) {
  const std::int32_t source[] = {4, 9, 2, 1}, words[] = {3, 5, 1}, length[] = {4};
  for (const AttentionKind kind : kKinds) {
    SCOPED_TRACE(attention_name(kind));
    Parameters<float> p;
    const Seq2Seq<float> model(p, tiny(kind));
    Graph<float> g;
    const auto encoded = model.encode(g, source, length);
    const Var<float> states = g.zeros({3, 7});
    for (std::size_t i = 0; i < states.size(); ++i) states.value[i] = 0.05f * static_cast<float>(i);
    const std::int32_t columns[] = {0, 0, 0};
    layers::Memory<float> shared = encoded.memory;
    shared.columns = columns;
    const auto all = model.step(g, shared, words, states);
    for (std::size_t b = 0; b < 3; ++b) {
      const auto one = model.step(g, encoded.memory, {words + b, 1}, states.slice(b, 1));
      for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(one.state.value[i], all.state.value[b * 7 + i], 1e-6f);
      for (std::size_t i = 0; i < 19; ++i) EXPECT_NEAR(one.logits.value[i], all.logits.value[b * 19 + i], 1e-5f);
    }
  }
}

TEST(Seq2Seq, WordsOutsideTheVocabularyAreErrors) {
  Parameters<float> p;
  const Seq2Seq<float> model(p, tiny(AttentionKind::kAdditive));
  Graph<float> g;
  const std::int32_t bad[] = {4, 19}, good[] = {4, 1}, length[] = {2};
  EXPECT_THROW(model.encode(g, bad, length), ArgumentError);
  const auto encoded = model.encode(g, good, length);
  EXPECT_THROW(model.step(g, encoded.memory, {bad + 1, 1}, encoded.start), ArgumentError);
}

TEST(Seq2SeqConfig, JsonRoundTrip) {
  for (const AttentionKind kind : kKinds) {
    Seq2SeqConfig c = tiny(kind);
    c.name = "a \"quoted\" name, é";
    c.source_language = "de";
    const Seq2SeqConfig back = Seq2SeqConfig::from_json(c.to_json());
    EXPECT_EQ(back.to_json(), c.to_json());
    EXPECT_EQ(back.name, c.name);
    EXPECT_EQ(back.attention, kind);
    EXPECT_EQ(back.alignment, c.alignment);
    EXPECT_EQ(attention_by_name(attention_name(kind)), kind);
  }
  EXPECT_THROW(attention_by_name("luong"), ArgumentError);
}

TEST(Seq2SeqConfig, HostileJsonNamesItsCulprit) {
  const std::string good = tiny(AttentionKind::kAdditive).to_json();
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string s = good;
    const auto at = s.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return s.replace(at, from.size(), to);
  };
  const auto message = [](const std::string& json) -> std::string {
    try {
      Seq2SeqConfig::from_json(json);
    } catch (const FormatError& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_EQ(message(with("\"vocabulary\":19", "\"vocabulary\":-3")),
            "model config: vocabulary is -3, expected a whole number in 1..1048576");
  EXPECT_EQ(message(with("\"vocabulary\":19", "\"vocabulary\":1e30")),
            "model config: vocabulary is 1e+30, expected a whole number in 1..1048576");
  EXPECT_EQ(message(with("\"decoder\":7", "\"decoder\":0")),
            "model config: decoder is 0, expected a whole number in 1..8192");
  EXPECT_EQ(message(with("\"decoder\":7", "\"decoder\":7.5")),
            "model config: decoder is 7.5, expected a whole number in 1..8192");
  EXPECT_EQ(message(with("\"decoder\":7", "\"decider\":7")),
            "model config: decoder is missing, expected a whole number in 1..8192");
  EXPECT_EQ(message(with("\"additive\"", "\"new\"")),
            "model config: attention is \"new\", expected \"none\", \"additive\" or \"dot\"");
  EXPECT_EQ(message(with("\"additive\"", "3")), "model config: attention is 3, expected a string");
  EXPECT_EQ(message(with("\"seq2seq-gru\"", "\"transformer\"")),
            "model config: architecture is \"transformer\", expected \"seq2seq-gru\"");
  for (const char* json : {"", "[]", "{", "null", "17", "\"x\""}) {
    EXPECT_EQ(message(json), "model config is not a JSON object") << json;
  }
}

}  // namespace
}  // namespace softalign::models
