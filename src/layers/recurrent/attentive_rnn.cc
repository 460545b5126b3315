#include "layers/recurrent/attentive_rnn.h"

#include <cmath>

#include "ops/linear.h"
#include "ops/recurrent.h"

namespace softalign::layers {
namespace {

double range(std::size_t width) { return 1 / std::sqrt(static_cast<double>(width)); }

}  // namespace

template <class T>
AttentiveRnn<T>::AttentiveRnn(Parameters<T>& p, const std::string& name, std::size_t in, std::size_t width,
                              const AttentiveRnnChoices& choices)
    : width_(width),
      weight_ih_(p.add(name + ".weight_ih", {width, in}, range(width))),
      weight_hh_(choices.context == PastContext::kBesideState ? &p.add(name + ".weight_hh", {width, width}, range(width))
                                                              : nullptr),
      weight_ch_(p.add(name + ".weight_ch", {width, width}, range(width))),
      bias_(p.add(name + ".bias", {width}, range(width))),
      attention_(p, name + ".attention", choices.score, width, width, choices.alignment ? choices.alignment : width) {}

template <class T>
Var<T> AttentiveRnn<T>::gates(Graph<T>& g, Var<T> x) const {
  return ops::linear(g, x, g.use(weight_ih_), g.use(bias_));
}

template <class T>
typename AttentiveRnn<T>::State AttentiveRnn<T>::start(Graph<T>& g, Var<T> states, Direction direction) const {
  const std::size_t steps = states.shape[0], B = states.shape[1];
  expect_shape("AttentiveRnn", "tape of states", states.shape, {steps, B, width_});
  return {TapeHead(steps, B, direction), states, g.make(states.shape), g.make({steps, B, attention_.key_width()}),
          g.zeros({B, width_}), g.zeros({B, width_}), {}};
}

template <class T>
typename AttentiveRnn<T>::State AttentiveRnn<T>::step(Graph<T>& g, Var<T> gates, const State& state,
                                                      std::span<const unsigned char> active, Var<T>) const {
  state.head.expect_room("AttentiveRnn");
  const Var<T> hidden = ops::linear(g, state.context, g.use(weight_ch_));
  if (weight_hh_) ops::add_linear(g, hidden, state.h, g.use(*weight_hh_));
  State next = state;
  next.h = ops::rnn_step(g, gates, hidden, state.h, active, state.head.next(state.states));
  ops::copy(g, attention_.project(g, next.h, {}).keys, state.head.next(state.keys));
  next.head = state.head.moved(g, active);
  const Memory<T> past = {next.head.past(state.keys), next.head.past(state.states), next.head.lengths(g)};
  const Attended<T> attended = attention_(g, next.h, past);
  next.context = state.head.next(state.contexts);
  ops::copy(g, attended.context, next.context);
  next.weights = attended.weights;
  return next;
}

template class AttentiveRnn<float>;
template class AttentiveRnn<double>;

}  // namespace softalign::layers
