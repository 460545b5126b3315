#include "models/transformer.h"

#include <algorithm>
#include <cmath>

#include "ops/elementwise.h"
#include "ops/loss.h"
#include "ops/positions.h"

namespace softalign::models {
namespace {

layers::TransformerChoices choices(const TransformerConfig& c) {
  return {.width = c.width, .heads = c.heads, .feed_forward = c.feed_forward, .norm_first = true, .dropout = c.dropout};
}

}  // namespace

template <class T>
Transformer<T>::Transformer(Parameters<T>& p, const TransformerConfig& c)
    : config_(c),
      embedding_(p, "embedding", c.vocabulary, c.width),
      positions_(c.width),
      encoder_norm_(p, "encoder.norm", c.width),
      decoder_norm_(p, "decoder.norm", c.width),
      output_bias_(p.add("output.bias", {c.vocabulary}, 0)) {
  expect_head("Transformer", c.alignment, c.heads, c.decoder_layers);
  for (std::size_t i = 0; i < c.encoder_layers; ++i) {
    encoder_.emplace_back(p, "encoder.layers." + std::to_string(i), choices(c));
  }
  for (std::size_t i = 0; i < c.decoder_layers; ++i) {
    decoder_.emplace_back(p, "decoder.layers." + std::to_string(i), choices(c));
  }
}

template <class T>
Var<T> Transformer<T>::embed(Graph<T>& g, std::span<const std::int32_t> ids, std::size_t B,
                             std::optional<std::size_t> step) const {
  const std::size_t steps = ids.size() / B;
  const Var<T> words = ops::scale(g, embedding_(g, ids), static_cast<T>(std::sqrt(static_cast<double>(config_.width))));
  const Var<T> where = step ? positions_.at(g, *step) : positions_(g, steps);
  return ops::dropout(g, ops::add_positions(g, words.reshape({steps, B, config_.width}), where), config_.dropout);
}

template <class T>
Var<T> Transformer<T>::encode(Graph<T>& g, std::span<const std::int32_t> ids,
                              std::span<const std::int32_t> lengths, const EditedAttention<T>* edited,
                              std::vector<Var<T>>* weights) const {
  return encoder_norm_(g, through_encoder(g, encoder_, embed(g, ids, lengths.size()), lengths, edited, weights));
}

template <class T>
typename Transformer<T>::Memories Transformer<T>::memories(Graph<T>& g, Var<T> m,
                                                           std::span<const std::int32_t> lengths) const {
  Memories memories;
  for (const auto& layer : decoder_) memories.push_back(layer.project(g, m, lengths));
  return memories;
}

template <class T>
class Transformer<T>::SentencesDecoder : public Decoder<T> {
 public:
  SentencesDecoder(const Transformer& model, Graph<T>& g, const Sources& sources)
      : model_(model),
        longest_(sources.longest),
        lengths_(sources.lengths),
        scores_(model.embedding_, model.output_bias_, sources.words),
        edited_(sources, {.cross = model.decoder_.size(), .encoder = model.encoder_.size(),
                          .decoder = model.decoder_.size(), .heads = model.config_.heads}),
        memories_(model.memories(
            g, model.encode(g, sources.ids, lengths_, &edited_, sources.encoder_weights ? &encoder_weights_ : nullptr), lengths_)) {}

  StateShape state_shape() const override {
    return {.planes = 2 * model_.decoder_.size(), .width = model_.config_.width, .grows = true};
  }
  bool alignment_is_shifted() const override { return model_.config_.alignment.shifted; }
  std::span<const Var<T>> encoder_weights() const override { return encoder_weights_; }

 protected:
  using typename Decoder<T>::Step;
  Step compute(Graph<T>& g, std::span<const std::int32_t> previous, const DecoderState<T>& state) const override {
    const TransformerConfig& c = model_.config_;
    const std::size_t B = previous.size(), S = longest_, L = memories_.size();
    Step step;
    Var<T>* cross = g.template scratch<Var<T>>(L);
    Var<T>* self = g.template scratch<Var<T>>(L);
    Var<T> x = model_.embed(g, previous, B, state.words());
    for (std::size_t i = 0; i < L; ++i) {
      const layers::KeyValueCache<T> cache = {state.next(2 * i), state.next(2 * i + 1), state.all(2 * i), state.all(2 * i + 1),
                                             edited_.decoder(g, i, state.sentences(), state.words() + 1)};
      layers::Memory<T> memory = memories_[i];
      memory.columns = state.sentences();
      memory.steering = edited_.cross(g, i, state.words());
      const auto result = model_.decoder_[i](g, x, memory, &cache);
      cross[i] = result.cross_weights.reshape({B, c.heads, S});
      self[i] = result.self_weights.reshape({B, c.heads, state.words() + 1});
      x = result.output;
    }
    step.cross = {cross, L};
    step.self = {self, L};
    step.weights = edited_.alignment(g, cross[c.alignment.layer], c.alignment, state);
    x = model_.decoder_norm_(g, x);
    step.logits = scores_(g, x.reshape({B, c.width}));
    return step;
  }

 private:
  const Transformer& model_;
  std::size_t longest_;
  std::vector<std::int32_t> lengths_;  // borrowed by memories_
  layers::WordScores<T> scores_;
  EditedAttention<T> edited_;
  std::vector<Var<T>> encoder_weights_;
  Memories memories_;
};

template <class T>
std::unique_ptr<Decoder<T>> Transformer<T>::read(Graph<T>& g, const Sources& sources) const {
  return std::make_unique<SentencesDecoder>(*this, g, sources);
}

template <class T>
Var<T> Transformer<T>::loss(Graph<T>& g, const Batch& batch, double smoothing, double scale) const {
  const Memories memory = memories(g, encode(g, batch.source, batch.source_lengths), batch.source_lengths);
  Var<T> x = embed(g, batch.previous, batch.size);
  Var<T> shown;
  for (std::size_t i = 0; i < decoder_.size(); ++i) {
    const auto result = decoder_[i](g, x, memory[i]);
    x = result.output;
    if (i == config_.alignment.layer) shown = result.cross_weights;
  }
  const Var<T> logits = embedding_.score(g, decoder_norm_(g, x), output_bias_);
  const Var<T> loss = ops::cross_entropy(g, logits, batch.target, smoothing, scale);
  return add_guidance(g, loss, shown, config_.alignment, batch.alignment, config_.guidance * scale);
}

template class Transformer<float>;
template class Transformer<double>;

}  // namespace softalign::models
