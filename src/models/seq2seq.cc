#include "models/seq2seq.h"

#include "models/edits.h"
#include "ops/elementwise.h"
#include "ops/loss.h"

namespace softalign::models {

template <class T>
Seq2Seq<T>::Seq2Seq(Parameters<T>& p, const Seq2SeqConfig& c)
    : config_(c),
      embedding_(p, "embedding", c.vocabulary, c.embedding),
      encoder_(p, "encoder", c.embedding, c.encoder),
      start_(p, "decoder.start", 2 * c.encoder, c.decoder),
      decoder_(p, "decoder.gru", c.embedding, c.decoder, 2 * c.encoder),
      readout_state_(p, "readout.state", c.decoder, c.embedding),
      readout_context_(p, "readout.context", 2 * c.encoder, c.embedding, layers::Dense<T>::Bias::kNone),
      readout_previous_(p, "readout.previous", c.embedding, c.embedding, layers::Dense<T>::Bias::kNone),
      output_bias_(p.add("output.bias", {c.vocabulary}, 0)) {
  if (c.attention == AttentionKind::kNone) {
    fixed_context_.emplace(p, "context", 2 * c.encoder, 2 * c.encoder);
  } else {
    const auto score = c.attention == AttentionKind::kAdditive ? layers::ScoreKind::kAdditive : layers::ScoreKind::kDot;
    decoder_.attend_with({p, "attention", score, c.decoder, 2 * c.encoder, c.alignment});
  }
}

template <class T>
Var<T> Seq2Seq<T>::embed(Graph<T>& g, std::span<const std::int32_t> ids) const {
  return ops::dropout(g, embedding_(g, ids), config_.dropout);
}

template <class T>
typename Seq2Seq<T>::Encoded Seq2Seq<T>::encode(Graph<T>& g, std::span<const std::int32_t> ids,
                                                std::span<const std::int32_t> lengths) const {
  const std::size_t B = lengths.size(), S = ids.size() / B;
  const auto sequence = encoder_(g, embed(g, ids).reshape({S, B, config_.embedding}), lengths);
  const Var<T> annotations = ops::dropout(g, sequence.states, config_.dropout);
  Encoded e;
  e.start = ops::tanh(g, start_(g, sequence.last));
  if (fixed_context_) {
    const Var<T> context = ops::dropout(g, ops::tanh(g, (*fixed_context_)(g, sequence.last)), config_.dropout);
    e.memory = decoder_.project(g, context.reshape({1, B, context.width()}), {});
  } else {
    e.memory = decoder_.project(g, annotations, lengths);
  }
  return e;
}

template <class T>
Var<T> Seq2Seq<T>::readout(Graph<T>& g, Var<T> state, Var<T> context, Var<T> previous) const {
  const Var<T> sum = readout_state_(g, state);
  readout_context_.add_to(g, sum, context);
  readout_previous_.add_to(g, sum, previous);
  return ops::dropout(g, ops::tanh(g, sum), config_.dropout);
}

template <class T>
typename Seq2Seq<T>::Step Seq2Seq<T>::step(Graph<T>& g, const layers::Memory<T>& memory,
                                           std::span<const std::int32_t> previous, Var<T> state,
                                           Var<T> into, const layers::WordScores<T>* scores) const {
  const Var<T> x = embed(g, previous);
  const auto next = decoder_.step(g, decoder_.gates(g, x), state, memory, {}, into);
  const Var<T> r = readout(g, next.state, next.context, x);
  return {next.state, scores ? (*scores)(g, r) : embedding_.score(g, r, output_bias_), next.weights};
}

template <class T>
class Seq2Seq<T>::SentencesDecoder : public Decoder<T> {
 public:
  SentencesDecoder(const Seq2Seq& model, Graph<T>& g, const Sources& sources)
      : model_(model),
        lengths_(sources.lengths),
        scores_(model.embedding_, model.output_bias_, sources.words),
        edited_(sources, {.cross = model.fixed_context_ ? 0u : 1u}),
        encoded_(model.encode(g, sources.ids, lengths_)) {}

  StateShape state_shape() const override { return {.planes = 1, .width = model_.config_.decoder, .grows = false}; }

 protected:
  using typename Decoder<T>::Step;
  Step compute(Graph<T>& g, std::span<const std::int32_t> previous, const DecoderState<T>& state) const override {
    const Var<T> before = state.words() == 0 ? encoded_.start : state.last(0);
    layers::Memory<T> memory = encoded_.memory;
    memory.columns = state.sentences();
    memory.steering = edited_.cross(g, 0, state.words());
    const auto step = model_.step(g, memory, previous, before, state.next(0), &scores_);
    if (!step.weights.value) return {.logits = step.logits, .weights = {}};
    Var<T>* cross = g.template scratch<Var<T>>(1);
    *cross = step.weights.reshape({previous.size(), 1, step.weights.width()});
    return {.logits = step.logits, .weights = step.weights, .cross = {cross, 1}};
  }

 private:
  const Seq2Seq& model_;
  std::vector<std::int32_t> lengths_;  // borrowed by encoded_
  layers::WordScores<T> scores_;
  EditedAttention<T> edited_;
  Encoded encoded_;
};

template <class T>
std::unique_ptr<Decoder<T>> Seq2Seq<T>::read(Graph<T>& g, const Sources& sources) const {
  return std::make_unique<SentencesDecoder>(*this, g, sources);
}

template <class T>
Var<T> Seq2Seq<T>::loss(Graph<T>& g, const Batch& batch, double smoothing, double scale) const {
  const std::size_t B = batch.size, steps = batch.target.size() / B;
  const Encoded encoded = encode(g, batch.source, batch.source_lengths);
  const Var<T> x = embed(g, batch.previous).reshape({steps, B, config_.embedding});
  const auto decoded = decoder_(g, x, encoded.start, encoded.memory);
  const Var<T> logits = embedding_.score(g, readout(g, decoded.states, decoded.contexts, x), output_bias_);
  return ops::cross_entropy(g, logits, batch.target, smoothing, scale);
}

template class Seq2Seq<float>;
template class Seq2Seq<double>;

}  // namespace softalign::models
