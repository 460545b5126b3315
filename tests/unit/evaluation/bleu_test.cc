#include "evaluation/bleu.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "unit/support/data.h"

namespace softalign {
namespace {

using Texts = std::vector<std::string>;

// sacreBLEU's README (section "Using sacreBLEU from Python", and the command line's output there).
TEST(Bleu, PrintsSacreBleusDocumentedExample) {
  const Texts system = {"The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."};
  const std::vector<Texts> references = {{"The dog bit the man.", "The dog had bit the man."},
                                         {"It was not unexpected.", "No one was surprised."},
                                         {"The man bit him first.", "The man had bitten the dog."}};
  EXPECT_EQ(to_string(corpus_bleu(system, references)),
            "BLEU = 48.53 82.4/50.0/45.5/37.5 (BP = 0.943 ratio = 0.944 hyp_len = 17 ref_len = 18)");
}

// Four systems on FLORES dev, with the scores others published from the same files.
TEST(Bleu, PrintsThePublishedScoresOfFlores) {
  const auto folder = testing::shared_data("testsets/flores-dev-en-fr");
  if (!folder) GTEST_SKIP() << "no ../shared/data/testsets/flores-dev-en-fr";
  const Texts references = testing::column(*folder / "test.tsv", 1);
  ASSERT_EQ(references.size(), 997U);
  const auto score = [&](const char* system) {
    return corpus_bleu(testing::lines(*folder / ("flores-dev." + std::string(system) + ".fr")), references).score;
  };
  const auto one_decimal = [](double value) { return std::round(value * 10) / 10; };
  EXPECT_DOUBLE_EQ(one_decimal(score("bergamot-tiny")), 48.5);
  EXPECT_DOUBLE_EQ(one_decimal(score("bergamot-base-memory")), 49.6);
  EXPECT_DOUBLE_EQ(one_decimal(score("microsoft")), 52.5);
  EXPECT_NEAR(score("google"), 41.3, 0.1);
}

// By hand. Hypothesis "a b c d e", reference "a b x d e f": matches 4/5, 2/4, 0/3, 0/2; the two
// orders without a match count as 1/(2*3) and 1/(4*2); BP = exp(1 - 6/5).
TEST(Bleu, SmoothsOrdersWithoutAMatch) {
  const BleuScore bleu = corpus_bleu(Texts{"a b c d e"}, Texts{"a b x d e f"});
  EXPECT_NEAR(bleu.precision[0], 80, 1e-9);
  EXPECT_NEAR(bleu.precision[1], 50, 1e-9);
  EXPECT_NEAR(bleu.precision[2], 100.0 / 6, 1e-9);
  EXPECT_NEAR(bleu.precision[3], 100.0 / 8, 1e-9);
  EXPECT_NEAR(bleu.brevity_penalty, std::exp(-0.2), 1e-12);
  EXPECT_NEAR(bleu.score, 100 * std::exp(-0.2) * std::pow(0.8 * 0.5 / 6 / 8, 0.25), 1e-9);
}

TEST(Bleu, ClipsRepeatedWords) {
  // Papineni et al. 2002, section 2.1: "the" seven times against "The cat is on the mat" has a
  // modified unigram precision of 2/7 (here the reference is in lower case).
  const BleuScore bleu = corpus_bleu(Texts{"the the the the the the the"}, Texts{"the cat is on the mat"});
  EXPECT_NEAR(bleu.precision[0], 200.0 / 7, 1e-9);
}

// By hand: "a" twice is in the first reference, "b" in the second, "c" in neither: 3 of 4.
TEST(Bleu, ClipsByTheReferenceWithMost) {
  const BleuScore bleu = corpus_bleu(Texts{"a a b c"}, std::vector<Texts>{{"a a x y", "a b x y"}});
  EXPECT_NEAR(bleu.precision[0], 75, 1e-9);
}

TEST(Bleu, IsZeroWithoutAMatchAndForShortTexts) {
  EXPECT_EQ(corpus_bleu(Texts{"a b c d"}, Texts{"x y z w"}).score, 0);
  EXPECT_EQ(corpus_bleu(Texts{"a b c"}, Texts{"a b c"}).score, 0);  // has no 4-gram
  EXPECT_EQ(corpus_bleu(Texts{""}, Texts{"a"}).score, 0);
  EXPECT_EQ(corpus_bleu(Texts{}, Texts{}).score, 0);
  EXPECT_NEAR(corpus_bleu(Texts{"a b c d"}, Texts{"a b c d"}).score, 100, 1e-9);
}

TEST(Bleu, TakesTheNearestReferenceLength) {
  const auto length = [](const Texts& references) {
    return corpus_bleu(Texts{"a b c d"}, std::vector<Texts>{references}).reference_length;
  };
  EXPECT_EQ(length({"a b c d e f", "a b c", "a"}), 3U);
  EXPECT_EQ(length({"a b c d e", "a b c"}), 3U);  // as near: the shorter
}

TEST(Bleu, RefusesListsThatDoNotFit) {
  EXPECT_THROW(corpus_bleu(Texts{"a"}, Texts{"a", "b"}), ArgumentError);
  EXPECT_THROW(corpus_bleu(Texts{"a"}, std::vector<Texts>{Texts{}}), ArgumentError);
}

// What sacreBLEU's own tokenizer test (test_tokenizer_13a) does and mteval's rules say.
TEST(Tokenize13a, CutsAsMteval) {
  EXPECT_EQ(tokenize_13a("Hello, world!"), (Texts{"Hello", ",", "world", "!"}));
  EXPECT_EQ(tokenize_13a("It costs $1,234.50, or 5.5%."),
            (Texts{"It", "costs", "$", "1,234.50", ",", "or", "5.5", "%", "."}));
  EXPECT_EQ(tokenize_13a("don't U.S.A. re-do 1990-91 a-1"),
            (Texts{"don't", "U", ".", "S", ".", "A", ".", "re-do", "1990", "-", "91", "a-1"}));
  EXPECT_EQ(tokenize_13a("&quot;a&amp;b&quot; &lt;x&gt; &amp;lt;"),
            (Texts{"\"", "a", "&", "b", "\"", "<", "x", ">", "<"}));
  EXPECT_EQ(tokenize_13a("a<skipped>b c-\nd e\nf"), (Texts{"ab", "cd", "e", "f"}));
  EXPECT_EQ(tokenize_13a("l'été\u00a0: «\u202foui\u202f»…"), (Texts{"l'été", ":", "«", "oui", "»…"}));
  EXPECT_EQ(tokenize_13a("..,. 3..4"), (Texts{".", ".", ",", ".", "3", ".", ".", "4"}));
  EXPECT_EQ(tokenize_13a(" \t "), Texts{});
}

}  // namespace
}  // namespace softalign
