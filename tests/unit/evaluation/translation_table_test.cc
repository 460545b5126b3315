#include "evaluation/translation_table.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace softalign {
namespace {

std::vector<WordPair> pairs() { return {{{"a"}, {"x", "y"}}, {{}, {"x"}}, {{"a", "b", "a"}, {"z"}}, {{"c"}, {}}}; }

TEST(TranslationTable, StartsUniformOverTheWordsThatMet) {
  const TranslationTable table(pairs());
  EXPECT_EQ(table.probabilities().size(), 7U);  // NULL and a with x, y, z; b with z
  const auto t = [&](const char* target, const char* source) {
    return table.probability(table.target_id(target), table.source_id(source));
  };
  EXPECT_DOUBLE_EQ(t("x", "a"), 1.0 / 3);
  EXPECT_DOUBLE_EQ(t("z", "b"), 1.0 / 3);
  EXPECT_EQ(t("x", "b"), 0);
  EXPECT_EQ(t("x", "c"), 0);
  EXPECT_EQ(table.source_id("d"), TranslationTable::kUnknown);
  EXPECT_EQ(table.target_id("a"), TranslationTable::kUnknown);
  EXPECT_EQ(t("x", "d"), 0);
  EXPECT_EQ(t("a", "a"), 0);
}

TEST(TranslationTable, MeetingsAreRowsOfCellsWithNullFirst) {
  const TranslationTable table(pairs());
  const Meetings meetings = table.meetings(pairs());
  ASSERT_EQ(meetings.pairs.size(), 4U);
  EXPECT_EQ(meetings.pairs[2].source, 3U);
  EXPECT_EQ(meetings.pairs[2].target, 1U);
  const auto at = [&](const char* target, const char* source) {
    const std::uint32_t id = *source == 0 ? TranslationTable::kNull : table.source_id(source);
    return table.cell(table.target_id(target), id);
  };
  EXPECT_EQ(meetings.cells, (std::vector<std::uint32_t>{at("x", ""), at("x", "a"),  //
                                                        at("y", ""), at("y", "a"),  //
                                                        at("x", ""),                //
                                                        at("z", ""), at("z", "a"), at("z", "b"), at("z", "a")}));
}

TEST(TranslationTable, NormalisesEachSourceWord) {
  TranslationTable table(pairs());
  std::vector<double> counts(7);
  const std::uint32_t a = table.source_id("a");
  counts[table.cell(table.target_id("x"), a)] = 3;
  counts[table.cell(table.target_id("z"), a)] = 1;
  table.normalise(counts);
  EXPECT_DOUBLE_EQ(table.probability(table.target_id("x"), a), 0.75);
  EXPECT_EQ(table.probability(table.target_id("y"), a), 0);
  EXPECT_DOUBLE_EQ(table.probability(table.target_id("z"), a), 0.25);
  EXPECT_EQ(table.probability(table.target_id("z"), table.source_id("b")), 0);  // no counts at all
}

TEST(TranslationTable, WantsTargetWords) {
  EXPECT_THROW(TranslationTable({}), ArgumentError);
  EXPECT_THROW(TranslationTable(std::vector<WordPair>{{{"a"}, {}}}), ArgumentError);
}

}  // namespace
}  // namespace softalign
