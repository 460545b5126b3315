#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "layers/recurrent/attentive_rnn.h"
#include "layers/recurrent/lstmn.h"
#include "unit/layers/recurrent/golden_states.h"
#include "unit/support/gradients.h"

// The two networks that look back at all their own steps, beside what recurrent_test.cc asks of every network.
namespace softalign::layers {
namespace {

using testing::Golden;
using testing::seed_of;
using testing::side_by_side;
using Lengths = std::vector<std::int32_t>;

constexpr ScoreKind kScores[] = {ScoreKind::kAdditive, ScoreKind::kDot, ScoreKind::kScaledDot, ScoreKind::kGeneral};
constexpr PastContext kContexts[] = {PastContext::kReplacesState, PastContext::kBesideState};

template <class T>
Var<T> rest_of(const typename AttentiveRnn<T>::State& state) {
  return state.context;
}
template <class T>
Var<T> rest_of(const typename Lstmn<T>::State& state) {
  return state.last.c;
}

// One golden file, read forward and backward: states, last states, all weights and all gradients.
template <class Network, class... Choices>
void expect_agreement(const std::string& file, std::size_t in, std::size_t width, const Choices&... choices) {
  using T = typename Network::Number;
  SCOPED_TRACE(file);
  const Golden golden(file);
  const Lengths lengths = golden.ints("input.lengths");
  const std::size_t B = lengths.size();
  Parameters<T> p;
  const auto& x = testing::add_input(p, golden, "input.x");
  const Network forward(p, "forward", in, width, choices...), backward(p, "backward", in, width, choices...);
  const auto theirs = [](const std::string& name) {
    const bool is_forward = name.starts_with("forward.");
    return is_forward ? name.substr(8) : name.substr(9) + "_reverse";
  };
  for (const auto& weight : p.all()) {
    if (weight.name != "input.x") testing::load(p, golden, weight.name, "weight." + theirs(weight.name));
  }
  std::vector<T> gradients(p.size());
  Graph<T> g(gradients.data(), 1);
  const std::size_t steps = x.shape[0];
  const Var<T> looks = g.make({B, steps, steps}), looks_back = g.make({B, steps, steps});
  const auto one = forward(g, g.use(x), lengths, Direction::kForward, looks);
  const auto other = backward(g, g.use(x), lengths, Direction::kBackward, looks_back);
  const Var<T> states = ops::concat(g, one.states, other.states);
  const Var<T> last = ops::concat(g, Network::output(one.last), Network::output(other.last));
  const Var<T> rest = ops::concat(g, rest_of<T>(one.last), rest_of<T>(other.last));
  testing::expect_states(golden, states, lengths);
  testing::expect_last<T>(golden, "output.last", last);
  testing::expect_last<T>(golden, "output.last_cell", rest);
  testing::expect_golden(golden, "output.weights", looks.value, looks.size());
  testing::expect_golden(golden, "output.weights_reverse", looks_back.value, looks_back.size());
  g.backward(testing::weighed_sum<T>(
      g, {{states, seed_of<T>(golden, "seed.states")},
          {last, side_by_side(seed_of<T>(golden, "seed.last"), B, width)},
          {rest, side_by_side(seed_of<T>(golden, "seed.last_cell"), B, width)}}));
  testing::expect_golden_gradient(golden, "grad.x", p, "input.x", gradients);
  for (const auto& weight : p.all()) {
    if (weight.name == "input.x") continue;
    testing::expect_golden_gradient(golden, "grad." + theirs(weight.name), p, weight.name, gradients);
  }
}

template <class T>
class LookingBack : public ::testing::Test {};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(LookingBack, Numbers);

TYPED_TEST(LookingBack, EveryFormAndScoreAgreesWithPyTorch) {
  for (const PastContext context : kContexts) {
    const std::string form = context == PastContext::kBesideState ? "beside_" : "replace_";
    for (const ScoreKind score : kScores) {
      const AttentiveRnnChoices choices = {.context = context, .score = score, .alignment = 4};
      expect_agreement<AttentiveRnn<TypeParam>>("attentive_rnn_" + form + score_name(score), 3, 5, choices);
    }
  }
}

TYPED_TEST(LookingBack, LongAndShortSequencesAgreeWithPyTorch) {
  expect_agreement<AttentiveRnn<TypeParam>>("attentive_rnn", 6, 5);
  expect_agreement<AttentiveRnn<TypeParam>>("attentive_rnn_one_step", 3, 17);
  expect_agreement<AttentiveRnn<TypeParam>>("attentive_rnn_long", 4, 8);
  expect_agreement<Lstmn<TypeParam>>("lstmn", 6, 5);
  expect_agreement<Lstmn<TypeParam>>("lstmn_one_step", 3, 17);
  expect_agreement<Lstmn<TypeParam>>("lstmn_batch_of_one", 3, 4);
  expect_agreement<Lstmn<TypeParam>>("lstmn_long", 4, 8);
}

TEST(LookingBackInDouble, GradientsOfEveryFormAndScore) {
  const Lengths lengths = {4, 1, 3};
  for (const PastContext context : kContexts) {
    for (const ScoreKind score : kScores) {
      SCOPED_TRACE(score_name(score));
      Parameters<double> p;
      const auto& x = p.add("x", {4, 3, 2}, 0);
      const Bidirectional<AttentiveRnn<double>> both(p, "both", 2, 3,
                                                     AttentiveRnnChoices{.context = context, .score = score, .alignment = 5});
      const Stack<AttentiveRnn<double>, double> stack(p, "stack", 6, 3, 2, 0.3,
                                                      AttentiveRnnChoices{.context = context, .score = score});
      testing::randomise(p);
      testing::expect_gradients(p, [&](Graph<double>& g) {
        const auto first = both(g, g.use(x), lengths);
        const auto top = stack(g, first.states, lengths);
        return testing::weighed_sum(g, {first.last, top.states, top.last.context});
      });
    }
  }
}

// What is looked at in one step has a gradient too, for those who teach it.
TEST(LookingBackInDouble, GradientsOfTheWeights) {
  Parameters<double> p;
  const auto& x = p.add("x", {3, 2, 2}, 0);
  const AttentiveRnn<double> rnn(p, "rnn", 2, 3);
  const Lstmn<double> lstmn(p, "lstmn", 2, 3);
  testing::randomise(p);
  const Lengths lengths = {3, 2};
  testing::expect_gradients(p, [&](Graph<double>& g) {
    const auto a = rnn(g, g.use(x), lengths);
    const auto b = lstmn(g, g.use(x), lengths);
    return testing::weighed_sum(g, {a.last.weights, b.last.weights});
  });
}

// A page that writes with a language model: a word at a time, all memory but the tapes given back after each.
template <class Network>
void expect_the_same_step_by_step() {
  using T = typename Network::Number;
  constexpr std::size_t kSteps = 11, kBatch = 2, kWidth = 5;
  Parameters<T> p;
  const auto& x = p.add("x", {kSteps, kBatch, 3}, 1);
  const Network network(p, "network", 3, kWidth);
  Graph<T> whole;
  const Var<T> looks = whole.make({kBatch, kSteps, kSteps});
  const auto expected = network(whole, whole.use(x), {}, Direction::kForward, looks);
  Graph<T> g;
  auto state = network.start(g, g.make({kSteps, kBatch, kWidth}));
  const Arena::Mark mark = g.arena().mark();
  const auto give_back = [&] {  // and see to it that nothing given back is read again
    g.rewind(mark);
    std::fill_n(g.template scratch<T>(4096), 4096, T(1e9));
    g.rewind(mark);
  };
  for (std::size_t t = 0; t < kSteps; ++t) {
    give_back();
    const auto gates = network.gates(g, g.use(x).slice(t * kBatch, kBatch));
    if (t == 5) state.head = TapeHead(kSteps, kBatch, Direction::kForward, t);
    state = network.step(g, gates, state);
    const Var<T> h = expected.states.slice(t * kBatch, kBatch);
    for (std::size_t i = 0; i < h.size(); ++i) ASSERT_NEAR(Network::output(state).value[i], h.value[i], 1e-6) << t;
    for (std::size_t b = 0; b < kBatch; ++b) {
      for (std::size_t i = 0; i < state.weights.width(); ++i) {
        ASSERT_NEAR(state.weights.value[b * state.weights.width() + i], looks.value[(b * kSteps + t) * kSteps + i], 1e-6);
      }
    }
  }
  give_back();
  const Var<T> rest = rest_of<T>(state), expected_rest = rest_of<T>(expected.last);
  for (std::size_t i = 0; i < rest.size(); ++i) EXPECT_NEAR(rest.value[i], expected_rest.value[i], 1e-6);
  try {
    network.step(g, network.gates(g, g.zeros({kBatch, 3})), state);
    FAIL();
  } catch (const ShapeError& e) {
    EXPECT_NE(std::string(e.what()).find("the tapes have room for 11 steps, expected more"), std::string::npos);
  }
}

TYPED_TEST(LookingBack, StepByStepIsTheSame) {
  expect_the_same_step_by_step<AttentiveRnn<TypeParam>>();
  expect_the_same_step_by_step<Lstmn<TypeParam>>();
}

// Sequences may begin to differ in length after steps that all of them took.
TEST(LookingBackInDouble, LengthsMayComeLate) {
  Parameters<double> p;
  const auto& x = p.add("x", {4, 2, 3}, 1);
  const Lstmn<double> lstmn(p, "lstmn", 3, 4);
  Graph<double> g;
  const Lengths lengths = {4, 2};
  const auto expected = lstmn(g, g.use(x), lengths);
  auto state = lstmn.start(g, g.make({4, 2, 4}));
  const unsigned char first[] = {1, 0};
  for (std::size_t t = 0; t < 4; ++t) {
    const auto gates = lstmn.gates(g, g.use(x).slice(t * 2, 2));
    state = t < 2 ? lstmn.step(g, gates, state) : lstmn.step(g, gates, state, first);
  }
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(state.last.h.value[i], expected.last.last.h.value[i]);
    EXPECT_EQ(state.last.c.value[i], expected.last.last.c.value[i]);
  }
}

TEST(LookingBackErrors, ShapesThatDoNotFitAreNamed) {
  Parameters<float> p;
  const AttentiveRnn<float> rnn(p, "rnn", 2, 3);
  const Lstmn<float> lstmn(p, "lstmn", 2, 3);
  Graph<float> g;
  const auto message = [](auto&& call) -> std::string {
    try {
      call();
    } catch (const ShapeError& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_EQ(message([&] { rnn.start(g, g.zeros({5, 2, 4})); }),
            "AttentiveRnn: tape of states is [5, 2, 4], expected [5, 2, 3]");
  EXPECT_EQ(message([&] { lstmn.start(g, g.zeros({5, 2, 4})); }), "Lstmn: tape of states is [5, 2, 4], expected [5, 2, 3]");
  EXPECT_EQ(message([&] { lstmn(g, g.zeros({5, 2, 2}), {}, Direction::kForward, g.zeros({5, 2, 2})); }),
            "Lstmn: weights is [5, 2, 2], expected [2, 5, 5]");
  EXPECT_EQ(message([&] { rnn(g, g.zeros({5, 2, 2}), {}, Direction::kForward, g.zeros({2, 5, 4})); }),
            "AttentiveRnn: weights is [2, 5, 4], expected [2, 5, 5]");
  EXPECT_EQ(message([&] { lstmn(g, g.zeros({5, 2}), {}); }), "Lstmn: x is [5, 2], expected [T, B, in]");
}

}  // namespace
}  // namespace softalign::layers
