#include "text/sentences.h"

#include <gtest/gtest.h>

#include <string>

#include "unit/support/random_text.h"

namespace softalign {
namespace {

using Sentences = std::vector<std::string_view>;

TEST(SplitSentences, KeepsTheSpaceAfterEach) {
  EXPECT_EQ(split_sentences("I am cold. But why?  \"No.\" he said.\n\nThen 3.5 more"),
            (Sentences{"I am cold. ", "But why?  ", "\"No.\" he said.\n", "\n", "Then 3.5 more"}));
  EXPECT_EQ(split_sentences("Où est-il ? Là.", "fr"), (Sentences{"Où est-il ? ", "Là."}));
  EXPECT_EQ(split_sentences(""), Sentences{});
  EXPECT_EQ(split_sentences(std::string_view()), Sentences{});
  EXPECT_EQ(split_sentences("one"), Sentences{"one"});
}

TEST(SplitSentences, EndsAtEveryLineBreak) {
  EXPECT_EQ(split_sentences("a\nb\r\nc"), (Sentences{"a\n", "b\r\n", "c"}));
}

TEST(SplitSentences, LosesNoByte) {
  testing::RandomText random(6);
  for (int round = 0; round < 1000; ++round) {
    const std::string text = random(random.below(60), round % 2 == 0);
    std::string joined;
    for (const std::string_view sentence : split_sentences(text)) {
      ASSERT_FALSE(sentence.empty());
      joined += sentence;
    }
    ASSERT_EQ(joined, text);
  }
}

}  // namespace
}  // namespace softalign
