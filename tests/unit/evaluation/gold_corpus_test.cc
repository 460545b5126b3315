#include "evaluation/gold_corpus.h"

#include <gtest/gtest.h>

#include <fstream>

#include "core/error.h"
#include "evaluation/ibm_model1.h"
#include "unit/support/data.h"

namespace softalign {
namespace {

namespace fs = std::filesystem;

class GoldCorpus : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) /
              ("softalign_gold_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const fs::path& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }

  template <class Read>
  std::string message(Read&& read) {
    try {
      read(folder_);
    } catch (const Error& error) {
      return std::string(error.code()) + ": " + error.what();
    }
    return "no error";
  }

  fs::path folder_;
};

TEST_F(GoldCorpus, ReadsHansards) {
  write("enfr.src-tgt", "hear , hear !   ||| bravo !  \nof the cat ||| de le chat\n");
  write("enfr.gold", "1p1 3p1 4-2\n1-1 2-2 3-3\n");
  const std::vector<GoldPair> pairs = read_hansards(folder_);
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].source.text, "Hear, hear!");
  EXPECT_EQ(pairs[0].target.text, "Bravo !");
  EXPECT_EQ(to_pharaoh(pairs[0].gold.sure), "3-1");
  EXPECT_EQ(to_pharaoh(pairs[0].gold.possible), "0-0 2-0 3-1");
  EXPECT_EQ(pairs[1].target.text, "Du chat");
  EXPECT_EQ(pairs[1].target.words.size(), 3U);
}

TEST_F(GoldCorpus, ReadsAlibiFrenchFirst) {
  write("ali/Chat_Cat/Chat_sents.txt", "0\tle chat\n1\toui\n");
  write("ali/Chat_Cat/Cat_sents.txt", "0\tthe old cat\n1\tyes\n");
  write("ali/Chat_Cat/ali_w2w_Chat_Cat.txt", "0\t0-0 1-2 1p1 \n1\t0-0 \n");
  const std::vector<GoldPair> pairs = read_alibi(folder_);
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].source.text, "The old cat");
  EXPECT_EQ(pairs[0].target.text, "Le chat");
  EXPECT_EQ(to_pharaoh(pairs[0].gold.sure), "0-0 2-1");
  EXPECT_EQ(to_pharaoh(pairs[0].gold.possible), "0-0 1-1 2-1");
}

TEST_F(GoldCorpus, NamesFileAndLine) {
  EXPECT_EQ(message(read_hansards), "io: cannot read " + (folder_ / "enfr.src-tgt").string());
  EXPECT_EQ(message(read_alibi), "io: cannot read " + (folder_ / "ali").string());
  write("enfr.src-tgt", "a ||| b\n");
  write("enfr.gold", "1-1\n1-1\n");
  EXPECT_EQ(message(read_hansards), "format: " + (folder_ / "enfr.gold").string() + " has 2 lines, expected 1");
  write("enfr.gold", "1-2\n");
  EXPECT_EQ(message(read_hansards), "format: " + (folder_ / "enfr.gold").string() +
                                        ":1: link 0-1 (from 0) is beyond 1 English and 1 French words");
  write("enfr.gold", "1~1\n");
  EXPECT_NE(message(read_hansards).find("enfr.gold:1: alignment: \"1~1\""), std::string::npos);
  write("enfr.src-tgt", "a b\n");
  EXPECT_NE(message(read_hansards).find("enfr.src-tgt:1: no \"|||\""), std::string::npos);
  write("ali/Chat_Cat/Chat_sents.txt", "1\tle chat\n");
  write("ali/Chat_Cat/Cat_sents.txt", "0\tthe cat\n");
  write("ali/Chat_Cat/ali_w2w_Chat_Cat.txt", "0\t0-0\n");
  EXPECT_NE(message(read_alibi).find("Chat_sents.txt:1: expected 0 and a tab first"), std::string::npos);
}

// The counts of their README files and of our data folder's.
TEST(GoldCorpusData, IsWhole) {
  const auto folder = testing::shared_data("alignments");
  if (!folder) GTEST_SKIP() << "no ../shared/data/alignments";
  EXPECT_EQ(read_hansards(*folder / "hansards-en-fr").size(), 447U);
  EXPECT_EQ(read_alibi(*folder / "alibi-en-fr").size(), 324U);
}

// Words line up with their links: identical long words (names, numbers) are mostly aligned to each
// other by the people who aligned them. An offset of one anywhere would break this.
TEST(GoldCorpusData, LinksMeetTheirWords) {
  const auto folder = testing::shared_data("alignments");
  if (!folder) GTEST_SKIP() << "no ../shared/data/alignments";
  for (const auto& pairs : {read_hansards(*folder / "hansards-en-fr"), read_alibi(*folder / "alibi-en-fr")}) {
    std::size_t same = 0;
    std::size_t linked = 0;
    for (const GoldPair& pair : pairs) {
      const auto word = [](const NaturalText& text, std::size_t i) {
        return text.text.substr(text.words[i].begin, text.words[i].size());
      };
      for (std::uint32_t i = 0; i < pair.source.words.size(); ++i) {
        for (std::uint32_t j = 0; j < pair.target.words.size(); ++j) {
          if (word(pair.source, i).size() < 5 || word(pair.source, i) != word(pair.target, j)) continue;
          ++same;
          const auto& links = pair.gold.possible;
          linked += std::find(links.begin(), links.end(), Link{i, j}) != links.end() ? 1 : 0;
        }
      }
    }
    EXPECT_GT(same, 20U);
    EXPECT_GT(static_cast<double>(linked), 0.9 * static_cast<double>(same));
  }
}

}  // namespace
}  // namespace softalign
