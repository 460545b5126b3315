#include "ops/graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "ops/elementwise.h"
#include "ops/linear.h"

namespace softalign {
namespace {

TEST(Parameters, AWeightStartsTheSameWhateverElseThereIs) {
  Parameters<float> one(7), two(7), other_seed(8);
  two.add("another", {3}, 1);
  const auto& a = one.add("weight", {4, 5}, 0.5);
  const auto& b = two.add("weight", {4, 5}, 0.5);
  EXPECT_EQ(a.value, b.value);
  EXPECT_NE(a.value, other_seed.add("weight", {4, 5}, 0.5).value);
  EXPECT_EQ(b.offset, 3u);
  EXPECT_EQ(two.size(), 23u);
  for (const float v : a.value) EXPECT_LE(std::abs(v), 0.5f);
}

TEST(Parameters, StartAroundTheirCentre) {
  Parameters<float> p;
  EXPECT_EQ(p.add("ones", {3}, 0, 1).value, AlignedVector<float>(3, 1.0f));
  float least = 9, most = -9;
  for (const float v : p.add("around", {1000}, 0.5, 2).value) {
    least = std::min(least, v);
    most = std::max(most, v);
  }
  EXPECT_TRUE(least >= 1.5f && least < 1.6f && most > 2.4f && most <= 2.5f) << least << " to " << most;
}

TEST(Parameters, FloatAndDoubleStartAlike) {
  Parameters<float> f(7);
  Parameters<double> d(7);
  const auto& a = f.add("weight", {20}, 1);
  const auto& b = d.add("weight", {20}, 1);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(a.value[i], static_cast<float>(b.value[i]));
}

TEST(Parameters, ReferencesStayValidAndNamesAreUnique) {
  Parameters<float> p;
  const auto& first = p.add("first", {2}, 1);
  for (int i = 0; i < 1000; ++i) p.add("w" + std::to_string(i), {1}, 1);
  EXPECT_EQ(p.find("first"), &first);
  EXPECT_EQ(p.find("none"), nullptr);
  try {
    p.add("first", {1}, 1);
    FAIL();
  } catch (const ArgumentError& e) {
    EXPECT_STREQ(e.what(), "Parameters: \"first\" exists already, expected a new name");
  }
}

TEST(Graph, ViewsShareMemory) {
  std::vector<float> none(1);
  Graph<float> g(none.data(), 1);
  const Var<float> v = g.zeros({2, 3, 4});
  const Var<float> rows = v.slice(3, 2);
  EXPECT_EQ(rows.shape, (Shape{2, 4}));
  EXPECT_EQ(rows.value, v.value + 12);
  EXPECT_EQ(rows.grad, v.grad + 12);
  EXPECT_EQ(v.reshape({6, 4}).value, v.value);
  EXPECT_THROW(v.reshape({5, 5}), ShapeError);
}

TEST(Graph, GradientsAreAddedToWhatIsThere) {
  Parameters<double> p;
  const auto& w = p.add("w", {1, 1}, 1);
  std::vector<double> gradients = {10.0};
  Graph<double> g(gradients.data(), 1);
  const double two = 2;
  for (int i = 1; i <= 3; ++i) {
    g.backward(ops::linear(g, g.constant({1, 1}, &two), g.use(w)));
    EXPECT_DOUBLE_EQ(gradients[0], 10.0 + 2 * i);
    g.rewind();
  }
}

TEST(Graph, RewindForgetsTheTape) {
  Parameters<double> p;
  const auto& w = p.add("w", {1, 1}, 1);
  std::vector<double> gradients(1);
  Graph<double> g(gradients.data(), 1);
  const double two = 2;
  ops::linear(g, g.constant({1, 1}, &two), g.use(w));
  g.rewind();
  g.backward(ops::linear(g, g.constant({1, 1}, &two), g.use(w)));
  EXPECT_DOUBLE_EQ(gradients[0], 2.0);
}

TEST(Graph, BackwardWantsATapeAndOneElement) {
  Graph<float> infers;
  EXPECT_THROW(infers.backward(infers.zeros({1})), ArgumentError);
  std::vector<float> none(1);
  Graph<float> trains(none.data(), 1);
  EXPECT_THROW(trains.backward(trains.zeros({2})), ShapeError);
}

TEST(Arena, KeepsItsBlocksAndAlignsEverything) {
  Arena arena;
  std::vector<void*> first;
  const std::size_t sizes[] = {1, 100'000, 3, 4'000'000, 7, 64};
  for (const std::size_t size : sizes) {
    first.push_back(arena.allocate<char>(size));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first.back()) % 64, 0u);
  }
  const std::size_t reserved = arena.reserved();
  arena.rewind({});
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(arena.allocate<char>(sizes[i]), first[i]);
  EXPECT_EQ(arena.reserved(), reserved);
}

TEST(Arena, RewindsToAMark) {
  Arena arena;
  arena.allocate<float>(10);
  const Arena::Mark mark = arena.mark();
  float* after = arena.allocate<float>(1'000'000);
  arena.rewind(mark);
  EXPECT_EQ(arena.allocate<float>(1'000'000), after);
}

}  // namespace
}  // namespace softalign
