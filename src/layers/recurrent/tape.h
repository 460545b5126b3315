#pragma once

#include <algorithm>

#include "layers/recurrent/recurrent.h"

// For recurrent networks that look back at all their own steps, and not at the last one alone.
namespace softalign::layers {

// How far B sequences of at most T steps have been read. What a network remembers of its steps are rows of
// tensors [T, B, *], its tapes, in the order of time whichever way it reads: what a sequence has behind it
// is then always the first so many rows of past(tape). One head serves all tapes of a network.
class TapeHead {
 public:
  // `read` steps are on the tapes already: a head goes on where another one, or another program, stopped.
  TapeHead(std::size_t steps, std::size_t batch, Direction direction, std::size_t read = 0)
      : steps_(steps), batch_(batch), read_(read), direction_(direction) {}

  // Steps read so far.
  std::size_t read() const { return read_; }
  // Throws ShapeError naming `who` if all T are.
  void expect_room(const char* who) const {
    if (read_ == steps_) {
      throw ShapeError(std::string(who) + ": the tapes have room for " + std::to_string(steps_) +
                       " steps, expected more, for another step");
    }
  }

  // Where a tape takes the rows of the next step, [B, *].
  template <class T>
  Var<T> next(Var<T> tape) const {
    return tape.slice((direction_ == Direction::kForward ? read_ : steps_ - 1 - read_) * batch_, batch_);
  }
  // The rows of the step before that. There must have been one.
  template <class T>
  Var<T> last(Var<T> tape) const {
    return tape.slice((direction_ == Direction::kForward ? read_ - 1 : steps_ - read_) * batch_, batch_);
  }
  // The rows of all steps read, [read(), B, *].
  template <class T>
  Var<T> past(Var<T> tape) const {
    const std::size_t first = direction_ == Direction::kForward ? 0 : steps_ - read_;
    return tape.slice(first * batch_, read_ * batch_).reshape({read_, batch_, tape.width()});
  }
  // How many of those each sequence has behind it: none at all means all. One that has none yet (reading
  // backward, it is shorter than others) counts as 1: that row is its zero state.
  template <class T>
  std::span<const std::int32_t> lengths(Graph<T>& g) const {
    if (!behind_) return {};
    auto* lengths = g.template scratch<std::int32_t>(batch_);
    for (std::size_t b = 0; b < batch_; ++b) lengths[b] = std::max(behind_[b], std::int32_t{1});
    return {lengths, batch_};
  }

  // One step further, which was one of the active sequences alone (none given: of all).
  template <class T>
  TapeHead moved(Graph<T>& g, std::span<const unsigned char> active) const {
    TapeHead next = *this;
    if (behind_ || !active.empty()) {
      auto* behind = g.template scratch<std::int32_t>(batch_);
      for (std::size_t b = 0; b < batch_; ++b) {
        behind[b] = (behind_ ? behind_[b] : static_cast<std::int32_t>(read_)) + (active.empty() || active[b] ? 1 : 0);
      }
      next.behind_ = behind;
    }
    ++next.read_;
    return next;
  }

 private:
  std::size_t steps_, batch_, read_;
  Direction direction_;
  const std::int32_t* behind_ = nullptr;  // B entries of the graph's memory; null while all have read all
};

// read_sequence for such a network, whose State has the `weights` of its step; they are kept in weights
// [B, T, T] if that is a tensor.
template <class Network, class T = typename Network::Number>
Sequence<T, typename Network::State> read_looking_back(Graph<T>& g, const char* who, const Network& network, Var<T> x,
                                                       std::span<const std::int32_t> lengths, Direction direction,
                                                       Var<T> weights) {
  if (weights.value) expect_shape(who, "weights", weights.shape, {x.shape[1], x.shape[0], x.shape[0]});
  return read_sequence(g, who, network, x, lengths, direction, [&](std::size_t t, const auto& state) {
    if (weights.value) put_weights(state.weights, t, lengths, direction, weights);
  });
}

}  // namespace softalign::layers
