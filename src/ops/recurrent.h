#pragma once

#include <span>

#include "ops/graph.h"

// One step of each recurrent network after its products with the weights; kernels/recurrent.h has
// the equations. B rows, H wide: x [B, kH] = W x + b and hidden [B, kH] = U h + b', where k counts
// the gates.
//
// Row i is computed where active[i] != 0 and keeps its state elsewhere; an empty `active` means all
// rows. The output [B, H] is written to `into` if that is a tensor (a slice of a sequence, say).
// The gradient of a step overwrites that of `hidden`, which must have no other use.
namespace softalign::ops {

// Rows of `fresh` where they are active, of `kept` elsewhere; `fresh` itself if all are.
template <class T>
Var<T> choose_rows(Graph<T>& g, std::span<const unsigned char> active, Var<T> fresh, Var<T> kept);

// PyTorch's GRU: three gates.
template <class T>
Var<T> gru_step(Graph<T>& g, Var<T> x, Var<T> hidden, Var<T> h, std::span<const unsigned char> active = {},
                Var<T> into = {});

// A simple recurrent network: tanh(x + hidden).
template <class T>
Var<T> rnn_step(Graph<T>& g, Var<T> x, Var<T> hidden, Var<T> h, std::span<const unsigned char> active = {},
                Var<T> into = {});

// What an LSTM or an SSRU carries from step to step.
template <class T>
struct OutputAndCell {
  Var<T> h, c;  // [B, H]
};

// PyTorch's LSTM: four gates.
template <class T>
OutputAndCell<T> lstm_step(Graph<T>& g, Var<T> x, Var<T> hidden, const OutputAndCell<T>& state,
                           std::span<const unsigned char> active = {}, Var<T> into = {});

// SSRU: x has two parts, and there is no product with the state.
template <class T>
OutputAndCell<T> ssru_step(Graph<T>& g, Var<T> x, const OutputAndCell<T>& state,
                           std::span<const unsigned char> active = {}, Var<T> into = {});

}  // namespace softalign::ops
