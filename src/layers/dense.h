#pragma once

#include <span>
#include <string>

#include "ops/linear.h"

namespace softalign::layers {

// y = W x + b: weight [out, in], bias [out] (left out with kNone). x [.., in] -> [.., out].
// Weights start uniform in +-gain sqrt(6 / (in + out)) (Glorot & Bengio 2010), biases at 0.
template <class T>
class Dense {
 public:
  enum class Bias { kLearned, kNone };
  Dense(Parameters<T>& p, const std::string& name, std::size_t in, std::size_t out, Bias bias = Bias::kLearned,
        double gain = 1);

  Var<T> operator()(Graph<T>& g, Var<T> x) const;
  // into += W x, without the bias: one more input of a layer that has several.
  void add_to(Graph<T>& g, Var<T> into, Var<T> x) const;

 private:
  const Parameter<T>& weight_;
  const Parameter<T>* bias_;
};

// A table of vectors, one a word: weight [V, E], normal-sized start +-sqrt(3 / E).
// Tied to an output layer (Press & Wolf 2017) it also scores words.
template <class T>
class Embedding {
 public:
  Embedding(Parameters<T>& p, const std::string& name, std::size_t vocabulary, std::size_t width);

  // ids -> [ids.size(), E]
  Var<T> operator()(Graph<T>& g, std::span<const std::int32_t> ids) const;
  // y = weight x + bias: [.., E] -> [.., V]
  Var<T> score(Graph<T>& g, Var<T> x, const Parameter<T>& bias) const;
  const Parameter<T>& weight() const { return weight_; }

 private:
  const Parameter<T>& weight_;
};

// Scores of words: y = weight x + bias, [.., E] -> [.., V], of all words of an embedding, or of those alone that `words`
// names, which then are the columns of y. For inference; borrows weight and bias.
template <class T>
class WordScores {
 public:
  WordScores(const Embedding<T>& embedding, const Parameter<T>& bias, std::span<const std::int32_t> words);
  Var<T> operator()(Graph<T>& g, Var<T> x) const;

 private:
  bool chosen_;
  const Parameter<T>&all_weights_, &all_biases_;
  Parameter<T> weight_, bias_;
};

}  // namespace softalign::layers
