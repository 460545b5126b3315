#include <algorithm>

#include "layer.h"
#include "layers/recurrent/attention_decoder.h"
#include "layers/recurrent/attentive_rnn.h"
#include "layers/recurrent/gru.h"
#include "layers/recurrent/lstm.h"
#include "layers/recurrent/lstmn.h"
#include "layers/recurrent/simple_rnn.h"

// Recurrent networks with attention: to their own past, or to a memory.
namespace softalign::js {
namespace {

using layers::Direction;

// A network that looks back at all its steps, over whole sequences in one direction.
template <class Network>
Forward reader(const Network& network, std::size_t in, Options& o) {
  const Direction direction = o.is_second("direction", "forward", "backward") ? Direction::kBackward : Direction::kForward;
  return [=](Call& c) {
    Graph<float>& g = c.graph();
    const Var<float> x = c.tensor("x", {"T", "B", in});
    const std::size_t steps = x.shape[0], B = x.shape[1];
    const auto lengths = c.lengths(x);
    Var<float> weights;
    if (c.flag("attention")) weights = g.make({B, steps, steps});
    const Var<float> states = network(g, x, lengths, direction, weights).states;
    clear_padding(states, lengths);
    c.give("output", states);
    if (weights.value) c.give("attention", weights);
  };
}

Forward attentive_rnn(Parameters<float>& p, Options& o) {
  const std::size_t in = o.size("input"), width = o.size("hidden");
  const layers::AttentiveRnnChoices choices = {
      .context = o.is_second("context", "beside", "replaces") ? layers::PastContext::kReplacesState : layers::PastContext::kBesideState,
      .score = layers::score_by_name(o.text("score", "additive")),
      .alignment = o.optional_size("width").value_or(width),
  };
  return reader(layers::AttentiveRnn<float>(p, "", in, width, choices), in, o);
}

Forward lstmn(Parameters<float>& p, Options& o) {
  const std::size_t in = o.size("input");
  return reader(layers::Lstmn<float>(p, "", in, o.size("hidden")), in, o);
}

Var<float> read_state(Call& c, std::size_t B, std::size_t width, const Var<float>*) { return c.tensor("start", {B, width}); }
ops::OutputAndCell<float> read_state(Call& c, std::size_t B, std::size_t width, const ops::OutputAndCell<float>*) {
  return {c.tensor("start", {B, width}), c.tensor("startCell", {B, width})};
}
void give_state(Call& c, const Var<float>& state) { c.give("last", state); }
void give_state(Call& c, const ops::OutputAndCell<float>& state) {
  c.give("last", state.h);
  c.give("lastCell", state.c);
}

template <class Cell>
Forward decoder(Parameters<float>& p, Options& o) {
  using State = typename Cell::State;
  const std::size_t in = o.size("input"), width = o.size("hidden"), memory_width = o.size("memory");
  const auto score = layers::score_by_name(o.text("score", "additive"));
  layers::AttentionDecoder<Cell> layer(p, "", in, width, memory_width);
  const std::size_t alignment = score == layers::ScoreKind::kGeneral ? width : o.size("width");
  layer.attend_with({p, ".attention", score, width, memory_width, alignment});
  return [=](Call& c) {
    Graph<float>& g = c.graph();
    const Var<float> x = c.tensor("x", {"T", "B", in});
    const std::size_t B = x.shape[1];
    const Var<float> m = c.tensor("memory", {"S", B, memory_width});
    const auto lengths = c.lengths(x), memory_lengths = c.lengths(m, "memoryLengths");
    const layers::Memory<float> memory = layer.project(g, m, memory_lengths);
    const State start = c.has("start") ? read_state(c, B, width, static_cast<State*>(nullptr)) : layer.start(g, B);
    Var<float> weights;
    if (c.flag("attention")) weights = g.make({B, x.shape[0], m.shape[0]});
    const auto decoded = layer(g, x, start, memory, lengths, weights);
    c.give("output", decoded.states);
    c.give("contexts", decoded.contexts);
    give_state(c, decoded.last);
    if (weights.value) c.give("attention", weights);
  };
}

Forward attention_decoder(Parameters<float>& p, Options& o) {
  const std::string cell = o.text("cell", "gru");
  if (cell == "rnn") return decoder<layers::SimpleRnn<float>>(p, o);
  if (cell == "gru") return decoder<layers::Gru<float>>(p, o);
  if (cell == "lstm") return decoder<layers::Lstm<float>>(p, o);
  throw ArgumentError(std::string(o.who()) + ": cell is \"" + cell + "\", expected \"rnn\", \"gru\" or \"lstm\"");
}

}  // namespace

std::span<const Kind> looking_back_kinds() {
  static constexpr Kind kinds[] = {
      {"AttentiveRnn", attentive_rnn},
      {"Lstmn", lstmn},
      {"AttentionDecoder", attention_decoder},
  };
  return kinds;
}

}  // namespace softalign::js
