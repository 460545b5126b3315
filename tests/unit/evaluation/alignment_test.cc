#include "evaluation/alignment.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace softalign {
namespace {

TEST(Pharaoh, ReadsSortsAndPrints) {
  EXPECT_EQ(parse_pharaoh("2-1 0-0  1-2 0-0\t10-3"), (Alignment{{0, 0}, {1, 2}, {2, 1}, {10, 3}}));
  EXPECT_EQ(to_pharaoh(parse_pharaoh("2-1 0-0 10-3")), "0-0 2-1 10-3");
  EXPECT_TRUE(parse_pharaoh("").empty());
  EXPECT_EQ(to_pharaoh({}), "");
}

TEST(Pharaoh, NamesWhatItCannotRead) {
  for (const char* bad : {"1", "1-", "-1", "1-2-3", "a-b", "1p2", "1--2", "1-2x", "99999999999-0"}) {
    EXPECT_THROW(parse_pharaoh(bad), FormatError) << bad;
  }
  try {
    parse_pharaoh("0-0 x-1");
    FAIL();
  } catch (const FormatError& error) {
    EXPECT_STREQ(error.what(), "alignment: \"x-1\" is no pair of words, expected one like \"0-1\"");
  }
}

TEST(Gold, PossibleHoldsSure) {
  const GoldAlignment gold = parse_gold("1-1 2p3 1p1 2-2", 1);
  EXPECT_EQ(gold.sure, (Alignment{{0, 0}, {1, 1}}));
  EXPECT_EQ(gold.possible, (Alignment{{0, 0}, {1, 1}, {1, 2}}));
  EXPECT_THROW(parse_gold("0-1", 1), FormatError);
}

// By hand, two sentences. A = {0-0, 1-1, 2-2} and {0-1}; S = {0-0, 1-2} and {0-0}; P adds 2-2 and
// 0-1. A and S: 1; A and P: 3. So precision 3/4, recall 1/3, AER = 1 - (1 + 3) / (4 + 3).
TEST(AlignmentErrorRate, CountsOverAllSentences) {
  const std::vector<Alignment> found = {parse_pharaoh("0-0 1-1 2-2"), parse_pharaoh("0-1")};
  const std::vector<GoldAlignment> gold = {parse_gold("0-0 1-2 2p2", 0), parse_gold("0-0 0p1", 0)};
  const AlignmentScore score = alignment_error_rate(found, gold);
  EXPECT_DOUBLE_EQ(score.precision, 3.0 / 4);
  EXPECT_DOUBLE_EQ(score.recall, 1.0 / 3);
  EXPECT_DOUBLE_EQ(score.error, 3.0 / 7);
  EXPECT_EQ(score.found, 4U);
  EXPECT_EQ(score.sure, 3U);
}

TEST(AlignmentErrorRate, Edges) {
  const std::vector<GoldAlignment> gold = {parse_gold("0-0 1p1", 0)};
  EXPECT_DOUBLE_EQ(alignment_error_rate(std::vector<Alignment>{parse_pharaoh("0-0")}, gold).error, 0);
  EXPECT_DOUBLE_EQ(alignment_error_rate(std::vector<Alignment>{parse_pharaoh("0-0 1-1")}, gold).error, 0);
  EXPECT_DOUBLE_EQ(alignment_error_rate(std::vector<Alignment>(1), gold).error, 1);
  EXPECT_DOUBLE_EQ(alignment_error_rate({}, {}).error, 0);
  EXPECT_THROW(alignment_error_rate({}, gold), ArgumentError);
}

TEST(StrongestLinks, OneForEachTargetWord) {
  EXPECT_EQ(to_pharaoh(strongest_links(std::vector<float>{0.1F, 0.9F, 0,  //
                                                          0.5F, 0, 0.5F,  //
                                                          0, 0, 0},
                                       3)),
            "0-1 1-0");
  EXPECT_TRUE(strongest_links({}, 0).empty());
  EXPECT_THROW(strongest_links(std::vector<float>(4), 3), ArgumentError);
  EXPECT_THROW(strongest_links(std::vector<float>(4), 0), ArgumentError);
}

TEST(TransferLinks, FollowsTheBytes) {
  // Source "don't go": "don't" "go" -> "do" "n't" "go". Target "du pain": "du" "pain" -> "de" "le"
  // (both on "du") "pain".
  const std::vector<ByteRange> old_source = {{0, 5}, {6, 8}};
  const std::vector<ByteRange> new_source = {{0, 2}, {2, 5}, {6, 8}};
  const std::vector<ByteRange> old_target = {{0, 2}, {3, 7}};
  const std::vector<ByteRange> new_target = {{0, 2}, {0, 2}, {3, 7}};
  EXPECT_EQ(to_pharaoh(transfer_links(parse_pharaoh("0-1 1-0"), old_source, old_target, new_source, new_target)),
            "0-2 1-2 2-0 2-1");
  EXPECT_EQ(
      to_pharaoh(transfer_links(parse_pharaoh("0-2 1-2 2-0 2-1"), new_source, new_target, old_source, old_target)),
      "0-1 1-0");
  EXPECT_THROW(transfer_links(parse_pharaoh("2-0"), old_source, old_target, new_source, new_target), ArgumentError);
}

}  // namespace
}  // namespace softalign
