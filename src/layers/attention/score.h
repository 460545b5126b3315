#pragma once

#include <string>

#include "ops/attention.h"
#include "ops/scores.h"

namespace softalign::layers {

// How a query q is scored against a key k, both A wide: the first of the three choices that make an attention.
//
//   kAdditive    v . tanh(q + k)         Bahdanau, Cho & Bengio 2015 (arXiv:1409.0473), A.1.2; v [A]
//   kDot         q . k                   Luong, Pham & Manning 2015 (arXiv:1508.04025), eq. 8
//   kScaledDot   q . k / sqrt(A)         Vaswani et al. 2017 (arXiv:1706.03762), eq. 1
//   kGeneral     q . W k                 Luong et al. 2015, eq. 8; W [A, A]
enum class ScoreKind { kAdditive, kDot, kScaledDot, kGeneral };
const char* score_name(ScoreKind kind);            // "additive", "dot", "scaled_dot", "general"
ScoreKind score_by_name(const std::string& name);  // throws ArgumentError

// How scores become weights: softmax, or their positive part over its sum. Steered, what comes out is as told; the
// scores are used up.
enum class Normaliser { kSoftmax, kRelu };
template <class T>
Var<T> normalise(Graph<T>& g, Var<T> scores, Normaliser normaliser, const ops::Reach& reach,
                 const ops::Steering<T>& steering = {});

// The score of every head, with the weight of its kind, if that has one: name [H A] or [H, A, A].
template <class T>
class Score {
 public:
  // `width` is A. Throws ArgumentError if either number is 0.
  Score(Parameters<T>& p, const std::string& name, ScoreKind kind, std::size_t heads, std::size_t width);

  // Queries [T, B, H A] as the score wants them: scaled, if it scales.
  Var<T> prepare(Graph<T>& g, Var<T> queries) const;
  // Prepared queries, keys [S, B, H A] -> [B, H, T, slots]
  Var<T> operator()(Graph<T>& g, Var<T> queries, Var<T> keys, const ops::Reach& reach) const;

 private:
  ScoreKind kind_;
  std::size_t heads_, width_;
  const Parameter<T>* weight_ = nullptr;
};

}  // namespace softalign::layers
