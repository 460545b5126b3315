#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/fit.h"
#include "io/file.h"
#include "models/model_file.h"
#include "text/training/train_tokenizer.h"
#include "training/translation.h"

namespace softalign::cli {
namespace {

struct TrainOptions {
  std::string train, dev, tokenizer, start, architecture = models::Seq2SeqConfig::kArchitecture;
  models::TranslationInfo info;
  std::optional<double> dropout;
  std::string alignment_head;
  double guidance = 0;
  models::Seq2SeqConfig seq2seq;
  // Of transformers and students; left out, the architecture's own.
  std::optional<std::size_t> width, heads, feed_forward, encoder_layers, decoder_layers;
  training::BatchSettings batches;
  training::FitSettings fit;
};

// A given tokenizer, that of an earlier run, or a new one trained on both sides of the data.
std::vector<std::byte> tokenizer_for(const TrainOptions& o, const std::vector<training::TextPair>& pairs) {
  const std::filesystem::path kept = o.fit.folder / "tokenizer.model";
  if (!o.tokenizer.empty()) return read_file(o.tokenizer);
  if (std::filesystem::exists(kept)) return read_file(kept);
  std::printf("training a tokenizer of %zu pieces\n", o.info.vocabulary);
  std::fflush(stdout);
  std::vector<std::string> sentences;
  for (const auto& pair : pairs) {
    sentences.push_back(pair.source);
    sentences.push_back(pair.target);
  }
  auto model = train_tokenizer(sentences, {.vocabulary_size = o.info.vocabulary});
  std::filesystem::create_directories(o.fit.folder);
  write_file(kept, model);
  return model;
}

// An option of another architecture would be ignored: whoever gave it expects something else.
void expect_options_of(const std::string& architecture, const CLI::App& command) {
  const auto is_of = [](const CLI::Option* option, const std::string& name) { return option->get_group().find(name) != std::string::npos; };
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0 || is_of(option, architecture)) continue;
    for (const std::string& other : models::architectures()) {
      if (is_of(option, other)) throw ArgumentError(option->get_name() + " is an option of " + other + ", expected one of " + architecture);
    }
  }
}

// body(config) for those of transformers and students, which have layers and heads.
template <class Config, class Body>
void with_heads(Config& config, const Body& body) {
  std::visit([&](auto& c) {
    if constexpr (requires { c.alignment.head; }) body(c);
  }, config);
}

// What teaches a transformer's alignment head, if something is to: an aligner of the training pairs' words.
std::unique_ptr<WordAligner> aligner_for(const models::TranslationConfig& config,
                                         const std::vector<training::TextPair>& pairs) {
  bool taught = false;
  with_heads(config, [&](const auto& c) { taught = c.guidance > 0; });
  if (!taught) return nullptr;
  std::printf("aligning the words of %zu pairs\n", pairs.size());
  std::fflush(stdout);
  std::vector<std::string> source, target;
  for (const auto& pair : pairs) {
    source.push_back(pair.source);
    target.push_back(pair.target);
  }
  return std::make_unique<WordAligner>(source, target, language_of(models::info(config).source_language),
                                       language_of(models::info(config).target_language));
}

models::TranslationConfig new_config(const TrainOptions& o) {
  models::TranslationConfig config = o.seq2seq;
  if (o.architecture == models::TransformerConfig::kArchitecture) config = models::TransformerConfig();
  if (o.architecture == models::StudentConfig::kArchitecture) config = models::StudentConfig();
  with_heads(config, [&](auto& c) {
    c.width = o.width.value_or(c.width);
    c.heads = o.heads.value_or(c.heads);
    c.feed_forward = o.feed_forward.value_or(c.feed_forward);
    c.encoder_layers = o.encoder_layers.value_or(c.encoder_layers);
    c.decoder_layers = o.decoder_layers.value_or(c.decoder_layers);
    c.alignment.layer = std::min(c.alignment.layer, c.decoder_layers - 1);
  });
  models::info(config) = o.info;
  return config;
}

void run(const TrainOptions& o, const CLI::App& command) {
  const auto pairs = training::read_pairs(o.train);
  const auto dev = training::read_pairs(o.dev);
  std::vector<std::byte> start, tokenizer_bytes;
  std::optional<models::ModelFile> file;
  models::TranslationConfig config = new_config(o);
  if (!o.start.empty()) {
    // sizes and tokenizer are the model's; what it is called and how it is trained are ours to say
    start = read_file(o.start);
    file.emplace(start);
    tokenizer_bytes.assign(file->tokenizer().begin(), file->tokenizer().end());
    config = models::translation_config(file->config());
    models::info(config).name = o.info.name;
  }
  expect_options_of(std::visit([](const auto& c) { return std::string(c.kArchitecture); }, config), command);
  if (!file) tokenizer_bytes = tokenizer_for(o, pairs);
  if (o.dropout) std::visit([&](auto& c) { c.dropout = *o.dropout; }, config);
  with_heads(config, [&](auto& c) {
    c.guidance = o.guidance;
    if (!o.alignment_head.empty()) c.alignment = models::alignment_head(o.alignment_head);
  });
  const Tokenizer tokenizer(tokenizer_bytes);
  models::info(config).vocabulary = tokenizer.size();
  const auto ids = training::encode_pairs(pairs, tokenizer, aligner_for(config, pairs).get());
  training::TranslationTask task(config, tokenizer_bytes, ids, dev, o.batches, o.fit);
  if (file) task.start_from(*file);
  fit(task, o.fit);
}

// Options of one architecture stand in a group of its name.
void add_seq2seq(CLI::App& c, models::Seq2SeqConfig& config) {
  const auto group = models::Seq2SeqConfig::kArchitecture;
  c.add_option_function<std::string>(
       "--attention", [&config](const std::string& name) { config.attention = models::attention_by_name(name); },
       "additive, dot or none")
      ->default_str(attention_name(config.attention))
      ->group(group);
  c.add_option("--embedding", config.embedding, "Embedding width E")->capture_default_str()->group(group);
  c.add_option("--encoder", config.encoder, "Encoder width, one direction")->capture_default_str()->group(group);
  c.add_option("--decoder", config.decoder, "Decoder width")->capture_default_str()->group(group);
  c.add_option("--alignment", config.alignment, "Alignment width A")->capture_default_str()->group(group);
}

void add_transformer(CLI::App& c, TrainOptions& o) {
  const std::string group = std::string(models::TransformerConfig::kArchitecture) + ", " + models::StudentConfig::kArchitecture;
  const models::TransformerConfig transformer;
  const models::StudentConfig student;
  const auto size = [&](const char* name, std::optional<std::size_t>& value, const char* what, std::size_t of_transformer, std::size_t of_student) {
    c.add_option(name, value, what)
        ->check(CLI::PositiveNumber)
        ->default_str(std::to_string(of_transformer) + " or " + std::to_string(of_student))
        ->group(group);
  };
  size("--width", o.width, "Width D", transformer.width, student.width);
  size("--heads", o.heads, "Heads H of each attention", transformer.heads, student.heads);
  size("--feed-forward", o.feed_forward, "Width F of the feed-forward part", transformer.feed_forward, student.feed_forward);
  size("--encoder-layers", o.encoder_layers, "Layers of the encoder", transformer.encoder_layers, student.encoder_layers);
  size("--decoder-layers", o.decoder_layers, "Layers of the decoder", transformer.decoder_layers, student.decoder_layers);
  c.add_option("--alignment-head", o.alignment_head, "The cross-attention that is shown as alignment, LAYER:HEAD or LAYER:HEAD:shifted")
      ->group(group);
  c.add_option("--guidance", o.guidance, "Weight of the loss that teaches it the links of a word aligner; 0: none")
      ->capture_default_str()
      ->group(group);
}

}  // namespace

void add_train(CLI::App& app) {
  auto o = std::make_shared<TrainOptions>();
  CLI::App* c = app.add_subcommand("train", "Train a model; run it again to resume where it stopped");
  c->add_option("--train", o->train, "Training pairs, lines of source<TAB>target")->required()->check(CLI::ExistingFile);
  c->add_option("--dev", o->dev, "Pairs to choose the best weights by")->required()->check(CLI::ExistingFile);
  c->add_option("--tokenizer", o->tokenizer, "A SentencePiece model to use instead of training one")->check(CLI::ExistingFile);
  c->add_option("--name", o->info.name, "The model's name")->capture_default_str();
  c->add_option("--from", o->info.source_language, "Source language")->capture_default_str();
  c->add_option("--to", o->info.target_language, "Target language")->capture_default_str();
  c->add_option("--vocabulary", o->info.vocabulary, "Pieces of the joint vocabulary")->capture_default_str();
  c->add_option("--architecture", o->architecture, "Kind of model; the options of each are below")
      ->capture_default_str()
      ->check(CLI::IsMember(models::architectures()));
  add_seq2seq(*c, o->seq2seq);
  add_transformer(*c, *o);
  c->add_option("--start", o->start, "A model file to go on from: its weights, architecture, sizes and tokenizer")
      ->check(CLI::ExistingFile)
      ->excludes("--tokenizer")
      ->excludes("--architecture");
  c->add_option("--dropout", o->dropout, "Dropout rate; left out, the architecture's usual one");
  c->add_option("--batch", o->batches.target_tokens, "Target tokens a batch")->capture_default_str();
  c->add_option("--joined", o->batches.joined, "Share of pairs joined with another into a longer one")->capture_default_str();
  add_fit_options(*c, o->fit);
  c->callback([o, c] { run(*o, *c); });
}

}  // namespace softalign::cli
