#include "layers/attention/score.h"

#include <cmath>

#include "ops/elementwise.h"
#include "ops/linear.h"

namespace softalign::layers {

const char* score_name(ScoreKind kind) {
  switch (kind) {
    case ScoreKind::kAdditive: return "additive";
    case ScoreKind::kDot: return "dot";
    case ScoreKind::kScaledDot: return "scaled_dot";
    case ScoreKind::kGeneral: return "general";
  }
  return "";
}

ScoreKind score_by_name(const std::string& name) {
  for (const auto kind : {ScoreKind::kAdditive, ScoreKind::kDot, ScoreKind::kScaledDot, ScoreKind::kGeneral}) {
    if (name == score_name(kind)) return kind;
  }
  throw ArgumentError("score is \"" + name + "\", expected \"additive\", \"dot\", \"scaled_dot\" or \"general\"");
}

template <class T>
Var<T> normalise(Graph<T>& g, Var<T> scores, Normaliser normaliser, const ops::Reach& reach,
                 const ops::Steering<T>& steering) {
  if (!steering.mask.empty()) ops::mask_scores(scores, steering.mask, reach);
  const Var<T> weights =
      normaliser == Normaliser::kRelu ? ops::relu_normalise(g, scores, reach) : ops::softmax(g, scores, reach);
  if (!steering.weights.empty()) ops::set_weights(weights, steering.weights, reach);
  return weights;
}

template <class T>
Score<T>::Score(Parameters<T>& p, const std::string& name, ScoreKind kind, std::size_t heads, std::size_t width)
    : kind_(kind), heads_(heads), width_(width) {
  if (heads == 0 || width == 0) {
    throw ArgumentError(name + ": it has " + std::to_string(heads) + " heads of width " + std::to_string(width) +
                        ", expected at least one of each");
  }
  const double A = static_cast<double>(width);
  if (kind == ScoreKind::kAdditive) weight_ = &p.add(name, {heads * width}, std::sqrt(3 / A));
  if (kind == ScoreKind::kGeneral) weight_ = &p.add(name, {heads, width, width}, std::sqrt(3 / A));
}

template <class T>
Var<T> Score<T>::prepare(Graph<T>& g, Var<T> queries) const {
  if (kind_ != ScoreKind::kScaledDot) return queries;
  return ops::scale(g, queries, static_cast<T>(1 / std::sqrt(static_cast<double>(width_))));
}

template <class T>
Var<T> Score<T>::operator()(Graph<T>& g, Var<T> queries, Var<T> keys, const ops::Reach& reach) const {
  switch (kind_) {
    case ScoreKind::kAdditive: return ops::additive_scores(g, queries, keys, g.use(*weight_), heads_, reach);
    case ScoreKind::kGeneral:
      return ops::dot_scores(g, queries, ops::linear_by_head(g, keys, ops::numbers(g, g.use(*weight_))), heads_, reach);
    case ScoreKind::kDot:
    case ScoreKind::kScaledDot: break;
  }
  return ops::dot_scores(g, queries, keys, heads_, reach);
}

template Var<float> normalise(Graph<float>&, Var<float>, Normaliser, const ops::Reach&, const ops::Steering<float>&);
template Var<double> normalise(Graph<double>&, Var<double>, Normaliser, const ops::Reach&, const ops::Steering<double>&);
template class Score<float>;
template class Score<double>;

}  // namespace softalign::layers
