#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "layers/dense.h"
#include "ops/linear_attention.h"

namespace softalign::layers {

// Self-attention in linear time (Katharopoulos, Vyas, Pappas & Fleuret 2020, arXiv:2006.16236), with
// several heads. For each head, from x[t] [D]:
//
//   q[t] = phi(W_q x[t] + b_q),  k[t] = phi(W_k x[t] + b_k),  v[t] = W_v x[t] + b_v
//   y[t] = sum_s (q[t] . k[s]) v[s] / sum_s q[t] . k[s],  phi(x) = elu(x) + 1
//   out  = W_o [y of head 1; ...; y of head H] + b_o
//
// s runs over the whole sequence or, causally, over s <= t; never beyond a length. The three forms
// agree up to rounding: over everything, causal for a whole sequence, and causal step by step with a
// state of fixed size, so that a decoder's memory does not grow. No form computes the weights; weights()
// does, for showing.
//
// D is the width, H heads of A = D / H. Weights: q_proj, k_proj, v_proj and out_proj, each with .weight
// [D, D] and .bias [D]. x is time-major [T, B, D]; lengths has B entries in 1..T, or is empty if all are
// T long; outputs beyond a length are out_proj.bias. A NaN or infinity in x spoils every output of its
// sequence that sees its position.
//
// The constructor throws ArgumentError unless heads divide the width; the calls throw ShapeError for
// an x or lengths that do not fit.
template <class T>
class LinearAttention {
 public:
  enum class Over { kAll, kPast };
  using State = ops::LinearAttentionState<T>;  // sums [B, H, A, A] and keys [B, H, A]
  using Step = ops::LinearAttentionStep<T>;    // y [B, D] and the state after it

  LinearAttention(Parameters<T>& p, const std::string& name, std::size_t width, std::size_t heads);

  // x [T, B, D] -> [T, B, D]
  Var<T> operator()(Graph<T>& g, Var<T> x, std::span<const std::int32_t> lengths, Over over = Over::kAll) const;

  // The state of B sequences before their first step.
  State start(Graph<T>& g, std::size_t B) const;
  // x [B, D] -> y [B, D], as Over::kPast gives for that step. `into` as in ops::linear_attention_step.
  Step step(Graph<T>& g, Var<T> x, const State& state, const State& into = {}) const;

  // The weights [B, H, T, S] that operator() amounts to: rows sum to 1 for t < lengths[b], else they
  // are 0. Takes O(T^2) time and memory; no gradient flows through them.
  Var<T> weights(Graph<T>& g, Var<T> x, std::span<const std::int32_t> lengths, Over over = Over::kAll) const;

  std::size_t width() const { return width_; }
  std::size_t heads() const { return heads_; }

 private:
  void check(const Var<T>& x) const;
  Var<T> features(Graph<T>& g, const Dense<T>& projection, Var<T> x) const;

  std::size_t width_, heads_;
  Dense<T> q_, k_, v_, out_;
};

}  // namespace softalign::layers
