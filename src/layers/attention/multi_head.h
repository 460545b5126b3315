#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "layers/attention/attention.h"

namespace softalign::layers {

// The choices that make a multi-head attention, beside the pattern, which is given with each call.
struct MultiHead {
  std::size_t width = 0;   // D of queries and output
  std::size_t heads = 1;   // H; divides D
  std::size_t memory = 0;  // width of what is looked at, if it is not D
  ScoreKind score = ScoreKind::kScaledDot;
  Normaliser normaliser = Normaliser::kSoftmax;
  std::optional<std::size_t> relative = std::nullopt;  // relative positions, clipped at this distance
  double dropout = 0;      // of weights, in training only
  double output_gain = 1;  // of W_O as it starts (layers/dense.h)
};

// Multi-head attention (Vaswani et al. 2017, arXiv:1706.03762, 3.2.2), A = D / H:
//
//   q[t,h] = W_Q[h] x[t] + b_Q[h]     k[s,h] = W_K[h] m[s] + b_K[h]     v[s,h] = W_V[h] m[s] + b_V[h]
//   e[h,t,s] = score(q[t,h], k[s,h]) + q[t,h] . r_K[clip(s - t)]
//   a[h,t,:] = softmax of e[h,t,:] over the keys that the pattern lets query t look at
//   c[t,h]   = sum_s a[h,t,s] (v[s,h] + r_V[clip(s - t)])
//   y[t]     = W_O [c[t,1]; ...; c[t,H]] + b_O
//
// The terms with r are those of relative positions (Shaw et al. 2018, arXiv:1803.02155), where asked for.
//
// Weights: q_proj.weight, k_proj.weight, v_proj.weight, out_proj.weight, the rows (columns, for out_proj) of
// one head together, and their .bias: PyTorch's in_proj_weight is the first three below each other. Also
// score (layers/attention/score.h), relative.key and relative.value [2 r + 1, A].
template <class T>
class MultiHeadAttention {
 public:
  // Throws ArgumentError if the heads do not divide the width.
  MultiHeadAttention(Parameters<T>& p, const std::string& name, const MultiHead& choices);

  struct Result {
    Var<T> output;   // y [T, B, D]
    Var<T> heads;    // c [T, B, D]: what each head brings, side by side, before W_O
    Var<T> weights;  // a [B, H, T, slots]; ops::by_key(g, weights, reach) is [B, H, T, S]
    ops::Reach reach;
  };

  // m [S, B, memory] -> keys and values [S, B, D]
  Memory<T> project(Graph<T>& g, Var<T> m, std::span<const std::int32_t> lengths) const;
  // x [T, B, D] looks at a projected memory. Head h is multiplied by head_factors[h] (0 switches it off), where
  // there are any: H of them.
  Result operator()(Graph<T>& g, Var<T> x, const Memory<T>& memory, const ops::Pattern& pattern = {},
                    std::span<const T> head_factors = {}) const;
  // Self-attention: x looks at itself.
  Result operator()(Graph<T>& g, Var<T> x, std::span<const std::int32_t> lengths, const ops::Pattern& pattern = {},
                    std::span<const T> head_factors = {}) const {
    return (*this)(g, x, project(g, x, lengths), pattern, head_factors);
  }

  std::size_t heads() const { return choices_.heads; }

 private:
  MultiHead choices_;
  Dense<T> query_, key_, value_, output_;
  Score<T> score_;
  const Parameter<T>*relative_key_ = nullptr, *relative_value_ = nullptr;
};

}  // namespace softalign::layers
