#pragma once

#include "layers/attention/attention.h"
#include "layers/recurrent/tape.h"

namespace softalign::layers {

// What a simple recurrent network does with the context of its own past: reads it in place of its last
// state, or beside it.
enum class PastContext { kReplacesState, kBesideState };

struct AttentiveRnnChoices {
  PastContext context = PastContext::kBesideState;
  ScoreKind score = ScoreKind::kAdditive;
  std::size_t alignment = 0;  // A; 0 is H
};

// Simple recurrent network with self-attention: a state looks at all states up to itself, and the next one
// reads what it saw (after Cheng, Dong & Lapata 2016, arXiv:1601.06733, who do so for an LSTM: lstmn.h).
//
//   h_t = tanh(W x_t + C c_{t-1} + b)                 kReplacesState: tanh(A [x_t; c_{t-1}] + b), A = [W C]
//   h_t = tanh(W x_t + U h_{t-1} + C c_{t-1} + b)     kBesideState: tanh(A [x_t; h_{t-1}; c_{t-1}] + b)
//   a_t = softmax of score(W_Q h_t, W_K h_i) over i <= t
//   c_t = sum_{i <= t} a_t[i] h_i                     c_0 = h_0 = 0
//
// A sequence of T steps costs T (T + 1) / 2 scores. Weights: weight_ih W [H, in], weight_hh U [H, H]
// (kBesideState only), weight_ch C [H, H], bias b [H], all uniform in +-1/sqrt(H) at the start; attention.*
// is an Attention's (layers/attention/attention.h), with states as queries and as keys.
template <class T>
class AttentiveRnn {
 public:
  using Number = T;
  // Carried from step to step. While all rows are active, all of it but the weights lies in memory that start()
  // took: between steps an inferring graph may be rewound to a mark made after that.
  struct State {
    TapeHead head;
    Var<T> states, contexts, keys;  // tapes: h, c [T, B, H] and W_K h [T, B, A]
    Var<T> h, context;              // h_t, c_t [B, H]
    Var<T> weights;                 // a_t [B, t], in the order of time
  };

  AttentiveRnn(Parameters<T>& p, const std::string& name, std::size_t in, std::size_t width,
               const AttentiveRnnChoices& choices = {});

  // W x + b for any number of rows, [.., in] -> [.., H].
  Var<T> gates(Graph<T>& g, Var<T> x) const;
  // The zero state of B sequences whose states are going to be written to `states` [T, B, H], which is
  // their tape. Throws ShapeError if it is not H wide.
  State start(Graph<T>& g, Var<T> states, Direction direction = Direction::kForward) const;
  // One step from gates [B, H]. Rows with active[i] == 0 keep their state and their context. h_t goes to the
  // tape, so there is no place to be chosen. Throws ShapeError if the tapes are full.
  State step(Graph<T>& g, Var<T> gates, const State& state, std::span<const unsigned char> active = {},
             Var<T> = {}) const;
  static Var<T> output(const State& state) { return state.h; }

  // x [T, B, in]; see read_sequence. The weights of all steps are written to `weights` [B, T, T] if that is a
  // tensor: row t says how much step t looked at each step; 0 beyond a length.
  Sequence<T, State> operator()(Graph<T>& g, Var<T> x, std::span<const std::int32_t> lengths,
                                Direction direction = Direction::kForward, Var<T> weights = {}) const {
    return read_looking_back(g, "AttentiveRnn", *this, x, lengths, direction, weights);
  }

  std::size_t width() const { return width_; }

 private:
  std::size_t width_;
  const Parameter<T>& weight_ih_;
  const Parameter<T>* weight_hh_;
  const Parameter<T>&weight_ch_, &bias_;
  Attention<T> attention_;
};

}  // namespace softalign::layers
