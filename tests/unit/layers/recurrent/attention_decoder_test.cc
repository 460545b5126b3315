#include "layers/recurrent/attention_decoder.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "layers/recurrent/gru.h"
#include "layers/recurrent/lstm.h"
#include "layers/recurrent/simple_rnn.h"
#include "layers/recurrent/ssru.h"
#include "unit/layers/recurrent/golden_states.h"
#include "unit/support/gradients.h"

namespace softalign::layers {
namespace {

using testing::Golden;
using testing::seed_of;
using Lengths = std::vector<std::int32_t>;

template <class T>
ops::OutputAndCell<T> state_of(const Var<T>& h, const Var<T>& c, const ops::OutputAndCell<T>*) {
  return {h, c};
}
template <class T>
Var<T> state_of(const Var<T>& h, const Var<T>&, const Var<T>*) {
  return h;
}
template <class T>
Var<T> cell_of(const ops::OutputAndCell<T>& state) {
  return state.c;
}
template <class T>
Var<T> cell_of(const Var<T>&) {
  return {};
}

template <class Cell>
AttentionDecoder<Cell> decoder_of(Parameters<typename Cell::Number>& p, ScoreKind score) {
  AttentionDecoder<Cell> decoder(p, "decoder", 3, 5, 4);
  decoder.attend_with({p, "decoder.attention", score, 5, 4, 6});
  return decoder;
}

template <class Cell>
class DecoderWithAttention : public ::testing::Test {};
template <class Cell>
struct CellName;
template <class T>
struct CellName<SimpleRnn<T>> {
  static constexpr const char* value = "rnn";
};
template <class T>
struct CellName<Gru<T>> {
  static constexpr const char* value = "gru";
};
template <class T>
struct CellName<Lstm<T>> {
  static constexpr const char* value = "lstm";
};
using Cells =
    ::testing::Types<SimpleRnn<float>, SimpleRnn<double>, Gru<float>, Gru<double>, Lstm<float>, Lstm<double>>;
TYPED_TEST_SUITE(DecoderWithAttention, Cells);

template <class Cell>
void expect_agreement(const std::string& file, ScoreKind score) {
  using T = typename Cell::Number;
  SCOPED_TRACE(file);
  const Golden golden(file);
  const Lengths lengths = golden.ints("input.lengths"), source_lengths = golden.ints("input.source_lengths");
  Parameters<T> p;
  const auto& x = testing::add_input(p, golden, "input.x");
  const auto& values = testing::add_input(p, golden, "input.memory");
  const auto& start = testing::add_input(p, golden, "input.start");
  const bool has_cell = file.starts_with("attention_decoder_lstm");
  const auto* start_cell = has_cell ? &testing::add_input(p, golden, "input.start_cell") : nullptr;
  const auto decoder = decoder_of<Cell>(p, score);
  for (const auto& weight : p.all()) {
    if (weight.name.starts_with("decoder.")) testing::load(p, golden, weight.name, "weight." + weight.name.substr(8));
  }
  std::vector<T> gradients(p.size());
  Graph<T> g(gradients.data(), 1);
  const auto memory = decoder.project(g, g.use(values), source_lengths);
  const auto first = state_of(g.use(start), start_cell ? g.use(*start_cell) : Var<T>{},
                              static_cast<const typename Cell::State*>(nullptr));
  const Var<T> weights = g.make({lengths.size(), x.shape[0], values.shape[0]});
  const auto decoded = decoder(g, g.use(x), first, memory, lengths, weights);
  const Var<T> last = Cell::output(decoded.last);
  testing::expect_golden(golden, "output.states", decoded.states.value, decoded.states.size());
  testing::expect_golden(golden, "output.contexts", decoded.contexts.value, decoded.contexts.size());
  testing::expect_golden(golden, "output.weights", weights.value, weights.size());
  testing::expect_golden(golden, "output.last", last.value, last.size());
  std::vector<testing::Weighed<T>> terms = {{decoded.states, seed_of<T>(golden, "seed.states")},
                                            {decoded.contexts, seed_of<T>(golden, "seed.contexts")},
                                            {last, seed_of<T>(golden, "seed.last")}};
  if (has_cell) {
    const Var<T> cell = cell_of(decoded.last);
    testing::expect_golden(golden, "output.last_cell", cell.value, cell.size());
    terms.push_back({cell, seed_of<T>(golden, "seed.last_cell")});
  }
  g.backward(testing::weighed_sum<T>(g, terms));
  for (const auto& weight : p.all()) {
    const std::size_t prefix = weight.name.find('.') + 1;  // of "decoder." or "input."
    testing::expect_golden_gradient(golden, "grad." + weight.name.substr(prefix), p, weight.name, gradients);
  }
}

TYPED_TEST(DecoderWithAttention, AgreesWithPyTorch) {
  const std::string file = std::string("attention_decoder_") + CellName<TypeParam>::value;
  expect_agreement<TypeParam>(file + "_additive", ScoreKind::kAdditive);
  expect_agreement<TypeParam>(file + "_dot", ScoreKind::kDot);
  expect_agreement<TypeParam>(file + "_one", ScoreKind::kAdditive);
  if (file.ends_with("gru")) expect_agreement<TypeParam>(file + "_long", ScoreKind::kAdditive);
}

TYPED_TEST(DecoderWithAttention, HypothesesShareOneMemoryStepByStep) {
  using T = typename TypeParam::Number;
  Parameters<T> p;
  const auto& x = p.add("x", {4, 3, 3}, 1);
  const auto& values = p.add("values", {6, 1, 4}, 1);
  const auto decoder = decoder_of<TypeParam>(p, ScoreKind::kGeneral);
  Graph<T> g;
  const Lengths length = {5}, lengths = {5, 5, 5};
  auto shared = decoder.project(g, g.use(values), length);
  const std::int32_t columns[] = {0, 0, 0};
  shared.columns = columns;
  Var<T> three = g.make({6, 3, 4});
  for (std::size_t i = 0; i < three.size(); ++i) three.value[i] = values.value[i / 12 * 4 + i % 4];
  const auto decoded = decoder(g, g.use(x), decoder.start(g, 3), decoder.project(g, three, lengths));
  auto state = decoder.start(g, 3);
  for (std::size_t t = 0; t < 4; ++t) {
    const auto step = decoder.step(g, decoder.gates(g, g.use(x).slice(t * 3, 3)), state, shared);
    state = step.state;
    const Var<T> h = TypeParam::output(state);
    for (std::size_t i = 0; i < h.size(); ++i) ASSERT_NEAR(h.value[i], decoded.states.value[t * 15 + i], 1e-6);
    for (std::size_t i = 0; i < 12; ++i) ASSERT_NEAR(step.context.value[i], decoded.contexts.value[t * 12 + i], 1e-6);
    for (std::size_t b = 0; b < 3; ++b) EXPECT_EQ(step.weights.value[b * 6 + 5], T(0));
  }
}

template <class Cell>
class DecoderWithAttentionInDouble : public ::testing::Test {};
using DoubleCells = ::testing::Types<SimpleRnn<double>, Gru<double>, Lstm<double>, Ssru<double>>;
TYPED_TEST_SUITE(DecoderWithAttentionInDouble, DoubleCells);

TYPED_TEST(DecoderWithAttentionInDouble, GradientsOfEveryScore) {
  for (const auto score : {ScoreKind::kAdditive, ScoreKind::kDot, ScoreKind::kScaledDot, ScoreKind::kGeneral}) {
    SCOPED_TRACE(score_name(score));
    Parameters<double> p;
    const auto& x = p.add("x", {3, 2, 3}, 0);
    const auto& values = p.add("values", {4, 2, 4}, 0);
    const auto decoder = decoder_of<TypeParam>(p, score);
    testing::randomise(p);
    const Lengths lengths = {3, 2}, source_lengths = {1, 4};
    testing::expect_gradients(p, [&](Graph<double>& g) {
      const auto memory = decoder.project(g, g.use(values), source_lengths);
      const auto decoded = decoder(g, g.use(x), decoder.start(g, 2), memory, lengths);
      return testing::weighed_sum(g, {decoded.states, decoded.contexts, TypeParam::output(decoded.last)});
    });
  }
}

TYPED_TEST(DecoderWithAttentionInDouble, GradientsWithoutAttention) {
  Parameters<double> p;
  const auto& x = p.add("x", {3, 2, 3}, 0);
  const auto& each = p.add("each", {1, 2, 4}, 0);
  const auto& shared = p.add("shared", {1, 1, 4}, 0);
  const AttentionDecoder<TypeParam> decoder(p, "decoder", 3, 5, 4);
  testing::randomise(p);
  const std::int32_t columns[] = {0, 0};
  testing::expect_gradients(p, [&](Graph<double>& g) {
    const auto one = decoder(g, g.use(x), decoder.start(g, 2), decoder.project(g, g.use(each), {}));
    auto memory = decoder.project(g, g.use(shared), {});
    memory.columns = columns;
    const auto other = decoder(g, g.use(x), decoder.start(g, 2), memory);
    return testing::weighed_sum(g, {one.states, one.contexts, other.states, other.contexts});
  });
}

TEST(AttentionDecoderCost, IsPositionsTimesSteps) {
  Parameters<float> p;
  const auto decoder = decoder_of<Gru<float>>(p, ScoreKind::kDot);
  Graph<float> g;
  const Lengths one = {7}, two = {7, 3};
  EXPECT_EQ(decoder.weights_computed(decoder.project(g, g.zeros({9, 1, 4}), one), 5), 7 * 5);
  EXPECT_EQ(decoder.weights_computed(decoder.project(g, g.zeros({9, 2, 4}), two), 5), (7 + 3) * 5);
  EXPECT_EQ(decoder.weights_computed(decoder.project(g, g.zeros({9, 2, 4}), {}), 5), 9 * 2 * 5);
  const AttentionDecoder<Gru<float>> without(p, "without", 3, 5, 4);
  EXPECT_EQ(without.weights_computed(without.project(g, g.zeros({1, 1, 4}), {}), 5), 0);
}

TEST(AttentionDecoderErrors, ShapesThatDoNotFitAreNamed) {
  Parameters<float> p;
  const auto decoder = decoder_of<Gru<float>>(p, ScoreKind::kAdditive);
  const AttentionDecoder<Gru<float>> without(p, "without", 3, 5, 4);
  Graph<float> g;
  const auto message = [](auto&& call) -> std::string {
    try {
      call();
    } catch (const ShapeError& e) {
      return e.what();
    }
    return "no error";
  };
  const auto memory = decoder.project(g, g.zeros({6, 2, 4}), {});
  const Var<float> x = g.zeros({3, 2, 3}), start = g.zeros({2, 5});
  const Lengths bad = {3, 4};
  EXPECT_EQ(message([&] { decoder(g, g.zeros({3, 2}), start, memory); }),
            "AttentionDecoder: x is [3, 2], expected [T, B, in]");
  EXPECT_EQ(message([&] { decoder(g, x, start, memory, bad); }), "AttentionDecoder: a length is 4, expected 1..3");
  EXPECT_EQ(message([&] { decoder(g, x, start, memory, {}, g.zeros({2, 3, 5})); }),
            "AttentionDecoder: weights is [2, 3, 5], expected [2, 3, 6]");
  EXPECT_EQ(message([&] { decoder(g, x, g.zeros({3, 5}), memory); }), "Attention: batch of what is looked at is 2, expected 3");
  EXPECT_EQ(message([&] { without(g, x, start, without.project(g, g.zeros({6, 2, 4}), {})); }),
            "AttentionDecoder: positions of a memory without attention is 6, expected 1");
}

}  // namespace
}  // namespace softalign::layers
