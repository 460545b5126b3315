#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "layers/attention/score.h"
#include "layers/dense.h"

// Attention of a decoder state to a source sentence, with one head: the score is chosen, all else is shared.
namespace softalign::layers {

// What can be looked at: one row a source position, time-major.
template <class T>
struct Memory {
  Var<T> keys;    // [S, B, A], projected by the layer that will read it
  Var<T> values;  // [S, B, D]
  std::span<const std::int32_t> lengths;  // B entries in 1..S, borrowed; positions beyond get weight 0
  // Where queries share sequences, as the hypotheses of a beam do: which of these B each query looks at,
  // borrowed. Empty if there is one query for each.
  std::span<const std::int32_t> columns = {};
  ops::Steering<T> steering = {};  // where queries are made to look, if anywhere
};

template <class T>
struct Attended {
  Var<T> context;  // [B, D] = sum_s weights[b, s] values[s, b]
  Var<T> weights;  // [B, S], rows sum to 1
};

// Attention of a query q to annotations h, which are keys and values (Bahdanau, Cho & Bengio 2015):
//
//   e[b,s] = score(W_Q q[b], W_K h[s,b])
//   a[b,:] = softmax of e[b,:] over s < lengths[b], exactly 0 beyond
//   c[b]   = sum_s a[b,s] h[s,b]
//
// with the scores of layers/attention/score.h. Weights: query.weight W_Q [A, Q], key.weight W_K [A, K]
// and, of the additive score, key.bias [A] (which the paper's formula leaves out) and score v_a [A].
// The general score q . W h needs no maps beside its own: key.weight is W [Q, K], and A is not used.
template <class T>
class Attention {
 public:
  Attention(Parameters<T>& p, const std::string& name, ScoreKind score, std::size_t query, std::size_t key,
            std::size_t alignment, Normaliser normaliser = Normaliser::kSoftmax);

  // The keys' part, once for each sentence: annotations [S, B, K].
  Memory<T> project(Graph<T>& g, Var<T> annotations, std::span<const std::int32_t> lengths) const;
  // query [B, Q] -> context and weights: B S scores are computed.
  Attended<T> operator()(Graph<T>& g, Var<T> query, const Memory<T>& memory) const;
  // Width of a memory's keys: A, or Q with the general score.
  std::size_t key_width() const { return key_width_; }

 private:
  std::size_t key_width_;
  std::optional<Dense<T>> query_;
  Dense<T> key_;
  Score<T> score_;
  Normaliser normaliser_;
};

}  // namespace softalign::layers
