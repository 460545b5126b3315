#pragma once

#include "layers/attention/score.h"
#include "models/text_encoder.h"
#include "models/text_model.h"

// Models that read a text with a TextEncoder, and what each of them says about it.
namespace softalign::models {

template <class T>
class Tagger;
template <class T>
class Classifier;
template <class T>
class MaskedLanguageModel;

struct TaggerConfig : TextInfo {
  static constexpr const char* kArchitecture = "tagger";
  template <class T>
  using Model = Tagger<T>;

  EncoderChoices encoder;
  std::vector<std::string> labels;

  std::string to_json() const;
  static TaggerConfig from_json(const std::string& json);
};

struct ClassifierConfig : TextInfo {
  static constexpr const char* kArchitecture = "classifier";
  template <class T>
  using Model = Classifier<T>;

  EncoderChoices encoder;
  std::vector<std::string> labels;
  std::size_t alignment = 128;  // A, of the pooling

  std::string to_json() const;
  static ClassifierConfig from_json(const std::string& json);
};

struct MaskedLanguageModelConfig : TextInfo {
  static constexpr const char* kArchitecture = "masked-language-model";
  template <class T>
  using Model = MaskedLanguageModel<T>;

  EncoderChoices encoder;

  std::string to_json() const;
  static MaskedLanguageModelConfig from_json(const std::string& json);
};

// Each place has a label: logits = W h + b [N, labels].
template <class T>
class Tagger : public TextModel<T> {
 public:
  Tagger(Parameters<T>& p, const TaggerConfig& config);

  const TaggerConfig& config() const { return config_; }
  const TextInfo& info() const override { return config_; }
  Var<T> logits(Graph<T>& g, const TextBatch& batch) const override { return logits(g, batch, nullptr); }
  // And the attention of each encoder layer [B, H, T, T], added to `weights`.
  Var<T> logits(Graph<T>& g, const TextBatch& batch, std::vector<Var<T>>* weights) const;

 private:
  TaggerConfig config_;
  TextEncoder<T> encoder_;
  layers::Dense<T> output_;
};

// The whole text has a label. It is summed up by attention pooling, whose weights show what decided (Yang et al.
// 2016, "Hierarchical Attention Networks for Document Classification", eq. 5-7):
//
//   e[t] = v . tanh(W h[t] + b)    a = softmax of e    s = sum_t a[t] h[t]    logits = W_o s + b_o   [B, labels]
template <class T>
class Classifier : public TextModel<T> {
 public:
  Classifier(Parameters<T>& p, const ClassifierConfig& config);

  const ClassifierConfig& config() const { return config_; }
  const TextInfo& info() const override { return config_; }
  Var<T> logits(Graph<T>& g, const TextBatch& batch) const override { return classify(g, batch).logits; }

  struct Result {
    Var<T> logits;   // [B, labels]
    Var<T> pooling;  // a [B, T]
  };
  Result classify(Graph<T>& g, const TextBatch& batch, std::vector<Var<T>>* weights = nullptr) const;

 private:
  ClassifierConfig config_;
  TextEncoder<T> encoder_;
  layers::Dense<T> key_;
  layers::Score<T> score_;
  layers::Dense<T> output_;
};

// A word at each place, of words that were masked or changed (Devlin et al. 2019, arXiv:1810.04805, 3.1), scored
// with the encoder's own embedding: logits = embedding norm(gelu(W h + b)) + b_o [N, V + 1].
template <class T>
class MaskedLanguageModel : public TextModel<T> {
 public:
  MaskedLanguageModel(Parameters<T>& p, const MaskedLanguageModelConfig& config);

  const MaskedLanguageModelConfig& config() const { return config_; }
  const TextInfo& info() const override { return config_; }
  Var<T> logits(Graph<T>& g, const TextBatch& batch) const override { return logits(g, batch, nullptr); }
  Var<T> logits(Graph<T>& g, const TextBatch& batch, std::vector<Var<T>>* weights) const;
  // The id that stands for a masked word.
  std::int32_t mask() const { return static_cast<std::int32_t>(config_.vocabulary); }

 private:
  MaskedLanguageModelConfig config_;
  TextEncoder<T> encoder_;
  layers::Dense<T> transform_;
  layers::LayerNorm<T> norm_;
  const Parameter<T>& output_bias_;
};

}  // namespace softalign::models
