#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "io/file.h"
#include "text/word_pieces.h"
#include "training/text.h"
#include "unit/support/errors.h"

namespace softalign::training {
namespace {

std::vector<std::byte> tokenizer_bytes() { return read_file(SOFTALIGN_SOURCE_DIR "/tests/golden/text/tiny.model"); }

class TemporaryFolder {
 public:
  TemporaryFolder() : path(std::filesystem::path(::testing::TempDir()) / "softalign_text") {
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path); }

  std::filesystem::path file(const std::string& name, const std::string& content) const {
    const auto bytes = std::as_bytes(std::span(content));
    write_file(path / name, bytes);
    return path / name;
  }
  std::filesystem::path path;
};

TEST(TextCorpus, ReadsTheWordsAndTagsOfConllu) {
  const TemporaryFolder folder;
  const auto path = folder.file("a.conllu",
                                "# text = He can't.\n"
                                "1\tHe\the\tPRON\tPRP\t_\t3\tnsubj\t_\t_\r\n"
                                "2-3\tcan't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
                                "2\tca\tcan\tAUX\tMD\t_\t0\troot\t_\t_\n"
                                "3\tn't\tnot\tPART\tRB\t_\t2\tadvmod\t_\t_\n"
                                "3.1\tgo\tgo\tVERB\tVB\t_\t_\t_\t_\t_\n"
                                "\n\n"
                                "1\tYes\tyes\tINTJ\tUH\t_\t0\troot\t_\t_");
  const auto sentences = read_conllu(path);
  ASSERT_EQ(sentences.size(), 2);
  EXPECT_EQ(sentences[0].words, (std::vector<std::string>{"He", "ca", "n't"}));
  EXPECT_EQ(sentences[0].tags, (std::vector<std::string>{"PRON", "AUX", "PART"}));
  EXPECT_EQ(sentences[1].words, (std::vector<std::string>{"Yes"}));
  EXPECT_EQ(labels_of(sentences), (std::vector<std::string>{"AUX", "INTJ", "PART", "PRON"}));
  const auto bad = folder.file("b.conllu", "1\tHe\the\tPRON\n");
  EXPECT_EQ(testing::message_of<FormatError>([&] { (void)read_conllu(bad); }),
            bad.string() + " line 1 is \"1\tHe\the\tPRON\", expected 10 columns with a number, a word and its part of speech");
}

TEST(TextCorpus, AWordIsAnsweredForAtItsLastPiece) {
  const Tokenizer tokenizer(tokenizer_bytes());
  const std::vector<std::string> words = {"the", "mountainhouse", "\n", "cat"};
  const WordPieces pieces = word_pieces(words, tokenizer);
  ASSERT_EQ(pieces.last.size(), 4);
  EXPECT_EQ(pieces.ids[static_cast<std::size_t>(pieces.last[2])], tokenizer.unk());
  for (const std::size_t w : {0u, 1u, 3u}) {
    const auto first = static_cast<std::size_t>(w == 0 ? 0 : pieces.last[w - 1] + 1);
    const auto last = static_cast<std::size_t>(pieces.last[w]);
    EXPECT_TRUE(tokenizer.begins_word(pieces.ids[first]));
    EXPECT_EQ(tokenizer.decode(std::span(pieces.ids).subspan(first, last - first + 1)).text, words[w]);
  }
  const auto examples = tagged({{{"the", "cat"}, {"DET", "NOUN"}}}, {"DET", "NOUN"}, tokenizer);
  EXPECT_EQ(examples[0].answers, (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(testing::message_of<ArgumentError>([&] { (void)tagged({{{"the"}, {"VERB"}}}, {"DET", "NOUN"}, tokenizer); }),
            "label is \"VERB\", expected one of DET, NOUN");
}

TEST(TextCorpus, AsksForTheNextWordAfterEach) {
  const Tokenizer tokenizer(tokenizer_bytes());
  const auto examples = next_words({"the cat eats.", "", "it"}, tokenizer);
  ASSERT_EQ(examples.size(), 2);
  const TextExample& e = examples[0];
  EXPECT_EQ(e.ids.front(), tokenizer.eos());
  EXPECT_EQ(e.answers.back(), tokenizer.eos());
  for (std::size_t t = 0; t + 1 < e.ids.size(); ++t) {
    EXPECT_EQ(e.answers[t], e.ids[t + 1]);
    EXPECT_EQ(e.places[t], static_cast<std::int32_t>(t));
  }
}

TEST(TextCorpus, MasksAsBertDoes) {
  const std::vector<TextExample> texts(400, TextExample{std::vector<std::int32_t>(50, 7), {}, {}});
  Random random(5), same(5);
  const auto masked = mask_words(texts, 30, random);
  std::size_t asked = 0, hidden = 0, kept = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const TextExample& e = masked[i];
    ASSERT_FALSE(e.places.empty());
    asked += e.places.size();
    for (std::size_t t = 0, a = 0; t < 50; ++t) {
      if (a < e.places.size() && e.places[a] == static_cast<std::int32_t>(t)) {
        EXPECT_EQ(e.answers[a++], 7);
        hidden += e.ids[t] == 30;
        kept += e.ids[t] == 7;
        EXPECT_LE(e.ids[t], 30);
      } else {
        EXPECT_EQ(e.ids[t], 7);
      }
    }
  }
  const auto share = [](std::size_t part, std::size_t whole) { return static_cast<double>(part) / static_cast<double>(whole); };
  EXPECT_NEAR(share(asked, 400 * 50), 0.15 + 0.85 / 50, 0.01);  // and the one that is sure
  EXPECT_NEAR(share(hidden, asked), 0.8, 0.03);
  EXPECT_NEAR(share(kept, asked), 0.1 + 0.1 / 30, 0.03);
  EXPECT_EQ(mask_words(texts, 30, same)[3].ids, masked[3].ids);
  EXPECT_EQ(mask_words({{{4}, {}, {}}}, 30, random)[0].places, (std::vector<std::int32_t>{0}));
}

TEST(TextCorpus, PadsAndTransposes) {
  const std::vector<TextExample> examples = {{{5, 6, 7}, {0, 2}, {1, 2}}, {{9}, {0}, {3}}};
  const models::TextBatch b = to_text_batch(examples);
  EXPECT_EQ(b.lengths, (std::vector<std::int32_t>{3, 1}));
  ASSERT_EQ(b.ids.size(), 6);
  EXPECT_EQ(b.ids[0], 5);
  EXPECT_EQ(b.ids[1], 9);
  EXPECT_EQ(b.ids[4], 7);
  EXPECT_EQ(b.places, (std::vector<std::int32_t>{0, 4, 1}));
  EXPECT_EQ(b.answers, (std::vector<std::int32_t>{1, 2, 3}));
}

// A task of each kind, small enough to be learned by heart in a moment.
models::EncoderChoices tiny_encoder(models::EncoderKind kind) {
  return {.kind = kind, .width = 24, .layers = 1, .heads = 2, .feed_forward = 32, .radius = 1, .dropout = 0};
}

const std::vector<std::string> kLines = {"the cat sees the dog.", "the dog sees the cat.", "I love the old house.",
                                         "where is the bread ?", "it's not the river."};

TEST(TextTask, LearnsByHeartWhateverIsAsked) {
  const auto bytes = tokenizer_bytes();
  const Tokenizer tokenizer(bytes);
  const TemporaryFolder folder;
  const auto of_size = [&](auto config) {
    config.vocabulary = tokenizer.size();
    return config;
  };
  FitSettings settings;
  settings.epochs = 80;
  settings.rate = 0.02;
  settings.warmup = 5;
  settings.smoothing = 0;
  settings.adam.average_decay = 0.5;
  settings.patience = 1000;
  const auto fitted = [&](const models::TextConfig& config, const std::vector<TextExample>& examples, const char* name) {
    settings.folder = folder.path / name;
    TextTask task(config, bytes, examples, examples, {.tokens = 60, .longest = 100}, settings);
    return fit(task, settings, [](const Progress&) {});
  };

  const std::vector<TaggedSentence> sentences = {{{"the", "cat", "sees"}, {"DET", "NOUN", "VERB"}},
                                                 {{"the", "house", "is", "old"}, {"DET", "NOUN", "VERB", "ADJ"}}};
  for (const auto kind : {models::EncoderKind::kSelfAttention, models::EncoderKind::kBiLstm, models::EncoderKind::kWindow}) {
    auto config = of_size(models::TaggerConfig());
    config.encoder = tiny_encoder(kind);
    config.labels = labels_of(sentences);
    EXPECT_EQ(fitted(config, tagged(sentences, config.labels, tokenizer), encoder_name(kind)), 100) << encoder_name(kind);
  }

  const std::vector<LabelledText> texts = {{"good", "I love the cat"}, {"bad", "it's not the cat"}, {"good", "I love the dog"}};
  auto classifier = of_size(models::ClassifierConfig());
  classifier.encoder = tiny_encoder(models::EncoderKind::kSelfAttention);
  classifier.labels = labels_of(texts);
  EXPECT_EQ(fitted(classifier, classified(texts, classifier.labels, tokenizer), "classifier"), 100);

  // One line alone says which word comes next, but for the first.
  auto language_model = of_size(models::LanguageModelConfig());
  language_model.embedding = 24;
  language_model.width = 32;
  language_model.dropout = 0;
  EXPECT_LT(fitted(language_model, next_words(kLines, tokenizer), "language_model"), 1.5);

  auto masked = of_size(models::MaskedLanguageModelConfig());
  masked.encoder = tiny_encoder(models::EncoderKind::kSelfAttention);
  EXPECT_LT(fitted(masked, plain_texts(kLines, tokenizer), "masked"), 12);  // of 240 pieces

  // What a masked language model has learned of the language is where others start.
  settings.folder = folder.path / "started";
  const auto examples = classified(texts, classifier.labels, tokenizer);
  TextTask task(classifier, bytes, examples, examples, {}, settings);
  const auto saved = read_file(folder.path / "masked" / "best.safetensors");
  const models::ModelFile file(saved);
  const auto before = *task.weights().find("output.weight"), embedding_before = *task.weights().find("encoder.embedding.weight");
  task.start_from(file);
  EXPECT_EQ(task.weights().find("output.weight")->value, before.value);
  EXPECT_NE(task.weights().find("encoder.embedding.weight")->value, embedding_before.value);
  const TensorEntry* stored = file.file().find("encoder.embedding.weight");
  EXPECT_TRUE(std::ranges::equal(std::as_bytes(std::span(task.weights().find("encoder.embedding.weight")->value)), stored->bytes));
}

TEST(TextTask, RefusesToLearnFromNothingOrToMeasureOnNothing) {
  const auto bytes = tokenizer_bytes();
  const Tokenizer tokenizer(bytes);
  const TemporaryFolder folder;
  models::LanguageModelConfig config;
  config.vocabulary = tokenizer.size();
  config.embedding = config.width = 4;
  FitSettings settings;
  settings.folder = folder.path;
  const auto examples = next_words(kLines, tokenizer);
  EXPECT_THROW(TextTask(config, bytes, examples, {}, {}, settings), ArgumentError);
  TextTask too_long(config, bytes, examples, examples, {.tokens = 60, .longest = 2}, settings);
  EXPECT_EQ(testing::message_of<ArgumentError>([&] { (void)fit(too_long, settings, [](const Progress&) {}); }),
            "there is nothing to learn from, expected at least one example");
  Parameters<float> weights;
  const auto model = models::make_model<float>(weights, models::TextConfig(config));
  EXPECT_THROW((void)score(*model, {}, 1), ArgumentError);
}

}  // namespace
}  // namespace softalign::training
