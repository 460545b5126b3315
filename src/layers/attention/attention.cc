#include "layers/attention/attention.h"

namespace softalign::layers {
namespace {

// The general score's matrix is the key's map.
ScoreKind after_maps(ScoreKind kind) { return kind == ScoreKind::kGeneral ? ScoreKind::kDot : kind; }

}  // namespace

template <class T>
Attention<T>::Attention(Parameters<T>& p, const std::string& name, ScoreKind score, std::size_t query, std::size_t key,
                        std::size_t alignment, Normaliser normaliser)
    : key_width_(score == ScoreKind::kGeneral ? query : alignment),
      query_(score == ScoreKind::kGeneral
                 ? std::nullopt
                 : std::optional<Dense<T>>(std::in_place, p, name + ".query", query, alignment, Dense<T>::Bias::kNone)),
      key_(p, name + ".key", key, key_width_,
           score == ScoreKind::kAdditive ? Dense<T>::Bias::kLearned : Dense<T>::Bias::kNone),
      score_(p, name + ".score", after_maps(score), 1, key_width_),
      normaliser_(normaliser) {}

template <class T>
Memory<T> Attention<T>::project(Graph<T>& g, Var<T> annotations, std::span<const std::int32_t> lengths) const {
  return {key_(g, annotations), annotations, lengths};
}

template <class T>
Attended<T> Attention<T>::operator()(Graph<T>& g, Var<T> query, const Memory<T>& memory) const {
  if (memory.keys.shape.rank() != 3) {
    throw ShapeError("Attention: the memory's keys are " + memory.keys.shape.to_string() + ", expected [S, B, *]");
  }
  const std::size_t B = query.rows(), S = memory.keys.shape[0];
  Var<T> q = score_.prepare(g, query_ ? (*query_)(g, query) : query);
  q = q.reshape({1, B, q.width()});
  const ops::Reach reach(g, "Attention", 1, S, B, memory.lengths, {}, memory.keys.shape[1], memory.columns);
  const Var<T> weights = normalise(g, score_(g, q, memory.keys, reach), normaliser_, reach, memory.steering);
  const Var<T> context = ops::weighted_sum(g, weights, memory.values, reach);
  return {context.reshape({B, context.width()}), weights.reshape({B, S})};
}

template class Attention<float>;
template class Attention<double>;

}  // namespace softalign::layers
