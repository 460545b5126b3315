#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "layers/positions/sinusoidal.h"
#include "layers/transformer/ssru_decoder.h"
#include "layers/transformer/transformer.h"
#include "models/layers_config.h"
#include "models/edits.h"
#include "models/translation_model.h"

namespace softalign::models {

template <class T>
class Student;

struct StudentConfig : LayersConfig {
  static constexpr const char* kArchitecture = "student";
  template <class T>
  using Model = Student<T>;

  // Of the source, if it has one of its own; `vocabulary` is the target's then.
  std::optional<std::size_t> source_vocabulary = std::nullopt;

  // Of the size that Mozilla calls "tiny".
  StudentConfig() {
    width = 256;
    heads = 8;
    feed_forward = 1536;
    encoder_layers = 6;
    alignment = {1, 0, false};
  }
  std::string to_json() const;
  // Throws FormatError naming the member, its value and what was expected.
  static StudentConfig from_json(const std::string& json);
};

// The small, fast models that learn from the translations of large ones and run on people's own machines: a transformer's
// encoder, and a decoder that remembers in SSRUs (Kim et al. 2019, "From Research to Production and Back: Ludicrously Fast
// Neural Machine Translation", WNGT). In Marian's convention, in which Mozilla and the Bergamot project publish theirs:
// post-norm layers, norms with an epsilon of 1e-6, positions with all sines before all cosines:
//
//   x_0 = sqrt(D) embedding of the source + positions        m = encoder layers of x_0        [S, B, D]
//   y_0 = sqrt(D) embedding of the words before + positions   y = decoder layers of y_0, m    [T, B, D]
//   logits = target embedding y + b_o                                                         [B, V]
//
// where "the word before" the first one is a vector of zeros. One embedding for source, target and output (Press & Wolf
// 2017), or, with a vocabulary of its own, another one for the source. What is carried from word to word is the cell of
// each decoder layer's SSRU.
//
// The loss may teach an alignment head, as the Transformer's.
template <class T>
class Student : public TranslationModel<T> {
 public:
  // Throws ArgumentError if the alignment head does not exist.
  Student(Parameters<T>& p, const StudentConfig& config);

  const StudentConfig& config() const { return config_; }
  const TranslationInfo& info() const override { return config_; }
  std::size_t source_vocabulary() const override { return config_.source_vocabulary.value_or(config_.vocabulary); }
  std::unique_ptr<Decoder<T>> read(Graph<T>& g, const Sources& sources) const override;
  Var<T> loss(Graph<T>& g, const Batch& batch, double smoothing, double scale) const override;

  // ids [S, B] time-major -> m [S, B, D]. Adds the attention of each layer, [B, H, S, S], to `weights` if there are any.
  Var<T> encode(Graph<T>& g, std::span<const std::int32_t> ids, std::span<const std::int32_t> lengths,
                const EditedAttention<T>* edited = nullptr, std::vector<Var<T>>* weights = nullptr) const;
  // What each decoder layer sees of m.
  using Memories = std::vector<layers::Memory<T>>;
  Memories memories(Graph<T>& g, Var<T> m, std::span<const std::int32_t> lengths) const;

 private:
  class SentencesDecoder;
  const layers::Embedding<T>& source_embedding() const { return source_embedding_ ? *source_embedding_ : embedding_; }
  // sqrt(D) words [T * B, D] + positions, [T, B, D]
  Var<T> place(Graph<T>& g, Var<T> words, std::size_t B, std::optional<std::size_t> step = {}) const;

  StudentConfig config_;
  layers::Embedding<T> embedding_;
  std::optional<layers::Embedding<T>> source_embedding_;
  layers::SinusoidalPositions<T> positions_;
  std::vector<layers::TransformerEncoderLayer<T>> encoder_;
  std::vector<layers::SsruDecoderLayer<T>> decoder_;
  const Parameter<T>& output_bias_;
};

}  // namespace softalign::models
