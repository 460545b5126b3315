#include "layers/recurrent/lstmn.h"

namespace softalign::layers {

template <class T>
Lstmn<T>::Lstmn(Parameters<T>& p, const std::string& name, std::size_t in, std::size_t width)
    : lstm_(p, name, in, width),
      key_(p, name + ".attention.key", width, width, Dense<T>::Bias::kNone),
      input_(p, name + ".attention.input", in, width, Dense<T>::Bias::kNone),
      reading_(p, name + ".attention.reading", width, width, Dense<T>::Bias::kNone),
      score_(p, name + ".attention.score", ScoreKind::kAdditive, 1, width) {}

template <class T>
typename Lstmn<T>::Gates Lstmn<T>::gates(Graph<T>& g, Var<T> x) const {
  return {lstm_.gates(g, x), input_(g, x)};
}

template <class T>
typename Lstmn<T>::State Lstmn<T>::start(Graph<T>& g, Var<T> states, Direction direction) const {
  const Shape tape = {states.shape[0], states.shape[1], width()};
  expect_shape("Lstmn", "tape of states", states.shape, tape);
  return {TapeHead(tape[0], tape[1], direction), states, g.make(tape), g.make(tape), g.make(tape),
          lstm_.start(g, tape[1]), {}};
}

template <class T>
typename Lstmn<T>::State Lstmn<T>::step(Graph<T>& g, const Gates& gates, const State& state,
                                        std::span<const unsigned char> active, Var<T>) const {
  state.head.expect_room("Lstmn");
  const TapeHead& head = state.head;
  const std::size_t n = head.read(), B = state.last.h.rows(), H = width();
  State next = state;
  ops::OutputAndCell<T> summary = state.last;  // 0 as long as there is no past
  next.weights = {nullptr, nullptr, {B, 0}, nullptr};
  if (n > 0) {
    reading_.add_to(g, gates.query, head.last(state.readings));
    const ops::Reach reach(g, "Lstmn", 1, n, B, head.lengths(g), {});
    const Var<T> scores = score_(g, gates.query.reshape({1, B, H}), head.past(state.keys), reach);
    const Var<T> weights = ops::softmax(g, scores, reach);
    const auto sum = [&](Var<T> tape) {
      return ops::weighted_sum(g, weights, head.past(tape), reach).reshape({B, H});
    };
    // A sequence that is not active keeps what it had, not what it would have looked at.
    summary = {ops::choose_rows(g, active, sum(state.states), state.last.h),
               ops::choose_rows(g, active, sum(state.cells), state.last.c)};
    next.weights = weights.reshape({B, n});
  }
  ops::copy(g, summary.h, head.next(state.readings));
  const auto fresh = lstm_.step(g, gates.lstm, summary, active, head.next(state.states));
  next.last = {fresh.h, head.next(state.cells)};
  ops::copy(g, fresh.c, next.last.c);
  ops::copy(g, key_(g, fresh.h), head.next(state.keys));
  next.head = head.moved(g, active);
  return next;
}

template class Lstmn<float>;
template class Lstmn<double>;

}  // namespace softalign::layers
