#include "decoding/text_reader.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "io/file.h"
#include "unit/support/errors.h"

namespace softalign {
namespace {

using Bytes = std::vector<std::byte>;

const Bytes& tokenizer_bytes() {
  static const Bytes bytes = read_file(SOFTALIGN_SOURCE_DIR "/tests/golden/text/tiny.model");
  return bytes;
}

models::EncoderChoices tiny_encoder() {
  return {.kind = models::EncoderKind::kSelfAttention, .width = 16, .layers = 2, .heads = 2, .feed_forward = 8, .radius = 2};
}

// A model file with random weights over the tests' tokenizer.
template <class Config>
Bytes saved(Config config, models::Storage storage = models::Storage::kF32) {
  config.vocabulary = Tokenizer(tokenizer_bytes()).size();
  Parameters<float> weights(7);
  const typename Config::template Model<float> model(weights, config);
  return save_model(config.to_json(), weights, tokenizer_bytes(), storage);
}

models::LanguageModelConfig language_model(models::ReaderKind reader = models::ReaderKind::kLstmn) {
  models::LanguageModelConfig c;
  c.reader = reader;
  c.embedding = 16;
  c.width = 24;
  return c;
}

models::TaggerConfig tagger() {
  models::TaggerConfig c;
  c.encoder = tiny_encoder();
  c.labels = {"ADJ", "NOUN", "VERB"};
  return c;
}

models::ClassifierConfig classifier() {
  models::ClassifierConfig c;
  c.encoder = tiny_encoder();
  c.labels = {"bad", "good"};
  c.alignment = 8;
  return c;
}

models::MaskedLanguageModelConfig masked() {
  models::MaskedLanguageModelConfig c;
  c.encoder = tiny_encoder();
  return c;
}

double sum(const std::vector<float>& values, std::size_t first, std::size_t count) {
  return std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(first), values.begin() + static_cast<std::ptrdiff_t>(first + count), 0.0);
}

TEST(LanguageReader, LooksBackAtWordsBeforeAndFindsThemAsLikelyAsItsModelDoes) {
  const Bytes bytes = saved(language_model());
  LanguageReader reader{bytes};
  const Reading reading = reader.read("the cat sees the dog.");
  const std::size_t n = reading.text.tokens.size();
  ASSERT_GT(n, 4);
  ASSERT_EQ(reading.attention.size(), n * (n + 1));
  ASSERT_EQ(reading.log_probability.size(), n + 1);
  for (std::size_t t = 0; t < n; ++t) {
    EXPECT_NEAR(sum(reading.attention, t * (n + 1), n + 1), 1, 1e-5);
    EXPECT_EQ(sum(reading.attention, t * (n + 1) + t + 1, n - t), 0) << "row " << t << " looks ahead";
  }
  // What comes later changes nothing of what was read before, and the same text reads the same.
  const Reading longer = reader.read("the cat sees the dog. it sleeps");
  for (std::size_t t = 0; t < n; ++t) EXPECT_NEAR(longer.log_probability[t], reading.log_probability[t], 1e-5);
  EXPECT_EQ(reader.read("the cat sees the dog.").attention, reading.attention);

  for (const float p : reading.log_probability) EXPECT_LT(p, 0);
  EXPECT_EQ(reader.read("").log_probability.size(), 1);

  const Bytes plain_bytes = saved(language_model(models::ReaderKind::kLstm));
  LanguageReader plain{plain_bytes};
  EXPECT_TRUE(plain.read("the cat").attention.empty());
}

TEST(TextTagger, GivesEachWordLabelsAndSaysWhomItLookedAt) {
  const Bytes bytes = saved(tagger());
  TextTagger tagger{bytes};
  const std::vector<std::string> words = {"the", "mountainhouse", "is", "old"};
  const Tagging tagging = tagger.tag(words);
  ASSERT_EQ(tagging.probability.size(), 4 * 3);
  for (std::size_t w = 0; w < 4; ++w) EXPECT_NEAR(sum(tagging.probability, w * 3, 3), 1, 1e-5);
  ASSERT_EQ(tagging.attention.layers.size(), 2);
  EXPECT_EQ(tagging.attention.heads, 2);
  for (const auto& layer : tagging.attention.layers) {
    ASSERT_EQ(layer.size(), 2 * 4 * 4);
    for (std::size_t row = 0; row < 2 * 4; ++row) EXPECT_NEAR(sum(layer, row * 4, 4), 1, 1e-5);
  }
  EXPECT_THROW((void)tagger.tag({}), ArgumentError);
}

TEST(TextClassifier, SaysWhatAndWhichWordsDecided) {
  const Bytes bytes = saved(classifier());
  TextClassifier classifier{bytes};
  const Classification c = classifier.classify("I love the old house.");
  EXPECT_NEAR(sum(c.probability, 0, 2), 1, 1e-5);
  ASSERT_EQ(c.pooling.size(), c.text.tokens.size());
  EXPECT_NEAR(sum(c.pooling, 0, c.pooling.size()), 1, 1e-5);
  EXPECT_EQ(c.attention.layers[1].size(), 2 * c.pooling.size() * c.pooling.size());
  const Classification empty = classifier.classify("  ");
  EXPECT_NEAR(sum(empty.probability, 0, 2), 1, 1e-5);
  EXPECT_TRUE(empty.pooling.empty());
}

TEST(MaskFiller, GuessesBestFirst) {
  const Bytes bytes = saved(masked());
  MaskFiller filler{bytes};
  const std::vector<std::string> parts = {"the ", " sees the ", "."};
  const auto guesses = filler.fill(parts, 5);
  ASSERT_EQ(guesses.size(), 2);
  for (const auto& of_mask : guesses) {
    ASSERT_EQ(of_mask.size(), 5);
    for (std::size_t i = 1; i < 5; ++i) EXPECT_GE(of_mask[i - 1].probability, of_mask[i].probability);
  }
  // All of them: what is masked itself is no guess.
  const std::vector<std::string> mask_alone = {"", ""};
  const auto all = filler.fill(mask_alone, 100000);
  EXPECT_EQ(all[0].size(), filler.config().vocabulary);
  EXPECT_THROW((void)filler.fill(std::vector<std::string>{"no mask"}, 5), ArgumentError);
}

TEST(MaskFiller, LooksBetweenAllTokensAndMasks) {
  const Bytes bytes = saved(masked());
  MaskFiller filler{bytes};
  const MaskedText look = filler.look(std::vector<std::string>{"the ", " sees the ", "s."});
  EXPECT_EQ(look.text.text, "the [MASK] sees the [MASK]s.");
  const auto& tokens = look.text.tokens;
  std::uint32_t at = 0;
  for (const Token& token : tokens) {
    EXPECT_EQ(token.range.begin, at) << "they tile the text";
    at = token.range.end;
  }
  EXPECT_EQ(at, look.text.text.size());
  ASSERT_EQ(look.masks.size(), 2u);
  for (const std::size_t mask : look.masks) {
    const ByteRange range = tokens[mask].range;
    EXPECT_EQ(look.text.text.substr(range.begin, range.end - range.begin), " [MASK]");
    EXPECT_EQ(tokens[mask].id, static_cast<std::int32_t>(filler.config().vocabulary));
  }
  const std::size_t n = tokens.size();
  ASSERT_EQ(look.attention.layers.size(), 2u);
  for (const auto& layer : look.attention.layers) {
    ASSERT_EQ(layer.size(), look.attention.heads * n * n);
    for (std::size_t row = 0; row < look.attention.heads * n; ++row) EXPECT_NEAR(sum(layer, row * n, n), 1, 1e-5);
  }
  EXPECT_EQ(filler.look(std::vector<std::string>{"", " "}).text.text, "[MASK] ");
  EXPECT_THROW((void)filler.look(std::vector<std::string>{"no mask"}), ArgumentError);
}

TEST(TextReaders, ReadWeightsInBytes) {
  const auto close = [](const std::vector<float>& a, const std::vector<float>& b, const char* what) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 0.05) << what << " " << i;
  };
  const std::vector<std::string> words = {"the", "old", "house"};
  const auto both = [&](auto config, const auto& result, const char* what) {
    const Bytes numbers = saved(config), bytes = saved(config, models::Storage::kInt8);
    EXPECT_LT(bytes.size(), numbers.size());
    close(result(numbers), result(bytes), what);
  };
  both(language_model(), [](const Bytes& b) { return LanguageReader(b).read("the old house").log_probability; }, "language model");
  both(tagger(), [&](const Bytes& b) { return TextTagger(b).tag(words).probability; }, "tagger");
  both(classifier(), [](const Bytes& b) { return TextClassifier(b).classify("the old house").probability; }, "classifier");
  const std::vector<std::string> parts = {"the ", " house"};
  both(masked(), [&](const Bytes& b) {
    std::vector<float> p;
    const auto guesses = MaskFiller(b).fill(parts, 3);
    for (const Guess& guess : guesses[0]) p.push_back(guess.probability);
    return p;
  }, "masked language model");
}

TEST(TextReaders, NameWhatTheyCannotRead) {
  const Bytes bytes = saved(tagger());
  EXPECT_EQ(testing::message_of<FormatError>([&] { TextClassifier reader(bytes); }),
            "model config: architecture is \"tagger\", expected \"classifier\"");
  auto config = language_model();
  config.vocabulary = 7;
  Parameters<float> weights;
  const models::LanguageModel<float> model(weights, config);
  const Bytes other = save_model(config.to_json(), weights, tokenizer_bytes(), models::Storage::kF32);
  EXPECT_EQ(testing::message_of<FormatError>([&] { LanguageReader reader(other); }),
            "model file: the tokenizer has " + std::to_string(Tokenizer(tokenizer_bytes()).size()) + " pieces, expected 7");
}

}  // namespace
}  // namespace softalign
