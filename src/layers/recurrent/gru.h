#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "ops/graph.h"

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
  Gru(Parameters<T>& p, const std::string& name, std::size_t in, std::size_t width);

  // W x + b for any number of rows, [.., in] -> [.., 3H]: for a whole sequence at once where the
  // inputs are known beforehand. More inputs may be added to the result before it is used.
  Var<T> gates(Graph<T>& g, Var<T> x) const;
  // One step from gates [B, 3H] and h [B, H] -> h' [B, H]; rows with active[i] == 0 keep h.
  // Writes to `into` if that is a tensor.
  Var<T> step(Graph<T>& g, Var<T> gates, Var<T> h, std::span<const unsigned char> active = {},
              Var<T> into = {}) const;

  struct Sequence {
    Var<T> states;  // [T, B, H]; beyond a row's length, its last state
    Var<T> last;    // [B, H]: the state after a row's last element (for kBackward: after its first)
  };
  enum class Direction { kForward, kBackward };
  // A whole sequence x [T, B, in] from the zero state. lengths has B entries in 1..T, or is empty
  // if all rows are T long. Backward starts at each row's own last element, as PyTorch does with a
  // packed sequence; its states beyond a length are 0.
  Sequence operator()(Graph<T>& g, Var<T> x, std::span<const std::int32_t> lengths,
                      Direction direction = Direction::kForward) const;

  std::size_t width() const { return width_; }

 private:
  std::size_t width_;
  const Parameter<T>&weight_ih_, &weight_hh_, &bias_ih_, &bias_hh_;
};

// Two GRUs over the same sequence, one from each end (Schuster & Paliwal 1997).
template <class T>
class BidirectionalGru {
 public:
  // `width` is that of one direction. Weights are named name.forward.* and name.backward.*.
  BidirectionalGru(Parameters<T>& p, const std::string& name, std::size_t in, std::size_t width);

  struct Sequence {
    Var<T> states;  // [T, B, 2H]: forward and backward state of each position, side by side
    Var<T> last;    // [B, 2H]: the forward state after the last element, the backward one after the first
  };
  Sequence operator()(Graph<T>& g, Var<T> x, std::span<const std::int32_t> lengths) const;

 private:
  Gru<T> forward_, backward_;
};

}  // namespace softalign::layers
