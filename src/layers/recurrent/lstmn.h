#pragma once

#include "layers/attention/score.h"
#include "layers/dense.h"
#include "layers/recurrent/lstm.h"
#include "layers/recurrent/tape.h"

namespace softalign::layers {

// Long short-term memory-network, an LSTM that remembers each word apart: "Long Short-Term Memory-Networks
// for Machine Reading" (Cheng, Dong & Lapata 2016, arXiv:1601.06733, eq. 4-9), with PyTorch's gates and
// biases. Its past is two tapes, of hidden states h_1 .. h_{t-1} and of memories c_1 .. c_{t-1}:
//
//   e_t[i] = v . tanh(W_h h_i + W_x x_t + W_r h~_{t-1})       i < t
//   a_t    = softmax of e_t                                   how much word t looks back at word i
//   h~_t   = sum_i a_t[i] h_i       c~_t = sum_i a_t[i] c_i   both 0 at the first word, whose past is empty
//   c_t, h_t = LSTM(x_t, (h~_t, c~_t))                        layers/recurrent/lstm.h
//
// A sequence of T words costs T (T - 1) / 2 scores. Weights, A being H: those of the Lstm (weight_ih,
// weight_hh, which here meets h~, bias_ih, bias_hh), attention.key.weight W_h [A, H],
// attention.input.weight W_x [A, in], attention.reading.weight W_r [A, H], attention.score v [A].
template <class T>
class Lstmn {
 public:
  using Number = T;
  // What a step needs of its word: W x + b of the gates, and W_x x.
  struct Gates {
    Var<T> lstm, query;  // [.., 4H], [.., A]
    Gates slice(std::size_t first, std::size_t count) const {
      return {lstm.slice(first, count), query.slice(first, count)};
    }
  };
  // Carried from word to word. While all rows are active, all of it but the weights lies in memory that start()
  // took: between words an inferring graph may be rewound to a mark made after that.
  struct State {
    TapeHead head;
    Var<T> states, cells, readings, keys;  // tapes: h, c, h~ [T, B, H] and W_h h [T, B, A]
    ops::OutputAndCell<T> last;            // h_t, c_t [B, H]
    Var<T> weights;                        // a_t [B, t - 1], in the order of time; at the first word [B, 0]
  };

  Lstmn(Parameters<T>& p, const std::string& name, std::size_t in, std::size_t width);

  // For any number of rows, x [.., in].
  Gates gates(Graph<T>& g, Var<T> x) const;
  // The zero state of B sequences whose states are going to be written to `states` [T, B, H], which is
  // their tape. Throws ShapeError if it is not H wide.
  State start(Graph<T>& g, Var<T> states, Direction direction = Direction::kForward) const;
  // One word from the gates of B rows, which it uses up. Rows with active[i] == 0 keep their state. h_t goes
  // to the tape, so there is no place to be chosen. Throws ShapeError if the tapes are full.
  State step(Graph<T>& g, const Gates& gates, const State& state, std::span<const unsigned char> active = {},
             Var<T> = {}) const;
  static Var<T> output(const State& state) { return state.last.h; }

  // x [T, B, in]; see read_sequence. The reading weights are written to `weights` [B, T, T] if that is a
  // tensor: row t says how much word t looked back at each word before it; 0 elsewhere and beyond a length.
  Sequence<T, State> operator()(Graph<T>& g, Var<T> x, std::span<const std::int32_t> lengths,
                                Direction direction = Direction::kForward, Var<T> weights = {}) const {
    return read_looking_back(g, "Lstmn", *this, x, lengths, direction, weights);
  }

  std::size_t width() const { return lstm_.width(); }

 private:
  Lstm<T> lstm_;
  Dense<T> key_, input_, reading_;
  Score<T> score_;
};

}  // namespace softalign::layers
