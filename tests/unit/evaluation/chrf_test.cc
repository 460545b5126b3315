#include "evaluation/chrf.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace softalign {
namespace {

using Texts = std::vector<std::string>;

// sacreBLEU's README prints chrF2 = 59.73 for these.
TEST(Chrf, PrintsSacreBleusDocumentedExample) {
  const Texts system = {"The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."};
  const std::vector<Texts> references = {{"The dog bit the man.", "The dog had bit the man."},
                                         {"It was not unexpected.", "No one was surprised."},
                                         {"The man bit him first.", "The man had bitten the dog."}};
  EXPECT_NEAR(corpus_chrf(system, references), 59.73, 0.005);
}

// The example of Hugging Face evaluate's chrF card, which calls sacreBLEU.
TEST(Chrf, PrintsAnotherDocumentedExample) {
  const Texts system = {"The relationship between cats and dogs is not exactly friendly.",
                        "a good bookshop is just a genteel black hole that knows how to read."};
  const Texts references = {"The relationship between dogs and cats is not exactly friendly.",
                            "A good bookshop is just a genteel Black Hole that knows how to read."};
  EXPECT_NEAR(corpus_chrf(system, references), 84.64214891738334, 1e-9);
}

// By hand: "abc" against "abd" matches 2/3 and 1/2 and 0/1, so P = R = 7/18 over three orders.
TEST(Chrf, AveragesTheOrdersThatBothHave) { EXPECT_NEAR(corpus_chrf(Texts{"abc"}, Texts{"abd"}), 700.0 / 18, 1e-9); }

// By hand: "cat" against "cats": P = 1; R = (3/4 + 2/3 + 1/2) / 3; F2 = 5PR / (4P + R).
TEST(Chrf, WeighsRecallTwice) {
  const double recall = (3.0 / 4 + 2.0 / 3 + 1.0 / 2) / 3;
  EXPECT_NEAR(corpus_chrf(Texts{"cat"}, Texts{"cats"}), 500 * recall / (4 + recall), 1e-9);
}

TEST(Chrf, CountsCharactersNotBytesAndNoSpace) {
  EXPECT_NEAR(corpus_chrf(Texts{"a b\u00a0c"}, Texts{"abc"}), 100, 1e-9);
  EXPECT_NEAR(corpus_chrf(Texts{"éàü"}, Texts{"éàö"}), corpus_chrf(Texts{"abc"}, Texts{"abd"}), 1e-9);
}

TEST(Chrf, EmptyTexts) {
  EXPECT_EQ(corpus_chrf(Texts{}, Texts{}), 0);
  EXPECT_EQ(corpus_chrf(Texts{""}, Texts{"a"}), 0);
  EXPECT_EQ(corpus_chrf(Texts{"a"}, Texts{""}), 0);
  EXPECT_EQ(corpus_chrf(Texts{"abc"}, Texts{"xyz"}), 0);
}

TEST(Chrf, RefusesListsThatDoNotFit) {
  EXPECT_THROW(corpus_chrf(Texts{"a"}, Texts{"a", "b"}), ArgumentError);
  EXPECT_THROW(corpus_chrf(Texts{"a"}, std::vector<Texts>{Texts{}}), ArgumentError);
}

}  // namespace
}  // namespace softalign
