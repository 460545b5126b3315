#include "models/student.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ops/elementwise.h"
#include "ops/loss.h"
#include "ops/positions.h"

namespace softalign::models {
namespace {

constexpr double kEpsilon = 1e-6;

layers::TransformerChoices choices(const StudentConfig& c, std::size_t sublayers) {
  return {.width = c.width, .heads = c.heads, .feed_forward = c.feed_forward, .dropout = c.dropout, .epsilon = kEpsilon,
          .output_gain = 1 / std::sqrt(static_cast<double>(sublayers))};
}

}  // namespace

template <class T>
Student<T>::Student(Parameters<T>& p, const StudentConfig& c)
    : config_(c),
      embedding_(p, "embedding", c.vocabulary, c.width),
      positions_(c.width, layers::SinusoidalPositions<T>::Order::kHalves),
      output_bias_(p.add("output.bias", {c.vocabulary}, 0)) {
  expect_head("Student", c.alignment, c.heads, c.decoder_layers);
  if (c.source_vocabulary) source_embedding_.emplace(p, "source_embedding", *c.source_vocabulary, c.width);
  for (std::size_t i = 0; i < c.encoder_layers; ++i) {
    encoder_.emplace_back(p, "encoder.layers." + std::to_string(i), choices(c, 2 * c.encoder_layers));
  }
  for (std::size_t i = 0; i < c.decoder_layers; ++i) {
    decoder_.emplace_back(p, "decoder.layers." + std::to_string(i), choices(c, 3 * c.decoder_layers));
  }
}

template <class T>
Var<T> Student<T>::place(Graph<T>& g, Var<T> words, std::size_t B, std::optional<std::size_t> step) const {
  const std::size_t D = config_.width, steps = words.size() / (B * D);
  const Var<T> scaled = ops::scale(g, words, static_cast<T>(std::sqrt(static_cast<double>(D))));
  const Var<T> where = step ? positions_.at(g, *step) : positions_(g, steps);
  return ops::dropout(g, ops::add_positions(g, scaled.reshape({steps, B, D}), where), config_.dropout);
}

template <class T>
Var<T> Student<T>::encode(Graph<T>& g, std::span<const std::int32_t> ids, std::span<const std::int32_t> lengths,
                          const EditedAttention<T>* edited, std::vector<Var<T>>* weights) const {
  return through_encoder(g, encoder_, place(g, source_embedding()(g, ids), lengths.size()), lengths, edited, weights);
}

template <class T>
typename Student<T>::Memories Student<T>::memories(Graph<T>& g, Var<T> m, std::span<const std::int32_t> lengths) const {
  Memories memories;
  for (const auto& layer : decoder_) memories.push_back(layer.project(g, m, lengths));
  return memories;
}

template <class T>
class Student<T>::SentencesDecoder : public Decoder<T> {
 public:
  SentencesDecoder(const Student& model, Graph<T>& g, const Sources& sources)
      : model_(model),
        longest_(sources.longest),
        lengths_(sources.lengths),
        scores_(model.embedding_, model.output_bias_, sources.words),
        edited_(sources, {.cross = model.decoder_.size(), .encoder = model.encoder_.size(), .heads = model.config_.heads}),
        memories_(model.memories(
            g, model.encode(g, sources.ids, lengths_, &edited_, sources.encoder_weights ? &encoder_weights_ : nullptr), lengths_)) {}

  StateShape state_shape() const override {
    return {.planes = model_.decoder_.size(), .width = model_.config_.width, .grows = false};
  }
  bool alignment_is_shifted() const override { return model_.config_.alignment.shifted; }
  std::span<const Var<T>> encoder_weights() const override { return encoder_weights_; }

 protected:
  using typename Decoder<T>::Step;
  Step compute(Graph<T>& g, std::span<const std::int32_t> previous, const DecoderState<T>& state) const override {
    const StudentConfig& c = model_.config_;
    const std::size_t B = previous.size(), L = memories_.size(), t = state.words();
    Step step;
    Var<T>* cross = g.template scratch<Var<T>>(L);
    Var<T> x = model_.place(g, t == 0 ? g.zeros({B, c.width}) : model_.embedding_(g, previous), B, t);
    for (std::size_t i = 0; i < L; ++i) {
      layers::Memory<T> memory = memories_[i];
      memory.columns = state.sentences();
      memory.steering = edited_.cross(g, i, t);
      const auto result = model_.decoder_[i].step(g, x, memory, t == 0 ? Var<T>{} : state.last(i), state.next(i));
      cross[i] = result.cross_weights.reshape({B, c.heads, longest_});
      x = result.output;
    }
    step.cross = {cross, L};
    step.weights = edited_.alignment(g, cross[c.alignment.layer], c.alignment, state);
    step.logits = scores_(g, x.reshape({B, c.width}));
    return step;
  }

 private:
  const Student& model_;
  std::size_t longest_;
  std::vector<std::int32_t> lengths_;  // borrowed by memories_
  layers::WordScores<T> scores_;
  EditedAttention<T> edited_;
  std::vector<Var<T>> encoder_weights_;
  Memories memories_;
};

template <class T>
std::unique_ptr<Decoder<T>> Student<T>::read(Graph<T>& g, const Sources& sources) const {
  return std::make_unique<SentencesDecoder>(*this, g, sources);
}

template <class T>
Var<T> Student<T>::loss(Graph<T>& g, const Batch& batch, double smoothing, double scale) const {
  const std::size_t B = batch.size;
  const Memories memory = memories(g, encode(g, batch.source, batch.source_lengths), batch.source_lengths);
  // No word is before the first ones.
  Var<T> words = g.zeros({B, config_.width});
  if (batch.previous.size() > B) {
    const std::array<Var<T>, 2> parts = {words, embedding_(g, std::span(batch.previous).subspan(B))};
    words = ops::stack<T>(g, parts);
  }
  Var<T> x = place(g, words, B);
  Var<T> shown;
  for (std::size_t i = 0; i < decoder_.size(); ++i) {
    const auto result = decoder_[i](g, x, memory[i]);
    x = result.output;
    if (i == config_.alignment.layer) shown = result.cross_weights;
  }
  const Var<T> loss = ops::cross_entropy(g, embedding_.score(g, x, output_bias_), batch.target, smoothing, scale);
  return add_guidance(g, loss, shown, config_.alignment, batch.alignment, config_.guidance * scale);
}

template class Student<float>;
template class Student<double>;

}  // namespace softalign::models
