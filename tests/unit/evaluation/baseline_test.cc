#include "evaluation/baseline.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace softalign {
namespace {

TEST(BaselineAligner, LinksTheGoldsOwnWords) {
  const std::vector<std::string> english = {"the cat", "the dog", "of the cat", "of the dog", "water", "the water"};
  const std::vector<std::string> french = {"le chat", "le chien", "du chat", "du chien", "eau", "l'eau"};
  const BaselineAligner aligner(english, french, 20);
  GoldPair pair;
  const std::vector<std::string> source = {"of", "the", "cat"};
  const std::vector<std::string> target = {"de", "le", "chat"};
  pair.source = natural_text(source, Language::kEnglish);
  pair.target = natural_text(target, Language::kFrench);
  ASSERT_EQ(pair.target.text, "Du chat");
  EXPECT_EQ(to_pharaoh(aligner.align(pair)), "0-0 0-1 2-2");  // "du" is of, and both of its words are
}

TEST(BaselineAligner, RefusesListsThatDoNotFit) {
  const std::vector<std::string> one = {"a"};
  EXPECT_THROW(BaselineAligner(one, {}), ArgumentError);
  EXPECT_THROW(BaselineAligner({}, {}), ArgumentError);
}

}  // namespace
}  // namespace softalign
