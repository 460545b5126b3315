#include "ops/attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "ops/elementwise.h"
#include "ops/linear.h"
#include "ops/scores.h"
#include "unit/support/golden.h"
#include "unit/support/gradients.h"

namespace softalign::ops {
namespace {

using testing::expect_gradients;
using testing::weighed_sum;
using Lengths = std::vector<std::int32_t>;

// Two sequences of up to 6 positions that look at themselves with two heads.
constexpr std::size_t kSteps = 6, kBatch = 2, kHeads = 2, kWidth = 3;
const Lengths kLengths = {6, 4};

struct NamedPattern {
  std::string name;
  Pattern pattern;
};
const EdgeList& some_edges() {
  static const std::pair<std::uint32_t, std::uint32_t> edges[] = {{0, 0}, {0, 5}, {1, 2}, {3, 1}, {3, 3},
                                                                  {3, 4}, {4, 5}, {5, 0}, {5, 1}};
  static const EdgeList list(kSteps, kSteps, edges);  // query 2 looks at nothing
  return list;
}
std::vector<NamedPattern> patterns() {
  return {{"dense", {}},
          {"causal", Pattern::causal()},
          {"window", Pattern::window(1)},
          {"itself", Pattern::window(0)},
          {"edges", Pattern::edges(some_edges())}};
}

struct Inputs {
  explicit Inputs(std::size_t slots)
      : query(p.add("query", {kSteps, kBatch, kHeads * kWidth}, 0)),
        keys(p.add("keys", {kSteps, kBatch, kHeads * kWidth}, 0)),
        v(p.add("v", {kHeads * kWidth}, 0)),
        matrix(p.add("matrix", {kHeads, kWidth, kWidth}, 0)),
        table(p.add("table", {5, kWidth}, 0)),
        bias(p.add("bias", {kHeads, 4}, 0)),
        scores(p.add("scores", {kBatch, kHeads, kSteps, slots}, 0)) {
    testing::randomise(p);
  }
  Parameters<double> p;
  const Parameter<double>&query, &keys, &v, &matrix, &table, &bias, &scores;
};

std::vector<std::int32_t> some_pairs() {
  std::vector<std::int32_t> which(kSteps * kSteps);
  for (std::size_t i = 0; i < which.size(); ++i) which[i] = static_cast<std::int32_t>(i % 5) - 1;
  return which;
}

// Scores mean something where a pattern has pairs only: 0 elsewhere, so that sums of them do too.
Var<double> inside(Graph<double>& g, Var<double> scores, const Reach& reach) { return by_key(g, scores, reach); }

TEST(AttentionOps, GradientsInEveryPattern) {
  for (const auto& [name, pattern] : patterns()) {
    SCOPED_TRACE(name);
    Graph<double> sizes;
    Inputs in(Reach(sizes, "test", kSteps, kSteps, kBatch, kLengths, pattern).slots());
    const auto which = some_pairs();
    expect_gradients(in.p, [&](Graph<double>& g) {
      const Reach reach(g, "test", kSteps, kSteps, kBatch, kLengths, pattern);
      const Var<double> q = g.use(in.query), k = g.use(in.keys), e = g.use(in.scores);
      const Var<double> additive = additive_scores(g, q, k, g.use(in.v), kHeads, reach);
      const Var<double> dot = dot_scores(g, q, linear_by_head(g, k, g.use(in.matrix)), kHeads, reach);
      add_relative_scores(g, dot, q, g.use(in.table), reach);
      add_pair_bias(g, dot, g.use(in.bias), which, reach);
      const Var<double> context = weighed_sum(g, {weighted_sum(g, softmax(g, dot, reach), k, reach)});
      const Var<double> weights = softmax(g, e, reach);
      Var<double> values = weighted_sum(g, weights, k, reach);
      add_relative_values(g, values, weights, g.use(in.table), reach);
      const double factors[] = {0.5, -2};
      return weighed_sum(g, {context, weighted_sum(g, softmax(g, additive, reach), q, reach), weights,
                             relu_normalise(g, e, reach), scale_heads(g, values, std::span<const double>(factors))});
    });
  }
}

// What the ops say for each pattern is what loops over all pairs say.
TEST(AttentionOps, EveryPatternIsTheDefinition) {
  for (const auto& [name, pattern] : patterns()) {
    SCOPED_TRACE(name);
    Inputs in(1);
    Graph<double> g;
    const Reach reach(g, "test", kSteps, kSteps, kBatch, kLengths, pattern);
    std::vector<bool> may(kBatch * kSteps * kSteps);
    for (std::size_t b = 0; b < kBatch; ++b) {
      for (std::size_t t = 0; t < kSteps; ++t) {
        for (std::size_t i = reach.first(t); i < reach.last(t, b); ++i) may[(b * kSteps + t) * kSteps + reach.key(t, i)] = true;
      }
    }
    const Var<double> q = g.use(in.query), k = g.use(in.keys), v = g.use(in.v);
    const Var<double> dot = inside(g, dot_scores(g, q, k, kHeads, reach), reach);
    const Var<double> additive = inside(g, additive_scores(g, q, k, v, kHeads, reach), reach);
    const Var<double> packed = softmax(g, dot_scores(g, q, k, kHeads, reach), reach);
    const Var<double> weights = inside(g, packed, reach), sum = weighted_sum(g, packed, k, reach);
    const auto at = [&](std::size_t step, std::size_t b, std::size_t h) { return ((step * kBatch + b) * kHeads + h) * kWidth; };
    for (std::size_t b = 0; b < kBatch; ++b) {
      for (std::size_t h = 0; h < kHeads; ++h) {
        for (std::size_t t = 0; t < kSteps; ++t) {
          double total = 0, context[kWidth] = {};
          std::vector<double> e(kSteps), tanh_e(kSteps);
          for (std::size_t s = 0; s < kSteps; ++s) {
            for (std::size_t i = 0; i < kWidth; ++i) {
              const double qi = q.value[at(t, b, h) + i], ki = k.value[at(s, b, h) + i];
              e[s] += qi * ki;
              tanh_e[s] += v.value[h * kWidth + i] * std::tanh(qi + ki);
            }
            if (may[(b * kSteps + t) * kSteps + s]) total += std::exp(e[s]);
          }
          for (std::size_t s = 0; s < kSteps; ++s) {
            const std::size_t cell = ((b * kHeads + h) * kSteps + t) * kSteps + s;
            const bool meets = may[(b * kSteps + t) * kSteps + s];
            const double a = meets ? std::exp(e[s]) / total : 0;
            EXPECT_NEAR(dot.value[cell], meets ? e[s] : 0, 1e-12);
            EXPECT_NEAR(additive.value[cell], meets ? tanh_e[s] : 0, 1e-12);
            EXPECT_NEAR(weights.value[cell], a, 1e-12);
            for (std::size_t i = 0; i < kWidth; ++i) context[i] += a * k.value[at(s, b, h) + i];
          }
          for (std::size_t i = 0; i < kWidth; ++i) EXPECT_NEAR(sum.value[at(t, b, h) + i], context[i], 1e-12);
        }
      }
    }
  }
}

// Large heads are matrix products, small ones are not: the same numbers and gradients.
TEST(AttentionOps, AMatrixProductIsItsRowsOneByOne) {
  constexpr std::size_t kLong = 40, kWide = 8;
  const Lengths lengths = {40, 33};
  for (const auto& pattern : {Pattern(), Pattern::causal()}) {
    Parameters<double> p;
    const auto& q = p.add("q", {kLong, 2, 2 * kWide}, 1);
    const auto& k = p.add("k", {kLong, 2, 2 * kWide}, 1);
    const auto attend = [&](Graph<double>& g, std::size_t first, std::size_t count) {
      const Pattern at = pattern.kind() == Pattern::Kind::kCausal ? Pattern::causal(first) : pattern;
      const Reach reach(g, "test", count, kLong, 2, lengths, at);
      const Var<double> queries = g.use(q).slice(first * 2, count * 2).reshape({count, 2, 2 * kWide});
      return weighted_sum(g, softmax(g, dot_scores(g, queries, g.use(k), 2, reach), reach), g.use(k), reach);
    };
    std::vector<double> of_all(p.size()), of_rows(p.size());
    Graph<double> one(of_all.data(), 1), two(of_rows.data(), 1);
    const Var<double> all = attend(one, 0, kLong);
    std::vector<Var<double>> rows;
    for (std::size_t t = 0; t < kLong; ++t) rows.push_back(attend(two, t, 1));
    const Var<double> stacked = stack<double>(two, rows);
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_NEAR(all.value[i], stacked.value[i], 1e-12);
    one.backward(weighed_sum(one, {all}));
    two.backward(weighed_sum(two, {stacked}));
    for (std::size_t i = 0; i < of_all.size(); ++i) EXPECT_NEAR(of_all[i], of_rows[i], 1e-10) << i;
  }
}

// The fused score against the small ops it stands for, values and gradients.
TEST(AdditiveScores, EqualTheirPlainComposition) {
  Parameters<double> p;
  const auto& query = p.add("query", {1, 5}, 0);
  const auto& keys = p.add("keys", {4, 5}, 0);
  const auto& v = p.add("v", {5}, 0);
  testing::randomise(p);
  const auto fused = [&](Graph<double>& g) {
    const Reach reach(g, "test", 1, 4, 1, {}, {});
    return weighed_sum(g, {additive_scores(g, g.use(query).reshape({1, 1, 5}), g.use(keys).reshape({4, 1, 5}), g.use(v), 1, reach)});
  };
  const auto plain = [&](Graph<double>& g) {
    const Var<double> hidden = tanh(g, add(g, g.use(keys), repeat(g, g.use(query), 4)));
    return weighed_sum(g, {linear(g, hidden, g.use(v).reshape({1, 5}))});
  };
  std::vector<double> of_fused(p.size()), of_plain(p.size());
  Graph<double> one(of_fused.data(), 1), two(of_plain.data(), 1);
  const Var<double> loss_fused = fused(one), loss_plain = plain(two);
  EXPECT_NEAR(loss_fused.value[0], loss_plain.value[0], 1e-12);
  one.backward(loss_fused);
  two.backward(loss_plain);
  for (std::size_t i = 0; i < of_fused.size(); ++i) EXPECT_NEAR(of_fused[i], of_plain[i], 1e-12) << "at " << i;
}

// Masked keys have weight 0 and leave theirs to the others; a head's given weights are what it has; in every pattern.
TEST(AttentionOps, SteeredQueriesLookWhereTheyAreMadeTo) {
  for (const auto& [name, pattern] : patterns()) {
    SCOPED_TRACE(name);
    Inputs in(1);
    Graph<double> g;
    const Reach reach(g, "test", kSteps, kSteps, kBatch, kLengths, pattern);
    const Var<double> q = g.use(in.query), k = g.use(in.keys);
    std::vector<unsigned char> mask(kBatch * kSteps);
    mask[2] = mask[kSteps + 1] = 1;  // key 2 of the first sequence, key 1 of the second
    const std::vector<double> given = {1, 2, 3, 4, 5, 6};
    const double* heads[kBatch * kHeads] = {nullptr, nullptr, nullptr, given.data()};
    const Var<double> plain = inside(g, softmax(g, dot_scores(g, q, k, kHeads, reach), reach), reach);
    const Var<double> scores = dot_scores(g, q, k, kHeads, reach);
    mask_scores(scores, mask, reach);
    const Var<double> weights = softmax(g, scores, reach);
    set_weights<double>(weights, heads, reach);
    const Var<double> shown = inside(g, weights, reach);
    for (std::size_t row = 0; row < kBatch * kHeads * kSteps; ++row) {
      const std::size_t b = row / (kHeads * kSteps);
      const double *was = plain.value + row * kSteps, *is = shown.value + row * kSteps;
      double left = 0;
      for (std::size_t s = 0; s < kSteps; ++s) left += mask[b * kSteps + s] ? 0 : was[s];
      if (left == 0) continue;  // it could look at nothing else
      for (std::size_t s = 0; s < kSteps; ++s) {
        if (row / kSteps == 3) {
          EXPECT_EQ(is[s], was[s] > 0 ? given[s] : 0);
        } else {
          EXPECT_NEAR(is[s], mask[b * kSteps + s] ? 0 : was[s] / left, 1e-12);
          EXPECT_TRUE(is[s] == 0 || !mask[b * kSteps + s]);
        }
      }
    }
    EXPECT_THROW(mask_scores(scores, std::span(mask).first(7), reach), ShapeError);
    EXPECT_THROW(set_weights(weights, std::span<const double* const>(heads).first(2), reach), ShapeError);
  }
}

TEST(AttentionOps, NothingBeyondALengthMatters) {
  for (const auto& [name, pattern] : patterns()) {
    SCOPED_TRACE(name);
    Inputs in(1);
    const auto compute = [&] {
      Graph<double> g;
      std::fill_n(g.make({4000}).value, 4000, std::nan(""));  // results find memory that was used before
      g.rewind();
      const Reach reach(g, "test", kSteps, kSteps, kBatch, kLengths, pattern);
      const Var<double> q = g.use(in.query), k = g.use(in.keys);
      std::vector<double> all;
      const auto keep = [&](const Var<double>& v) { all.insert(all.end(), v.value, v.value + v.size()); };
      for (const Var<double>& scores : {additive_scores(g, q, k, g.use(in.v), kHeads, reach), dot_scores(g, q, k, kHeads, reach)}) {
        add_relative_scores(g, scores, q, g.use(in.table), reach);
        for (const Var<double>& weights : {softmax(g, scores, reach), relu_normalise(g, scores, reach)}) {
          keep(weights);
          const Var<double> context = weighted_sum(g, weights, k, reach);
          add_relative_values(g, context, weights, g.use(in.table), reach);
          keep(context);
        }
      }
      return all;
    };
    const auto before = compute();
    for (const double v : before) ASSERT_FALSE(std::isnan(v));
    for (std::size_t s = static_cast<std::size_t>(kLengths[1]); s < kSteps; ++s) {
      for (std::size_t i = 0; i < kHeads * kWidth; ++i) in.p.find("keys")->value[(s * kBatch + 1) * kHeads * kWidth + i] = std::nan("");
    }
    EXPECT_EQ(compute(), before);
  }
}

TEST(AttentionOps, AQueryThatSeesNothingHasNothing) {
  Inputs in(1);
  Graph<double> g;
  const Reach reach(g, "test", kSteps, kSteps, kBatch, kLengths, Pattern::edges(some_edges()));
  const Var<double> scores = dot_scores(g, g.use(in.query), g.use(in.keys), kHeads, reach);
  for (const Var<double>& weights : {softmax(g, scores, reach), relu_normalise(g, scores, reach)}) {
    const Var<double> context = weighted_sum(g, weights, g.use(in.keys), reach);
    for (std::size_t i = 0; i < kBatch * kHeads * kWidth; ++i) EXPECT_EQ(context.value[2 * kBatch * kHeads * kWidth + i], 0);
  }
}

TEST(ReluNormalise, WithoutAPositiveScoreGivesNoWeight) {
  Graph<float> g;
  const Reach reach(g, "test", 1, 3, 1, {}, {});
  const float negative[] = {-1, -2, 0}, mixed[] = {-1, 3, 1}, broken[] = {1, NAN, 2};
  const Var<float> none = relu_normalise(g, g.constant({1, 1, 1, 3}, negative), reach);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(none.value[i], 0.0f);
  const Var<float> some = relu_normalise(g, g.constant({1, 1, 1, 3}, mixed), reach);
  EXPECT_EQ(some.value[0], 0.0f);
  EXPECT_EQ(some.value[1], 0.75f);
  EXPECT_EQ(some.value[2], 0.25f);
  const Var<float> nan = relu_normalise(g, g.constant({1, 1, 1, 3}, broken), reach);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(std::isnan(nan.value[i]));
}

template <class T>
class MaskedSoftmax : public ::testing::Test {};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(MaskedSoftmax, Numbers);

TYPED_TEST(MaskedSoftmax, AgreesWithPyTorch) {
  using T = TypeParam;
  const testing::Golden golden("masked_softmax");
  Parameters<T> p;
  const auto& scores = testing::add_input(p, golden, "input.scores");
  const auto lengths = golden.ints("input.lengths");
  const std::size_t B = lengths.size(), S = scores.shape.width();
  std::vector<T> gradients(p.size());
  Graph<T> g(gradients.data(), 1);
  const Reach reach(g, "test", 1, S, B, lengths, {});
  const Var<T> weights = softmax(g, g.use(scores).reshape({B, 1, 1, S}), reach);
  testing::expect_golden(golden, "output.weights", weights.value, weights.size());
  for (std::size_t b = 0; b < B; ++b) {
    double total = 0;
    for (std::size_t s = 0; s < S; ++s) {
      const T w = weights.value[b * S + s];
      total += static_cast<double>(w);
      if (s >= static_cast<std::size_t>(lengths[b])) {
        EXPECT_EQ(w, T(0));
      }
    }
    EXPECT_NEAR(total, 1.0, 1e-6);
  }
  const auto seed = golden.floats("seed.weights");
  g.backward(testing::weighed_sum<T>(g, {{weights, std::vector<T>(seed.begin(), seed.end())}}));
  testing::expect_golden_gradient(golden, "grad.scores", p, "input.scores", gradients);
}

TEST(AttentionOps, ShapesThatDoNotFitAreNamed) {
  Inputs in(kSteps);
  Graph<double> g;
  const Reach reach(g, "test", kSteps, kSteps, kBatch, kLengths, {});
  const Var<double> q = g.use(in.query), k = g.use(in.keys), v = g.use(in.v), e = g.use(in.scores), table = g.use(in.table);
  try {
    dot_scores(g, q, k, 4, reach);
    FAIL();
  } catch (const ShapeError& error) {
    EXPECT_EQ(std::string(error.what()), "dot_scores: queries is [6, 2, 6], expected a width that 4 heads divide");
  }
  const std::function<void()> wrong[] = {
      [&] { dot_scores(g, q, k, 0, reach); },
      [&] { dot_scores(g, q, g.zeros({kSteps, kBatch, 4}), kHeads, reach); },
      [&] { dot_scores(g, g.zeros({5, kBatch, 6}), k, kHeads, reach); },
      [&] { dot_scores(g, g.zeros({kSteps, kBatch * 6}), k, kHeads, reach); },
      [&] { additive_scores(g, q, k, table, kHeads, reach); },
      [&] { additive_scores(g, q, g.zeros({kSteps, 1, 6}), v, kHeads, reach); },
      [&] { softmax(g, q, reach); },
      [&] { relu_normalise(g, g.zeros({kBatch, kHeads, kSteps, 5}), reach); },
      [&] { weighted_sum(g, q, k, reach); },
      [&] { weighted_sum(g, e, g.zeros({kSteps, kBatch, 5}), reach); },
      [&] { add_relative_scores(g, e, q, g.zeros({4, kWidth}), reach); },
      [&] { add_relative_scores(g, e, q, g.zeros({5, kWidth + 1}), reach); },
      [&] { add_relative_values(g, q, e, g.zeros({5}), reach); },
      [&] { add_pair_bias(g, e, g.use(in.bias), {}, reach); },
      [&] { add_pair_bias(g, e, g.zeros({3, 4}), some_pairs(), reach); },
      [&] { scale_heads(g, q, std::span<const double>{}); },
      [&] { linear_by_head(g, q, table); },
  };
  for (std::size_t i = 0; i < std::size(wrong); ++i) EXPECT_THROW(wrong[i](), ShapeError) << i;
  auto pairs = some_pairs();
  pairs[7] = 4;
  EXPECT_THROW(add_pair_bias(g, e, g.use(in.bias), pairs, reach), ArgumentError);
}

}  // namespace
}  // namespace softalign::ops
