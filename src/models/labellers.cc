#include "models/labellers.h"

#include "ops/elementwise.h"

namespace softalign::models {
namespace {

// The rows of x that stand at the batch's places.
template <class T>
Var<T> at_places(Graph<T>& g, Var<T> x, const TextBatch& batch) {
  return ops::lookup(g, x.reshape({x.rows(), x.width()}), batch.places);
}

}  // namespace

template <class T>
Tagger<T>::Tagger(Parameters<T>& p, const TaggerConfig& c)
    : config_(c), encoder_(p, "encoder", c.vocabulary, c.encoder), output_(p, "output", c.encoder.width, c.labels.size()) {}

template <class T>
Var<T> Tagger<T>::logits(Graph<T>& g, const TextBatch& batch, std::vector<Var<T>>* weights) const {
  const Var<T> h = at_places(g, encoder_(g, batch.ids, batch.lengths, weights), batch);
  return output_(g, ops::dropout(g, h, config_.encoder.dropout));
}

template <class T>
Classifier<T>::Classifier(Parameters<T>& p, const ClassifierConfig& c)
    : config_(c),
      encoder_(p, "encoder", c.vocabulary, c.encoder),
      key_(p, "pooling.key", c.encoder.width, c.alignment),
      score_(p, "pooling.score", layers::ScoreKind::kAdditive, 1, c.alignment),
      output_(p, "output", c.encoder.width, c.labels.size()) {}

template <class T>
typename Classifier<T>::Result Classifier<T>::classify(Graph<T>& g, const TextBatch& batch,
                                                       std::vector<Var<T>>* weights) const {
  const Var<T> h = encoder_(g, batch.ids, batch.lengths, weights);
  const std::size_t steps = h.shape[0], B = h.shape[1];
  const ops::Reach reach(g, "Classifier", 1, steps, B, batch.lengths, {});
  // Nobody asks: the query of the additive score is 0.
  const Var<T> scores = score_(g, g.zeros({1, B, config_.alignment}), key_(g, h), reach);
  const Var<T> pooling = ops::softmax(g, scores, reach);
  const Var<T> summary = ops::weighted_sum(g, pooling, h, reach).reshape({B, h.width()});
  return {output_(g, ops::dropout(g, summary, config_.encoder.dropout)), pooling.reshape({B, steps})};
}

template <class T>
MaskedLanguageModel<T>::MaskedLanguageModel(Parameters<T>& p, const MaskedLanguageModelConfig& c)
    : config_(c),
      encoder_(p, "encoder", c.vocabulary, c.encoder),
      transform_(p, "transform", c.encoder.width, c.encoder.width),
      norm_(p, "norm", c.encoder.width),
      output_bias_(p.add("output.bias", {c.vocabulary + 1}, 0)) {}

template <class T>
Var<T> MaskedLanguageModel<T>::logits(Graph<T>& g, const TextBatch& batch, std::vector<Var<T>>* weights) const {
  const Var<T> h = at_places(g, encoder_(g, batch.ids, batch.lengths, weights), batch);
  return encoder_.score(g, norm_(g, ops::gelu(g, transform_(g, h))), output_bias_);
}

template class Tagger<float>;
template class Tagger<double>;
template class Classifier<float>;
template class Classifier<double>;
template class MaskedLanguageModel<float>;
template class MaskedLanguageModel<double>;

}  // namespace softalign::models
