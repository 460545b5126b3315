#include "layers/recurrent/gru.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "unit/support/golden.h"
#include "unit/support/gradients.h"

namespace softalign::layers {
namespace {

using testing::Golden;
using Lengths = std::vector<std::int32_t>;

template <class T>
class Gru_ : public ::testing::Test {};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Gru_, Numbers);

constexpr const char* kParts[] = {"weight_ih", "weight_hh", "bias_ih", "bias_hh"};

template <class T>
void load_gru(Parameters<T>& p, const Golden& golden, const std::string& name, const std::string& suffix) {
  for (const std::string part : kParts) testing::load(p, golden, name + "." + part, "weight." + part + suffix);
}

template <class T>
void expect_gru_gradients(const Golden& golden, const Parameters<T>& p, const std::string& name,
                          const std::string& suffix, const std::vector<T>& gradients) {
  for (const std::string part : kParts) {
    testing::expect_golden_gradient(golden, "grad." + part + suffix, p, name + "." + part, gradients);
  }
}

// states [T, B, D] against the golden ones, up to each sequence's own end: beyond it PyTorch has 0.
template <class T>
void expect_states(const Golden& golden, const Var<T>& states, const Lengths& lengths) {
  std::vector<T> inside(states.value, states.value + states.size());
  const std::size_t B = states.shape[1], D = states.shape[2];
  for (std::size_t t = 0; t < states.shape[0]; ++t) {
    for (std::size_t b = 0; b < B; ++b) {
      if (t >= static_cast<std::size_t>(lengths[b])) std::fill_n(inside.begin() + static_cast<std::ptrdiff_t>((t * B + b) * D), D, T(0));
    }
  }
  testing::expect_golden(golden, "output.states", inside.data(), inside.size());
}

template <class T>
std::vector<T> seed_of(const Golden& golden, const std::string& name) {
  const auto seed = golden.floats(name);
  return {seed.begin(), seed.end()};
}

// [2, B, H], as PyTorch has it, to [B, 2H], as ours is.
template <class T>
std::vector<T> side_by_side(const std::vector<T>& x, std::size_t B, std::size_t H) {
  std::vector<T> y(x.size());
  for (std::size_t d = 0; d < 2; ++d) {
    for (std::size_t b = 0; b < B; ++b) {
      for (std::size_t h = 0; h < H; ++h) y[b * 2 * H + d * H + h] = x[(d * B + b) * H + h];
    }
  }
  return y;
}

TYPED_TEST(Gru_, OneDirectionAgreesWithPyTorch) {
  using T = TypeParam;
  const Golden golden("gru_one_step");
  const Lengths lengths = golden.ints("input.lengths");
  Parameters<T> p;
  const auto& x = testing::add_input(p, golden, "input.x");
  const Gru<T> gru(p, "gru", 3, 4);
  load_gru(p, golden, "gru", "_l0");
  std::vector<T> gradients(p.size());
  Graph<T> g(gradients.data(), 1);
  const auto sequence = gru(g, g.use(x), lengths);
  expect_states(golden, sequence.states, lengths);
  testing::expect_golden(golden, "output.last", sequence.last.value, sequence.last.size());
  g.backward(testing::weighed_sum<T>(g, {{sequence.states, seed_of<T>(golden, "seed.states")},
                                         {sequence.last, seed_of<T>(golden, "seed.last")}}));
  testing::expect_golden_gradient(golden, "grad.x", p, "input.x", gradients);
  expect_gru_gradients(golden, p, "gru", "_l0", gradients);
}

// Step by step from a given state, as a decoder uses it.
TYPED_TEST(Gru_, StepsFromAGivenStateAgreeWithPyTorch) {
  using T = TypeParam;
  const Golden golden("gru_padded");
  const Lengths lengths = golden.ints("input.lengths");
  const std::size_t steps = 7, B = 3, H = 4;
  Parameters<T> p;
  const auto& x = testing::add_input(p, golden, "input.x");
  const auto& initial = testing::add_input(p, golden, "input.initial");
  const Gru<T> gru(p, "gru", 5, H);
  load_gru(p, golden, "gru", "_l0");
  std::vector<T> gradients(p.size());
  Graph<T> g(gradients.data(), 1);
  const Var<T> gates = gru.gates(g, g.use(x)).reshape({steps * B, 3 * H});
  const Var<T> states = g.make({steps, B, H});
  Var<T> h = g.use(initial).reshape({B, H});
  for (std::size_t t = 0; t < steps; ++t) {
    unsigned char active[3];
    for (std::size_t b = 0; b < B; ++b) active[b] = static_cast<std::size_t>(lengths[b]) > t;
    h = gru.step(g, gates.slice(t * B, B), h, active, states.slice(t * B, B));
  }
  expect_states(golden, states, lengths);
  testing::expect_golden(golden, "output.last", h.value, h.size());
  g.backward(testing::weighed_sum<T>(
      g, {{states, seed_of<T>(golden, "seed.states")}, {h, seed_of<T>(golden, "seed.last")}}));
  testing::expect_golden_gradient(golden, "grad.x", p, "input.x", gradients);
  testing::expect_golden_gradient(golden, "grad.initial", p, "input.initial", gradients);
  expect_gru_gradients(golden, p, "gru", "_l0", gradients);
}

TYPED_TEST(Gru_, BothDirectionsAgreeWithPyTorch) {
  using T = TypeParam;
  struct Case {
    const char* name;
    std::size_t in, width;
  };
  for (const auto& [name, in, width] : {Case{"gru_bidirectional", 6, 5}, {"gru_batch_of_one", 3, 17}, {"gru_long", 4, 8}}) {
    SCOPED_TRACE(name);
    const Golden golden(name);
    const Lengths lengths = golden.ints("input.lengths");
    const std::size_t B = lengths.size();
    Parameters<T> p;
    const auto& x = testing::add_input(p, golden, "input.x");
    const BidirectionalGru<T> gru(p, "gru", in, width);
    load_gru(p, golden, "gru.forward", "_l0");
    load_gru(p, golden, "gru.backward", "_l0_reverse");
    std::vector<T> gradients(p.size());
    Graph<T> g(gradients.data(), 1);
    const auto sequence = gru(g, g.use(x), lengths);
    expect_states(golden, sequence.states, lengths);
    const auto last = side_by_side(golden.floats("output.last"), B, width);
    for (std::size_t i = 0; i < last.size(); ++i) {
      ASSERT_NEAR(static_cast<double>(sequence.last.value[i]), last[i], testing::kGoldenTolerance<T> * 2);
    }
    g.backward(testing::weighed_sum<T>(
        g, {{sequence.states, seed_of<T>(golden, "seed.states")},
            {sequence.last, side_by_side(seed_of<T>(golden, "seed.last"), B, width)}}));
    testing::expect_golden_gradient(golden, "grad.x", p, "input.x", gradients);
    expect_gru_gradients(golden, p, "gru.forward", "_l0", gradients);
    expect_gru_gradients(golden, p, "gru.backward", "_l0_reverse", gradients);
  }
}

TEST(Gru, Gradients) {
  Parameters<double> p;
  const auto& x = p.add("x", {4, 3, 2}, 0);
  const Gru<double> gru(p, "gru", 2, 3);
  const BidirectionalGru<double> both(p, "both", 2, 3);
  testing::randomise(p);
  const Lengths lengths = {3, 1, 4};
  testing::expect_gradients(p, [&](Graph<double>& g) {
    const auto forward = gru(g, g.use(x), lengths);
    const auto backward = gru(g, g.use(x), lengths, Gru<double>::Direction::kBackward);
    const auto all = both(g, g.use(x), lengths);
    return testing::weighed_sum(g, {forward.states, forward.last, backward.states, backward.last, all.states, all.last});
  });
}

TEST(Gru, PaddingDoesNotMatter) {
  Parameters<float> p;
  const auto& x = p.add("x", {5, 2, 3}, 1);
  const BidirectionalGru<float> gru(p, "gru", 3, 4);
  const Lengths lengths = {2, 5}, one = {2};
  const auto run = [&] {
    Graph<float> g;
    const auto s = gru(g, g.use(x), lengths);
    std::vector<float> all(s.last.value, s.last.value + s.last.size());
    for (std::size_t t = 0; t < 5; ++t) {
      for (std::size_t b = 0; b < 2; ++b) {
        if (t >= static_cast<std::size_t>(lengths[b])) continue;
        const float* row = s.states.value + (t * 2 + b) * 8;
        all.insert(all.end(), row, row + 8);
      }
    }
    return all;
  };
  const auto before = run();
  for (std::size_t t = 2; t < 5; ++t) {
    for (std::size_t i = 0; i < 3; ++i) p.find("x")->value[(t * 2 + 0) * 3 + i] = 1e6f;
  }
  EXPECT_EQ(run(), before);

  // and the first sequence alone, without padding, gives the same
  std::vector<float> alone;
  for (std::size_t t = 0; t < 2; ++t) {
    for (std::size_t i = 0; i < 3; ++i) alone.push_back(x.value[(t * 2 + 0) * 3 + i]);
  }
  Graph<float> g;
  const auto s = gru(g, g.constant({2, 1, 3}, alone.data()), one);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(s.last.value[i], before[i], 1e-6f);
}

TEST(Gru, BeyondALengthStandsWhatItsHeaderSays) {
  Parameters<float> p;
  const auto& x = p.add("x", {3, 2, 2}, 1);
  const Gru<float> gru(p, "gru", 2, 3);
  const Lengths lengths = {1, 3};
  Graph<float> g;
  const auto forward = gru(g, g.use(x), lengths), backward = gru(g, g.use(x), lengths, Gru<float>::Direction::kBackward);
  for (const std::size_t t : {1, 2}) {
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(forward.states.value[(t * 2 + 0) * 3 + i], forward.last.value[i]);
      EXPECT_EQ(backward.states.value[(t * 2 + 0) * 3 + i], 0.0f);
    }
  }
}

TEST(Gru, WithoutLengthsAllRowsAreWhole) {
  Parameters<float> p;
  const auto& x = p.add("x", {3, 2, 2}, 1);
  const BidirectionalGru<float> gru(p, "gru", 2, 3);
  const Lengths lengths = {3, 3};
  Graph<float> g;
  const auto with = gru(g, g.use(x), lengths), without = gru(g, g.use(x), {});
  for (std::size_t i = 0; i < with.states.size(); ++i) EXPECT_EQ(with.states.value[i], without.states.value[i]);
}

TEST(Gru, ShapesThatDoNotFitAreNamed) {
  Parameters<float> p;
  const Gru<float> gru(p, "gru", 2, 3);
  Graph<float> g;
  const Lengths one = {2};
  EXPECT_THROW(gru(g, g.zeros({3, 2}), {}), ShapeError);
  EXPECT_THROW(gru(g, g.zeros({3, 2, 4}), {}), ShapeError);
  EXPECT_THROW(gru(g, g.zeros({3, 2, 2}), one), ShapeError);
}

TEST(Gru, LengthsOutsideTheSequenceAreNamed) {
  Parameters<float> p;
  const Gru<float> gru(p, "gru", 2, 3);
  Graph<float> g;
  for (const std::int32_t bad : {-1, 0, 4}) {
    const Lengths lengths = {3, bad};
    EXPECT_THROW(gru(g, g.zeros({3, 2, 2}), lengths), ShapeError) << bad;
  }
}

}  // namespace
}  // namespace softalign::layers
