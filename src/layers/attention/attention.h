#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "layers/dense.h"
#include "ops/graph.h"

// Attention of a decoder state to a source sentence. The members of the family differ only in how a
// query is scored against a key; softmax, mask and weighted sum are one function for all.
namespace softalign::layers {

// What can be looked at: one row a source position, time-major.
template <class T>
struct Memory {
  Var<T> keys;    // [S, B, A], projected by the layer that will read it
  Var<T> values;  // [S, B, D]
  std::span<const std::int32_t> lengths;  // B entries in 1..S, borrowed; positions beyond get weight 0
};

template <class T>
struct Attended {
  Var<T> context;  // [B, D] = sum_s weights[b, s] values[s, b]
  Var<T> weights;  // [B, S], rows sum to 1
};

// weights = softmax(scores) where the memory has positions; context = their weighted sum of values.
template <class T>
Attended<T> attend(Graph<T>& g, Var<T> scores, const Memory<T>& memory);

// Additive attention: Bahdanau, Cho & Bengio 2015 (arXiv:1409.0473), A.1.2.
//
//   e[b,s] = score . tanh(W q[b] + U k[b,s] + bias)
//   a[b,:] = softmax of e[b,:] over s < lengths[b], exactly 0 beyond
//   c[b]   = sum_s a[b,s] * values[b,s]
//
// Weights: query.weight W [A, Q]; key.weight U [A, K]; key.bias [A], which the paper's formula
// leaves out; score v_a [A].
template <class T>
class AdditiveAttention {
 public:
  AdditiveAttention(Parameters<T>& p, const std::string& name, std::size_t query, std::size_t key,
                    std::size_t alignment);

  // U k + bias, once for each sentence: keys [S, B, K], which are also the values.
  Memory<T> project(Graph<T>& g, Var<T> keys, std::span<const std::int32_t> lengths) const;
  // query [B, Q] -> context and weights. A memory of batch 1 serves any number of queries.
  Attended<T> operator()(Graph<T>& g, Var<T> query, const Memory<T>& memory) const;

 private:
  Dense<T> query_, key_;
  const Parameter<T>& score_;
};

// Dot-product attention with linear maps (Luong et al. 2015, "general" with its matrix factored):
//
//   k[b,s] = W_K h[b,s],  q[b] = W_Q s[b],  e[b,s] = k[b,s] . q[b]
//
// then as above. Weights: query.weight W_Q [A, Q], key.weight W_K [A, K]; no biases.
template <class T>
class DotAttention {
 public:
  DotAttention(Parameters<T>& p, const std::string& name, std::size_t query, std::size_t key, std::size_t alignment);

  Memory<T> project(Graph<T>& g, Var<T> keys, std::span<const std::int32_t> lengths) const;
  Attended<T> operator()(Graph<T>& g, Var<T> query, const Memory<T>& memory) const;

 private:
  Dense<T> query_, key_;
};

}  // namespace softalign::layers
