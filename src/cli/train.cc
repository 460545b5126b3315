#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <memory>

#include "cli/commands.h"
#include "io/file.h"
#include "text/training/train_tokenizer.h"
#include "training/trainer.h"

namespace softalign::cli {
namespace {

std::atomic<bool> interrupted = false;

struct TrainOptions {
  std::string train, dev, folder, tokenizer, name = "unnamed", attention = "additive";
  models::Seq2SeqConfig config;
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
  std::printf("training a tokenizer of %zu pieces\n", o.config.vocabulary);
  std::fflush(stdout);
  std::vector<std::string> sentences;
  for (const auto& pair : pairs) {
    sentences.push_back(pair.source);
    sentences.push_back(pair.target);
  }
  auto model = train_tokenizer(sentences, {.vocabulary_size = o.config.vocabulary});
  std::filesystem::create_directories(o.folder);
  write_file(kept, model);
  return model;
}

void run(TrainOptions& o) {
  o.config.attention = models::attention_by_name(o.attention);
  o.settings.folder = o.folder;
  const auto pairs = training::read_pairs(o.train);
  const auto dev = training::read_pairs(o.dev);
  std::vector<std::byte> tokenizer_bytes;
  if (o.settings.start.empty()) {
    tokenizer_bytes = tokenizer_for(o, pairs);
  } else {
    // sizes and tokenizer are the model's; what it is called and how it is trained are ours to say
    const auto bytes = read_file(o.settings.start);
    const models::ModelFile file(bytes);
    tokenizer_bytes.assign(file.tokenizer().begin(), file.tokenizer().end());
    auto config = file.config();
    config.name = o.config.name;
    config.dropout = o.config.dropout;
    o.config = config;
  }
  const Tokenizer tokenizer(tokenizer_bytes);
  o.config.vocabulary = tokenizer.size();
  const auto ids = training::encode_pairs(pairs, tokenizer);
  // the first interrupt writes a checkpoint; a second one ends the program as usual
  o.settings.stop = &interrupted;
  std::signal(SIGINT, [](int) {
    interrupted = true;
    std::signal(SIGINT, SIG_DFL);
  });
  const double best = training::train(o.config, tokenizer_bytes, ids, dev, o.settings, print);
  std::printf("best dev BLEU %.2f, in %s\n", best, (o.settings.folder / "best.safetensors").c_str());
}

}  // namespace

void add_train(CLI::App& app) {
  auto o = std::make_shared<TrainOptions>();
  CLI::App* c = app.add_subcommand("train", "Train a model; run it again to resume where it stopped");
  c->add_option("--train", o->train, "Training pairs, lines of source<TAB>target")->required()->check(CLI::ExistingFile);
  c->add_option("--dev", o->dev, "Pairs to choose the best weights by")->required()->check(CLI::ExistingFile);
  c->add_option("--out", o->folder, "Folder for checkpoint.safetensors and best.safetensors")->required();
  c->add_option("--tokenizer", o->tokenizer, "A SentencePiece model to use instead of training one")->check(CLI::ExistingFile);
  c->add_option("--start", o->settings.start, "A model file to go on from: its weights, sizes and tokenizer")
      ->check(CLI::ExistingFile)
      ->excludes("--tokenizer");
  c->add_option("--name", o->config.name, "The model's name")->capture_default_str();
  c->add_option("--from", o->config.source_language, "Source language")->capture_default_str();
  c->add_option("--to", o->config.target_language, "Target language")->capture_default_str();
  c->add_option("--attention", o->attention, "additive, dot or none")->capture_default_str();
  c->add_option("--vocabulary", o->config.vocabulary, "Pieces of the joint vocabulary")->capture_default_str();
  c->add_option("--embedding", o->config.embedding, "Embedding width E")->capture_default_str();
  c->add_option("--encoder", o->config.encoder, "Encoder width, one direction")->capture_default_str();
  c->add_option("--decoder", o->config.decoder, "Decoder width")->capture_default_str();
  c->add_option("--alignment", o->config.alignment, "Alignment width A")->capture_default_str();
  c->add_option("--dropout", o->config.dropout, "Dropout rate")->capture_default_str();
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
  c->callback([o] { run(*o); });
}

}  // namespace softalign::cli
