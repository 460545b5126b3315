#pragma once

#include "models/config.h"
#include "models/model_file.h"
#include "training/corpus.h"
#include "training/fit.h"

namespace softalign::training {

// Translations of many sentences, shared out among threads.
std::vector<std::string> translate_all(const models::TranslationModel<float>& model, const Tokenizer& tokenizer,
                                       const std::vector<std::string>& sentences, int beam, double length_penalty,
                                       std::size_t threads);

BatchSize size_of(const IdBatch& batch);

// A translation model and pairs to learn from; evaluated on dev by greedy translation and BLEU.
class TranslationTask : public Task {
 public:
  // The pairs are borrowed. Smoothing, threads and seed are taken from the settings.
  TranslationTask(const models::TranslationConfig& config, std::vector<std::byte> tokenizer,
                  const std::vector<IdPair>& pairs, const std::vector<TextPair>& dev, const BatchSettings& batches,
                  const FitSettings& settings);
  // Starts from the weights of a model file. Throws FormatError if they do not fit.
  void start_from(const models::ModelFile& file);

  Metric metric() const override { return {"BLEU"}; }
  const char* units() const override { return "target words"; }
  std::string config() const override { return to_json(config_); }
  std::span<const std::byte> tokenizer() const override { return tokenizer_bytes_; }
  Parameters<float>& weights() override { return weights_; }
  Parameters<float>& averaged() override { return averaged_; }
  std::size_t shuffle(Random& random) override;
  BatchSize size(std::size_t batch) const override { return size_of(batches_[batch]); }
  Var<float> loss(Graph<float>& g, std::size_t batch, Share share, double scale) const override;
  double evaluate() override;

 private:
  models::TranslationConfig config_;
  std::vector<std::byte> tokenizer_bytes_;
  Tokenizer tokenizer_;
  const std::vector<IdPair>& pairs_;
  std::vector<std::string> dev_source_, dev_target_;
  BatchSettings batch_settings_;
  double smoothing_;
  std::size_t threads_;
  Parameters<float> weights_, averaged_;
  std::unique_ptr<models::TranslationModel<float>> model_, averaged_model_;
  std::vector<IdBatch> batches_;
};

}  // namespace softalign::training
