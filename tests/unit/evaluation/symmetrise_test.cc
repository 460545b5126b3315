#include "evaluation/symmetrise.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.h"
#include "core/random.h"

namespace softalign {
namespace {

std::string symmetrised(const char* forward, const char* backward, Symmetrisation how) {
  return to_pharaoh(symmetrise(parse_pharaoh(forward), parse_pharaoh(backward), how));
}

// By hand after the pseudo-code of Moses' manual (GROW-DIAG-FINAL-AND). I in both, f and b in one:
//
//     target 0 1 2 3 4 5 6 7 8       Grown: 1-2 beside 1-1 brings target 2, 3-3 below 2-3 source 3, 4-4 across
//   source 0 I . . . . . . . .       from 3-3 both, 4-5 beside 4-4 target 5. Not 3-5: both its words are linked
//          1 . I f . . . . . .       by then.
//          2 . . . I . . . . .       Final: of forward 6-7, whose words are both new; not 6-8, for 6 is linked by
//          3 . . . b . f . . .       then. Of backward 5-8: so an order that takes 6-8 first has neither.
//          4 . . . . f b . . .
//          5 . . . . . . . . b
//          6 . . . . . . . f f
TEST(Symmetrise, ByHand) {
  const char* const forward = "0-0 1-1 1-2 2-3 4-4 3-5 6-7 6-8";
  const char* const backward = "0-0 1-1 2-3 3-3 4-5 5-8";
  EXPECT_EQ(symmetrised(forward, backward, Symmetrisation::kIntersection), "0-0 1-1 2-3");
  EXPECT_EQ(symmetrised(forward, backward, Symmetrisation::kGrowDiag), "0-0 1-1 1-2 2-3 3-3 4-4 4-5");
  EXPECT_EQ(symmetrised(forward, backward, Symmetrisation::kGrowDiagFinalAnd), "0-0 1-1 1-2 2-3 3-3 4-4 4-5 5-8 6-7");
  EXPECT_EQ(symmetrised(forward, backward, Symmetrisation::kUnion), "0-0 1-1 1-2 2-3 3-3 3-5 4-4 4-5 5-8 6-7 6-8");
}

// Growing to the left and upwards, where words already passed must be looked at once more.
TEST(Symmetrise, GrowsBackwards) {
  EXPECT_EQ(symmetrised("3-3 2-2 1-1", "3-3 0-0 1-1", Symmetrisation::kGrowDiag), "0-0 1-1 2-2 3-3");
  EXPECT_EQ(symmetrised("4-4 3-3 2-2 1-1 0-0", "4-4", Symmetrisation::kGrowDiag), "0-0 1-1 2-2 3-3 4-4");
  EXPECT_EQ(symmetrised("2-0 1-1 0-2", "2-0", Symmetrisation::kGrowDiag), "0-2 1-1 2-0");
  EXPECT_EQ(symmetrised("0-2 1-1 2-0", "0-2", Symmetrisation::kGrowDiag), "0-2 1-1 2-0");
}

TEST(Symmetrise, Edges) {
  for (const auto how : {Symmetrisation::kIntersection, Symmetrisation::kUnion, Symmetrisation::kGrowDiag,
                         Symmetrisation::kGrowDiagFinalAnd}) {
    EXPECT_EQ(symmetrised("", "", how), "");
    EXPECT_EQ(symmetrised("0-0 3-1", "0-0 3-1", how), "0-0 3-1");
  }
  // Nothing to grow from; final-and takes what it can, forward's first.
  EXPECT_EQ(symmetrised("0-0", "0-1", Symmetrisation::kGrowDiag), "");
  EXPECT_EQ(symmetrised("0-0", "0-1", Symmetrisation::kGrowDiagFinalAnd), "0-0");
  EXPECT_EQ(symmetrised("", "0-1", Symmetrisation::kGrowDiagFinalAnd), "0-1");
}

TEST(Symmetrise, EachHoldsTheOneBefore) {
  Random random(11);
  std::size_t differ = 0;
  for (int round = 0; round < 500; ++round) {
    const auto sources = static_cast<std::uint32_t>(1 + random.below(10));
    const auto targets = static_cast<std::uint32_t>(1 + random.below(10));
    Alignment forward, backward;
    for (std::uint32_t t = 0; t < targets; ++t) {
      if (random.below(5) > 0) forward.push_back({static_cast<std::uint32_t>(random.below(sources)), t});
    }
    for (std::uint32_t s = 0; s < sources; ++s) {
      if (random.below(5) > 0) backward.push_back({s, static_cast<std::uint32_t>(random.below(targets))});
    }
    std::sort(forward.begin(), forward.end());
    Alignment before;
    for (const auto how : {Symmetrisation::kIntersection, Symmetrisation::kGrowDiag, Symmetrisation::kGrowDiagFinalAnd,
                           Symmetrisation::kUnion}) {
      const Alignment links = symmetrise(forward, backward, how);
      EXPECT_TRUE(std::is_sorted(links.begin(), links.end()));
      EXPECT_EQ(std::adjacent_find(links.begin(), links.end()), links.end());
      EXPECT_TRUE(std::includes(links.begin(), links.end(), before.begin(), before.end()));
      differ += links.size() > before.size() ? 1 : 0;
      before = links;
      if (how == Symmetrisation::kIntersection || how == Symmetrisation::kUnion) {
        EXPECT_EQ(links, symmetrise(backward, forward, how));
        EXPECT_EQ(reversed(links), symmetrise(reversed(forward), reversed(backward), how));
      }
    }
  }
  EXPECT_GT(differ, 1000U);
}

TEST(Reversed, TurnsAndSorts) {
  EXPECT_EQ(to_pharaoh(reversed(parse_pharaoh("0-2 1-0 1-1"))), "0-1 1-1 2-0");
  EXPECT_TRUE(reversed({}).empty());
}

// Two target words, three source words. Products: 0-0 0.9 * 0.8, 1-1 0.5 * 0.2, 2-1 0.3 * 0.9.
TEST(AgreedLinks, ThoseWhoseProductIsAbove) {
  const std::vector<double> forward = {0.9, 0,   0.1,  //
                                       0,   0.5, 0.3};
  const std::vector<double> backward = {0.8, 0.1,  //
                                        0.1, 0.2,  //
                                        0,   0.9};
  EXPECT_EQ(to_pharaoh(agreed_links(forward, backward, 3, 0.05)), "0-0 1-1 2-1");
  EXPECT_EQ(to_pharaoh(agreed_links(forward, backward, 3, 0.2)), "0-0 2-1");
  EXPECT_EQ(to_pharaoh(agreed_links(forward, backward, 3, 0.9)), "");
  EXPECT_TRUE(agreed_links({}, {}, 0, 0.1).empty());
  EXPECT_TRUE(agreed_links({}, {}, 3, 0.1).empty());
  EXPECT_THROW(agreed_links(forward, backward, 4, 0.1), ArgumentError);
  EXPECT_THROW(agreed_links(forward, backward, 0, 0.1), ArgumentError);
  EXPECT_THROW(agreed_links(forward, {}, 3, 0.1), ArgumentError);
}

TEST(MostProbableLinks, UnlessNullIs) {
  EXPECT_EQ(to_pharaoh(most_probable_links(std::vector<double>{0.2, 0.45, 0.1,  // NULL 0.25
                                                               0.3, 0.2, 0.1,   // NULL 0.4
                                                               0.4, 0.4, 0.2},
                                           3)),
            "0-2 1-0");
  EXPECT_TRUE(most_probable_links({}, 0).empty());
  EXPECT_THROW(most_probable_links(std::vector<double>(4), 3), ArgumentError);
}

}  // namespace
}  // namespace softalign
