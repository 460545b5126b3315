#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "io/file.h"
#include "models/model_file.h"
#include "text/training/train_tokenizer.h"
#include "training/trainer.h"

namespace softalign::cli {
namespace {

std::atomic<bool> interrupted = false;

struct TrainOptions {
  std::string train, dev, folder, tokenizer, architecture = models::Seq2SeqConfig::kArchitecture;
  models::TranslationInfo info;
  std::optional<double> dropout;
  std::string alignment_head;
  double guidance = 0;
  models::Seq2SeqConfig seq2seq;
  models::TransformerConfig transformer;
  training::TrainSettings settings;
};

std::string clock(double seconds) {
  const auto s = static_cast<long>(seconds);
  char text[32];
  std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
  return text;
}

void print(const training::Progress& p) {
  using Event = training::Progress::Event;
  if (p.event == Event::kStep) {
    std::printf("epoch %zu  step %llu/%llu  loss %.3f  rate %.5f  %.0f target words/s  %s left\n", p.epoch + 1,
                static_cast<unsigned long long>(p.step), static_cast<unsigned long long>(p.steps), p.loss, p.rate,
                p.tokens_per_second, clock(p.seconds_left).c_str());
  } else if (p.event == Event::kEvaluated) {
    std::printf("epoch %zu  step %llu  dev BLEU %.2f  best %.2f\n", p.epoch + 1,
                static_cast<unsigned long long>(p.step), p.dev_bleu, p.best_bleu);
  }
  std::fflush(stdout);
}

// A given tokenizer, that of an earlier run, or a new one trained on both sides of the data.
std::vector<std::byte> tokenizer_for(const TrainOptions& o, const std::vector<training::TextPair>& pairs) {
  const std::filesystem::path kept = std::filesystem::path(o.folder) / "tokenizer.model";
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
  std::filesystem::create_directories(o.folder);
  write_file(kept, model);
  return model;
}

// An option of another architecture would be ignored: whoever gave it expects something else.
void expect_options_of(const std::string& architecture, const CLI::App& command) {
  for (const std::string& other : models::architectures()) {
    if (other == architecture) continue;
    for (const CLI::Option* option : command.get_options()) {
      if (option->get_group() == other && option->count() > 0) {
        throw ArgumentError(option->get_name() + " is an option of " + other + ", expected one of " + architecture);
      }
    }
  }
}

// What teaches a transformer's alignment head, if something is to: an aligner of the training pairs' words.
std::unique_ptr<WordAligner> aligner_for(const models::TranslationConfig& config,
                                         const std::vector<training::TextPair>& pairs) {
  const auto* transformer = std::get_if<models::TransformerConfig>(&config);
  if (!transformer || transformer->guidance <= 0) return nullptr;
  std::printf("aligning the words of %zu pairs\n", pairs.size());
  std::fflush(stdout);
  std::vector<std::string> source, target;
  for (const auto& pair : pairs) {
    source.push_back(pair.source);
    target.push_back(pair.target);
  }
  return std::make_unique<WordAligner>(source, target, language_of(transformer->source_language),
                                       language_of(transformer->target_language));
}

models::TranslationConfig new_config(const TrainOptions& o) {
  models::TranslationConfig config = o.seq2seq;
  if (o.architecture == models::TransformerConfig::kArchitecture) config = o.transformer;
  models::info(config) = o.info;
  return config;
}

void run(TrainOptions& o, const CLI::App& command) {
  o.settings.folder = o.folder;
  const auto pairs = training::read_pairs(o.train);
  const auto dev = training::read_pairs(o.dev);
  std::vector<std::byte> tokenizer_bytes;
  models::TranslationConfig config = new_config(o);
  if (!o.settings.start.empty()) {
    // sizes and tokenizer are the model's; what it is called and how it is trained are ours to say
    const auto bytes = read_file(o.settings.start);
    const models::ModelFile file(bytes);
    tokenizer_bytes.assign(file.tokenizer().begin(), file.tokenizer().end());
    config = models::translation_config(file.config());
    models::info(config).name = o.info.name;
  }
  expect_options_of(std::visit([](const auto& c) { return std::string(c.kArchitecture); }, config), command);
  if (o.settings.start.empty()) tokenizer_bytes = tokenizer_for(o, pairs);
  if (o.dropout) std::visit([&](auto& c) { c.dropout = *o.dropout; }, config);
  if (auto* transformer = std::get_if<models::TransformerConfig>(&config)) {
    transformer->guidance = o.guidance;
    if (!o.alignment_head.empty()) transformer->alignment = models::alignment_head(o.alignment_head);
  }
  const Tokenizer tokenizer(tokenizer_bytes);
  models::info(config).vocabulary = tokenizer.size();
  const auto ids = training::encode_pairs(pairs, tokenizer, aligner_for(config, pairs).get());
  // the first interrupt writes a checkpoint; a second one ends the program as usual
  o.settings.stop = &interrupted;
  std::signal(SIGINT, [](int) {
    interrupted = true;
    std::signal(SIGINT, SIG_DFL);
  });
  const double best = training::train(config, tokenizer_bytes, ids, dev, o.settings, print);
  std::printf("best dev BLEU %.2f, in %s\n", best, (o.settings.folder / "best.safetensors").c_str());
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
  const auto group = models::TransformerConfig::kArchitecture;
  models::TransformerConfig& config = o.transformer;
  c.add_option("--width", config.width, "Width D")->capture_default_str()->group(group);
  c.add_option("--heads", config.heads, "Heads H of each attention")->capture_default_str()->group(group);
  c.add_option("--feed-forward", config.feed_forward, "Width F of the feed-forward part")->capture_default_str()->group(group);
  c.add_option("--encoder-layers", config.encoder_layers, "Layers of the encoder")->capture_default_str()->group(group);
  c.add_option("--decoder-layers", config.decoder_layers, "Layers of the decoder")->capture_default_str()->group(group);
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
  c->add_option("--out", o->folder, "Folder for checkpoint.safetensors and best.safetensors")->required();
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
  c->add_option("--start", o->settings.start, "A model file to go on from: its weights, architecture, sizes and tokenizer")
      ->check(CLI::ExistingFile)
      ->excludes("--tokenizer")
      ->excludes("--architecture");
  c->add_option("--dropout", o->dropout, "Dropout rate; left out, the architecture's usual one");
  auto& s = o->settings;
  c->add_option("--epochs", s.epochs, "Epochs")->capture_default_str();
  c->add_option("--batch", s.batches.target_tokens, "Target tokens a batch")->capture_default_str();
  c->add_option("--joined", s.batches.joined, "Share of pairs joined with another into a longer one")->capture_default_str();
  c->add_option("--rate", s.rate, "Peak learning rate")->capture_default_str();
  c->add_option("--warmup", s.warmup, "Steps to the peak rate")->capture_default_str();
  c->add_option("--average", s.adam.average_decay, "Decay of the weight average")->capture_default_str();
  c->add_option("--smoothing", s.smoothing, "Label smoothing")->capture_default_str();
  c->add_option("--clip", s.clip, "Largest gradient norm")->capture_default_str();
  c->add_option("--threads", s.threads, "Threads")->capture_default_str();
  c->add_option("--seed", s.seed, "Seed of weights, batches and dropout")->capture_default_str();
  c->add_option("--patience", s.patience, "Evaluations without gain before stopping")->capture_default_str();
  c->add_option("--evaluations", s.evaluations, "Evaluations an epoch")->capture_default_str();
  c->callback([o, c] { run(*o, *c); });
}

}  // namespace softalign::cli
