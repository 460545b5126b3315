#pragma once

#include <optional>
#include <utility>

#include "layers/attention/attention.h"
#include "layers/recurrent/recurrent.h"

namespace softalign::layers {

// A recurrent network that looks at a memory before each step: the decoder of Bahdanau, Cho & Bengio 2015
// (arXiv:1409.0473), with any cell (SimpleRnn, Gru, Lstm, Ssru).
//
//   c_{t-1} = attention(s_{t-1}, memory)          s_{t-1} is the cell's output
//   s_t     = cell([x'_t; c_{t-1}], s_{t-1})
//
// (Bahdanau et al. call the first c_t.) For m memory positions and t steps m t weights are computed, which is
// what attention costs. A decoder without attention sees a memory of one position, which is its context
// in all steps (Cho et al. 2014, arXiv:1406.1078).
//
// in: width of x'; H: of the cell; D: of the memory's values. Weights: the cell's own under the same name,
// for x'; context.weight [kGates H, D] beside its weight_ih; the attention's.
template <class Cell>
class AttentionDecoder {
 public:
  using T = typename Cell::Number;
  using State = typename Cell::State;
  struct Step {
    State state;     // s_t
    Var<T> context;  // c_{t-1} [B, D]
    Var<T> weights;  // [B, S]: what s_{t-1} looked at; no tensor without attention
  };
  struct Decoded {
    Var<T> states;    // the cell's output [T, B, H]; beyond a row's length, its last
    Var<T> contexts;  // [T, B, D]
    State last;
  };

  AttentionDecoder(Parameters<T>& p, const std::string& name, std::size_t in, std::size_t width, std::size_t memory)
      : cell_(p, name, in, width),
        context_(p, name + ".context", memory, Cell::kGates * width, Dense<T>::Bias::kNone) {}

  // Adds the attention, with a query H and keys D wide. Apart, because models make its weights when they
  // choose: their order is that of weights in checkpoints.
  void attend_with(Attention<T> attention) { attention_.emplace(std::move(attention)); }

  // values [S, B, D] as a memory; without attention S is 1. `lengths` are borrowed.
  Memory<T> project(Graph<T>& g, Var<T> values, std::span<const std::int32_t> lengths) const;
  // The part of the cell's gates that x' gives, for any number of rows: [.., in] -> [.., kGates H].
  Var<T> gates(Graph<T>& g, Var<T> x) const { return cell_.gates(g, x); }
  State start(Graph<T>& g, std::size_t B) const { return cell_.start(g, B); }

  // One step from s_{t-1} and gates [B, kGates H], which it uses up.
  // Rows with active[i] == 0 keep their state. Writes the output to `into` if that is a tensor.
  Step step(Graph<T>& g, Var<T> gates, const State& state, const Memory<T>& memory,
            std::span<const unsigned char> active = {}, Var<T> into = {}) const;

  // A whole sequence x' [T, B, in] from a given state; lengths as in read_sequence. The weights are written
  // to `weights` [B, T, S] if that is a tensor (not without attention): row t is what step t looked at, 0
  // beyond a length.
  // Throws ShapeError naming what does not fit.
  Decoded operator()(Graph<T>& g, Var<T> x, const State& start, const Memory<T>& memory,
                     std::span<const std::int32_t> lengths = {}, Var<T> weights = {}) const;

  // How many weights `steps` steps of every sequence of a memory compute: m t for one of m positions.
  std::size_t weights_computed(const Memory<T>& memory, std::size_t steps) const;

  std::size_t width() const { return cell_.width(); }

 private:
  struct Reader;

  Cell cell_;
  Dense<T> context_;
  std::optional<Attention<T>> attention_;
};

}  // namespace softalign::layers
