#include "ops/pattern.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/random.h"
#include "unit/support/errors.h"

namespace softalign::ops {
namespace {

using Edge = std::pair<std::uint32_t, std::uint32_t>;
using Lengths = std::vector<std::int32_t>;
using May = std::function<bool(std::size_t, std::size_t)>;  // query t, key s

// The slots of every query, against the definition of who may look at whom.
void expect_reach(const Pattern& pattern, std::size_t queries, std::size_t keys, const Lengths& lengths, const May& may) {
  Graph<float> g;
  const Reach reach(g, "test", queries, keys, lengths.size(), lengths, pattern);
  std::size_t pairs = 0;
  for (std::size_t b = 0; b < lengths.size(); ++b) {
    for (std::size_t t = 0; t < queries; ++t) {
      std::vector<std::size_t> expected, got;
      for (std::size_t s = 0; s < static_cast<std::size_t>(lengths[b]); ++s) {
        if (may(t, s)) expected.push_back(s);
      }
      ASSERT_LE(reach.first(t), reach.last(t, b));
      ASSERT_LE(reach.last(t, b), reach.slots());
      for (std::size_t i = reach.first(t); i < reach.last(t, b); ++i) got.push_back(reach.key(t, i));
      ASSERT_EQ(got, expected) << "query " << t << " of sequence " << b;
      pairs += expected.size();
    }
  }
  EXPECT_EQ(reach.pairs(), pairs);
}

std::size_t distance(std::size_t a, std::size_t b) { return a > b ? a - b : b - a; }

TEST(Pattern, DenseSeesEveryKeyThereIs) {
  expect_reach({}, 3, 5, {5, 1, 4}, [](std::size_t, std::size_t) { return true; });
}

TEST(Pattern, CausalSeesWhatCameBefore) {
  for (const std::size_t offset : {0, 1, 3}) {
    expect_reach(Pattern::causal(offset), 4, 7, {7, 2, 5},
                 [=](std::size_t t, std::size_t s) { return s <= t + offset; });
  }
}

TEST(Pattern, AWindowSeesItsRadius) {
  for (const std::size_t radius : {0, 1, 2, 6, 7, 100}) {
    for (const std::size_t offset : {0, 2}) {
      expect_reach(Pattern::window(radius, offset), 5, 7, {7, 1, 4},
                   [=](std::size_t t, std::size_t s) { return distance(t + offset, s) <= radius; });
    }
  }
}

TEST(Pattern, AWindowTakesNoMoreSlotsThanItIsWide) {
  Graph<float> g;
  EXPECT_EQ(Reach(g, "test", 100, 100, 1, {}, Pattern::window(2)).slots(), 5);
  EXPECT_EQ(Reach(g, "test", 4, 4, 1, {}, Pattern::window(1000)).slots(), 7);
}

TEST(Pattern, EdgesSeeTheirKeys) {
  Random random(5);
  std::set<Edge> edges;
  for (int i = 0; i < 20; ++i) edges.emplace(random.below(6), random.below(8));
  std::vector<Edge> listed(edges.rbegin(), edges.rend());
  listed.push_back(listed.front());  // twice is once
  const EdgeList list(6, 8, listed);
  EXPECT_EQ(list.size(), edges.size());
  expect_reach(Pattern::edges(list), 6, 8, {8, 1, 5}, [&](std::size_t t, std::size_t s) {
    return edges.contains({static_cast<std::uint32_t>(t), static_cast<std::uint32_t>(s)});
  });
}

TEST(Pattern, StridedListSeesItsNeighboursAndEveryStride) {
  const EdgeList list = EdgeList::strided(11, 3);
  expect_reach(Pattern::edges(list), 11, 11, {11, 6},
               [](std::size_t t, std::size_t s) { return s <= t && (t - s < 3 || (t - s) % 3 == 0); });
}

TEST(Pattern, GlobalPositionsSeeAllAndAreSeenByAll) {
  const EdgeList list = EdgeList::global_and_window(9, 2, 1);
  expect_reach(Pattern::edges(list), 9, 9, {9, 5},
               [](std::size_t t, std::size_t s) { return t < 2 || s < 2 || distance(t, s) <= 1; });
}

TEST(Pattern, ListsOfNothingAreFine) {
  const EdgeList none(3, 4, {});
  expect_reach(Pattern::edges(none), 3, 4, {4}, [](std::size_t, std::size_t) { return false; });
  EXPECT_EQ(EdgeList::strided(0, 1).size(), 0);
  EXPECT_EQ(EdgeList::global_and_window(2, 5, 0).size(), 4);
}

TEST(Pattern, WhatDoesNotFitIsNamed) {
  Graph<float> g;
  const std::vector<Edge> beyond = {{0, 1}, {2, 4}};
  EXPECT_EQ(testing::message_of([&] { EdgeList(3, 4, beyond); }),
            "EdgeList: an edge is (2, 4), expected a query below 3 and a key below 4");
  EXPECT_THROW(EdgeList::strided(3, 0), ArgumentError);
  const EdgeList list(3, 4, {});
  EXPECT_EQ(testing::message_of([&] { Reach(g, "Layer", 3, 5, 1, {}, Pattern::edges(list)); }),
            "Layer: keys of the edge list is 4, expected 5");
  EXPECT_EQ(testing::message_of([&] { Reach(g, "Layer", 4, 5, 1, {}, Pattern::causal(2)); }),
            "Layer: the last query stands at position 5, expected below the number of keys, 5");
  EXPECT_EQ(testing::message_of([&] { Reach(g, "Layer", 0, 5, 1, {}, {}); }),
            "Layer: it has 0 queries and 5 keys in 1 sequences, expected at least one of each");
  const Lengths zero = {5, 0}, one = {5};
  EXPECT_EQ(testing::message_of([&] { Reach(g, "Layer", 1, 5, 2, zero, {}); }), "Layer: lengths[1] is 0, expected 1..5");
  EXPECT_THROW(Reach(g, "Layer", 1, 5, 2, one, {}), ShapeError);
}

}  // namespace
}  // namespace softalign::ops
