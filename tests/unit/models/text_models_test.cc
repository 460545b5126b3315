#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/text_config.h"
#include "unit/support/errors.h"
#include "unit/support/golden.h"
#include "unit/support/gradients.h"

namespace softalign::models {
namespace {

using testing::Golden;

EncoderChoices tiny(EncoderKind kind, std::size_t layers = 2) {
  return {.kind = kind, .width = 8, .layers = layers, .heads = 2, .feed_forward = 6, .radius = 2, .dropout = 0};
}

template <class Config>
Config of_vocabulary(std::size_t vocabulary) {
  Config c;
  c.vocabulary = vocabulary;
  return c;
}

TaggerConfig tagger(EncoderKind kind) {
  auto c = of_vocabulary<TaggerConfig>(11);
  c.encoder = tiny(kind);
  c.labels = {"a", "b", "c", "d", "e"};
  return c;
}

ClassifierConfig classifier() {
  auto c = of_vocabulary<ClassifierConfig>(11);
  c.encoder = tiny(EncoderKind::kSelfAttention);
  c.labels = {"a", "b", "c", "d", "e"};
  c.alignment = 7;
  return c;
}

MaskedLanguageModelConfig masked() {
  auto c = of_vocabulary<MaskedLanguageModelConfig>(11);
  c.encoder = tiny(EncoderKind::kSelfAttention, 1);
  return c;
}

LanguageModelConfig language_model(ReaderKind reader) {
  auto c = of_vocabulary<LanguageModelConfig>(12);
  c.reader = reader;
  c.embedding = 6;
  c.width = 7;
  c.dropout = 0;
  return c;
}

struct NamedConfig {
  const char* golden;
  TextConfig config;
};

std::vector<NamedConfig> all() {
  return {{"tagger_self_attention", tagger(EncoderKind::kSelfAttention)},
          {"tagger_bilstm", tagger(EncoderKind::kBiLstm)},
          {"tagger_window", tagger(EncoderKind::kWindow)},
          {"classifier", classifier()},
          {"masked_language_model", masked()},
          {"language_model_lstm", language_model(ReaderKind::kLstm)},
          {"language_model_lstmn", language_model(ReaderKind::kLstmn)}};
}

TextBatch golden_batch(const Golden& golden, const TextConfig& config) {
  TextBatch batch = {golden.ints("input.ids"), golden.ints("input.lengths"), {}, golden.ints("input.answers")};
  if (!std::holds_alternative<ClassifierConfig>(config)) batch.places = golden.ints("input.places");
  return batch;
}

template <class T>
class TextModels : public ::testing::Test {};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(TextModels, Numbers);

TYPED_TEST(TextModels, AnswersLossAndAllGradientsAgreeWithPyTorch) {
  using T = TypeParam;
  for (const auto& [name, config] : all()) {
    SCOPED_TRACE(name);
    const Golden golden(name);
    const TextBatch batch = golden_batch(golden, config);
    Parameters<T> p;
    const auto model = make_model(p, config);
    for (const auto& weight : p.all()) testing::load(p, golden, weight.name, "weight." + weight.name);
    Graph<T> infers;
    const Var<T> logits = model->logits(infers, batch);
    testing::expect_golden(golden, "output.logits", logits.value, logits.size());
    std::vector<T> gradients(p.size());
    Graph<T> g(gradients.data(), 1);
    const Var<T> loss = model->loss(g, batch, 0.1, 1);
    testing::expect_golden(golden, "output.loss", loss.value, 1);
    g.backward(loss);
    for (const auto& weight : p.all()) {
      testing::expect_golden_gradient(golden, "grad." + weight.name, p, weight.name, gradients);
    }
  }
}

TYPED_TEST(TextModels, PoolingSaysWhichWordsDecided) {
  using T = TypeParam;
  const Golden golden("classifier");
  const TextConfig config = classifier();
  Parameters<T> p;
  const Classifier<T> model(p, classifier());
  for (const auto& weight : p.all()) testing::load(p, golden, weight.name, "weight." + weight.name);
  Graph<T> g;
  std::vector<Var<T>> layers;
  const auto result = model.classify(g, golden_batch(golden, config), &layers);
  testing::expect_golden(golden, "output.pooling", result.pooling.value, result.pooling.size());
  ASSERT_EQ(layers.size(), 2);
  EXPECT_EQ(layers[0].shape, (Shape{3, 2, 6, 6}));  // [B, H, T, T]
}

TEST(TextModelGradients, AreFiniteDifferences) {
  for (const auto& [name, config] : all()) {
    SCOPED_TRACE(name);
    const TextBatch batch = golden_batch(Golden(name), config);
    TextConfig with_dropout = config;
    std::visit(
        [](auto& c) {
          if constexpr (requires { c.encoder; }) c.encoder.dropout = 0.2;
          else c.dropout = 0.2;
        },
        with_dropout);
    Parameters<double> p;
    const auto model = make_model(p, with_dropout);
    testing::randomise(p, 0.4);
    testing::expect_gradients(p, [&](Graph<double>& g) { return model->loss(g, batch, 0.1, 1); });
  }
}

TEST(LanguageModel, ALookBackIsAtWordsBefore) {
  Parameters<float> p;
  const LanguageModel<float> model(p, language_model(ReaderKind::kLstmn));
  Graph<float> g;
  const TextBatch batch = {{0, 3, 4, 5, 6}, {5}, {4}, {}};
  const Var<float> weights = g.make({1, 5, 5});
  const Var<float> logits = model.logits(g, batch, weights);
  EXPECT_EQ(logits.shape, (Shape{1, 12}));
  for (std::size_t t = 0; t < 5; ++t) {
    float sum = 0;
    for (std::size_t s = 0; s < 5; ++s) {
      sum += weights.value[t * 5 + s];
      if (s >= t) {
        EXPECT_EQ(weights.value[t * 5 + s], 0);
      }
    }
    EXPECT_NEAR(sum, t == 0 ? 0 : 1, 1e-6);
  }
  Parameters<float> q;
  const LanguageModel<float> lstm(q, language_model(ReaderKind::kLstm));
  EXPECT_THROW((void)lstm.logits(g, batch, weights), ArgumentError);
}

TEST(TextConfig, SurvivesItsJson) {
  for (const auto& [name, config] : all()) {
    SCOPED_TRACE(name);
    TextConfig named = config;
    info(named).name = "a \"name\"";
    info(named).language = "pt-BR";
    const std::string json = to_json(named);
    const TextConfig again = text_config(json);
    EXPECT_EQ(again.index(), named.index());
    EXPECT_EQ(to_json(again), json);
    EXPECT_EQ(info(again).language, "pt-BR");
  }
}

TEST(TextConfig, ErrorsNameMemberValueAndExpectation) {
  const auto message = [](std::string json, const std::string& from, const std::string& to) {
    const std::size_t at = json.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    json.replace(at, from.size(), to);
    return testing::message_of<FormatError>([&] { (void)text_config(json); });
  };
  const std::string json = to_json(TextConfig(tagger(EncoderKind::kSelfAttention)));
  EXPECT_EQ(message(json, "\"tagger\"", "\"teller\""),
            "model config: architecture is \"teller\", expected \"language-model\" or \"tagger\" or \"classifier\" or "
            "\"masked-language-model\"");
  EXPECT_EQ(message(json, "\"self-attention\"", "\"telepathy\""),
            "model config: encoder is \"telepathy\", expected \"self-attention\", \"bilstm\" or \"window\"");
  EXPECT_EQ(message(json, "\"heads\":2", "\"heads\":3"), "model config: width is 8, expected a multiple of 3");
  EXPECT_EQ(message(json, "\"b\"", "\"a\""),
            "model config: labels is [\"a\",\"a\",\"c\",\"d\",\"e\"], expected a list of at least two different strings");
  EXPECT_EQ(message(json, "\"language\":\"en\",", ""), "model config: language is missing, expected a string");
  EXPECT_EQ(message(to_json(TextConfig(language_model(ReaderKind::kLstm))), "\"lstm\"", "\"gru\""),
            "model config: reader is \"gru\", expected \"lstm\" or \"lstmn\"");
  EXPECT_THROW(TaggerConfig::from_json(to_json(TextConfig(classifier()))), FormatError);
}

}  // namespace
}  // namespace softalign::models
