#include "layers/recurrent/attention_decoder.h"

#include "layers/recurrent/gru.h"
#include "layers/recurrent/lstm.h"
#include "layers/recurrent/simple_rnn.h"
#include "layers/recurrent/ssru.h"

namespace softalign::layers {

// The decoder with its memory and first state, as read_sequence wants a network.
template <class Cell>
struct AttentionDecoder<Cell>::Reader {
  using Number = T;
  using State = Step;

  const AttentionDecoder& decoder;
  const Memory<T>& memory;
  const typename Cell::State& first;

  Var<T> gates(Graph<T>& g, Var<T> x) const { return decoder.gates(g, x); }
  State start(Graph<T>&, std::size_t) const { return {first, {}, {}}; }
  State step(Graph<T>& g, Var<T> gates, const State& state, std::span<const unsigned char> active, Var<T> into) const {
    return decoder.step(g, gates, state.state, memory, active, into);
  }
  std::size_t width() const { return decoder.width(); }
};

template <class Cell>
Memory<typename AttentionDecoder<Cell>::T> AttentionDecoder<Cell>::project(Graph<T>& g, Var<T> values,
                                                                         std::span<const std::int32_t> lengths) const {
  if (attention_) return attention_->project(g, values, lengths);
  return {{}, values, lengths};
}

template <class Cell>
typename AttentionDecoder<Cell>::Step AttentionDecoder<Cell>::step(Graph<T>& g, Var<T> gates, const State& state,
                                                                   const Memory<T>& memory,
                                                                   std::span<const unsigned char> active,
                                                                   Var<T> into) const {
  const Var<T> query = Cell::output(state);
  Step next;
  if (attention_) {
    const Attended<T> attended = (*attention_)(g, query, memory);
    next.context = attended.context;
    next.weights = attended.weights;
  } else {
    const Var<T> values = memory.values;
    expect_size("AttentionDecoder", "positions of a memory without attention", values.shape[0], 1);
    next.context = values.reshape({values.rows(), values.width()});
    if (!memory.columns.empty()) next.context = ops::lookup(g, next.context, memory.columns);
  }
  context_.add_to(g, gates, next.context);
  next.state = cell_.step(g, gates, state, active, into);
  return next;
}

template <class Cell>
typename AttentionDecoder<Cell>::Decoded AttentionDecoder<Cell>::operator()(Graph<T>& g, Var<T> x, const State& start,
                                                                            const Memory<T>& memory,
                                                                            std::span<const std::int32_t> lengths,
                                                                            Var<T> weights) const {
  const std::size_t steps = x.shape[0], B = x.shape[1];
  if (weights.value) expect_shape("AttentionDecoder", "weights", weights.shape, {B, steps, memory.values.shape[0]});
  const Var<T> contexts = g.make({steps, B, memory.values.width()});
  const auto watch = [&](std::size_t t, const Step& step) {
    ops::copy(g, step.context, contexts.slice(t * B, B));
    if (weights.value && attention_) put_weights(step.weights, t, lengths, Direction::kForward, weights);
  };
  const auto sequence = read_sequence(g, "AttentionDecoder", Reader{*this, memory, start}, x, lengths,
                                      Direction::kForward, watch);
  return {sequence.states, contexts, sequence.last.state};
}

template <class Cell>
std::size_t AttentionDecoder<Cell>::weights_computed(const Memory<T>& memory, std::size_t steps) const {
  if (!attention_) return 0;
  std::size_t positions = memory.lengths.empty() ? memory.keys.rows() : 0;
  for (const std::int32_t length : memory.lengths) positions += static_cast<std::size_t>(length);
  return positions * steps;
}

template class AttentionDecoder<SimpleRnn<float>>;
template class AttentionDecoder<SimpleRnn<double>>;
template class AttentionDecoder<Gru<float>>;
template class AttentionDecoder<Gru<double>>;
template class AttentionDecoder<Lstm<float>>;
template class AttentionDecoder<Lstm<double>>;
template class AttentionDecoder<Ssru<float>>;
template class AttentionDecoder<Ssru<double>>;

}  // namespace softalign::layers
