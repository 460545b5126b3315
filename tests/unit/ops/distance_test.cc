#include "ops/distance.h"

#include <gtest/gtest.h>

#include <vector>

#include "unit/support/gradients.h"

namespace softalign::ops {
namespace {

TEST(DistanceScores, ComeRowByRow) {
  Graph<float> g;
  const float centres[] = {0, 1, -1, 0.5f}, sharpness[] = {1, 2};
  const Var<float> y = distance_scores(g, g.constant({2, 2}, centres), g.constant({2}, sharpness), {1, 2});
  EXPECT_EQ(y.shape, (Shape{2, 15}));
  EXPECT_EQ(std::vector<float>(y.value, y.value + 30),
            (std::vector<float>{-10,   -5,   -2,   -1,   -2,   -9,    -4,   -1,   -0,   -1,    -10,   -5,    -2,   -1,   -2,
                                -12.5, -4.5, -0.5, -0.5, -4.5, -14.5, -6.5, -2.5, -2.5, -6.5,  -20.5, -12.5, -8.5, -8.5, -12.5}));
}

TEST(DistanceScores, Gradients) {
  Parameters<double> p;
  const auto& centres = p.add("centres", {3, 2}, 0);
  const auto& sharpness = p.add("sharpness", {3}, 0);
  testing::randomise(p);
  testing::expect_gradients(p, [&](Graph<double>& g) {
    const Var<double> c = g.use(centres), a = g.use(sharpness);
    return testing::weighed_sum(g, {distance_scores(g, c, a, {2, 1}), distance_scores(g, c, a, {0, 0})});
  });
}

TEST(DistanceScores, WhatDoesNotFitIsNamed) {
  Graph<float> g;
  EXPECT_THROW(distance_scores(g, g.zeros({2, 2}), g.zeros({3}), {1, 1}), ShapeError);
  EXPECT_THROW(distance_scores(g, g.zeros({2, 3}), g.zeros({2}), {1, 1}), ShapeError);
  EXPECT_THROW(distance_scores(g, g.zeros({2, 2}), g.zeros({2, 1}), {1, 1}), ShapeError);
}

}  // namespace
}  // namespace softalign::ops
