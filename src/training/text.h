#pragma once

#include <cmath>

#include "models/model_file.h"
#include "models/text_config.h"
#include "training/fit.h"
#include "training/text_corpus.h"

namespace softalign::training {

// What a text model says about examples, compared with their answers.
struct TextScore {
  std::size_t answers = 0, right = 0;
  double cross_entropy = 0;  // sum, in nats

  double accuracy() const { return 100 * static_cast<double>(right) / static_cast<double>(answers); }  // percent
  double perplexity() const { return std::exp(cross_entropy / static_cast<double>(answers)); }
};
// Throws ArgumentError if there are none.
TextScore score(const models::TextModel<float>& model, const std::vector<TextExample>& examples, std::size_t threads);

struct TextSettings {
  std::size_t tokens = 1500;   // of a batch, counting padding
  std::size_t longest = 128;   // longer texts are left out
};

// A text model and examples to learn from. Language models are evaluated on dev by perplexity, labellers by accuracy.
class TextTask : public Task {
 public:
  // A masked language model's examples are plain texts, masked anew for each epoch. Throws ArgumentError if dev is empty.
  TextTask(const models::TextConfig& config, std::vector<std::byte> tokenizer, std::vector<TextExample> train,
           std::vector<TextExample> dev, const TextSettings& text, const FitSettings& settings);
  // Starts from the encoder of another text model. Throws FormatError if it does not fit.
  void start_from(const models::ModelFile& file) { file.load(weights_, models::ModelFile::Int8::kExpand, "encoder."); }

  Metric metric() const override;
  const char* units() const override { return "answers"; }
  std::string config() const override { return to_json(config_); }
  std::span<const std::byte> tokenizer() const override { return tokenizer_; }
  Parameters<float>& weights() override { return weights_; }
  Parameters<float>& averaged() override { return averaged_; }
  std::size_t shuffle(Random& random) override;
  BatchSize size(std::size_t batch) const override;
  Var<float> loss(Graph<float>& g, std::size_t batch, Share share, double scale) const override;
  double evaluate() override;

 private:
  // The example as it is to be learned in this epoch.
  const TextExample& example(std::size_t i) const { return masked_.empty() ? train_[i] : masked_[i]; }

  models::TextConfig config_;
  std::vector<std::byte> tokenizer_;
  std::vector<TextExample> train_, dev_, masked_;
  TextSettings text_;
  double smoothing_;
  std::size_t threads_;
  Parameters<float> weights_, averaged_;
  std::unique_ptr<models::TextModel<float>> model_, averaged_model_;
  std::vector<std::vector<std::size_t>> batches_;
};

}  // namespace softalign::training
