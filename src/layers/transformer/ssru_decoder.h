#pragma once

#include <optional>
#include <string>

#include "layers/recurrent/ssru.h"
#include "layers/transformer/transformer.h"

namespace softalign::layers {

// A transformer's decoder layer that remembers the words before in an SSRU, where others look back at all of them (Kim et
// al. 2019, "From Research to Production and Back"): what it carries from word to word is one vector, however long the
// sentence is. Post-norm:
//
//   y = norm1(x + ssru(x))
//   z = norm2(y + multihead_attn(y, m))
//   output = norm3(z + feed_forward(z))
//
// Weights: ssru.* (Ssru), multihead_attn.* (MultiHeadAttention), linear1.*, linear2.*, norm1.*, norm2.*, norm3.*.
template <class T>
class SsruDecoderLayer {
 public:
  // Throws ArgumentError for pre-norm choices, which this layer does not have.
  SsruDecoderLayer(Parameters<T>& p, const std::string& name, const TransformerChoices& choices);

  // The encoder's output m [S, B, D] as this layer sees it, once for each sentence.
  Memory<T> project(Graph<T>& g, Var<T> m, std::span<const std::int32_t> lengths) const {
    return cross_attention_.project(g, m, lengths);
  }

  struct Result {
    Var<T> output;         // [T, B, D]
    Var<T> cross_weights;  // [B, H, T, S]
  };
  // x [T, B, D]: all words of the target at once, as in training.
  Result operator()(Graph<T>& g, Var<T> x, const Memory<T>& memory) const;

  // One word, x [1, B, D], after a state: its cell c [B, D], or no tensor before the first word. The next cell is written
  // to `next`. The same as above, word by word.
  Result step(Graph<T>& g, Var<T> x, const Memory<T>& memory, Var<T> cell, Var<T> next) const;

 private:
  Result rest(Graph<T>& g, Var<T> x, Var<T> remembered, const Memory<T>& memory) const;

  double dropout_;
  Ssru<T> ssru_;
  MultiHeadAttention<T> cross_attention_;
  FeedForward<T> feed_forward_;
  LayerNorm<T> norm1_, norm2_, norm3_;
};

}  // namespace softalign::layers
