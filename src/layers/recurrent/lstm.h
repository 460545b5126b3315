#pragma once

#include "layers/recurrent/recurrent.h"
#include "ops/recurrent.h"

namespace softalign::layers {

// Long short-term memory (Hochreiter & Schmidhuber 1997; forget gate of Gers et al. 2000) in PyTorch's
// convention:
//
//   i = sigmoid(W_i x + b_i + U_i h + b'_i)
//   f = sigmoid(W_f x + b_f + U_f h + b'_f)
//   n = tanh(W_n x + b_n + U_n h + b'_n)
//   o = sigmoid(W_o x + b_o + U_o h + b'_o)
//   c' = f * c + i * n
//   h' = o * tanh(c')
//
// Weights, gates in the order i, f, n, o (PyTorch calls n "g"): weight_ih [4H, in], weight_hh
// [4H, H], bias_ih, bias_hh [4H]. All start uniform in +-1/sqrt(H).
template <class T>
class Lstm {
 public:
  using Number = T;
  using State = ops::OutputAndCell<T>;  // h and c, each [B, H]
  static constexpr std::size_t kGates = 4;

  Lstm(Parameters<T>& p, const std::string& name, std::size_t in, std::size_t width);

  // As Gru's: gates [.., 4H], the others [B, H].
  Var<T> gates(Graph<T>& g, Var<T> x) const;
  State step(Graph<T>& g, Var<T> gates, State state, std::span<const unsigned char> active = {},
             Var<T> into = {}) const;
  State start(Graph<T>& g, std::size_t B) const { return {g.zeros({B, width_}), g.zeros({B, width_})}; }
  static Var<T> output(const State& state) { return state.h; }

  // x [T, B, in]; see read_sequence.
  Sequence<T, State> operator()(Graph<T>& g, Var<T> x, std::span<const std::int32_t> lengths,
                                Direction direction = Direction::kForward) const {
    return read_sequence(g, "Lstm", *this, x, lengths, direction);
  }

  std::size_t width() const { return width_; }

 private:
  std::size_t width_;
  const Parameter<T>&weight_ih_, &weight_hh_, &bias_ih_, &bias_hh_;
};

}  // namespace softalign::layers
