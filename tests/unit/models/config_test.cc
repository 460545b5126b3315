#include "models/config.h"

#include <gtest/gtest.h>

#include <string>

namespace softalign::models {
namespace {

// As it stands in a model that was shipped.
const std::string kShipped =
    R"({"alignment":192,"architecture":"seq2seq-gru","attention":"dot","decoder":320,"embedding":176,)"
    R"("encoder":160,"name":"en-fr-dot","source_language":"en","target_language":"fr","vocabulary":4000})";

TEST(TranslationConfig, ReadsWhatWasShippedAndWritesItTheSame) {
  const TranslationConfig config = translation_config(kShipped);
  const auto& c = std::get<Seq2SeqConfig>(config);
  EXPECT_EQ(c.attention, AttentionKind::kDot);
  EXPECT_EQ(c.alignment, 192u);
  EXPECT_EQ(c.decoder, 320u);
  EXPECT_EQ(c.embedding, 176u);
  EXPECT_EQ(c.encoder, 160u);
  EXPECT_EQ(info(config).name, "en-fr-dot");
  EXPECT_EQ(info(config).source_language, "en");
  EXPECT_EQ(info(config).target_language, "fr");
  EXPECT_EQ(info(config).vocabulary, 4000u);
  EXPECT_EQ(to_json(config), kShipped);
}

TEST(TranslationConfig, WhatIsSharedCanBeChanged) {
  TranslationConfig config = translation_config(kShipped);
  info(config).name = "another";
  EXPECT_EQ(std::get<Seq2SeqConfig>(config).name, "another");
}

TEST(TranslationConfig, AModelIsMadeOfItsArchitecture) {
  TranslationConfig config = translation_config(kShipped);
  info(config).vocabulary = 50;
  Parameters<float> weights;
  const auto model = make_model(weights, config);
  ASSERT_NE(dynamic_cast<const Seq2Seq<float>*>(model.get()), nullptr);
  EXPECT_EQ(model->info().name, "en-fr-dot");
  EXPECT_EQ(weights.find("embedding.weight")->shape, (Shape{50, 176}));
}

TEST(TranslationConfig, ErrorsNameTheCulprit) {
  const auto message = [](const std::string& json) -> std::string {
    try {
      translation_config(json);
    } catch (const FormatError& e) {
      return e.what();
    }
    return "no error";
  };
  std::string known;
  for (const std::string& a : architectures()) known += (known.empty() ? "\"" : " or \"") + a + '"';
  EXPECT_NE(known.find("\"seq2seq-gru\""), std::string::npos);
  EXPECT_EQ(message(R"({"architecture":"oracle"})"), "model config: architecture is \"oracle\", expected " + known);
  EXPECT_EQ(message(R"({"architecture":7})"), "model config: architecture is 7, expected a string");
  EXPECT_EQ(message("{}"), "model config: architecture is missing, expected a string");
  EXPECT_EQ(message(R"({"architecture":{"a":1}})"), "model config: architecture is an object, expected a string");
  EXPECT_EQ(message(R"({"architecture":["a",1]})"), R"(model config: architecture is ["a",1], expected a string)");
  // What is nested without end, and what is long without end.
  const std::string open(100'000, '['), close(100'000, ']');
  EXPECT_EQ(message("{\"architecture\":" + open + close + '}'), "model config: architecture is a list of lists or objects, expected a string");
  EXPECT_LT(message("{\"architecture\":\"" + std::string(1'000'000, 'a') + "\"}").size(), 1100U);
  EXPECT_EQ(message("[]"), "model config is not a JSON object");
  EXPECT_EQ(message(R"({"architecture":"seq2seq-gru"})"), "model config: name is missing, expected a string");
}

}  // namespace
}  // namespace softalign::models
