#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/fit.h"
#include "io/file.h"
#include "text/training/train_tokenizer.h"
#include "training/text.h"

namespace softalign::cli {
namespace {

// Text models: what they are made of, what they learn from, and how good they are.

struct TextData {
  std::vector<training::TextExample> train, dev;
};

struct TrainTextOptions {
  std::string architecture, train, dev, tokenizer, start;
  models::TextInfo info;
  models::LanguageModelConfig language_model;
  models::EncoderChoices encoder;
  std::optional<std::size_t> width;
  std::optional<double> dropout;
  double share = 1;
  training::TextSettings text;
  training::FitSettings fit;
};

// The first `share` of the items once they are shuffled, always the same.
template <class Item>
void keep_share(std::vector<Item>& items, double share, std::uint64_t seed) {
  if (share >= 1) return;
  Random random(seed, 0, 2);
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random.below(i)]);
  items.resize(std::max<std::size_t>(1, static_cast<std::size_t>(share * static_cast<double>(items.size()))));
}

TextData read_data(const TrainTextOptions& o, models::TextConfig& config, const Tokenizer& tokenizer) {
  const auto lines = [&](const std::string& path) { return training::read_lines(path); };
  const auto kept = [&](auto items) {
    keep_share(items, o.share, o.fit.seed);
    return items;
  };
  if (std::holds_alternative<models::LanguageModelConfig>(config)) {
    return {training::next_words(kept(lines(o.train)), tokenizer), training::next_words(lines(o.dev), tokenizer)};
  }
  if (auto* tagger = std::get_if<models::TaggerConfig>(&config)) {
    const auto train = training::read_conllu(o.train), dev = training::read_conllu(o.dev);
    tagger->labels = training::labels_of(train);
    return {training::tagged(kept(train), tagger->labels, tokenizer), training::tagged(dev, tagger->labels, tokenizer)};
  }
  if (auto* classifier = std::get_if<models::ClassifierConfig>(&config)) {
    const auto train = training::read_pairs(o.train), dev = training::read_pairs(o.dev);
    classifier->labels = training::labels_of(train);
    return {training::classified(kept(train), classifier->labels, tokenizer),
            training::classified(dev, classifier->labels, tokenizer)};
  }
  return {training::plain_texts(kept(lines(o.train)), tokenizer), training::plain_texts(lines(o.dev), tokenizer)};
}

models::TextConfig new_config(const TrainTextOptions& o) {
  if (o.architecture == models::LanguageModelConfig::kArchitecture) return o.language_model;
  if (o.architecture == models::TaggerConfig::kArchitecture) return models::TaggerConfig();
  if (o.architecture == models::ClassifierConfig::kArchitecture) return models::ClassifierConfig();
  return models::MaskedLanguageModelConfig();
}

// The encoder of a config that has one.
models::EncoderChoices* encoder_of(models::TextConfig& config) {
  return std::visit(
      [](auto& c) -> models::EncoderChoices* {
        if constexpr (requires { c.encoder; }) return &c.encoder;
        else return nullptr;
      },
      config);
}

constexpr const char* kEncoderGroup = "tagger, classifier, masked-language-model";

void expect_options_of(const std::string& architecture, const CLI::App& command) {
  const bool language_model = architecture == models::LanguageModelConfig::kArchitecture;
  const std::string other = language_model ? kEncoderGroup : models::LanguageModelConfig::kArchitecture;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group() == other && option->count() > 0) {
      throw ArgumentError(option->get_name() + " is an option of " + other + ", expected one of " + architecture);
    }
  }
}

void train(const TrainTextOptions& o, const CLI::App& command) {
  expect_options_of(o.architecture, command);
  std::vector<std::byte> start, tokenizer_bytes;
  std::optional<models::ModelFile> file;
  models::TextConfig config = new_config(o);
  models::info(config) = o.info;
  if (models::EncoderChoices* encoder = encoder_of(config)) {
    *encoder = o.encoder;
    if (o.width) encoder->width = *o.width;
    if (!o.start.empty()) {
      start = read_file(o.start);
      file.emplace(start);
      tokenizer_bytes.assign(file->tokenizer().begin(), file->tokenizer().end());
      models::TextConfig other = models::text_config(file->config());
      const models::EncoderChoices* from = encoder_of(other);
      if (!from) throw ArgumentError(o.start + " is a language model, expected one with an encoder");
      *encoder = *from;
    }
    if (o.dropout) encoder->dropout = *o.dropout;
    if (auto* classifier = std::get_if<models::ClassifierConfig>(&config)) classifier->alignment = encoder->width;
  } else {
    auto& language_model = std::get<models::LanguageModelConfig>(config);
    if (o.width) language_model.width = *o.width;
    if (o.dropout) language_model.dropout = *o.dropout;
    if (!o.start.empty()) throw ArgumentError("--start is an option of models with an encoder, expected --tokenizer");
  }
  if (!file) tokenizer_bytes = read_file(o.tokenizer);
  const Tokenizer tokenizer(tokenizer_bytes);
  models::info(config).vocabulary = tokenizer.size();
  TextData data = read_data(o, config, tokenizer);
  std::printf("%zu texts to learn from, %zu for dev\n", data.train.size(), data.dev.size());
  training::TextTask task(config, tokenizer_bytes, std::move(data.train), std::move(data.dev), o.text, o.fit);
  if (file) task.start_from(*file);
  std::printf("%zu weights\n", task.weights().size());
  fit(task, o.fit);
}

struct EvalTextOptions {
  std::string model, test;
  std::size_t threads = 2;
};

void evaluate(const EvalTextOptions& o) {
  const auto bytes = read_file(o.model);
  const models::ModelFile file(bytes);
  const models::TextConfig config = models::text_config(file.config());
  Parameters<float> weights{Parameters<float>::Unfilled{}};
  const auto model = models::make_model(weights, config);
  file.load(weights);
  const Tokenizer tokenizer(file.tokenizer());
  std::vector<training::TextExample> examples;
  if (const auto* tagger = std::get_if<models::TaggerConfig>(&config)) {
    examples = training::tagged(training::read_conllu(o.test), tagger->labels, tokenizer);
  } else if (const auto* classifier = std::get_if<models::ClassifierConfig>(&config)) {
    examples = training::classified(training::read_pairs(o.test), classifier->labels, tokenizer);
  } else if (const auto* masked = dynamic_cast<const models::MaskedLanguageModel<float>*>(model.get())) {
    Random random(1);
    examples = training::mask_words(training::plain_texts(training::read_lines(o.test), tokenizer), masked->mask(), random);
  } else {
    examples = training::next_words(training::read_lines(o.test), tokenizer);
  }
  const training::TextScore score = training::score(*model, examples, o.threads);
  std::printf("%zu answers  accuracy %.2f %%  perplexity %.3f\n", score.answers, score.accuracy(), score.perplexity());
}

struct TokenizerOptions {
  std::vector<std::string> text;
  std::string out;
  TokenizerSettings settings;
};

}  // namespace

void add_train_text(CLI::App& app) {
  auto o = std::make_shared<TrainTextOptions>();
  CLI::App* c = app.add_subcommand("train-text", "Train a model of one language; run it again to resume where it stopped");
  c->add_option("--architecture", o->architecture, "What it says about a text")
      ->required()
      ->check(CLI::IsMember(models::text_architectures()));
  c->add_option("--train", o->train,
                "What to learn from: lines of text; for a tagger CoNLL-U; for a classifier lines of label<TAB>text")
      ->required()
      ->check(CLI::ExistingFile);
  c->add_option("--dev", o->dev, "The same to choose the best weights by")->required()->check(CLI::ExistingFile);
  c->add_option("--share", o->share, "Learn from this share of it only")->check(CLI::Range(0.0, 1.0))->capture_default_str();
  auto* tokenizer = c->add_option("--tokenizer", o->tokenizer, "A SentencePiece model")->check(CLI::ExistingFile);
  auto* start = c->add_option("--start", o->start, "A model file whose encoder and tokenizer to go on from")->check(CLI::ExistingFile);
  tokenizer->excludes(start);
  c->add_option("--name", o->info.name, "The model's name")->capture_default_str();
  c->add_option("--language", o->info.language, "Its language")->capture_default_str();
  c->add_option("--width", o->width, "Width D of the encoder, or H of the reader");
  c->add_option("--dropout", o->dropout, "Dropout rate; left out, the architecture's usual one");
  c->add_option_function<std::string>(
       "--reader", [o](const std::string& name) { o->language_model.reader = models::reader_by_name(name); }, "lstm or lstmn")
      ->default_str(reader_name(o->language_model.reader))
      ->group(models::LanguageModelConfig::kArchitecture);
  c->add_option("--embedding", o->language_model.embedding, "Embedding width E")
      ->capture_default_str()
      ->group(models::LanguageModelConfig::kArchitecture);
  c->add_option_function<std::string>(
       "--encoder", [o](const std::string& name) { o->encoder.kind = models::encoder_by_name(name); },
       "self-attention, bilstm or window")
      ->default_str(encoder_name(o->encoder.kind))
      ->excludes(start)
      ->group(kEncoderGroup);
  auto& e = o->encoder;
  c->add_option("--layers", e.layers, "Layers")->capture_default_str()->excludes(start)->group(kEncoderGroup);
  c->add_option("--heads", e.heads, "Heads H of self-attention")->capture_default_str()->excludes(start)->group(kEncoderGroup);
  c->add_option("--feed-forward", e.feed_forward, "Width F of its feed-forward part")
      ->capture_default_str()
      ->excludes(start)
      ->group(kEncoderGroup);
  c->add_option("--radius", e.radius, "Neighbours a window sees on each side; distances self-attention tells apart")
      ->capture_default_str()
      ->excludes(start)
      ->group(kEncoderGroup);
  c->add_option("--batch", o->text.tokens, "Pieces a batch")->capture_default_str();
  add_fit_options(*c, o->fit);
  c->callback([o, c] {
    if (o->tokenizer.empty() && o->start.empty()) throw CLI::RequiredError("--tokenizer or --start");
    train(*o, *c);
  });
}

void add_eval_text(CLI::App& app) {
  auto o = std::make_shared<EvalTextOptions>();
  CLI::App* c = app.add_subcommand("eval-text", "Measure a model of one language");
  c->add_option("--model", o->model, "Model file")->required()->check(CLI::ExistingFile);
  c->add_option("--test", o->test, "Data as train-text reads it")->required()->check(CLI::ExistingFile);
  c->add_option("--threads", o->threads, "Threads")->capture_default_str();
  c->callback([o] { evaluate(*o); });
}

void add_tokenizer(CLI::App& app) {
  auto o = std::make_shared<TokenizerOptions>();
  CLI::App* c = app.add_subcommand("tokenizer", "Train a SentencePiece model");
  c->add_option("--text", o->text, "Lines of text, in one or more files")->required()->check(CLI::ExistingFile);
  c->add_option("--vocabulary", o->settings.vocabulary_size, "Pieces")->capture_default_str();
  c->add_option("--out", o->out, "Where to write it")->required();
  c->callback([o] {
    std::vector<std::string> lines;
    for (const std::string& path : o->text) {
      for (std::string& line : training::read_lines(path)) lines.push_back(std::move(line));
    }
    write_file(o->out, train_tokenizer(lines, o->settings));
  });
}

}  // namespace softalign::cli
