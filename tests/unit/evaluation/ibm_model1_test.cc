#include "evaluation/ibm_model1.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "unit/support/word_pairs.h"

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

// Knight's workbook (1999) works this by hand: "b c" is "x y", and "b" is "y", where b is in all pairs; so is
// NULL, which plays b here. After one step t(y|b) = 3/4 and t(x|c) = 1/2, as he has it. In the second
// (his allows less alignments than model 1) x has b 1/4 : c 1/2, so 1/3 and 2/3, and y has 3/4 : 1/2, so
// 3/5 and 2/5, and the other y is b's: t(x|b) = (1/3) / (1/3 + 8/5) = 5/29, t(x|c) = (2/3) / (2/3 + 2/5) = 5/8.
TEST(IbmModel1, KnightsExample) {
  const std::vector<WordPair> pairs = {{{"c"}, {"x", "y"}}, {{}, {"y"}}};
  const IbmModel1 one(pairs, 1);
  EXPECT_NEAR(one.probability("x", ""), 1.0 / 4, 1e-12);
  EXPECT_NEAR(one.probability("y", ""), 3.0 / 4, 1e-12);
  EXPECT_NEAR(one.probability("x", "c"), 1.0 / 2, 1e-12);
  const IbmModel1 two(pairs, 2);
  EXPECT_NEAR(two.probability("x", ""), 5.0 / 29, 1e-12);
  EXPECT_NEAR(two.probability("x", "c"), 5.0 / 8, 1e-12);
}

// Knight's pairs again. At first every word has 1/2; then x has (1/4 + 1/2) / 2, y (3/4 + 1/2) / 2 beside c
// and 3/4 alone.
TEST(IbmModel1, LikelihoodByHand) {
  const std::vector<WordPair> pairs = {{{"c"}, {"x", "y"}}, {{}, {"y"}}};
  TranslationTable table(pairs);
  const std::vector<double> logs = train_ibm_model1(table, table.meetings(pairs), 2);
  ASSERT_EQ(logs.size(), 2U);
  EXPECT_NEAR(logs[0], std::log(1.0 / 8), 1e-12);
  EXPECT_NEAR(logs[1], std::log(3.0 / 8 * 5.0 / 8 * 3.0 / 4), 1e-12);
}

TEST(IbmModel1, LikelihoodNeverDecreases) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const std::vector<WordPair> pairs = testing::random_pairs(random, 12, 9);
    TranslationTable table(pairs);
    const std::vector<double> logs = train_ibm_model1(table, table.meetings(pairs), 30);
    for (std::size_t i = 1; i < logs.size(); ++i) EXPECT_GE(logs[i], logs[i - 1] - 1e-9) << seed << ", step " << i;
    EXPECT_GT(logs.back(), logs.front());
  }
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
