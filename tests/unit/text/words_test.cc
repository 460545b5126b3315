#include "text/words.h"

#include <gtest/gtest.h>

#include <string>

#include "core/error.h"
#include "io/file.h"
#include "unit/support/random_text.h"

namespace softalign {
namespace {

const Tokenizer& tiny() {
  static const Tokenizer tokenizer(read_file(SOFTALIGN_SOURCE_DIR "/tests/golden/text/tiny.model"));
  return tokenizer;
}

using Words = std::vector<std::string>;

Words words_of(const std::string& text) {
  const Annotation annotation = tiny().encode(text);
  Words words;
  for (const ByteRange& range : word_ranges(annotation, word_spans(annotation, tiny()))) {
    words.push_back(text.substr(range.begin, range.size()));
  }
  return words;
}

TEST(WordSpans, StartAtWhiteSpace) {
  EXPECT_EQ(words_of("the old  cat"), (Words{"the", "old", "cat"}));
  EXPECT_EQ(words_of("  montagnes\u00a0vertes \n"), (Words{"montagnes", "vertes \n"}));
  EXPECT_EQ(words_of(""), Words{});
}

TEST(WordSpans, KeepApostrophesAndHyphensInside) {
  EXPECT_EQ(words_of("I don't see l'eau"), (Words{"I", "don't", "see", "l'eau"}));
  EXPECT_EQ(words_of("peut-être un rendez-vous"), (Words{"peut-être", "un", "rendez-vous"}));
}

TEST(WordSpans, SetPunctuationApart) {
  EXPECT_EQ(words_of("the cat, (a dog) sees!"), (Words{"the", "cat", ",", "(", "a", "dog", ")", "sees", "!"}));
  EXPECT_EQ(words_of("où est « le chat » ?"), (Words{"où", "est", "«", "le", "chat", "»", "?"}));
  EXPECT_EQ(words_of("cat.dog, cat"), (Words{"cat.dog", ",", "cat"}));
  EXPECT_EQ(words_of("cat:dog"), (Words{"cat", ":", "dog"}));
}

TEST(WordSpans, KeepNumbersWhole) {
  EXPECT_EQ(words_of("3.5 and 12,100 in 1984."), (Words{"3.5", "and", "12,100", "in", "1984", "."}));
}

TEST(WordSpans, GiveALoneSpaceToTheWordAfterIt) {
  // The model has no piece for a space and the emoji, nor for the parts of ½.
  EXPECT_EQ(words_of("cat \U0001f600 dog"), (Words{"cat", "\U0001f600", "dog"}));
  EXPECT_EQ(words_of("\u00bd of"), (Words{"\u00bd", "of"}));
  // Nor for a space and a guillemet, which stands alone all the same.
  EXPECT_EQ(words_of("cat «dog"), (Words{"cat", "«", "dog"}));
}

TEST(WordSpans, HoldEveryTokenOnce) {
  testing::RandomText random(5);
  for (int round = 0; round < 2000; ++round) {
    const Annotation annotation = tiny().encode(random(random.below(30), round % 3 == 0));
    std::size_t covered = 0;
    for (const TokenSpan& word : word_spans(annotation, tiny())) {
      ASSERT_EQ(word.first, covered);
      ASSERT_GT(word.last, word.first);
      covered = word.last;
    }
    ASSERT_EQ(covered, annotation.tokens.size());
  }
}

TEST(WordSpans, WorkOnDecodedText) {
  std::vector<std::int32_t> ids;
  for (const Token& token : tiny().encode("the cat, l'eau").tokens) ids.push_back(token.id);
  const Annotation decoded = tiny().decode(ids);
  Words words;
  for (const ByteRange& range : word_ranges(decoded, word_spans(decoded, tiny()))) {
    words.push_back(decoded.text.substr(range.begin, range.size()));
  }
  EXPECT_EQ(words, (Words{"the", "cat", ",", "l'eau"}));
}

TEST(AttentionByWord, AveragesRowsAndSumsColumns) {
  // By hand: rows {0, 1} are one target word, columns {0}, {1, 2} two source words.
  const std::vector<float> attention = {0.5F,  0.25F, 0.125F, 0.125F,  //
                                        0.25F, 0.5F,  0.25F,  0,       //
                                        0,     0.25F, 0.5F,   0.25F};
  EXPECT_EQ(
      attention_by_word(attention, 4, std::vector<TokenSpan>{{0, 2}, {2, 3}}, std::vector<TokenSpan>{{0, 1}, {1, 3}}),
      (std::vector<float>{0.375F, 0.5625F, 0, 0.75F}));
  // Named, the last column counts too, and each row sums to 1.
  EXPECT_EQ(
      attention_by_word(attention, 4, std::vector<TokenSpan>{{0, 2}}, std::vector<TokenSpan>{{0, 1}, {1, 3}, {3, 4}}),
      (std::vector<float>{0.375F, 0.5625F, 0.0625F}));
}

TEST(AttentionByWord, RefusesWhatDoesNotFit) {
  const std::vector<float> attention(12);
  const std::vector<TokenSpan> one = {{0, 1}};
  EXPECT_THROW(attention_by_word(attention, 5, one, one), ArgumentError);
  EXPECT_THROW(attention_by_word(attention, 0, one, one), ArgumentError);
  EXPECT_THROW(attention_by_word(attention, 4, std::vector<TokenSpan>{{2, 4}}, one), ArgumentError);
  EXPECT_THROW(attention_by_word(attention, 4, one, std::vector<TokenSpan>{{2, 1}}), ArgumentError);
  EXPECT_TRUE(attention_by_word(attention, 4, {}, one).empty());
}

Annotation annotation_of(std::string text, std::vector<ByteRange> ranges) {
  Annotation annotation{std::move(text), {}};
  for (const ByteRange range : ranges) annotation.tokens.push_back({0, range});
  return annotation;
}

TEST(AttentionByRange, IsAttentionByWordWhereWordsAreGroupsOfTokens) {
  const Annotation source = annotation_of("ab cd", {{0, 1}, {1, 2}, {2, 5}});
  const Annotation target = annotation_of("x yz", {{0, 1}, {1, 3}, {3, 4}});
  const std::vector<float> attention = {0.5F, 0.25F, 0.25F, 0.125F, 0.5F, 0.375F, 0, 0.5F, 0.5F};
  EXPECT_EQ(
      attention_by_range(attention, 3, target, std::vector<ByteRange>{{0, 1}, {2, 4}}, source,
                         std::vector<ByteRange>{{0, 2}, {3, 5}}),
      attention_by_word(attention, 3, std::vector<TokenSpan>{{0, 1}, {1, 3}}, std::vector<TokenSpan>{{0, 2}, {2, 3}}));
}

TEST(AttentionByRange, SharesATokenByItsBytes) {
  // Source: one token " don't" as the words "do" and "n't": 2/5 and 3/5 of it. Target: "du", which
  // two words claim whole, and a token of three bytes of which a word has one.
  const Annotation source = annotation_of(" don't", {{0, 6}});
  const Annotation target = annotation_of("du abc", {{0, 2}, {2, 6}});
  const std::vector<float> attention = {1, 0.5F};
  EXPECT_EQ(attention_by_range(attention, 1, target, std::vector<ByteRange>{{0, 2}, {0, 2}, {1, 4}, {2, 3}}, source,
                               std::vector<ByteRange>{{1, 3}, {3, 6}}),
            (std::vector<float>{0.4F, 0.6F, 0.4F, 0.6F, 0.3F, 0.45F,  // half "du", half "abc": 0.75
                                0, 0}));                              // the space alone is nobody's
}

TEST(AttentionByRange, CountsNothingTwice) {
  const Annotation source = annotation_of("du pain", {{0, 2}, {2, 7}});
  const Annotation target = annotation_of("x", {{0, 1}});
  EXPECT_EQ(attention_by_range(std::vector<float>{0.5F, 0.5F}, 2, target, std::vector<ByteRange>{{0, 1}}, source,
                               std::vector<ByteRange>{{0, 2}, {0, 2}, {3, 7}}),
            (std::vector<float>{0.25F, 0.25F, 0.5F}));
}

TEST(AttentionByRange, RefusesWhatDoesNotFit) {
  const Annotation text = annotation_of("ab", {{0, 1}, {1, 2}});
  const std::vector<ByteRange> word = {{0, 2}};
  EXPECT_THROW(attention_by_range(std::vector<float>(2), 2, text, word, text, word), ArgumentError);
  EXPECT_THROW(attention_by_range(std::vector<float>(2), 1, text, word, text, word), ArgumentError);
  EXPECT_THROW(attention_by_range(std::vector<float>(4), 2, text, std::vector<ByteRange>{{0, 3}}, text, word),
               ArgumentError);
  EXPECT_THROW(attention_by_range(std::vector<float>(4), 2, text, word, text, std::vector<ByteRange>{{2, 1}}),
               ArgumentError);
}

}  // namespace
}  // namespace softalign
