#include "layers/dense.h"

#include <cmath>

namespace softalign::layers {

template <class T>
Dense<T>::Dense(Parameters<T>& p, const std::string& name, std::size_t in, std::size_t out, Bias bias, double gain)
    : weight_(p.add(name + ".weight", {out, in}, gain * std::sqrt(6.0 / static_cast<double>(in + out)))),
      bias_(bias == Bias::kLearned ? &p.add(name + ".bias", {out}, 0) : nullptr) {}

template <class T>
Var<T> Dense<T>::operator()(Graph<T>& g, Var<T> x) const {
  return ops::linear(g, x, g.use(weight_), bias_ ? g.use(*bias_) : Var<T>{});
}

template <class T>
void Dense<T>::add_to(Graph<T>& g, Var<T> into, Var<T> x) const {
  ops::add_linear(g, into, x, g.use(weight_));
}

template <class T>
Embedding<T>::Embedding(Parameters<T>& p, const std::string& name, std::size_t vocabulary, std::size_t width)
    : weight_(p.add(name + ".weight", {vocabulary, width}, std::sqrt(3.0 / static_cast<double>(width)))) {}

template <class T>
Var<T> Embedding<T>::operator()(Graph<T>& g, std::span<const std::int32_t> ids) const {
  return ops::lookup(g, g.use(weight_), ids);
}

template <class T>
Var<T> Embedding<T>::score(Graph<T>& g, Var<T> x, const Parameter<T>& bias) const {
  return ops::linear(g, x, g.use(weight_), g.use(bias));
}

template <class T>
WordScores<T>::WordScores(const Embedding<T>& embedding, const Parameter<T>& bias, std::span<const std::int32_t> words)
    : chosen_(!words.empty()), all_weights_(embedding.weight()), all_biases_(bias) {
  if (!chosen_) return;
  weight_ = ops::rows_of(all_weights_, words);
  bias_ = ops::rows_of(all_biases_, words);
}

template <class T>
Var<T> WordScores<T>::operator()(Graph<T>& g, Var<T> x) const {
  return ops::linear(g, x, g.use(chosen_ ? weight_ : all_weights_), g.use(chosen_ ? bias_ : all_biases_));
}

template class Dense<float>;
template class Dense<double>;
template class Embedding<float>;
template class Embedding<double>;
template class WordScores<float>;
template class WordScores<double>;

}  // namespace softalign::layers
