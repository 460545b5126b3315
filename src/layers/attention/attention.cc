#include "layers/attention/attention.h"

#include <cmath>

#include "ops/attention.h"

namespace softalign::layers {

template <class T>
Attended<T> attend(Graph<T>& g, Var<T> scores, const Memory<T>& memory) {
  const Var<T> weights = ops::softmax(g, scores, memory.lengths);
  return {ops::weighted_sum(g, weights, memory.values, memory.lengths), weights};
}

template <class T>
AdditiveAttention<T>::AdditiveAttention(Parameters<T>& p, const std::string& name, std::size_t query,
                                        std::size_t key, std::size_t alignment)
    : query_(p, name + ".query", query, alignment, Dense<T>::Bias::kNone),
      key_(p, name + ".key", key, alignment),
      score_(p.add(name + ".score", {alignment}, std::sqrt(3.0 / static_cast<double>(alignment)))) {}

template <class T>
Memory<T> AdditiveAttention<T>::project(Graph<T>& g, Var<T> keys, std::span<const std::int32_t> lengths) const {
  return {key_(g, keys), keys, lengths};
}

template <class T>
Attended<T> AdditiveAttention<T>::operator()(Graph<T>& g, Var<T> query, const Memory<T>& memory) const {
  return attend(g, ops::additive_scores(g, query_(g, query), memory.keys, g.use(score_), memory.lengths), memory);
}

template <class T>
DotAttention<T>::DotAttention(Parameters<T>& p, const std::string& name, std::size_t query, std::size_t key,
                              std::size_t alignment)
    : query_(p, name + ".query", query, alignment, Dense<T>::Bias::kNone),
      key_(p, name + ".key", key, alignment, Dense<T>::Bias::kNone) {}

template <class T>
Memory<T> DotAttention<T>::project(Graph<T>& g, Var<T> keys, std::span<const std::int32_t> lengths) const {
  return {key_(g, keys), keys, lengths};
}

template <class T>
Attended<T> DotAttention<T>::operator()(Graph<T>& g, Var<T> query, const Memory<T>& memory) const {
  return attend(g, ops::dot_scores(g, query_(g, query), memory.keys, memory.lengths), memory);
}

template Attended<float> attend(Graph<float>&, Var<float>, const Memory<float>&);
template Attended<double> attend(Graph<double>&, Var<double>, const Memory<double>&);
template class AdditiveAttention<float>;
template class AdditiveAttention<double>;
template class DotAttention<float>;
template class DotAttention<double>;

}  // namespace softalign::layers
