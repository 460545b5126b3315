#include "ops/attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ops/elementwise.h"
#include "ops/linear.h"
#include "unit/support/golden.h"
#include "unit/support/gradients.h"

namespace softalign::ops {
namespace {

using testing::expect_gradients;
using testing::weighed_sum;
using Lengths = std::vector<std::int32_t>;

struct Inputs {
  Inputs(std::size_t steps, std::size_t batch, std::size_t queries)
      : query(p.add("query", {queries, 5}, 0)),
        keys(p.add("keys", {steps, batch, 5}, 0)),
        v(p.add("v", {5}, 0)),
        scores(p.add("scores", {queries, steps}, 0)),
        values(p.add("values", {steps, batch, 3}, 0)) {
    testing::randomise(p);
  }
  Parameters<double> p;
  const Parameter<double>&query, &keys, &v, &scores, &values;
};

TEST(AttentionOps, Gradients) {
  for (const bool shared : {false, true}) {
    Inputs in(6, shared ? 1 : 3, 3);
    const Lengths lengths = shared ? Lengths{5} : Lengths{6, 1, 4};
    expect_gradients(in.p, [&](Graph<double>& g) {
      return weighed_sum(g, {additive_scores(g, g.use(in.query), g.use(in.keys), g.use(in.v), lengths),
                             dot_scores(g, g.use(in.query), g.use(in.keys), lengths),
                             softmax(g, g.use(in.scores), lengths),
                             weighted_sum(g, g.use(in.scores), g.use(in.values), lengths)});
    });
  }
}

// The fused score against the small ops it stands for, values and gradients.
TEST(AdditiveScores, EqualTheirPlainComposition) {
  Inputs in(4, 1, 1);
  const Lengths lengths = {4};
  const auto fused = [&](Graph<double>& g) {
    return weighed_sum(g, {additive_scores(g, g.use(in.query), g.use(in.keys), g.use(in.v), lengths)});
  };
  const auto plain = [&](Graph<double>& g) {
    const Var<double> keys = g.use(in.keys).reshape({4, 5});
    const Var<double> hidden = tanh(g, add(g, keys, repeat(g, g.use(in.query), 4)));
    return weighed_sum(g, {linear(g, hidden, g.use(in.v).reshape({1, 5}))});
  };
  std::vector<double> of_fused(in.p.size()), of_plain(in.p.size());
  Graph<double> one(of_fused.data(), 1), two(of_plain.data(), 1);
  const Var<double> loss_fused = fused(one), loss_plain = plain(two);
  EXPECT_NEAR(loss_fused.value[0], loss_plain.value[0], 1e-12);
  one.backward(loss_fused);
  two.backward(loss_plain);
  for (std::size_t i = 0; i < of_fused.size(); ++i) EXPECT_NEAR(of_fused[i], of_plain[i], 1e-12) << "at " << i;
}

TEST(AttentionOps, AMemoryOfBatchOneServesAllQueries) {
  Inputs in(5, 1, 3);
  const Lengths one = {4};
  Graph<double> g;
  const Var<double> query = g.use(in.query), keys = g.use(in.keys), scores = g.use(in.scores);
  const Var<double> additive = additive_scores(g, query, keys, g.use(in.v), one), dot = dot_scores(g, query, keys, one);
  const Var<double> weights = softmax(g, scores, one), sum = weighted_sum(g, weights, g.use(in.values), one);
  for (std::size_t b = 0; b < 3; ++b) {
    const auto same = [&](const Var<double>& all, const Var<double>& alone) {
      for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_DOUBLE_EQ(all.value[b * all.width() + i], alone.value[i]);
    };
    same(additive, additive_scores(g, query.slice(b, 1), keys, g.use(in.v), one));
    same(dot, dot_scores(g, query.slice(b, 1), keys, one));
    same(weights, softmax(g, scores.slice(b, 1), one));
    same(sum, weighted_sum(g, weights.slice(b, 1), g.use(in.values), one));
  }
}

TEST(AttentionOps, NothingBeyondALengthMatters) {
  Inputs in(5, 2, 2);
  const Lengths lengths = {2, 5};
  const auto compute = [&] {
    Graph<double> g;
    std::fill_n(g.make({1000}).value, 1000, std::nan(""));  // results find memory that was used before
    g.rewind();
    const Var<double> query = g.use(in.query), keys = g.use(in.keys);
    std::vector<double> all;
    const auto keep = [&](const Var<double>& v) { all.insert(all.end(), v.value, v.value + v.size()); };
    keep(additive_scores(g, query, keys, g.use(in.v), lengths));
    keep(dot_scores(g, query, keys, lengths));
    const Var<double> weights = softmax(g, g.use(in.scores), lengths);
    keep(weights);
    keep(weighted_sum(g, weights, g.use(in.values), lengths));
    return all;
  };
  const auto before = compute();
  for (const double v : before) ASSERT_FALSE(std::isnan(v));
  for (std::size_t s = 2; s < 5; ++s) {  // sentence 0 ends at 2
    for (std::size_t i = 0; i < 5; ++i) in.p.find("keys")->value[(s * 2 + 0) * 5 + i] = std::nan("");
    for (std::size_t i = 0; i < 3; ++i) in.p.find("values")->value[(s * 2 + 0) * 3 + i] = std::nan("");
    in.p.find("scores")->value[0 * 5 + s] = std::nan("");
  }
  EXPECT_EQ(compute(), before);
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
  std::vector<T> gradients(p.size());
  Graph<T> g(gradients.data(), 1);
  const Var<T> weights = softmax(g, g.use(scores), lengths);
  testing::expect_golden(golden, "output.weights", weights.value, weights.size());
  for (std::size_t b = 0; b < weights.rows(); ++b) {
    double total = 0;
    for (std::size_t s = 0; s < weights.width(); ++s) {
      const T w = weights.value[b * weights.width() + s];
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

TEST(AttentionOps, LengthsAndShapesThatDoNotFitAreNamed) {
  Inputs in(5, 2, 2);
  Graph<double> g;
  const Var<double> query = g.use(in.query), keys = g.use(in.keys), v = g.use(in.v), scores = g.use(in.scores),
                    values = g.use(in.values);
  for (const std::int32_t bad : {0, -1, 6}) {
    const Lengths lengths = {5, bad};
    try {
      softmax(g, scores, lengths);
      FAIL();
    } catch (const ShapeError& e) {
      EXPECT_EQ(std::string(e.what()), "softmax: lengths[1] is " + std::to_string(bad) + ", expected 1..5");
    }
    EXPECT_THROW(additive_scores(g, query, keys, v, lengths), ShapeError);
    EXPECT_THROW(dot_scores(g, query, keys, lengths), ShapeError);
    EXPECT_THROW(weighted_sum(g, scores, values, lengths), ShapeError);
  }
  const Lengths good = {5, 5}, three = {5, 5, 5};
  EXPECT_THROW(softmax(g, scores, three), ShapeError);
  EXPECT_THROW(softmax(g, scores, {}), ShapeError);
  EXPECT_THROW(additive_scores(g, query, keys, values, good), ShapeError);
  EXPECT_THROW(additive_scores(g, query, values, v, good), ShapeError);
  EXPECT_THROW(additive_scores(g, query, scores, v, good), ShapeError);
  EXPECT_THROW(dot_scores(g, query, values, good), ShapeError);
  EXPECT_THROW(dot_scores(g, g.zeros({3, 5}), keys, good), ShapeError);
  EXPECT_THROW(weighted_sum(g, g.zeros({2, 4}), values, good), ShapeError);
}

}  // namespace
}  // namespace softalign::ops
