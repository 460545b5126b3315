#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "layers/attention/attention.h"
#include "layers/dense.h"
#include "layers/recurrent/attention_decoder.h"
#include "layers/recurrent/gru.h"
#include "models/translation_model.h"

namespace softalign::models {

enum class AttentionKind { kNone, kAdditive, kDot };
const char* attention_name(AttentionKind kind);           // "none", "additive", "dot"
AttentionKind attention_by_name(const std::string& name);  // throws ArgumentError

template <class T>
class Seq2Seq;

struct Seq2SeqConfig : TranslationInfo {
  static constexpr const char* kArchitecture = "seq2seq-gru";
  template <class T>
  using Model = Seq2Seq<T>;

  AttentionKind attention = AttentionKind::kAdditive;
  std::size_t embedding = 256;  // E
  std::size_t encoder = 192;    // H of one direction
  std::size_t decoder = 384;    // width of the decoder's state
  std::size_t alignment = 256;  // A
  double dropout = 0.3;         // in training only

  std::string to_json() const;
  // Throws FormatError naming the member, its value and what was expected.
  static Seq2SeqConfig from_json(const std::string& json);
};

// Encoder-decoder with attention: Bahdanau, Cho & Bengio 2015 (arXiv:1409.0473), with PyTorch's GRU
// and one embedding for source, target and output (Press & Wolf 2017).
//
//   h       = BiGRU(embedding of the source)             annotations, [S, B, 2H]
//   s_0     = tanh(W_0 [h_forward_last; h_backward_first] + b_0)
//   c_t     = attention(s_{t-1}, h)                       context, [B, 2H]
//   s_t     = GRU([x'_t; c_t], s_{t-1})                   x'_t embeds the word before
//   r_t     = tanh(W_s s_t + W_c c_t + W_x x'_t + b_r)    [B, E]
//   logits  = embedding r_t + b_o                         [B, V]
//
// Without attention c_t is the same for all t, made from the encoder's last state alone:
// c = tanh(W_c' [h_forward_last; h_backward_first] + b_c'). Dropout is on embeddings, annotations
// and r_t. What is carried from word to word is s_t.
template <class T>
class Seq2Seq : public TranslationModel<T> {
 public:
  Seq2Seq(Parameters<T>& p, const Seq2SeqConfig& config);

  const Seq2SeqConfig& config() const { return config_; }
  const TranslationInfo& info() const override { return config_; }
  std::unique_ptr<Decoder<T>> read(Graph<T>& g, const Sources& sources) const override;
  Var<T> loss(Graph<T>& g, const Batch& batch, double smoothing, double scale) const override;

  // Source sentences as the decoder sees them. Their Vars belong to the graph.
  struct Encoded {
    layers::Memory<T> memory;  // without attention, of the one position c [1, B, 2H]
    Var<T> start;              // s_0 [B, D]
  };
  // ids [S, B] time-major, each sentence ending with eos; lengths [B], borrowed as long as the result.
  Encoded encode(Graph<T>& g, std::span<const std::int32_t> ids, std::span<const std::int32_t> lengths) const;

  struct Step {
    Var<T> state;    // s_t [B, D]
    Var<T> logits;   // [B, V]
    Var<T> weights;  // [B, S]: attention to each source position; no tensor without attention
  };
  // One word further for B hypotheses: one for each sentence, or as the memory's columns say.
  // previous: B ids; state: s_{t-1}. Writes s_t to `into` if that is a tensor. Logits by `scores`, if there are.
  Step step(Graph<T>& g, const layers::Memory<T>& memory, std::span<const std::int32_t> previous, Var<T> state,
            Var<T> into = {}, const layers::WordScores<T>* scores = nullptr) const;

 private:
  class SentencesDecoder;
  // What the logits are computed from, [.., E].
  Var<T> readout(Graph<T>& g, Var<T> state, Var<T> context, Var<T> previous) const;
  Var<T> embed(Graph<T>& g, std::span<const std::int32_t> ids) const;

  Seq2SeqConfig config_;
  layers::Embedding<T> embedding_;
  layers::BidirectionalGru<T> encoder_;
  layers::Dense<T> start_;
  std::optional<layers::Dense<T>> fixed_context_;
  layers::AttentionDecoder<layers::Gru<T>> decoder_;
  layers::Dense<T> readout_state_, readout_context_, readout_previous_;
  const Parameter<T>& output_bias_;
};

}  // namespace softalign::models
