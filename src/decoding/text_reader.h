#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/labellers.h"
#include "models/language_model.h"
#include "models/model_file.h"
#include "text/tokenizer.h"

// Text models ready to use, each with what shows how it came to its answer. Not for several threads at once.
namespace softalign {

// A model file opened and loaded. Throws FormatError for bytes that are no model, or one of another architecture.
template <class Config>
class LoadedModel {
 public:
  explicit LoadedModel(std::span<const std::byte> bytes) : LoadedModel(models::ModelFile(bytes)) {}

  const Config& config() const { return model_.config(); }
  const Tokenizer& tokenizer() const { return tokenizer_; }

 protected:
  // A graph for one more text.
  Graph<float>& fresh() {
    graph_.rewind();
    return graph_;
  }
  const typename Config::template Model<float>& model() const { return model_; }

 private:
  explicit LoadedModel(const models::ModelFile& file)
      : model_(weights_, Config::from_json(file.config())), tokenizer_(file.tokenizer()) {
    if (tokenizer_.size() != config().vocabulary) {
      throw FormatError("model file: the tokenizer has " + std::to_string(tokenizer_.size()) + " pieces, expected " +
                        std::to_string(config().vocabulary));
    }
    file.load(weights_);
  }

  Parameters<float> weights_{Parameters<float>::Unfilled{}};
  typename Config::template Model<float> model_;
  Tokenizer tokenizer_;
  Graph<float> graph_;
};

// The attention of each layer's heads between n tokens, or words: weights[l][((h * n) + t) * n + s].
struct SelfAttention {
  std::size_t heads = 0;
  std::vector<std::vector<float>> layers;
};

struct Reading {
  Annotation text;
  // How much each token looked back at the beginning of the text (column 0) and at each token before it:
  // [tokens, tokens + 1], rows sum to 1. Empty for a model that does not look back.
  std::vector<float> attention;
  std::vector<float> log_probability;  // of each token given those before it, then of the end
};

// A language model.
class LanguageReader : public LoadedModel<models::LanguageModelConfig> {
 public:
  using LoadedModel::LoadedModel;
  Reading read(std::string_view text);
};

struct Tagging {
  std::vector<float> probability;  // [words, labels]
  SelfAttention attention;         // between words
};

class TextTagger : public LoadedModel<models::TaggerConfig> {
 public:
  using LoadedModel::LoadedModel;
  // Throws ArgumentError if there is no word.
  Tagging tag(std::span<const std::string> words);
};

struct Classification {
  Annotation text;
  std::vector<float> probability;  // of each label
  std::vector<float> pooling;      // of each token: its part in the whole
  SelfAttention attention;         // between tokens
};

class TextClassifier : public LoadedModel<models::ClassifierConfig> {
 public:
  using LoadedModel::LoadedModel;
  Classification classify(std::string_view text);
};

struct Guess {
  std::int32_t id = 0;
  float probability = 0;
};

// A text with masked places, as the model sees it.
struct MaskedText {
  Annotation text;                 // a masked place is a token of its own, MaskFiller::kMask
  std::vector<std::size_t> masks;  // which tokens these are
  SelfAttention attention = {};    // between tokens
};

// A masked language model.
class MaskFiller : public LoadedModel<models::MaskedLanguageModelConfig> {
 public:
  using LoadedModel::LoadedModel;
  static constexpr std::string_view kMask = "[MASK]";

  // Between two parts of a text is a piece to be guessed: for each of them the `count` likeliest, the best first.
  // Throws ArgumentError for fewer than two parts.
  std::vector<std::vector<Guess>> fill(std::span<const std::string> parts, std::size_t count);
  // Who looks at whom meanwhile.
  MaskedText look(std::span<const std::string> parts);

 private:
  MaskedText masked(std::span<const std::string> parts) const;
  Var<float> logits(const MaskedText& masked, std::vector<Var<float>>* weights);
};

}  // namespace softalign
