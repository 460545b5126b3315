#include "layers/recurrent/recurrent.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "layers/recurrent/attentive_rnn.h"
#include "layers/recurrent/gru.h"
#include "layers/recurrent/lstm.h"
#include "layers/recurrent/lstmn.h"
#include "layers/recurrent/simple_rnn.h"
#include "layers/recurrent/ssru.h"
#include "unit/layers/recurrent/golden_states.h"
#include "unit/support/gradients.h"

// What holds for every recurrent network, tested for every one in single and double precision.
namespace softalign::layers {
namespace {

using testing::Golden;
using Lengths = std::vector<std::int32_t>;

// Our name of each weight within a direction, and the golden file's.
using Names = std::vector<std::pair<std::string, std::string>>;
const Names kTorchNames = {
    {"weight_ih", "weight_ih_l0"}, {"weight_hh", "weight_hh_l0"}, {"bias_ih", "bias_ih_l0"}, {"bias_hh", "bias_hh_l0"}};
const Names kSsruNames = {
    {"forget.weight", "forget_weight"}, {"forget.bias", "forget_bias"}, {"candidate.weight", "candidate_weight"}};
const Names kAttentiveNames = {{"weight_ih", "weight_ih"},
                               {"weight_hh", "weight_hh"},
                               {"weight_ch", "weight_ch"},
                               {"bias", "bias"},
                               {"attention.query.weight", "attention.query.weight"},
                               {"attention.key.weight", "attention.key.weight"},
                               {"attention.key.bias", "attention.key.bias"},
                               {"attention.score", "attention.score"}};
const Names kLstmnNames = {{"weight_ih", "weight_ih"},
                           {"weight_hh", "weight_hh"},
                           {"bias_ih", "bias_ih"},
                           {"bias_hh", "bias_hh"},
                           {"attention.key.weight", "attention.key.weight"},
                           {"attention.input.weight", "attention.input.weight"},
                           {"attention.reading.weight", "attention.reading.weight"},
                           {"attention.score", "attention.score"}};

struct Case {
  const char* name;
  std::size_t in, width;
};
template <class Cell>
struct Goldens;
template <class T>
struct Goldens<Gru<T>> {
  static inline const Names& names = kTorchNames;
  static inline const std::vector<Case> cases = {
      {"gru_bidirectional", 6, 5}, {"gru_batch_of_one", 3, 17}, {"gru_long", 4, 8}};
};
template <class T>
struct Goldens<SimpleRnn<T>> {
  static inline const Names& names = kTorchNames;
  static inline const std::vector<Case> cases = {{"rnn", 6, 5}, {"rnn_long", 4, 8}};
};
template <class T>
struct Goldens<Lstm<T>> {
  static inline const Names& names = kTorchNames;
  static inline const std::vector<Case> cases = {{"lstm", 6, 5}, {"lstm_one_step", 3, 17}, {"lstm_long", 4, 8}};
};
template <class T>
struct Goldens<Ssru<T>> {
  static inline const Names& names = kSsruNames;
  static inline const std::vector<Case> cases = {{"ssru", 6, 5}, {"ssru_long", 4, 8}};
};
template <class T>
struct Goldens<AttentiveRnn<T>> {
  static inline const Names& names = kAttentiveNames;
  static inline const std::vector<Case> cases = {
      {"attentive_rnn", 6, 5}, {"attentive_rnn_one_step", 3, 17}, {"attentive_rnn_long", 4, 8}};
};
template <class T>
struct Goldens<Lstmn<T>> {
  static inline const Names& names = kLstmnNames;
  static inline const std::vector<Case> cases = {
      {"lstmn", 6, 5}, {"lstmn_one_step", 3, 17}, {"lstmn_batch_of_one", 3, 4}, {"lstmn_long", 4, 8}};
};

template <class Cell>
class Recurrent : public ::testing::Test {};
using Cells = ::testing::Types<Gru<float>, Gru<double>, SimpleRnn<float>, SimpleRnn<double>, Lstm<float>, Lstm<double>,
                               Ssru<float>, Ssru<double>, AttentiveRnn<float>, AttentiveRnn<double>, Lstmn<float>,
                               Lstmn<double>>;
TYPED_TEST_SUITE(Recurrent, Cells);
template <class Cell>
class RecurrentInDouble : public ::testing::Test {};
using DoubleCells = ::testing::Types<Gru<double>, SimpleRnn<double>, Lstm<double>, Ssru<double>, AttentiveRnn<double>, Lstmn<double>>;
TYPED_TEST_SUITE(RecurrentInDouble, DoubleCells);

// What a state has that nobody outside sees, if it has anything.
template <class T>
Var<T> cell_of(const ops::OutputAndCell<T>& state) {
  return state.c;
}
template <class T>
Var<T> cell_of(const Var<T>&) {
  return {};
}
template <class State>
auto cell_of(const State& state) -> decltype(state.context) {
  return state.context;
}
template <class State>
auto cell_of(const State& state) -> decltype(state.last.c) {
  return state.last.c;
}

TYPED_TEST(Recurrent, BothDirectionsAgreeWithPyTorch) {
  using T = typename TypeParam::Number;
  for (const auto& [name, in, width] : Goldens<TypeParam>::cases) {
    SCOPED_TRACE(name);
    const Golden golden(name);
    const Lengths lengths = golden.ints("input.lengths");
    const std::size_t B = lengths.size();
    Parameters<T> p;
    const auto& x = testing::add_input(p, golden, "input.x");
    const TypeParam forward(p, "cell.forward", in, width), backward(p, "cell.backward", in, width);
    const std::pair<const char*, const char*> directions[] = {{"cell.forward.", ""}, {"cell.backward.", "_reverse"}};
    for (const auto& [prefix, suffix] : directions) {
      for (const auto& [ours, theirs] : Goldens<TypeParam>::names) {
        testing::load(p, golden, prefix + ours, "weight." + theirs + suffix);
      }
    }
    std::vector<T> gradients(p.size());
    Graph<T> g(gradients.data(), 1);
    const auto one = forward(g, g.use(x), lengths);
    const auto other = backward(g, g.use(x), lengths, Direction::kBackward);
    const Var<T> states = ops::concat(g, one.states, other.states);
    const Var<T> last = ops::concat(g, TypeParam::output(one.last), TypeParam::output(other.last));
    testing::expect_states(golden, states, lengths);
    testing::expect_last<T>(golden, "output.last", last);
    std::vector<testing::Weighed<T>> terms = {
        {states, testing::seed_of<T>(golden, "seed.states")},
        {last, testing::side_by_side(testing::seed_of<T>(golden, "seed.last"), B, width)}};
    if (std::string(name).starts_with("lstm") || std::string(name).starts_with("attentive")) {
      const Var<T> cells = ops::concat(g, cell_of(one.last), cell_of(other.last));
      testing::expect_last<T>(golden, "output.last_cell", cells);
      terms.push_back({cells, testing::side_by_side(testing::seed_of<T>(golden, "seed.last_cell"), B, width)});
    }
    g.backward(testing::weighed_sum<T>(g, terms));
    testing::expect_golden_gradient(golden, "grad.x", p, "input.x", gradients);
    for (const auto& [prefix, suffix] : directions) {
      for (const auto& [ours, theirs] : Goldens<TypeParam>::names) {
        testing::expect_golden_gradient(golden, "grad." + theirs + suffix, p, prefix + ours, gradients);
      }
    }
  }
}

TYPED_TEST(Recurrent, BidirectionalIsBothDirectionsSideBySide) {
  using T = typename TypeParam::Number;
  Parameters<T> p, q;  // which draw the same weights for the same names
  const auto& x = p.add("x", {4, 2, 3}, 1);
  const Bidirectional<TypeParam> both(p, "cell", 3, 5);
  const TypeParam forward(q, "cell.forward", 3, 5), backward(q, "cell.backward", 3, 5);
  Graph<T> g;
  const Lengths lengths = {2, 4};
  const auto all = both(g, g.use(x), lengths);
  const auto one = forward(g, g.use(x), lengths), other = backward(g, g.use(x), lengths, Direction::kBackward);
  const Var<T> states = ops::concat(g, one.states, other.states);
  const Var<T> last = ops::concat(g, TypeParam::output(one.last), TypeParam::output(other.last));
  EXPECT_EQ(both.width(), 10);
  for (std::size_t i = 0; i < states.size(); ++i) EXPECT_EQ(all.states.value[i], states.value[i]);
  for (std::size_t i = 0; i < last.size(); ++i) EXPECT_EQ(all.last.value[i], last.value[i]);
}

TYPED_TEST(RecurrentInDouble, Gradients) {
  Parameters<double> p;
  const auto& x = p.add("x", {4, 3, 2}, 0);
  const TypeParam cell(p, "cell", 2, 3);
  const Bidirectional<TypeParam> both(p, "both", 2, 3);
  testing::randomise(p);
  const Lengths lengths = {3, 1, 4};
  testing::expect_gradients(p, [&](Graph<double>& g) {
    const auto forward = cell(g, g.use(x), lengths);
    const auto backward = cell(g, g.use(x), lengths, Direction::kBackward);
    const auto all = both(g, g.use(x), lengths);
    std::vector<Var<double>> outputs = {forward.states,  TypeParam::output(forward.last),
                                        backward.states, TypeParam::output(backward.last),
                                        all.states,      all.last};
    if (const auto c = cell_of(forward.last); c.value) outputs.push_back(c);
    return testing::weighed_sum(g, outputs);
  });
}

TYPED_TEST(RecurrentInDouble, GradientsThroughAStackWithDropout) {
  Parameters<double> p;
  const auto& x = p.add("x", {3, 2, 2}, 0);
  const Stack<Bidirectional<TypeParam>, double> stack(p, "stack", 2, 3, 2, 0.3);
  testing::randomise(p);
  const Lengths lengths = {3, 2};
  testing::expect_gradients(p, [&](Graph<double>& g) {
    const auto top = stack(g, g.use(x), lengths);
    return testing::weighed_sum(g, {top.states, top.last});
  });
}

TYPED_TEST(Recurrent, AStackIsItsLayersOneAfterTheOther) {
  using T = typename TypeParam::Number;
  Parameters<T> p;
  const auto& x = p.add("x", {4, 2, 3}, 1);
  const Stack<TypeParam, T> stack(p, "cell", 3, 5, 2);
  Parameters<T> q;
  const TypeParam first(q, "cell.0", 3, 5), second(q, "cell.1", 5, 5);
  Graph<T> g;
  const Lengths lengths = {4, 2};
  const auto all = stack(g, g.use(x), lengths);
  const auto apart = second(g, first(g, g.use(x), lengths).states, lengths);
  EXPECT_EQ(stack.width(), 5);
  for (std::size_t i = 0; i < all.states.size(); ++i) EXPECT_EQ(all.states.value[i], apart.states.value[i]);
  EXPECT_THROW((Stack<TypeParam, T>(p, "none", 3, 5, 0)), ArgumentError);
}

TYPED_TEST(Recurrent, PaddingDoesNotMatter) {
  using T = typename TypeParam::Number;
  Parameters<T> p;
  const auto& x = p.add("x", {5, 2, 3}, 1);
  const Bidirectional<TypeParam> cell(p, "cell", 3, 4);
  const Lengths lengths = {2, 5}, one = {2};
  const auto run = [&] {
    Graph<T> g;
    const auto s = cell(g, g.use(x), lengths);
    std::vector<T> all(s.last.value, s.last.value + s.last.size());
    for (std::size_t t = 0; t < 5; ++t) {
      for (std::size_t b = 0; b < 2; ++b) {
        if (t >= static_cast<std::size_t>(lengths[b])) continue;
        const T* row = s.states.value + (t * 2 + b) * 8;
        all.insert(all.end(), row, row + 8);
      }
    }
    return all;
  };
  const auto before = run();
  for (std::size_t t = 2; t < 5; ++t) {
    for (std::size_t i = 0; i < 3; ++i) p.find("x")->value[(t * 2 + 0) * 3 + i] = T(1e6);
  }
  EXPECT_EQ(run(), before);

  // and the first sequence alone, without padding, gives the same
  std::vector<T> alone;
  for (std::size_t t = 0; t < 2; ++t) {
    for (std::size_t i = 0; i < 3; ++i) alone.push_back(x.value[(t * 2 + 0) * 3 + i]);
  }
  Graph<T> g;
  const auto s = cell(g, g.constant({2, 1, 3}, alone.data()), one);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(s.last.value[i], before[i], 1e-6);
}

TYPED_TEST(Recurrent, BeyondALengthStandsWhatItsHeaderSays) {
  using T = typename TypeParam::Number;
  Parameters<T> p;
  const auto& x = p.add("x", {3, 2, 2}, 1);
  const TypeParam cell(p, "cell", 2, 3);
  const Lengths lengths = {1, 3};
  Graph<T> g;
  const auto forward = cell(g, g.use(x), lengths), backward = cell(g, g.use(x), lengths, Direction::kBackward);
  for (const std::size_t t : {1, 2}) {
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(forward.states.value[(t * 2 + 0) * 3 + i], TypeParam::output(forward.last).value[i]);
      EXPECT_EQ(backward.states.value[(t * 2 + 0) * 3 + i], T(0));
    }
  }
}

TYPED_TEST(Recurrent, WithoutLengthsAllRowsAreWhole) {
  using T = typename TypeParam::Number;
  Parameters<T> p;
  const auto& x = p.add("x", {3, 2, 2}, 1);
  const Bidirectional<TypeParam> cell(p, "cell", 2, 3);
  const Lengths lengths = {3, 3};
  Graph<T> g;
  const auto with = cell(g, g.use(x), lengths), without = cell(g, g.use(x), {});
  for (std::size_t i = 0; i < with.states.size(); ++i) EXPECT_EQ(with.states.value[i], without.states.value[i]);
}

TYPED_TEST(Recurrent, ShapesThatDoNotFitAreNamed) {
  using T = typename TypeParam::Number;
  Parameters<T> p;
  const TypeParam cell(p, "cell", 2, 3);
  Graph<T> g;
  const Lengths one = {2};
  EXPECT_THROW(cell(g, g.zeros({3, 2}), {}), ShapeError);
  EXPECT_THROW(cell(g, g.zeros({3, 2, 4}), {}), ShapeError);
  EXPECT_THROW(cell(g, g.zeros({3, 2, 2}), one), ShapeError);
}

TYPED_TEST(Recurrent, LengthsOutsideTheSequenceAreNamed) {
  using T = typename TypeParam::Number;
  Parameters<T> p;
  const TypeParam cell(p, "cell", 2, 3);
  Graph<T> g;
  for (const std::int32_t bad : {-1, 0, 4}) {
    const Lengths lengths = {3, bad};
    EXPECT_THROW(cell(g, g.zeros({3, 2, 2}), lengths), ShapeError) << bad;
  }
}

}  // namespace
}  // namespace softalign::layers
