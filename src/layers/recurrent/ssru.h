#pragma once

#include "layers/dense.h"
#include "layers/recurrent/recurrent.h"
#include "ops/recurrent.h"

namespace softalign::layers {

// Simpler simple recurrent unit (Kim et al. 2019, "From Research to Production and Back", WNGT 2019,
// eq. 1-3): a recurrence without a product with the state, so all matrix work is done beforehand.
//
//   f = sigmoid(W_f x + b_f)
//   c' = f * c + (1 - f) * W x
//   h' = max(c', 0)
//
// Weights: forget.weight W_f [H, in], forget.bias b_f [H], candidate.weight W [H, in].
template <class T>
class Ssru {
 public:
  using Number = T;
  using State = ops::OutputAndCell<T>;  // h and c, each [B, H]
  static constexpr std::size_t kGates = 2;

  Ssru(Parameters<T>& p, const std::string& name, std::size_t in, std::size_t width);

  // As Gru's: gates [.., 2H], the others [B, H].
  Var<T> gates(Graph<T>& g, Var<T> x) const;
  State step(Graph<T>& g, Var<T> gates, State state, std::span<const unsigned char> active = {},
             Var<T> into = {}) const;
  State start(Graph<T>& g, std::size_t B) const { return {g.zeros({B, width_}), g.zeros({B, width_})}; }
  static Var<T> output(const State& state) { return state.h; }

  // x [T, B, in]; see read_sequence.
  Sequence<T, State> operator()(Graph<T>& g, Var<T> x, std::span<const std::int32_t> lengths,
                                Direction direction = Direction::kForward) const {
    return read_sequence(g, "Ssru", *this, x, lengths, direction);
  }

  std::size_t width() const { return width_; }

 private:
  std::size_t width_;
  Dense<T> forget_, candidate_;
};

}  // namespace softalign::layers
