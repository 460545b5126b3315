#pragma once

#include "layers/recurrent/recurrent.h"

namespace softalign::layers {

// Gated recurrent unit (Cho et al. 2014) in PyTorch's convention:
//
//   r = sigmoid(W_r x + b_r + U_r h + b'_r)
//   z = sigmoid(W_z x + b_z + U_z h + b'_z)
//   n = tanh(W_n x + b_n + r * (U_n h + b'_n))
//   h' = (1 - z) * n + z * h              (Bahdanau et al. 2015 have z the other way round)
//
// Weights, gates in the order r, z, n: weight_ih [3H, in], weight_hh [3H, H], bias_ih, bias_hh [3H].
// All start uniform in +-1/sqrt(H), as PyTorch's do.
template <class T>
class Gru {
 public:
  using Number = T;
  using State = Var<T>;  // h [B, H]
  static constexpr std::size_t kGates = 3;

  Gru(Parameters<T>& p, const std::string& name, std::size_t in, std::size_t width);

  // W x + b for any number of rows, [.., in] -> [.., 3H]: for a whole sequence at once where the
  // inputs are known beforehand. More inputs may be added to the result before it is used.
  Var<T> gates(Graph<T>& g, Var<T> x) const;
  // One step from gates [B, 3H] and h [B, H] -> h' [B, H]; rows with active[i] == 0 keep h.
  // Writes to `into` if that is a tensor.
  State step(Graph<T>& g, Var<T> gates, State h, std::span<const unsigned char> active = {}, Var<T> into = {}) const;
  State start(Graph<T>& g, std::size_t B) const { return g.zeros({B, width_}); }
  static Var<T> output(State h) { return h; }

  // x [T, B, in]; see read_sequence.
  Sequence<T, State> operator()(Graph<T>& g, Var<T> x, std::span<const std::int32_t> lengths,
                                Direction direction = Direction::kForward) const {
    return read_sequence(g, "Gru", *this, x, lengths, direction);
  }

  std::size_t width() const { return width_; }

 private:
  std::size_t width_;
  const Parameter<T>&weight_ih_, &weight_hh_, &bias_ih_, &bias_hh_;
};

template <class T>
using BidirectionalGru = Bidirectional<Gru<T>>;

}  // namespace softalign::layers
