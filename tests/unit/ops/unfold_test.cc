#include "ops/unfold.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/support/gradients.h"

namespace softalign::ops {
namespace {

std::vector<float> values(const Var<float>& v) { return {v.value, v.value + v.size()}; }

TEST(Unfold, PutsNeighboursSideBySide) {
  Graph<float> g;
  const float numbers[] = {1, 10, 2, 20, 3, 30, 4, 40};  // two sequences of 2 numbers each
  const Var<float> x = g.constant({2, 2, 2}, numbers);
  const Var<float> turns = unfold(g, x, 1, {}, Neighbours::kInTurn);
  EXPECT_EQ(turns.shape, (Shape{2, 2, 6}));
  EXPECT_EQ(values(turns), (std::vector<float>{0, 0, 1, 10, 3, 30, 0, 0, 2, 20, 4, 40,  //
                                               1, 10, 3, 30, 0, 0, 2, 20, 4, 40, 0, 0}));
  EXPECT_EQ(values(unfold(g, x, 1, {}, Neighbours::kOfEachChannel)),
            (std::vector<float>{0, 1, 3, 0, 10, 30, 0, 2, 4, 0, 20, 40,  //
                                1, 3, 0, 10, 30, 0, 2, 4, 0, 20, 40, 0}));
  EXPECT_EQ(values(unfold(g, x, 0, {}, Neighbours::kInTurn)), values(x));
  EXPECT_EQ(values(unfold(g, x, 0, {}, Neighbours::kOfEachChannel)), values(x));
}

TEST(Unfold, BeyondALengthIsZeroEvenWhereItIsTheMiddle) {
  Graph<float> g;
  const float numbers[] = {1, 2, 3, 4, 5, 6};
  const std::vector<std::int32_t> lengths = {2, 1};
  for (const Neighbours order : {Neighbours::kInTurn, Neighbours::kOfEachChannel}) {
    EXPECT_EQ(values(unfold(g, g.constant({3, 2, 1}, numbers), 1, lengths, order)),
              (std::vector<float>{0, 1, 3, 0, 2, 0, 1, 3, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0}));
    // every sequence is within a radius that reaches further than it
    EXPECT_EQ(values(unfold(g, g.constant({2, 1, 1}, numbers), 3, {}, order)),
              (std::vector<float>{0, 0, 0, 1, 2, 0, 0, 0, 0, 1, 2, 0, 0, 0}));
  }
}

TEST(Unfold, Gradients) {
  Parameters<double> p;
  const auto& x = p.add("x", {5, 2, 3}, 0);
  testing::randomise(p);
  const std::vector<std::int32_t> lengths = {5, 3};
  testing::expect_gradients(p, [&](Graph<double>& g) {
    std::vector<Var<double>> outputs;
    for (const Neighbours order : {Neighbours::kInTurn, Neighbours::kOfEachChannel}) {
      for (const std::size_t radius : {0, 2, 6}) outputs.push_back(unfold(g, g.use(x), radius, lengths, order));
    }
    return testing::weighed_sum(g, outputs);
  });
}

TEST(Unfold, WhatDoesNotFitIsNamed) {
  Graph<float> g;
  const auto unfolded = [&](Shape shape, std::size_t radius, const std::vector<std::int32_t>& lengths) {
    return unfold(g, g.zeros(shape), radius, lengths, Neighbours::kInTurn);
  };
  EXPECT_THROW(unfolded({3, 2}, 1, {}), ShapeError);
  EXPECT_THROW(unfolded({0, 2, 2}, 1, {}), ShapeError);
  EXPECT_THROW(unfolded({3, 2, 2}, 1, {3}), ShapeError);
  EXPECT_THROW(unfolded({3, 2, 2}, 1, {3, 0}), ShapeError);
  EXPECT_THROW(unfolded({3, 2, 2}, 1, {4, 1}), ShapeError);
  try {
    unfolded({3, 2, 2}, 1048577, {});
    FAIL();
  } catch (const ArgumentError& e) {
    EXPECT_STREQ(e.what(), "unfold: radius is 1048577, expected 0..1048576");
  }
}

}  // namespace
}  // namespace softalign::ops
