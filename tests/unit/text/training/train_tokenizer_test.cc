#include "text/training/train_tokenizer.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "text/tokenizer.h"

namespace softalign {
namespace {

std::vector<std::string> sentences() {
  const std::vector<std::string> subjects = {"the cat", "a dog", "my sister", "le chat", "un chien", "ma sœur"};
  const std::vector<std::string> verbs = {"sees", "likes", "doesn't want", "voit", "aime", "n'a pas"};
  const std::vector<std::string> objects = {"the garden.", "old bread!",      "water?",
                                            "le jardin.",  "du vieux pain !", "l'eau ?"};
  std::vector<std::string> result;
  for (const auto& subject : subjects) {
    for (const auto& verb : verbs) {
      for (const auto& object : objects) result.push_back(subject + ' ' + verb + ' ' + object);
    }
  }
  return result;
}

TEST(TrainTokenizer, MakesWhatTheTokenizerReads) {
  const Tokenizer tokenizer(train_tokenizer(sentences(), {.vocabulary_size = 50, .required_characters = ""}));
  EXPECT_EQ(tokenizer.size(), 50U);
  EXPECT_EQ(tokenizer.unk(), 0);
  EXPECT_EQ(tokenizer.eos(), 1);
  for (const std::string& sentence : sentences()) {
    std::vector<std::int32_t> ids;
    for (const Token& token : tokenizer.encode(sentence).tokens) {
      EXPECT_GT(token.id, 1);
      ids.push_back(token.id);
    }
    EXPECT_LT(ids.size(), sentence.size());
    EXPECT_EQ(tokenizer.decode(ids).text, sentence);
  }
  // nmt_nfkc: U+202F is a space, ﬁ and full-width letters are plain ones.
  EXPECT_EQ(tokenizer.encode("l'eau\u202f?").tokens.size(), tokenizer.encode("l'eau ?").tokens.size());
  EXPECT_EQ(tokenizer.encode("ｃａｔ").tokens.size(), tokenizer.encode("cat").tokens.size());
}

TEST(TrainTokenizer, KnowsLettersDigitsAndSignsWhateverTheTextHas) {
  const Tokenizer tokenizer(train_tokenizer(sentences(), {.vocabulary_size = 120}));
  for (char c = '!'; c <= '~'; ++c) {
    for (const Token& token : tokenizer.encode(std::string(3, c)).tokens) EXPECT_NE(token.id, tokenizer.unk()) << c;
  }
}

// In 150,000 sentence pairs of English and French, "Noël" has most of 150 among 10 million characters.
TEST(TrainTokenizer, KnowsALetterThatOneInAHundredThousandIs) {
  std::vector<std::string> text;
  while (text.size() < 4000) for (const std::string& sentence : sentences()) text.push_back(sentence);
  for (int i = 0; i < 2; ++i) text.push_back("Noël");
  const Tokenizer tokenizer(train_tokenizer(text, {.vocabulary_size = 120}));
  for (const Token& token : tokenizer.encode("ë").tokens) EXPECT_NE(token.id, tokenizer.unk());
}

TEST(TrainTokenizer, IsDeterministic) {
  EXPECT_EQ(train_tokenizer(sentences(), {.vocabulary_size = 50, .required_characters = ""}),
            train_tokenizer(sentences(), {.vocabulary_size = 50, .required_characters = ""}));
}

TEST(TrainTokenizer, SaysWhatIsWrong) {
  const auto message = [](const std::vector<std::string>& text, std::size_t size) -> std::string {
    try {
      train_tokenizer(text, {.vocabulary_size = size, .required_characters = ""});
    } catch (const ArgumentError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message(sentences(), 5000),
            "tokenizer training on 216 sentences: Vocabulary size too high (5000). Please set it to a "
            "value <= 55.");
  EXPECT_NE(message(sentences(), 5), "no error");
  EXPECT_NE(message({}, 80), "no error");
}

}  // namespace
}  // namespace softalign
