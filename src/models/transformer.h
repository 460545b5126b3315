#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "layers/dense.h"
#include "layers/positions/sinusoidal.h"
#include "layers/transformer/transformer.h"
#include "models/layers_config.h"
#include "models/edits.h"
#include "models/translation_model.h"

namespace softalign::models {

template <class T>
class Transformer;

struct TransformerConfig : LayersConfig {
  static constexpr const char* kArchitecture = "transformer";
  template <class T>
  using Model = Transformer<T>;

  std::string to_json() const;
  // Throws FormatError naming the member, its value and what was expected.
  static TransformerConfig from_json(const std::string& json);
};

// Encoder-decoder of Vaswani et al. 2017 (arXiv:1706.03762) with pre-norm layers (Xiong et al. 2020,
// arXiv:2002.04745), sinusoidal positions and one embedding for source, target and output (Press & Wolf 2017):
//
//   x_0 = sqrt(D) embedding of the source + positions       m = norm(encoder layers of x_0)      [S, B, D]
//   y_0 = sqrt(D) embedding of the words before + positions  y = norm(decoder layers of y_0, m)   [T, B, D]
//   logits = embedding y + b_o                                                                    [B, V]
//
// Dropout is on x_0, y_0 and within the layers. What is carried from word to word are the keys and values of
// each decoder layer.
//
// The loss may have a second part (Garg et al. 2019, arXiv:1909.02074, 4.2): the alignment head is taught the
// links of the batch by guidance * cross entropy between them and its weights.
template <class T>
class Transformer : public TranslationModel<T> {
 public:
  // Throws ArgumentError if the alignment head does not exist.
  Transformer(Parameters<T>& p, const TransformerConfig& config);

  const TransformerConfig& config() const { return config_; }
  const TranslationInfo& info() const override { return config_; }
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
  // sqrt(D) embedding + the positions from `first` on; ids [T, B].
  Var<T> embed(Graph<T>& g, std::span<const std::int32_t> ids, std::size_t B, std::optional<std::size_t> step = {}) const;

  TransformerConfig config_;
  layers::Embedding<T> embedding_;
  layers::SinusoidalPositions<T> positions_;
  std::vector<layers::TransformerEncoderLayer<T>> encoder_;
  layers::LayerNorm<T> encoder_norm_;
  std::vector<layers::TransformerDecoderLayer<T>> decoder_;
  layers::LayerNorm<T> decoder_norm_;
  const Parameter<T>& output_bias_;
};

}  // namespace softalign::models
