#include "evaluation/ibm_model1.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace softalign {
namespace {

std::vector<WordPair> house() {
  return {{{"the", "house"}, {"das", "Haus"}}, {{"the", "book"}, {"das", "Buch"}}, {{"a", "book"}, {"ein", "Buch"}}};
}

// By hand, one step of EM with NULL for the pairs (a; x y) and (a b; x). t starts uniform at 1/2.
//   pair 1: x and y each have sources NULL, a: 1/2 each.
//   pair 2: x has NULL, a, b: 1/3 each.
//   counts: a: x 1/2 + 1/3, y 1/2. NULL the same. b: x 1/3.
//   t(x|a) = (5/6) / (5/6 + 1/2) = 5/8, t(y|a) = 3/8; t(x|b) = 1.
TEST(IbmModel1, OneStepByHand) {
  const std::vector<WordPair> pairs = {{{"a"}, {"x", "y"}}, {{"a", "b"}, {"x"}}};
  const IbmModel1 model(pairs, 1);
  EXPECT_NEAR(model.probability("x", "a"), 5.0 / 8, 1e-12);
  EXPECT_NEAR(model.probability("y", "a"), 3.0 / 8, 1e-12);
  EXPECT_NEAR(model.probability("x", ""), 5.0 / 8, 1e-12);
  EXPECT_NEAR(model.probability("x", "b"), 1, 1e-12);
  EXPECT_EQ(model.probability("y", "b"), 0);
  EXPECT_EQ(model.probability("z", "a"), 0);
  EXPECT_EQ(model.probability("x", "c"), 0);
}

// The example of Koehn 2010 (Statistical Machine Translation, figure 4.4): EM finds the words that
// go together although no pair shows one alone.
TEST(IbmModel1, FindsTheWordsThatGoTogether) {
  const IbmModel1 model(house(), 50);
  EXPECT_GT(model.probability("Haus", "house"), 0.9);
  EXPECT_GT(model.probability("ein", "a"), 0.9);
  EXPECT_GT(model.probability("Buch", "book"), 0.6);
  EXPECT_GT(model.probability("das", "the"), 0.6);
  EXPECT_EQ(to_pharaoh(model.align({{"the", "book"}, {"Buch", "das"}})), "0-1 1-0");
  EXPECT_EQ(to_pharaoh(model.align({{"a", "house"}, {"Haus", "unknown", "ein"}})), "0-2 1-0");
  EXPECT_EQ(to_pharaoh(model.align({{"unknown"}, {"unknown"}})), "");
  EXPECT_EQ(to_pharaoh(model.align({{}, {"das"}})), "");
}

TEST(IbmModel1, ProbabilitiesOfASourceWordSumToOne) {
  const IbmModel1 model(house(), 7);
  for (const char* source : {"", "the", "a", "house", "book"}) {
    double sum = 0;
    for (const char* target : {"das", "ein", "Haus", "Buch"}) sum += model.probability(target, source);
    EXPECT_NEAR(sum, 1, 1e-12) << source;
  }
}

TEST(IbmModel1, WantsWords) {
  EXPECT_THROW(IbmModel1({}), ArgumentError);
  EXPECT_THROW(IbmModel1(std::vector<WordPair>{{{"a"}, {}}}), ArgumentError);
}

}  // namespace
}  // namespace softalign
