#include "layers/images/patch_embedding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "unit/support/bytes.h"
#include "unit/support/errors.h"
#include "unit/support/golden.h"
#include "unit/support/gradients.h"

namespace softalign::layers {
namespace {

using testing::Golden;

template <class T>
class PatchEmbedding_ : public ::testing::Test {};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(PatchEmbedding_, Numbers);

TYPED_TEST(PatchEmbedding_, AgreesWithPyTorch) {
  using T = TypeParam;
  for (const char* name :
       {"patch_embedding", "patch_embedding_of_one", "patch_embedding_of_pixels", "patch_embedding_long"}) {
    SCOPED_TRACE(name);
    const Golden golden(name);
    Parameters<T> p;
    const auto& images = testing::add_input(p, golden, "input.images");
    const Shape size = images.shape, weight = golden.shape("weight.patch.weight");
    const PatchEmbedding<T> embedding(p, "embedding", {size[1], size[2], size[3], weight[2]}, weight[0]);
    const std::vector<std::string> weights = {"patch.weight", "patch.bias", "class_token", "positions"};
    for (const std::string& part : weights) testing::load(p, golden, "embedding." + part, "weight." + part);
    std::vector<T> gradients(p.size());
    Graph<T> g(gradients.data(), 1);
    const Var<T> z = embedding(g, g.use(images));
    EXPECT_EQ(z.shape, (Shape{1 + embedding.patches(), size[0], embedding.width()}));
    testing::expect_golden(golden, "output.z", z.value, z.size());
    g.backward(testing::weighed_sum<T>(g, {{z, testing::seed_of<T>(golden, "seed.z")}}));
    testing::expect_golden_gradient(golden, "grad.images", p, "input.images", gradients);
    for (const std::string& part : weights) {
      testing::expect_golden_gradient(golden, "grad." + part, p, "embedding." + part, gradients);
    }
  }
}

TEST(PatchEmbedding, Gradients) {
  Parameters<double> p;
  const auto& images = p.add("images", {2, 2, 4, 2}, 0);
  const PatchEmbedding<double> embedding(p, "embedding", {2, 4, 2, 2}, 3);
  testing::randomise(p);
  testing::expect_gradients(
      p, [&](Graph<double>& g) { return testing::weighed_sum(g, {embedding(g, g.use(images))}); });
}

TEST(PatchEmbedding, TakesPlainData) {
  Parameters<double> p;
  const PatchEmbedding<double> embedding(p, "embedding", {1, 2, 4, 2}, 3);
  EXPECT_EQ(p.find("embedding.class_token")->value, AlignedVector<double>(3, 0.0));
  std::vector<double> gradients(p.size());
  Graph<double> g(gradients.data(), 1);
  const std::vector<double> image(8, 0.5);
  const Var<double> z = embedding(g, g.constant({1, 1, 2, 4}, image.data()));
  EXPECT_EQ(z.shape, (Shape{3, 1, 3}));
  g.backward(testing::weighed_sum(g, {z}));
}

TYPED_TEST(PatchEmbedding_, OnePixelsNotANumberStaysInItsPatch) {
  using T = TypeParam;
  Parameters<T> p;
  const PatchEmbedding<T> embedding(p, "embedding", {1, 4, 4, 2}, 3);
  for (const T bad : {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity()}) {
    std::vector<T> image(16, T(1));
    image[6] = bad;  // row 1, column 2: the second patch
    Graph<T> g;
    const Var<T> z = embedding(g, g.constant({1, 1, 4, 4}, image.data()));
    for (std::size_t n = 0; n < 5; ++n) EXPECT_EQ(std::isfinite(z.value[n * 3]), n != 2) << n;
  }
}

TEST(PatchEmbedding, WeightsInBytesAreTheirNumbers) {
  Parameters<float> p;
  const PatchEmbedding<float> embedding(p, "embedding", {1, 2, 4, 2}, 3);
  const std::vector<float> image = {1, -2, 3, 0.5f, 0, 7, -1, 2};
  const auto run = [&] {
    Graph<float> g;
    const Var<float> z = embedding(g, g.constant({1, 1, 2, 4}, image.data()));
    return std::vector<float>(z.value, z.value + z.size());
  };
  for (const char* name : {"embedding.patch.weight", "embedding.positions"}) {
    Parameter<float>& weight = *p.find(name);
    const Int8Matrix bytes = testing::take_numbers_of_bytes(weight);
    const auto before = run();
    testing::store_in_bytes(weight, bytes);
    EXPECT_EQ(run(), before) << name;
  }
}

TYPED_TEST(PatchEmbedding_, WhatDoesNotFitIsNamed) {
  using T = TypeParam;
  Parameters<T> p;
  const auto make = [&](std::size_t C, std::size_t H, std::size_t W, std::size_t P, std::size_t D) {
    PatchEmbedding<T>(p, "none", {C, H, W, P}, D);
  };
  EXPECT_EQ(testing::message_of([&] { make(3, 8, 6, 4, 5); }),
            "PatchEmbedding: a patch is 4 pixels wide, expected a divisor of 8 and 6");
  EXPECT_THROW(make(3, 6, 8, 4, 5), ArgumentError);
  EXPECT_THROW(make(3, 8, 8, 0, 5), ArgumentError);
  EXPECT_EQ(testing::message_of([&] { make(0, 8, 8, 4, 5); }),
            "PatchEmbedding: images are [0, 8, 8] and vectors 5 wide, expected all above 0");
  EXPECT_THROW(make(3, 0, 8, 4, 5), ArgumentError);
  EXPECT_THROW(make(3, 8, 0, 4, 5), ArgumentError);
  EXPECT_THROW(make(3, 8, 8, 4, 0), ArgumentError);
  const PatchEmbedding<T> embedding(p, "embedding", {1, 4, 4, 2}, 3);
  Graph<T> g;
  EXPECT_EQ(testing::message_of([&] { embedding(g, g.zeros({2, 1, 4, 6})); }),
            "PatchEmbedding: images is [2, 1, 4, 6], expected [2, 1, 4, 4]");
  EXPECT_THROW(embedding(g, g.zeros({2, 4, 4})), ShapeError);
  EXPECT_THROW(embedding(g, g.zeros({0, 1, 4, 4})), ShapeError);
}

}  // namespace
}  // namespace softalign::layers
