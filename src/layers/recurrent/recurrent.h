#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ops/elementwise.h"
#include "ops/graph.h"

// What all recurrent networks share: reading a sequence, from either end or from both, in one layer or
// several. A network ("cell") brings
//
//   using Number, State;                     State is what is carried from step to step
//   State start(g, B)                        the zero state of B sequences
//   Var gates(g, x)                          W x + b for any number of rows, all steps at once
//   State step(g, gates, state, active, into)  one step; its output is written to `into`
//   static Var output(state)                 h, the part of the state that others see
//   std::size_t width()                      H
//   kGates                                   gates are [.., kGates H]
//
// One that looks back at all its own steps (layers/recurrent/tape.h) has start(g, states, direction) in
// place of start(g, B): the zero state of sequences whose outputs will be written to `states` [T, B, H].
// Its gates may be of any type that has slice(), and then it needs no kGates.
namespace softalign::layers {

enum class Direction { kForward, kBackward };

template <class T, class State>
struct Sequence {
  Var<T> states;  // [T, B, H]; beyond a row's length, its last state
  State last;     // after a row's last element (for kBackward: after its first)
};

struct Unwatched {
  template <class State>
  void operator()(std::size_t, const State&) const {}
};

// A whole sequence x [T, B, in] from the zero state. lengths has B entries in 1..T, or is empty if
// all rows are T long. Backward starts at each row's own last element, as PyTorch does with a
// packed sequence; its states beyond a length are 0. `who` names the network in errors.
// watch(t, state) is called after each step.
template <class Cell, class T = typename Cell::Number, class Watch = Unwatched>
Sequence<T, typename Cell::State> read_sequence(Graph<T>& g, const char* who, const Cell& cell, Var<T> x,
                                                std::span<const std::int32_t> lengths, Direction direction,
                                                Watch watch = {}) {
  if (x.shape.rank() != 3) throw ShapeError(who + (": x is " + x.shape.to_string()) + ", expected [T, B, in]");
  const std::size_t steps = x.shape[0], B = x.shape[1];
  if (!lengths.empty()) expect_size(who, "number of lengths", lengths.size(), B);
  for (const std::int32_t length : lengths) {
    if (length < 1 || static_cast<std::size_t>(length) > steps) {
      throw ShapeError(who + (": a length is " + std::to_string(length)) + ", expected 1.." + std::to_string(steps));
    }
  }
  const auto gates = cell.gates(g, x);
  const Var<T> states = g.make({steps, B, cell.width()});
  unsigned char* active = lengths.empty() ? nullptr : g.template scratch<unsigned char>(B);
  auto state = [&] {
    if constexpr (requires { cell.start(g, states, direction); }) return cell.start(g, states, direction);
    else return cell.start(g, B);
  }();
  for (std::size_t i = 0; i < steps; ++i) {
    const std::size_t t = direction == Direction::kForward ? i : steps - 1 - i;
    for (std::size_t b = 0; b < lengths.size(); ++b) active[b] = static_cast<std::size_t>(lengths[b]) > t;
    state = cell.step(g, gates.slice(t * B, B), state, {active, lengths.size()}, states.slice(t * B, B));
    watch(t, state);
  }
  return {states, state};
}

// For looking at, not differentiable: what step t looked at becomes row t of weights [B, T, K]. `of_step`
// [B, n] are the first n of the K columns, or the last n when reading backward. Elsewhere, beyond a length
// and in the rows of steps that a sequence does not have, is 0.
template <class T>
void put_weights(Var<T> of_step, std::size_t t, std::span<const std::int32_t> lengths, Direction direction,
                 Var<T> weights) {
  const std::size_t B = weights.shape[0], K = weights.shape[2], n = of_step.width();
  const std::size_t first = direction == Direction::kForward ? 0 : K - n;
  for (std::size_t b = 0; b < B; ++b) {
    T* row = weights.value + (b * weights.shape[1] + t) * K;
    std::fill_n(row, K, T(0));
    std::size_t count = n;
    if (!lengths.empty()) {
      const auto length = static_cast<std::size_t>(lengths[b]);
      if (length <= t) continue;
      if (direction == Direction::kBackward) count = std::min(n, length - first);
    }
    std::copy_n(of_step.value + b * n, count, row + first);
  }
}

// Two networks over the same sequence, one from each end (Schuster & Paliwal 1997).
template <class Cell>
class Bidirectional {
 public:
  using T = typename Cell::Number;

  // `width` is that of one direction; choices are the cell's own, if it has any. Weights are named
  // name.forward.* and name.backward.*.
  template <class... Choices>
  Bidirectional(Parameters<T>& p, const std::string& name, std::size_t in, std::size_t width,
                const Choices&... choices)
      : forward_(p, name + ".forward", in, width, choices...), backward_(p, name + ".backward", in, width, choices...) {}

  // states [T, B, 2H]: forward and backward state of each position, side by side; last [B, 2H]: the
  // forward state after the last element, the backward one after the first.
  Sequence<T, Var<T>> operator()(Graph<T>& g, Var<T> x, std::span<const std::int32_t> lengths) const {
    const auto forward = forward_(g, x, lengths, Direction::kForward);
    const auto backward = backward_(g, x, lengths, Direction::kBackward);
    return {ops::concat(g, forward.states, backward.states),
            ops::concat(g, Cell::output(forward.last), Cell::output(backward.last))};
  }

  std::size_t width() const { return forward_.width() + backward_.width(); }

 private:
  Cell forward_, backward_;
};

// Layers above each other, each reading the states of the one below, with dropout between them.
// Layer is a cell or a Bidirectional of one, made with the choices. Weights are named name.0.*, name.1.*, ...
template <class Layer, class T>
class Stack {
 public:
  template <class... Choices>
  Stack(Parameters<T>& p, const std::string& name, std::size_t in, std::size_t width, std::size_t layers,
        double dropout = 0, const Choices&... choices)
      : dropout_(dropout) {
    if (layers == 0) throw ArgumentError("Stack: it has 0 layers, expected at least 1");
    for (std::size_t i = 0; i < layers; ++i) {
      layers_.emplace_back(p, name + "." + std::to_string(i), i == 0 ? in : layers_.back().width(), width, choices...);
    }
  }

  // The sequence of the topmost layer.
  auto operator()(Graph<T>& g, Var<T> x, std::span<const std::int32_t> lengths) const {
    auto sequence = layers_.front()(g, x, lengths);
    for (std::size_t i = 1; i < layers_.size(); ++i) {
      sequence = layers_[i](g, ops::dropout(g, sequence.states, dropout_), lengths);
    }
    return sequence;
  }

  std::size_t width() const { return layers_.back().width(); }

 private:
  double dropout_;
  std::vector<Layer> layers_;
};

}  // namespace softalign::layers
