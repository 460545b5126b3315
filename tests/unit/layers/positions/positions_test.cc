#include "layers/positions/positions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "layers/positions/continuous.h"
#include "layers/positions/learned.h"
#include "layers/positions/recurrent.h"
#include "layers/positions/sinusoidal.h"
#include "unit/support/errors.h"
#include "unit/support/allocations.h"
#include "unit/support/golden.h"
#include "unit/support/gradients.h"

namespace softalign::layers {
namespace {

using testing::Golden;

template <class T>
class Positions : public ::testing::Test {};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Positions, Numbers);

template <class T>
std::vector<T> values(const Var<T>& v) {
  return {v.value, v.value + v.size()};
}

// encode(g) gives the positions of the golden file, whose weights are `weights` of ours in `p`.
template <class T, class Encode>
void expect_golden_positions(const Golden& golden, Parameters<T>& p, const std::vector<std::string>& weights,
                             Encode encode) {
  const auto& x = testing::add_input(p, golden, "input.x");
  for (const std::string& name : weights) testing::load(p, golden, "p." + name, "weight." + name);
  std::vector<T> gradients(p.size());
  Graph<T> g(gradients.data(), 1);
  const Var<T> positions = encode(g), y = ops::add_positions(g, g.use(x), positions);
  EXPECT_EQ(positions.shape.to_string(), golden.shape("output.positions").to_string());
  testing::expect_golden(golden, "output.positions", positions.value, positions.size());
  testing::expect_golden(golden, "output.y", y.value, y.size());
  g.backward(testing::weighed_sum<T>(g, {{y, testing::seed_of<T>(golden, "seed.y")}}));
  testing::expect_golden_gradient(golden, "grad.x", p, "input.x", gradients);
  for (const std::string& name : weights) {
    testing::expect_golden_gradient(golden, "grad." + name, p, "p." + name, gradients);
  }
}

TYPED_TEST(Positions, SinusoidalAgreeWithPyTorch) {
  using T = TypeParam;
  for (const char* name : {"sinusoidal_positions", "sinusoidal_positions_odd", "sinusoidal_positions_one"}) {
    SCOPED_TRACE(name);
    const Golden golden(name);
    const Shape shape = golden.shape("output.positions");
    Parameters<T> p;
    const SinusoidalPositions<T> encode(shape.width());
    expect_golden_positions(golden, p, {}, [&](Graph<T>& g) { return encode(g, shape[0]); });
  }
}

TYPED_TEST(Positions, LearnedAgreeWithPyTorch) {
  using T = TypeParam;
  for (const char* name : {"learned_positions", "learned_positions_one"}) {
    SCOPED_TRACE(name);
    const Golden golden(name);
    const Shape table = golden.shape("weight.weight");
    Parameters<T> p;
    const LearnedPositions<T> encode(p, "p", table[0], table[1]);
    expect_golden_positions(golden, p, {"weight"},
                            [&](Graph<T>& g) { return encode(g, golden.shape("output.positions")[0]); });
  }
}

TYPED_TEST(Positions, RecurrentAgreeWithPyTorch) {
  using T = TypeParam;
  for (const char* name : {"recurrent_positions", "recurrent_positions_one"}) {
    SCOPED_TRACE(name);
    const Golden golden(name);
    const Shape shape = golden.shape("output.positions");
    Parameters<T> p;
    const RecurrentPositions<T> encode(p, "p", shape.width());
    expect_golden_positions(golden, p, {"first", "weight", "bias"}, [&](Graph<T>& g) { return encode(g, shape[0]); });
  }
}

TYPED_TEST(Positions, ContinuousAgreeWithPyTorch) {
  using T = TypeParam;
  const std::vector<std::string> weights = {"first", "hidden.weight", "hidden.bias", "time", "out.weight", "out.bias"};
  const std::pair<const char*, std::size_t> cases[] = {
      {"continuous_positions", 4}, {"continuous_positions_uneven", 3}, {"continuous_positions_one", 2}};
  for (const auto& [name, solver_steps] : cases) {
    SCOPED_TRACE(name);
    const Golden golden(name);
    const Shape hidden = golden.shape("weight.hidden.weight");
    const auto given = golden.floats("input.times");
    const std::vector<double> times(given.begin(), given.end());
    Parameters<T> p;
    const ContinuousPositions<T> encode(p, "p", hidden[1], hidden[0], solver_steps);
    expect_golden_positions(golden, p, weights, [&](Graph<T>& g) { return encode(g, times); });
    if (times.size() < 2 || times[1] != 1.0) continue;
    Graph<T> g;  // whole positions are times 0, 1, 2, ...
    EXPECT_EQ(values(encode(g, times.size())), values(encode(g, times)));
  }
}

// One of each, with weights that are not at their start.
template <class T>
struct OneOfEach {
  OneOfEach() {
    for (auto& p : parameters.all()) {
      for (T& v : p.value) v += static_cast<T>(0.3);
    }
  }
  // body(name, positions)
  template <class Body>
  void each(Body body) const {
    body("sinusoidal", sinusoidal);
    body("learned", learned);
    body("recurrent", recurrent);
    body("continuous", continuous);
  }
  Parameters<T> parameters;
  SinusoidalPositions<T> sinusoidal{5};
  LearnedPositions<T> learned{parameters, "learned", 12, 5};
  RecurrentPositions<T> recurrent{parameters, "recurrent", 5};
  ContinuousPositions<T> continuous{parameters, "continuous", 5, 4, 2};
};

TYPED_TEST(Positions, OneAloneIsTheSameAsAmongAll) {
  using T = TypeParam;
  const OneOfEach<T> all;
  all.each([](const char* name, const auto& positions) {
    SCOPED_TRACE(name);
    Graph<T> g;
    EXPECT_EQ(positions.width(), 5u);
    const Var<T> whole = positions(g, 12);
    EXPECT_EQ(whole.shape, (Shape{12, 5}));
    for (const std::size_t t : {0, 1, 7, 11}) {
      const Var<T> one = positions.at(g, t);
      EXPECT_EQ(one.shape, (Shape{1, 5}));
      for (std::size_t i = 0; i < 5; ++i) {
        // the continuous ones get there by other steps, which round differently
        EXPECT_NEAR(one.value[i], whole.slice(t, 1).value[i], 1e-5) << "position " << t;
      }
    }
  });
}

TYPED_TEST(Positions, InferringAllocatesNothingOnceWarm) {
  using T = TypeParam;
  if (!testing::kAllocationsAreCounted) GTEST_SKIP() << "allocations are not counted under AddressSanitizer";
  const OneOfEach<T> all;
  all.each([](const char* name, const auto& positions) {
    Graph<T> g;
    positions(g, 12);
    g.rewind();
    const std::size_t before = testing::allocations();
    positions(g, 12);
    EXPECT_EQ(testing::allocations() - before, 0u) << name;
  });
}

TEST(Positions, Gradients) {
  Parameters<double> p;
  const auto& x = p.add("x", {3, 2, 4}, 0);
  const auto& y = p.add("y", {2, 4}, 0);
  const LearnedPositions<double> learned(p, "learned", 5, 4);
  const RecurrentPositions<double> recurrent(p, "recurrent", 4);
  const ContinuousPositions<double> continuous(p, "continuous", 4, 3, 2);
  const SinusoidalPositions<double> sinusoidal(4);
  testing::randomise(p);
  const double times[] = {0.3, 0.3, 1.75};
  testing::expect_gradients(p, [&](Graph<double>& g) {
    const auto added = [&](Var<double> positions) { return ops::add_positions(g, g.use(x), positions); };
    return testing::weighed_sum(
        g, {added(learned(g, 3)), added(recurrent(g, 3)), added(continuous(g, 3)), added(continuous(g, times)),
            added(sinusoidal(g, 3)), ops::add_positions(g, g.use(y), learned.at(g, 4)), recurrent.at(g, 2)});
  });
}

TEST(AddPositions, BroadcastsOverTheBatch) {
  Graph<float> g;
  const float rows[] = {1, 2, 3, 4, 5, 6, 7, 8}, of_positions[] = {10, 20, 30, 40};
  const Var<float> p = g.constant({2, 2}, of_positions);
  const Var<float> y = ops::add_positions(g, g.constant({2, 2, 2}, rows), p);
  EXPECT_EQ(y.shape, (Shape{2, 2, 2}));
  EXPECT_EQ(values(y), (std::vector<float>{11, 22, 13, 24, 35, 46, 37, 48}));
  const Var<float> step = ops::add_positions(g, g.constant({2, 2}, rows), p.slice(1, 1));
  EXPECT_EQ(step.shape, (Shape{2, 2}));
  EXPECT_EQ(values(step), (std::vector<float>{31, 42, 33, 44}));
}

TEST(AddPositions, ShapesThatDoNotFitAreNamed) {
  Graph<float> g;
  EXPECT_THROW(ops::add_positions(g, g.zeros({3, 2, 4}), g.zeros({2, 4})), ShapeError);
  EXPECT_THROW(ops::add_positions(g, g.zeros({3, 2, 4}), g.zeros({3, 5})), ShapeError);
  EXPECT_THROW(ops::add_positions(g, g.zeros({2, 4}), g.zeros({2, 4})), ShapeError);
  try {
    ops::add_positions(g, g.zeros({4}), g.zeros({1, 4}));
    FAIL();
  } catch (const ShapeError& e) {
    EXPECT_STREQ(e.what(), "add_positions: x is [4], expected [T, B, D] or [B, D]");
  }
}

// A path whose equation has a solution in closed form, through the weights of a network 1 wide.
class Solved {
 public:
  // h(s, p) = out * tanh(along * p + time * s + bias)
  Solved(double first, double along, double time, double bias, std::size_t solver_steps)
      : positions_(p_, "p", 1, 1, solver_steps) {
    const auto set = [&](const char* name, double value) { p_.find(name)->value[0] = value; };
    set("p.first", first);
    set("p.hidden.weight", along);
    set("p.time", time);
    set("p.hidden.bias", bias);
    set("p.out.weight", 1);
    set("p.out.bias", 0);
  }
  double operator()(double t) {
    Graph<double> g;
    return positions_.at_time(g, t).value[0];
  }

 private:
  Parameters<double> p_;
  ContinuousPositions<double> positions_;
};

TEST(ContinuousPositions, SolveTheirEquation) {
  for (const double t : {0.0, 0.37, 1.0, 4.5}) {
    // p' = tanh 0.7
    EXPECT_NEAR(Solved(2, 0, 0, 0.7, 1)(t), 2 + t * std::tanh(0.7), 1e-12);
    // p' = tanh s, p = ln cosh t
    EXPECT_NEAR(Solved(0, 0, 1, 0, 32)(t), std::log(std::cosh(t)), 1e-7);
    // p' = tanh p, sinh p = e^t sinh p(0)
    EXPECT_NEAR(Solved(0.4, 1, 0, 0, 32)(t), std::asinh(std::exp(t) * std::sinh(0.4)), 1e-7);
  }
}

TEST(ContinuousPositions, AreOfOrderFour) {
  const double exact = std::asinh(std::exp(2.0) * std::sinh(0.4));
  double before = 0;
  for (const std::size_t steps : {1, 2, 4, 8}) {
    const double error = std::abs(Solved(0.4, 1, 0, 0, steps)(2) - exact);
    // half the step, a sixteenth of the error
    if (steps > 1) {
      EXPECT_TRUE(before / error > 10 && before / error < 24) << before / error;
    }
    before = error;
  }
}

TEST(ContinuousPositions, MoreTimesBetweenChangeLittle) {
  Parameters<double> p;
  const ContinuousPositions<double> positions(p, "p", 6, 8, 8);
  testing::randomise(p, 0.5);
  std::vector<double> fine;
  for (int i = 0; i <= 40; ++i) fine.push_back(i * 0.1);
  Graph<double> g;
  const Var<double> coarse = positions(g, 5), dense = positions(g, fine);
  for (std::size_t t = 0; t < 5; ++t) {
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_NEAR(coarse.value[t * 6 + i], dense.value[10 * t * 6 + i], 1e-4) << "position " << t;
    }
  }
}

TYPED_TEST(Positions, NotANumberFlowsFromWhereItIs) {
  using T = TypeParam;
  OneOfEach<T> all;
  for (auto& p : all.parameters.all()) {
    if (p.name == "learned.weight") p.value[2 * 5] = std::numeric_limits<T>::quiet_NaN();
    if (p.name == "recurrent.weight" || p.name == "continuous.time") p.value[0] = std::numeric_limits<T>::quiet_NaN();
  }
  Graph<T> g;
  const Var<T> learned = all.learned(g, 4), recurrent = all.recurrent(g, 4), continuous = all.continuous(g, 4);
  EXPECT_TRUE(std::isnan(learned.value[2 * 5]));
  EXPECT_EQ(std::count_if(learned.value, learned.value + 20, [](T v) { return std::isnan(v); }), 1);
  for (const Var<T>& v : {recurrent, continuous}) {
    for (std::size_t i = 0; i < 5; ++i) EXPECT_FALSE(std::isnan(v.value[i])) << i;
    EXPECT_TRUE(std::isnan(v.value[5]));
    EXPECT_TRUE(std::isnan(v.value[15]));
  }
}

TYPED_TEST(Positions, WhatIsOutOfRangeIsNamed) {
  using T = TypeParam;
  OneOfEach<T> all;
  Parameters<T>& p = all.parameters;
  Graph<T> g;
  all.each([&](const char* name, const auto& positions) { EXPECT_THROW(positions(g, 0), ArgumentError) << name; });
  EXPECT_EQ(testing::message_of<ArgumentError>([&] { all.recurrent(g, 0); }),
            "RecurrentPositions: it is asked for 0 positions, expected at least 1");
  EXPECT_EQ(testing::message_of<ArgumentError>([&] { all.learned(g, 13); }),
            "LearnedPositions: a position is 12, expected 0..11, which its table holds");
  EXPECT_EQ(testing::message_of<ArgumentError>([&] { all.learned.at(g, 12); }),
            "LearnedPositions: a position is 12, expected 0..11, which its table holds");
  EXPECT_EQ(testing::message_of<ArgumentError>([&] { all.learned.at(g, std::numeric_limits<std::size_t>::max()); }).find("LearnedPositions:"), 0u);
  EXPECT_THROW(SinusoidalPositions<T>(0), ArgumentError);
  EXPECT_THROW(LearnedPositions<T>(p, "none", 0, 4), ArgumentError);
  EXPECT_THROW(LearnedPositions<T>(p, "none", 4, 0), ArgumentError);
  EXPECT_THROW(RecurrentPositions<T>(p, "none", 0), ArgumentError);
  EXPECT_THROW(ContinuousPositions<T>(p, "none", 0, 2, 1), ArgumentError);
  EXPECT_THROW(ContinuousPositions<T>(p, "none", 2, 0, 1), ArgumentError);
  EXPECT_THROW(ContinuousPositions<T>(p, "none", 2, 2, 0), ArgumentError);
  const double backwards[] = {0, 2, 1};
  EXPECT_EQ(testing::message_of<ArgumentError>([&] { all.continuous(g, backwards); }),
            "ContinuousPositions: times[2] is 1.000000, expected 2.000000..1000000.000000");
  for (const double bad : {-0.5, 1e9, std::nan(""), double(INFINITY)}) {
    EXPECT_THROW(all.continuous.at_time(g, bad), ArgumentError) << bad;
  }
}

// Marian's order, from its formula: sines of rates 10000^(-i / (D / 2 - 1)), then their cosines.
TEST(SinusoidalPositions, InHalves) {
  for (const std::size_t width : {4, 7, 16}) {
    const SinusoidalPositions<double> positions(width, SinusoidalPositions<double>::Order::kHalves);
    Graph<double> g;
    const auto p = positions(g, 200);  // more than are kept
    const std::size_t half = width / 2;
    for (const std::size_t t : {0, 1, 5, 127, 128, 199}) {
      for (std::size_t i = 0; i < half; ++i) {
        const double angle = double(t) * std::exp(-double(i) * std::log(10000.0) / double(half - 1));
        EXPECT_NEAR(p.value[t * width + i], std::sin(angle), 1e-9) << width << ", " << t << ", " << i;
        EXPECT_NEAR(p.value[t * width + half + i], std::cos(angle), 1e-9) << width << ", " << t << ", " << i;
      }
      if (width % 2) {
        EXPECT_EQ(p.value[t * width + width - 1], 0);
      }
      const auto alone = positions.at(g, t);
      for (std::size_t i = 0; i < width; ++i) EXPECT_EQ(alone.value[i], p.value[t * width + i]);
    }
  }
}

}  // namespace
}  // namespace softalign::layers
