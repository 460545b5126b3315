#include "models/language_model.h"

#include "ops/elementwise.h"

namespace softalign::models {

const char* reader_name(ReaderKind kind) { return kind == ReaderKind::kLstm ? "lstm" : "lstmn"; }

ReaderKind reader_by_name(const std::string& name) {
  for (const auto kind : {ReaderKind::kLstm, ReaderKind::kLstmn}) {
    if (name == reader_name(kind)) return kind;
  }
  throw ArgumentError("reader is \"" + name + "\", expected \"lstm\" or \"lstmn\"");
}

template <class T>
LanguageModel<T>::LanguageModel(Parameters<T>& p, const LanguageModelConfig& c)
    : config_(c),
      embedding_(p, "embedding", c.vocabulary, c.embedding),
      readout_(p, "readout", c.width, c.embedding),
      output_bias_(p.add("output.bias", {c.vocabulary}, 0)) {
  if (c.reader == ReaderKind::kLstm) {
    lstm_.emplace(p, "reader", c.embedding, c.width);
  } else {
    lstmn_.emplace(p, "reader", c.embedding, c.width);
  }
}

template <class T>
Var<T> LanguageModel<T>::logits(Graph<T>& g, const TextBatch& batch, Var<T> weights) const {
  const std::size_t B = batch.lengths.size(), steps = batch.ids.size() / B;
  if (weights.value && !lstmn_) throw ArgumentError("LanguageModel: an LSTM looks back at no word, expected an LSTMN");
  const Var<T> words = embedding_(g, batch.ids).reshape({steps, B, config_.embedding});
  const Var<T> x = ops::dropout(g, words, config_.dropout);
  const Var<T> states = lstmn_ ? (*lstmn_)(g, x, batch.lengths, layers::Direction::kForward, weights).states
                               : (*lstm_)(g, x, batch.lengths).states;
  const Var<T> h = ops::lookup(g, states.reshape({steps * B, config_.width}), batch.places);
  const Var<T> readout = readout_(g, ops::dropout(g, h, config_.dropout));
  return embedding_.score(g, ops::dropout(g, readout, config_.dropout), output_bias_);
}

template class LanguageModel<float>;
template class LanguageModel<double>;

}  // namespace softalign::models
