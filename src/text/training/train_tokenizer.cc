#include "text/training/train_tokenizer.h"

#include <sentencepiece_trainer.h>

#include <cstring>
#include <exception>
#include <string_view>
#include <unordered_map>

#include "core/error.h"

namespace softalign {
namespace {

class Sentences : public sentencepiece::SentenceIterator {
 public:
  explicit Sentences(std::span<const std::string> sentences) : sentences_(sentences) {}
  bool done() const override { return at_ == sentences_.size(); }
  void Next() override { ++at_; }
  const std::string& value() const override { return sentences_[at_]; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  std::span<const std::string> sentences_;
  std::size_t at_ = 0;
};

// SentencePiece begins its messages with where they come from: "file.cc(1) [(a) == (b)] What".
std::string_view without_origin(std::string_view message) {
  const std::size_t origin = message.rfind("] ");
  return origin == message.npos ? message : message.substr(origin + 2);
}

}  // namespace

std::vector<std::byte> train_tokenizer(std::span<const std::string> sentences, const TokenizerSettings& settings) {
  const std::unordered_map<std::string, std::string> options = {
      {"model_type", "unigram"},
      {"vocab_size", std::to_string(settings.vocabulary_size)},
      {"character_coverage", std::to_string(settings.character_coverage)},
      {"required_chars", settings.required_characters},
      {"normalization_rule_name", "nmt_nfkc"},
      {"unk_id", "0"},
      {"eos_id", "1"},
      {"bos_id", "-1"},
      {"pad_id", "-1"},
      // Partial sums of the EM step are added thread by thread, so their number is part of the
      // result.
      {"num_threads", "2"},
      {"minloglevel", "3"},
  };
  Sentences iterator(sentences);
  std::string model;
  try {
    const auto status = sentencepiece::SentencePieceTrainer::Train(options, &iterator, &model);
    if (!status.ok()) throw ArgumentError(status.message());
  } catch (const std::exception& error) {
    throw ArgumentError("tokenizer training on " + std::to_string(sentences.size()) +
                        " sentences: " + std::string(without_origin(error.what())));
  }
  std::vector<std::byte> bytes(model.size());
  if (!bytes.empty()) std::memcpy(bytes.data(), model.data(), model.size());
  return bytes;
}

}  // namespace softalign
