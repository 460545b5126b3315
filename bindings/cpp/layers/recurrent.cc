#include <algorithm>
#include <vector>

#include "layer.h"
#include "layers/recurrent/gru.h"
#include "layers/recurrent/lstm.h"
#include "layers/recurrent/simple_rnn.h"
#include "layers/recurrent/ssru.h"

namespace softalign::js {
namespace {

using layers::Direction;
using Cells = ops::OutputAndCell<float>;

// What a step hands to the next, as tensors by name: h, and c where there is one.
constexpr const char* kGiven[] = {"initial", "initialCell"};
constexpr const char* kTaken[] = {"last", "lastCell"};
constexpr std::size_t parts(const Var<float>*) { return 1; }
constexpr std::size_t parts(const Cells*) { return 2; }
void split(const Var<float>& h, Var<float>* to) { to[0] = h; }
void split(const Cells& state, Var<float>* to) { to[0] = state.h, to[1] = state.c; }
void join(const Var<float>* from, Var<float>& h) { h = from[0]; }
void join(const Var<float>* from, Cells& state) { state = {from[0], from[1]}; }

// A cell that starts where it is told to.
template <class Cell>
struct Started : Cell {
  typename Cell::State first;
  typename Cell::State start(Graph<float>&, std::size_t) const { return first; }
};

// torch.nn.RNN, GRU and LSTM: layers above each other, each in one direction or both.
template <class Cell>
Forward recurrent(Parameters<float>& p, Options& o) {
  using State = typename Cell::State;
  constexpr std::size_t kParts = parts(static_cast<State*>(nullptr));
  const std::size_t in = o.size("input"), width = o.size("hidden"), depth = o.optional_size("layers", 1, 64).value_or(1);
  const std::size_t directions = o.flag("bidirectional") ? 2 : 1;
  std::vector<Cell> cells;
  for (std::size_t i = 0; i < depth * directions; ++i) {
    const std::string name = ".l" + std::to_string(i / directions) + (i % directions ? "_reverse" : "");
    cells.emplace_back(p, name, i < directions ? in : directions * width, width);
  }
  return [=](Call& c) {
    Graph<float>& g = c.graph();
    Var<float> x = c.tensor("x", {"T", "B", in});
    const auto lengths = c.lengths(x);
    const std::size_t B = x.shape[1];
    Var<float> first[kParts], last[kParts];
    for (std::size_t k = 0; k < kParts; ++k) {
      first[k] = c.has(kGiven[k]) ? c.tensor(kGiven[k], {cells.size(), B, width}) : g.zeros({cells.size(), B, width});
      last[k] = g.make(first[k].shape);
    }
    for (std::size_t layer = 0; layer < depth; ++layer) {
      Var<float> sides[2];
      for (std::size_t side = 0; side < directions; ++side) {
        const std::size_t i = layer * directions + side;
        Var<float> now[kParts];
        for (std::size_t k = 0; k < kParts; ++k) now[k] = first[k].slice(i * B, B);
        State state;
        join(now, state);
        const auto sequence = layers::read_sequence(g, c.who(), Started<Cell>{cells[i], state}, x, lengths,
                                                    side ? Direction::kBackward : Direction::kForward);
        split(sequence.last, now);
        for (std::size_t k = 0; k < kParts; ++k) ops::copy(g, now[k], last[k].slice(i * B, B));
        sides[side] = sequence.states;
      }
      x = directions == 1 ? sides[0] : ops::concat(g, sides[0], sides[1]);
    }
    clear_padding(x, lengths);
    c.give("output", x);
    for (std::size_t k = 0; k < kParts; ++k) c.give(kTaken[k], last[k]);
  };
}

// l0_reverse.forget.weight -> forget_weight_l0_reverse
Sources torch_name(const std::string& ours) {
  const std::size_t dot = ours.find('.');
  std::string name = ours.substr(dot + 1) + '_' + ours.substr(0, dot);
  std::replace(name.begin(), name.end(), '.', '_');
  return {{name}};
}

}  // namespace

std::span<const Kind> recurrent_kinds() {
  static constexpr Kind kinds[] = {
      {"SimpleRnn", recurrent<layers::SimpleRnn<float>>, torch_name},
      {"Lstm", recurrent<layers::Lstm<float>>, torch_name},
      {"Gru", recurrent<layers::Gru<float>>, torch_name},
      {"Ssru", recurrent<layers::Ssru<float>>, torch_name},
  };
  return kinds;
}

}  // namespace softalign::js
