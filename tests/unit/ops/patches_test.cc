#include "ops/patches.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/support/gradients.h"

namespace softalign::ops {
namespace {

TEST(Patches, AreReadAsOneReads) {
  std::vector<float> image(2 * 4 * 4);
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<float>(i);
  Graph<float> g;
  const Var<float> y = patches(g, g.constant({1, 2, 4, 4}, image.data()), 2);
  EXPECT_EQ(y.shape, (Shape{4, 1, 8}));
  EXPECT_EQ(std::vector<float>(y.value, y.value + 32),
            (std::vector<float>{0, 1, 4, 5, 16, 17, 20, 21, 2,  3,  6,  7,  18, 19, 22, 23,
                                8, 9, 12, 13, 24, 25, 28, 29, 10, 11, 14, 15, 26, 27, 30, 31}));
}

TEST(Patches, OfOnePixelAreTheImageAsASequence) {
  const std::vector<float> images = {1, 2, 3, 4, 5, 6, 10, 20, 30, 40, 50, 60,  // two of [1, 2, 3]
                                     0, 0, 0, 0, 0, 0, 0,  0,  0,  0,  0,  0};
  Graph<float> g;
  const Var<float> y = patches(g, g.constant({2, 2, 2, 3}, images.data()), 1);
  EXPECT_EQ(y.shape, (Shape{6, 2, 2}));
  EXPECT_EQ(std::vector<float>(y.value, y.value + 8), (std::vector<float>{1, 10, 0, 0, 2, 20, 0, 0}));
}

TEST(Patches, ComeBackAsTheImagesTheyWere) {
  for (const std::size_t patch : {1, 2, 3}) {
    Parameters<double> p;
    const auto& images = p.add("images", {2, 3, 2 * patch, 3 * patch}, 1);
    Graph<double> g;
    const Var<double> there = patches(g, g.use(images), patch);
    const Var<double> back = from_patches(g, there, {2 * patch, 3 * patch}, patch);
    EXPECT_EQ(back.shape, images.shape);
    EXPECT_EQ(AlignedVector<double>(back.value, back.value + back.size()), images.value) << patch;
  }
}

TEST(Patches, Gradients) {
  Parameters<double> p;
  const auto& images = p.add("images", {2, 2, 4, 2}, 0);
  const auto& cut = p.add("cut", {2, 2, 8}, 0);
  testing::randomise(p);
  testing::expect_gradients(p, [&](Graph<double>& g) {
    return testing::weighed_sum(g, {patches(g, g.use(images), 2), from_patches(g, g.use(cut), {4, 2}, 2)});
  });
}

TEST(Patches, WhatDoesNotFitIsNamed) {
  Graph<float> g;
  EXPECT_THROW(patches(g, g.zeros({2, 4, 4}), 2), ShapeError);
  EXPECT_THROW(patches(g, g.zeros({1, 1, 0, 4}), 2), ShapeError);
  EXPECT_THROW(patches(g, g.zeros({1, 1, 4, 6}), 4), ArgumentError);
  EXPECT_THROW(patches(g, g.zeros({1, 1, 4, 4}), 0), ArgumentError);
  try {
    from_patches(g, g.zeros({3, 2, 8}), {4, 4}, 2);
    FAIL();
  } catch (const ShapeError& e) {
    EXPECT_EQ(std::string(e.what()), "from_patches: patches are [3, 2, 8], expected [4, B, C 4], all above 0");
  }
  EXPECT_THROW(from_patches(g, g.zeros({4, 2, 6}), {4, 4}, 2), ShapeError);
  EXPECT_THROW(from_patches(g, g.zeros({4, 8}), {4, 4}, 2), ShapeError);
  EXPECT_THROW(from_patches(g, g.zeros({4, 0, 8}), {4, 4}, 2), ShapeError);
  EXPECT_THROW(from_patches(g, g.zeros({4, 2, 0}), {4, 4}, 2), ShapeError);
  EXPECT_THROW(from_patches(g, g.zeros({4, 2, 8}), {4, 4}, 0), ArgumentError);
  EXPECT_THROW(from_patches(g, g.zeros({4, 2, 8}), {4, 6}, 4), ArgumentError);
  EXPECT_THROW(from_patches(g, g.zeros({4, 2, 8}), {0, 4}, 2), ArgumentError);
}

}  // namespace
}  // namespace softalign::ops
