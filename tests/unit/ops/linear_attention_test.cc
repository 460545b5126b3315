#include "ops/linear_attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "ops/elementwise.h"
#include "unit/support/allocations.h"
#include "unit/support/gradients.h"

namespace softalign::ops {
namespace {

using Lengths_ = std::vector<std::int32_t>;

template <class T>
class LinearAttentionOps : public ::testing::Test {};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(LinearAttentionOps, Numbers);

template <class T>
std::vector<T> values(const Var<T>& v) {
  return {v.value, v.value + v.size()};
}

// Queries, keys and values of 2 heads of 3, with a sequence that ends early.
template <class T>
struct Inputs {
  static constexpr std::size_t kSteps = 6, kBatch = 3, kHeads = 2, kWidth = 6;
  Lengths_ lengths = {6, 1, 4};
  Parameters<T> p;
  const Parameter<T>&q = p.add("q", {kSteps, kBatch, kWidth}, 1), &k = p.add("k", {kSteps, kBatch, kWidth}, 1),
              &v = p.add("v", {kSteps, kBatch, kWidth}, 1);
};

// The causal form as a row of steps -> [T, B, H A] up to each length, 0 beyond.
template <class T>
Var<T> by_steps(Graph<T>& g, Var<T> q, Var<T> k, Var<T> v, const Inputs<T>& in) {
  const std::size_t B = in.kBatch, H = in.kHeads, A = in.kWidth / H;
  LinearAttentionState<T> state = {g.zeros({B, H, A, A}), g.zeros({B, H, A})};
  const Var<T> y = g.zeros(q.shape);
  for (std::size_t t = 0; t < in.kSteps; ++t) {
    const auto step = linear_attention_step(g, q.slice(t * B, B), k.slice(t * B, B), v.slice(t * B, B), state);
    for (std::size_t b = 0; b < B; ++b) {
      if (t < static_cast<std::size_t>(in.lengths[b])) copy(g, step.y.slice(b, 1), y.slice(t * B + b, 1));
    }
    state = step.state;
  }
  return y;
}

TYPED_TEST(LinearAttentionOps, TheCausalFormAndItsStepsAgreeInValueAndGradient) {
  using T = TypeParam;
  Inputs<T> in;
  const auto run = [&](bool steps) {
    std::vector<T> gradients(in.p.size());
    Graph<T> g(gradients.data(), 1);
    const Var<T> q = elu_plus_one(g, g.use(in.q)), k = elu_plus_one(g, g.use(in.k)), v = g.use(in.v);
    const Var<T> y = steps ? by_steps(g, q, k, v, in) : causal_linear_attention(g, q, k, v, in.kHeads, in.lengths);
    std::vector<T> seed(y.size());
    Random random(5);
    for (T& s : seed) s = static_cast<T>(random.normal());
    auto all = values(y);
    g.backward(testing::weighed_sum<T>(g, {{y, seed}}));
    all.insert(all.end(), gradients.begin(), gradients.end());
    return all;
  };
  const auto at_once = run(false), stepwise = run(true);
  const double rounding = 20 * double(std::numeric_limits<T>::epsilon());
  for (std::size_t i = 0; i < at_once.size(); ++i) {
    ASSERT_NEAR(at_once[i], stepwise[i], rounding * (1 + std::abs(double(at_once[i])))) << i;
  }
}

TYPED_TEST(LinearAttentionOps, AllFormsAreTheirWeightsTimesTheValues) {
  using T = TypeParam;
  Inputs<T> in;
  Graph<T> g;
  const Var<T> q = elu_plus_one(g, g.use(in.q)), k = elu_plus_one(g, g.use(in.k)), v = g.use(in.v);
  const std::size_t B = in.kBatch, H = in.kHeads, S = in.kSteps, A = in.kWidth / H;
  for (const bool causal : {false, true}) {
    const Var<T> w = linear_attention_weights(g, q, k, H, in.lengths, causal);
    EXPECT_EQ(w.shape, (Shape{B, H, S, S}));
    const Var<T> y = causal ? causal_linear_attention(g, q, k, v, H, in.lengths)
                            : linear_attention(g, q, k, v, H, in.lengths);
    for (std::size_t b = 0; b < B; ++b) {
      const std::size_t length = static_cast<std::size_t>(in.lengths[b]);
      for (std::size_t h = 0; h < H; ++h) {
        for (std::size_t t = 0; t < S; ++t) {
          const T* row = w.value + ((b * H + h) * S + t) * S;
          double total = 0;
          for (std::size_t s = 0; s < S; ++s) {
            const bool seen = t < length && s < length && (!causal || s <= t);
            EXPECT_EQ(row[s] > 0, seen) << b << " " << t << " " << s;
            total += row[s];
          }
          EXPECT_NEAR(total, t < length ? 1 : 0, 1e-6);
          for (std::size_t i = 0; i < A; ++i) {
            double expected = 0;
            for (std::size_t s = 0; s < S; ++s) expected += double(row[s]) * v.value[(s * B + b) * H * A + h * A + i];
            EXPECT_NEAR(y.value[(t * B + b) * H * A + h * A + i], expected, 1e-6);
          }
        }
      }
    }
  }
}

TYPED_TEST(LinearAttentionOps, TheLastStepSeesAsMuchCausallyAsOverAll) {
  using T = TypeParam;
  Inputs<T> in;
  Graph<T> g;
  const Var<T> q = elu_plus_one(g, g.use(in.q)), k = elu_plus_one(g, g.use(in.k)), v = g.use(in.v);
  const Var<T> all = linear_attention(g, q, k, v, in.kHeads, in.lengths);
  const Var<T> past = causal_linear_attention(g, q, k, v, in.kHeads, in.lengths);
  for (std::size_t b = 0; b < in.kBatch; ++b) {
    const std::size_t row = (static_cast<std::size_t>(in.lengths[b]) - 1) * in.kBatch + b;
    for (std::size_t i = 0; i < in.kWidth; ++i) {
      const double expected = all.value[row * in.kWidth + i];
      EXPECT_NEAR(past.value[row * in.kWidth + i], expected, 1e-6) << b;
    }
  }
}

TEST(LinearAttentionOps, Gradients) {
  Inputs<double> in;
  testing::randomise(in.p);
  testing::expect_gradients(in.p, [&](Graph<double>& g) {
    const Var<double> q = elu_plus_one(g, g.use(in.q)), k = elu_plus_one(g, g.use(in.k)), v = g.use(in.v);
    return testing::weighed_sum(g, {linear_attention(g, q, k, v, 2, in.lengths), linear_attention(g, q, k, v, 6, {}),
                                    causal_linear_attention(g, q, k, v, 2, in.lengths),
                                    causal_linear_attention(g, q, k, v, 1, {}), by_steps(g, q, k, v, in)});
  });
}

TEST(LinearAttentionOps, GradientsWhereOnlyOneOperandHasOne) {
  Random random(4);
  std::vector<double> above(6 * 3 * 6);
  for (double& x : above) x = random.uniform(0.1, 2);
  for (std::size_t only = 0; only < 3; ++only) {
    Inputs<double> in;
    const Parameter<double>* learned[] = {&in.q, &in.k, &in.v};
    testing::randomise(in.p);
    testing::expect_gradients(in.p, [&](Graph<double>& g) {
      Var<double> x[3];
      for (Var<double>& one : x) one = g.constant({6, 3, 6}, above.data());
      x[only] = elu_plus_one(g, g.use(*learned[only]));
      return testing::weighed_sum(g, {linear_attention(g, x[0], x[1], x[2], 2, in.lengths),
                                      causal_linear_attention(g, x[0], x[1], x[2], 2, in.lengths)});
    });
  }
}

TYPED_TEST(LinearAttentionOps, PaddingDoesNotMatter) {
  using T = TypeParam;
  Inputs<T> in;
  const auto run = [&] {
    std::vector<T> gradients(in.p.size());
    Graph<T> g(gradients.data(), 1);
    const Var<T> q = elu_plus_one(g, g.use(in.q)), k = elu_plus_one(g, g.use(in.k)), v = g.use(in.v);
    const Var<T> all = linear_attention(g, q, k, v, in.kHeads, in.lengths);
    const Var<T> past = causal_linear_attention(g, q, k, v, in.kHeads, in.lengths);
    auto result = values(all);
    for (const T x : values(past)) result.push_back(x);
    const std::vector<T> seed(all.size(), T(0.3));
    g.backward(testing::weighed_sum<T>(g, {{all, seed}, {past, seed}}));
    result.insert(result.end(), gradients.begin(), gradients.end());
    return result;
  };
  const auto before = run();
  for (const char* name : {"q", "k", "v"}) {
    for (std::size_t i = 0; i < in.kWidth; ++i) in.p.find(name)->value[(4 * 3 + 2) * in.kWidth + i] = T(1e6);
  }
  EXPECT_EQ(run(), before);
}

TYPED_TEST(LinearAttentionOps, NotANumberSpoilsWhatSeesIt) {
  using T = TypeParam;
  Inputs<T> in;
  in.p.find("k")->value[(2 * 3 + 0) * in.kWidth] = T(NAN);  // step 2 of sequence 0, head 0
  Graph<T> g;
  const Var<T> q = elu_plus_one(g, g.use(in.q)), k = elu_plus_one(g, g.use(in.k)), v = g.use(in.v);
  const Var<T> all = linear_attention(g, q, k, v, in.kHeads, in.lengths);
  const Var<T> past = causal_linear_attention(g, q, k, v, in.kHeads, in.lengths);
  for (std::size_t t = 0; t < 6; ++t) {
    const std::size_t spoilt = (t * 3 + 0) * in.kWidth, other_head = spoilt + 3, other = (t * 3 + 2) * in.kWidth;
    EXPECT_TRUE(std::isnan(all.value[spoilt])) << t;
    EXPECT_EQ(std::isnan(past.value[spoilt]), t >= 2) << t;
    for (const std::size_t i : {other_head, other}) EXPECT_FALSE(std::isnan(all.value[i]) || std::isnan(past.value[i]));
  }
}

TYPED_TEST(LinearAttentionOps, FeaturesThatUnderflowGiveZero) {
  using T = TypeParam;
  std::vector<T> gradients(1);
  Graph<T> g(gradients.data(), 1);
  const Var<T> none = g.zeros({2, 1, 2}), v = g.zeros({2, 1, 2});
  std::fill_n(v.value, 4, T(7));
  const auto expect_zero = [](const Var<T>& x) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_EQ(x.value[i], T(0));
      EXPECT_TRUE(!x.grad || std::isfinite(x.grad[i]));
    }
  };
  const Var<T> all = linear_attention(g, none, none, v, 1, {}), past = causal_linear_attention(g, none, none, v, 1, {});
  g.backward(testing::weighed_sum<T>(g, {{all, std::vector<T>(4, T(1))}, {past, std::vector<T>(4, T(1))}}));
  for (const Var<T>& x : {all, past, none, linear_attention_weights(g, none, none, 1, {}, true)}) expect_zero(x);
}

TEST(LinearAttentionOps, MemoryIsNeitherQuadraticNorOneStateAPosition) {
  const std::size_t steps = 4000, A = 64;
  std::vector<float> none(1);
  Graph<float> g(none.data(), 1);
  const auto ones = [&] {
    const Var<float> x = g.make({steps, 1, A});
    std::fill_n(x.value, x.size(), 1.0f);
    return x;
  };
  const Var<float> q = ones(), k = ones(), v = ones();
  const std::vector<float> seed(steps * A, 1.0f);
  g.backward(testing::weighed_sum<float>(
      g, {{linear_attention(g, q, k, v, 1, {}), seed}, {causal_linear_attention(g, q, k, v, 1, {}), seed}}));
  // 5 tensors with gradients make 10, and twice that is generous; T^2 or T A^2 floats would be over 60 MB
  EXPECT_LT(g.arena().reserved(), 20 * steps * A * sizeof(float));
}

TEST(LinearAttentionOps, StepsInPlaceTakeNoMemory) {
  const std::size_t B = 2, H = 2, A = 3;
  std::vector<double> sums(B * H * A * A), keys(B * H * A);
  const LinearAttentionState<double> state = {{sums.data(), nullptr, {B, H, A, A}, nullptr},
                                              {keys.data(), nullptr, {B, H, A}, nullptr}};
  Inputs<double> in;
  Graph<double> g, apart;
  LinearAttentionState<double> other = {apart.zeros({B, H, A, A}), apart.zeros({B, H, A})};
  std::size_t reserved = 0;
  for (std::size_t t = 0; t < in.kSteps; ++t) {
    const auto row = [&](const Parameter<double>& p) { return g.use(p).slice(t * in.kBatch, B); };
    const auto fresh = linear_attention_step(apart, row(in.q), row(in.k), row(in.v), other);
    const std::size_t before = testing::allocations();
    const auto step = linear_attention_step(g, row(in.q), row(in.k), row(in.v), state, state);
    if (t == 0) {
      reserved = g.arena().reserved();
    } else if (testing::kAllocationsAreCounted) {
      EXPECT_EQ(testing::allocations() - before, 0u);
    }
    EXPECT_EQ(values(step.y), values(fresh.y));
    EXPECT_EQ(sums, values(fresh.state.sums));
    EXPECT_EQ(keys, values(fresh.state.keys));
    EXPECT_EQ(g.arena().reserved(), reserved);
    other = fresh.state;
    g.rewind();
  }
}

TEST(LinearAttentionOps, WhatDoesNotFitIsNamed) {
  std::vector<double> none(1);
  Graph<double> g, trains(none.data(), 1);
  const Var<double> x = g.zeros({3, 2, 6}), other = g.zeros({3, 2, 4}), flat = g.zeros({6, 6});
  EXPECT_THROW(linear_attention(g, x, other, x, 2, {}), ShapeError);
  EXPECT_THROW(linear_attention(g, x, x, other, 2, {}), ShapeError);
  EXPECT_THROW(causal_linear_attention(g, x, other, x, 2, {}), ShapeError);
  EXPECT_THROW(causal_linear_attention(g, x, x, other, 2, {}), ShapeError);
  EXPECT_THROW(linear_attention(g, flat, flat, flat, 2, {}), ShapeError);
  EXPECT_THROW(linear_attention_weights(g, x, other, 2, {}, false), ShapeError);
  const Var<double> empty = g.zeros({0, 2, 6});
  EXPECT_THROW(linear_attention(g, empty, empty, empty, 2, {}), ShapeError);
  for (const std::size_t heads : {0, 4, 12}) {
    EXPECT_THROW(linear_attention(g, x, x, x, heads, {}), ArgumentError);
    EXPECT_THROW(causal_linear_attention(g, x, x, x, heads, {}), ArgumentError);
    EXPECT_THROW(linear_attention_weights(g, x, x, heads, {}, true), ArgumentError);
  }
  for (const Lengths_& bad : {Lengths_{3}, Lengths_{3, 0}, Lengths_{3, 4}, Lengths_{3, -1}}) {
    EXPECT_THROW(linear_attention(g, x, x, x, 2, bad), ShapeError);
    EXPECT_THROW(causal_linear_attention(g, x, x, x, 2, bad), ShapeError);
    EXPECT_THROW(linear_attention_weights(g, x, x, 2, bad, true), ShapeError);
  }
  try {
    linear_attention(g, x, x, x, 2, Lengths_{3, 4});
    FAIL();
  } catch (const ShapeError& e) {
    EXPECT_STREQ(e.what(), "linear_attention: lengths[1] is 4, expected 1..3");
  }
  const auto state = [](Graph<double>& of) {
    return LinearAttentionState<double>{of.zeros({2, 2, 3, 3}), of.zeros({2, 2, 3})};
  };
  const Var<double> row = g.zeros({2, 6}), narrow = g.zeros({2, 5});
  EXPECT_THROW(linear_attention_step(g, narrow, row, row, state(g)), ShapeError);
  EXPECT_THROW(linear_attention_step(g, row, row, narrow, state(g)), ShapeError);
  EXPECT_THROW(linear_attention_step(g, row, row, row, {g.zeros({2, 2, 3, 2}), g.zeros({2, 2, 3})}), ShapeError);
  EXPECT_THROW(linear_attention_step(g, row, row, row, {g.zeros({2, 2, 3, 3}), g.zeros({2, 2, 4})}), ShapeError);
  EXPECT_THROW(linear_attention_step(g, row, row, row, {row, row}), ShapeError);
  EXPECT_THROW(linear_attention_step(g, row, row, row, state(g), {g.zeros({1, 2, 3, 3}), g.zeros({2, 2, 3})}),
               ShapeError);
  EXPECT_THROW(linear_attention_step(trains, row, row, row, state(trains), state(trains)), ArgumentError);
}

}  // namespace
}  // namespace softalign::ops
