#pragma once

#include "layers/recurrent/recurrent.h"

namespace softalign::layers {

// Simple recurrent network (Elman 1990) in PyTorch's convention:
//
//   h' = tanh(W x + b + U h + b')         which is tanh(A [x; h] + b) with A = [W U]
//
// Weights: weight_ih W [H, in], weight_hh U [H, H], bias_ih, bias_hh [H]. All start uniform in
// +-1/sqrt(H).
template <class T>
class SimpleRnn {
 public:
  using Number = T;
  using State = Var<T>;  // h [B, H]
  static constexpr std::size_t kGates = 1;

  SimpleRnn(Parameters<T>& p, const std::string& name, std::size_t in, std::size_t width);

  // As Gru's: gates [.., 1H], the others [B, H].
  Var<T> gates(Graph<T>& g, Var<T> x) const;
  State step(Graph<T>& g, Var<T> gates, State state, std::span<const unsigned char> active = {},
             Var<T> into = {}) const;
  State start(Graph<T>& g, std::size_t B) const { return g.zeros({B, width_}); }
  static Var<T> output(State h) { return h; }

  // x [T, B, in]; see read_sequence.
  Sequence<T, State> operator()(Graph<T>& g, Var<T> x, std::span<const std::int32_t> lengths,
                                Direction direction = Direction::kForward) const {
    return read_sequence(g, "SimpleRnn", *this, x, lengths, direction);
  }

  std::size_t width() const { return width_; }

 private:
  std::size_t width_;
  const Parameter<T>&weight_ih_, &weight_hh_, &bias_ih_, &bias_hh_;
};

}  // namespace softalign::layers
