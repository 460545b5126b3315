#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "layers/attention/multi_head.h"
#include "layers/layer_norm.h"

// The layers of Vaswani et al. 2017 (arXiv:1706.03762), in PyTorch's convention and with its names.
namespace softalign::layers {

enum class Activation { kRelu, kGelu };

struct TransformerChoices {
  std::size_t width = 512;         // D
  std::size_t heads = 8;           // H
  std::size_t feed_forward = 2048;  // F
  Activation activation = Activation::kRelu;
  // Whether a sublayer normalises what it reads (pre-norm, Xiong et al. 2020), or its sum with it (post-norm).
  bool norm_first = false;
  std::optional<std::size_t> relative = std::nullopt;  // relative positions in self-attention
  double dropout = 0;  // of each sublayer's result, in training only
  double epsilon = LayerNorm<float>::kEpsilon;  // of the norms
  // Of the weights that a sublayer's result leaves through, as they start (layers/dense.h). With 1 / sqrt(sublayers) a deep
  // post-norm stack starts near the identity, and learns from its first steps (Radford et al. 2019, "Language Models are
  // Unsupervised Multitask Learners", 2.3; Zhang et al. 2019, arXiv:1908.11365).
  double output_gain = 1;
};

// linear2(activation(linear1 x)): weights linear1 [F, D], linear2 [D, F], with biases. [.., D] -> [.., D]
template <class T>
class FeedForward {
 public:
  FeedForward(Parameters<T>& p, const std::string& name, const TransformerChoices& choices);
  Var<T> operator()(Graph<T>& g, Var<T> x) const;

 private:
  Activation activation_;
  double dropout_;
  Dense<T> linear1_, linear2_;
};

// One encoder layer, with norm 1 and 2, post-norm and pre-norm:
//
//   x = norm1(x + self_attn(x))           x = x + self_attn(norm1 x)
//   y = norm2(x + feed_forward(x))        y = x + feed_forward(norm2 x)
//
// Weights: self_attn.* (MultiHeadAttention), linear1.*, linear2.*, norm1.*, norm2.*.
template <class T>
class TransformerEncoderLayer {
 public:
  TransformerEncoderLayer(Parameters<T>& p, const std::string& name, const TransformerChoices& choices);

  struct Result {
    Var<T> output;   // [T, B, D]
    Var<T> weights;  // [B, H, T, slots]
    ops::Reach reach;
  };
  // x [T, B, D], lengths as everywhere.
  Result operator()(Graph<T>& g, Var<T> x, std::span<const std::int32_t> lengths, const ops::Pattern& pattern = {},
                    std::span<const T> head_factors = {}, const ops::Steering<T>& steering = {}) const;

 private:
  bool norm_first_;
  double dropout_;
  MultiHeadAttention<T> self_attention_;
  FeedForward<T> feed_forward_;
  LayerNorm<T> norm1_, norm2_;
};

// What a decoder layer's self-attention has computed of the words before: keys and values are kept, so
// that one more word costs one more row.
template <class T>
struct KeyValueCache {
  Var<T> next_key, next_value;  // [B, D]: where this word's go
  Var<T> keys, values;          // [t + 1, B, D]: those of all words, this one's rows among them, at the end
  ops::Steering<T> steering = {};  // of the word's look at them
};

// One decoder layer: causal self-attention, attention to the encoder's output, feed-forward; each with its
// norm as above. Weights: self_attn.*, multihead_attn.*, linear1.*, linear2.*, norm1.*, norm2.*, norm3.*.
template <class T>
class TransformerDecoderLayer {
 public:
  TransformerDecoderLayer(Parameters<T>& p, const std::string& name, const TransformerChoices& choices);

  struct Result {
    Var<T> output;         // [T, B, D]
    Var<T> self_weights;   // [B, H, T, T]; with a cache [B, H, 1, t + 1]
    Var<T> cross_weights;  // [B, H, T, S]
  };
  // The encoder's output m [S, B, D] as this layer sees it, once for each sentence.
  Memory<T> project(Graph<T>& g, Var<T> m, std::span<const std::int32_t> lengths) const {
    return cross_attention_.project(g, m, lengths);
  }
  // x [T, B, D]: all words of the target at once, as in training; or, with a cache, one word (T = 1) after
  // those in it, to which its key and value are added. Both give the same.
  Result operator()(Graph<T>& g, Var<T> x, const Memory<T>& memory, const KeyValueCache<T>* cache = nullptr) const;

 private:
  bool norm_first_;
  double dropout_;
  MultiHeadAttention<T> self_attention_, cross_attention_;
  FeedForward<T> feed_forward_;
  LayerNorm<T> norm1_, norm2_, norm3_;
};

}  // namespace softalign::layers
