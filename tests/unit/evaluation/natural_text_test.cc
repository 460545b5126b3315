#include "evaluation/natural_text.h"

#include <gtest/gtest.h>

#include "text/white_space.h"

namespace softalign {
namespace {

using Words = std::vector<std::string>;

Words split(std::string_view line) {
  Words words;
  for (const std::string_view word : split_white_space(line)) words.emplace_back(word);
  return words;
}

std::string english(std::string_view tokens) { return natural_text(split(tokens), Language::kEnglish).text; }
std::string french(std::string_view tokens) { return natural_text(split(tokens), Language::kFrench).text; }

Words pieces(const std::string& text, const std::vector<ByteRange>& ranges) {
  Words words;
  for (const ByteRange& range : ranges) words.push_back(text.substr(range.begin, range.size()));
  return words;
}

TEST(NaturalText, English) {
  EXPECT_EQ(english("let us remember , Mr. Speaker , that it is true ."),
            "Let us remember, Mr. Speaker, that it is true.");
  EXPECT_EQ(english("the member 's $ 5.23 ( a ) over - all re - supply : why ?"),
            "The member's $5.23 (a) over-all re-supply: why?");
  EXPECT_EQ(english("\" My brothers , \" said he , \" may get . \""), "\"My brothers,\" said he, \"may get.\"");
  EXPECT_EQ(english("I don 't know , do n't you ?"), "I don't know, don't you?");
}

TEST(NaturalText, French) {
  EXPECT_EQ(french("il dit : « c’ était lui ! » , n' est-ce pas ?"), "Il dit : « c'était lui ! », n'est-ce pas ?");
  EXPECT_EQ(french("peut - être que si , disait -il aujourd' hui ( 15 % ) ."),
            "Peut-être que si, disait-il aujourd'hui (15 %).");
  EXPECT_EQ(french("été"), "Été");
  EXPECT_EQ(french("œuvre"), "Œuvre");
}

TEST(NaturalText, FrenchElision) {
  EXPECT_EQ(french("monsieur le Orateur , ce est que il ne y a que un homme de honneur ."),
            "Monsieur l'Orateur, c'est qu'il n'y a qu'un homme d'honneur.");
  EXPECT_EQ(french("je ai le habitude de le hôpital et de la hausse de le huit , si il se agit de onze"),
            "J'ai l'habitude de l'hôpital et de la hausse du huit, s'il s'agit de onze");
  EXPECT_EQ(french("jusque ici , lorsque on parle puisque elle le a"), "Jusqu'ici, lorsqu'on parle puisqu'elle l'a");
  // Not after a hyphen, not before names in H, not ce before other vowels.
  EXPECT_EQ(french("puis - je avoir"), "Puis-je avoir");
  EXPECT_EQ(french("de Halifax à ce ordre"), "De Halifax à ce ordre");
}

TEST(NaturalText, FrenchContraction) {
  EXPECT_EQ(french("de le gouvernement à le pays de les uns à les autres"),
            "Du gouvernement au pays des uns aux autres");
  EXPECT_EQ(french("À le cours de le été , auquel de lesquelles à lequel"),
            "Au cours de l'été, auquel desquelles auquel");
  // Pronouns stay.
  EXPECT_EQ(french("de les traiter , à le faire , de les quatre"), "De les traiter, à le faire, des quatre");
}

TEST(NaturalText, EveryTokenKnowsItsBytes) {
  const NaturalText natural = natural_text(split("à le heure de le chat : « de les bons - là »"), Language::kFrench);
  EXPECT_EQ(natural.text, "À l'heure du chat : « des bons-là »");
  EXPECT_EQ(pieces(natural.text, natural.words),
            (Words{"À", "l'", "heure", "du", "du", "chat", ":", "«", "des", "des", "bons", "-", "là", "»"}));
}

TEST(NaturalText, Empty) {
  EXPECT_EQ(natural_text({}, Language::kFrench).text, "");
  EXPECT_TRUE(natural_text({}, Language::kEnglish).words.empty());
}

TEST(PlainWords, CutAsTheirLanguageDoes) {
  const auto words = [](const std::string& text, Language language) {
    return pieces(text, plain_words(text, language));
  };
  EXPECT_EQ(
      words("I don't see the cat's 3.5 tails, \"re-do\".", Language::kEnglish),
      (Words{"I", "do", "n't", "see", "the", "cat", "'s", "3.5", "tails", ",", "\"", "re", "-", "do", "\"", "."}));
  EXPECT_EQ(words("L'eau n'est\u202fpas peut-être d'été\u00a0!", Language::kFrench),
            (Words{"L'", "eau", "n'", "est", "pas", "peut", "-", "être", "d'", "été", "!"}));
  EXPECT_EQ(words(" \xff a", Language::kEnglish), (Words{"\xff", "a"}));
  EXPECT_TRUE(plain_words("", Language::kEnglish).empty());
}

TEST(LowerCase, LatinLetters) {
  EXPECT_EQ(lower_case("ÀÉÎÖÞ×ß÷ ŒŠŽŸ ĀŁŃ AZ09 \xff日"), "àéîöþ×ß÷ œšžÿ āłń az09 \xff日");
}

TEST(LanguageOf, LooksAtTheLanguageOfATag) {
  EXPECT_EQ(language_of("fr"), Language::kFrench);
  EXPECT_EQ(language_of("fr-CA"), Language::kFrench);
  EXPECT_EQ(language_of("en"), Language::kEnglish);
  EXPECT_EQ(language_of("fro"), Language::kEnglish);
}

}  // namespace
}  // namespace softalign
