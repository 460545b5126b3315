#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "layers/dense.h"
#include "layers/layer_norm.h"
#include "layers/recurrent/lstm.h"
#include "layers/transformer/transformer.h"
#include "layers/window.h"

namespace softalign::models {

// How a text encoder lets words see each other:
//
//   kSelfAttention  all of them, by pre-norm transformer layers (GELU) with relative positions
//   kBiLstm         those before and after, by bidirectional LSTMs, D / 2 wide each way
//   kWindow         `radius` neighbours to each side, by fully connected layers: the baseline without attention
enum class EncoderKind { kSelfAttention, kBiLstm, kWindow };
const char* encoder_name(EncoderKind kind);            // "self-attention", "bilstm", "window"
EncoderKind encoder_by_name(const std::string& name);  // throws ArgumentError

struct EncoderChoices {
  EncoderKind kind = EncoderKind::kSelfAttention;
  std::size_t width = 128;        // D
  std::size_t layers = 2;
  std::size_t heads = 4;          // H, of self-attention
  std::size_t feed_forward = 512;  // F, likewise
  std::size_t radius = 2;         // of a window; of self-attention the distance from which on relative positions are one
  double dropout = 0.1;           // in training only
};

// A text as vectors that know their neighbours:
//
//   x_0 = sqrt(D) embedding of the ids     h = (norm of) layers of x_0      [T, B, D]
//
// The embedding has one row beyond the vocabulary, for a masked word: id V.
template <class T>
class TextEncoder {
 public:
  // Throws ArgumentError for choices that do not fit together.
  TextEncoder(Parameters<T>& p, const std::string& name, std::size_t vocabulary, const EncoderChoices& choices);

  // ids [T, B] time-major. The attention of each layer [B, H, T, T] is added to `weights`, if that is given and
  // there is any.
  Var<T> operator()(Graph<T>& g, std::span<const std::int32_t> ids, std::span<const std::int32_t> lengths,
                    std::vector<Var<T>>* weights = nullptr) const;
  // Scores of words, with the embedding: [.., D] -> [.., V + 1].
  Var<T> score(Graph<T>& g, Var<T> x, const Parameter<T>& bias) const { return embedding_.score(g, x, bias); }

  std::size_t width() const { return choices_.width; }

 private:
  using BiLstm = layers::Stack<layers::Bidirectional<layers::Lstm<T>>, T>;

  EncoderChoices choices_;
  layers::Embedding<T> embedding_;
  std::vector<layers::TransformerEncoderLayer<T>> attention_;
  std::optional<layers::LayerNorm<T>> norm_;
  std::optional<BiLstm> lstm_;
  std::vector<layers::Window<T>> windows_;
};

}  // namespace softalign::models
