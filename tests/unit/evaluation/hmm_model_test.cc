#include "evaluation/hmm_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/error.h"
#include "unit/support/word_pairs.h"

namespace softalign {
namespace {

constexpr int kFarthest = HmmModel::kFarthest;

// The model as its header writes it: every alignment in turn, its probability and its counts.
class Twin {
 public:
  using Table = std::map<std::pair<std::string, std::string>, double>;  // target, source

  Twin(Table t, double null) : t_(std::move(t)), null_(null) {
    for (int d = -kFarthest; d <= kFarthest; ++d) jump_[d] = 1;
  }

  // Calls back with each alignment's a (0 is NULL) and its p(target, a | source).
  template <class Visit>
  void for_each(const WordPair& pair, Visit&& visit) const {
    std::vector<std::size_t> a(pair.target.size());
    for (;;) {
      double p = 1;
      std::size_t last = 0;
      for (std::size_t j = 0; j < a.size(); ++j) {
        const std::string source = a[j] == 0 ? "" : pair.source[a[j] - 1];
        p *= t_.at({pair.target[j], source}) *
             (a[j] == 0 ? null_ : (1 - null_) * c(last, a[j]) / normaliser(last, pair.source.size()));
        if (a[j] > 0) last = a[j];
      }
      visit(a, p);
      std::size_t j = 0;
      while (j < a.size() && a[j] == pair.source.size()) a[j++] = 0;
      if (j == a.size()) return;
      ++a[j];
    }
  }

  double step(const std::vector<WordPair>& pairs) {
    double log_likelihood = 0;
    Table counts;
    std::map<std::string, double> sums;
    std::map<int, double> taken, offered;
    for (const WordPair& pair : pairs) {
      double sum = 0;
      for_each(pair, [&](const auto&, double p) { sum += p; });
      log_likelihood += std::log(sum);
      for_each(pair, [&](const std::vector<std::size_t>& a, double p) {
        std::size_t last = 0;
        for (std::size_t j = 0; j < a.size(); ++j) {
          const std::string source = a[j] == 0 ? "" : pair.source[a[j] - 1];
          counts[{pair.target[j], source}] += p / sum;
          sums[source] += p / sum;
          if (a[j] == 0) continue;
          taken[clipped(last, a[j])] += p / sum;
          for (std::size_t i = 1; i <= pair.source.size(); ++i) {
            offered[clipped(last, i)] += p / sum / normaliser(last, pair.source.size());
          }
          last = a[j];
        }
      });
    }
    for (auto& [words, t] : t_) t = counts[words] / sums[words.second];
    for (auto& [d, c] : jump_) {
      if (offered[d] > 0) c = taken[d] / offered[d];
    }
    return log_likelihood;
  }

  std::vector<double> posterior(const WordPair& pair) const {
    std::vector<double> result(pair.target.size() * pair.source.size());
    double sum = 0;
    for_each(pair, [&](const std::vector<std::size_t>& a, double p) {
      sum += p;
      for (std::size_t j = 0; j < a.size(); ++j) {
        if (a[j] > 0) result[j * pair.source.size() + a[j] - 1] += p;
      }
    });
    for (double& p : result) p /= sum;
    return result;
  }

  const Table& table() const { return t_; }
  double jump(int d) const { return jump_.at(d); }

 private:
  static int clipped(std::size_t from, std::size_t to) {
    return std::clamp(static_cast<int>(to) - static_cast<int>(from), -kFarthest, kFarthest);
  }
  double c(std::size_t from, std::size_t to) const { return jump_.at(clipped(from, to)); }
  double normaliser(std::size_t from, std::size_t sources) const {
    double sum = 0;
    for (std::size_t i = 1; i <= sources; ++i) sum += c(from, i);
    return sum;
  }

  Table t_;
  double null_;
  std::map<int, double> jump_;
};

HmmModel::Settings settings(int model1_iterations, int iterations, double null = 0.2) {
  HmmModel::Settings s;
  s.model1_iterations = model1_iterations;
  s.iterations = iterations;
  s.null = null;
  return s;
}

// By hand, one step with p0 = 1/5 for (a; x y) and (a b; x). t starts uniform at 1/2, jumps alike.
//   pair 1: x and y each have NULL 1/5, a 4/5. pair 2: x has NULL 1/5, a and b 2/5 each.
//   a: x 4/5 + 2/5, y 4/5, so t(x|a) = 6/5 / 2 = 3/5. NULL: x 2/5, y 1/5. b: x alone.
//   All alignments together give each of three words 1/2.
TEST(HmmModel, OneStepByHand) {
  const std::vector<WordPair> pairs = {{{"a"}, {"x", "y"}}, {{"a", "b"}, {"x"}}};
  const HmmModel model(pairs, settings(0, 1));
  EXPECT_NEAR(model.probability("x", "a"), 3.0 / 5, 1e-12);
  EXPECT_NEAR(model.probability("y", "a"), 2.0 / 5, 1e-12);
  EXPECT_NEAR(model.probability("x", ""), 2.0 / 3, 1e-12);
  EXPECT_NEAR(model.probability("x", "b"), 1, 1e-12);
  EXPECT_EQ(model.probability("y", "b"), 0);
  ASSERT_EQ(model.log_likelihoods().size(), 1U);
  EXPECT_NEAR(model.log_likelihoods()[0], 3 * std::log(0.5), 1e-12);
}

// By hand, p0 = 1/2, (a b; x): t(x|a) and t(x|b) are 1 whatever happens, so jumps of 1 and 2 stay alike and
// x's posterior is 1/2 NULL, 1/4 a, 1/4 b.
TEST(HmmModel, PosteriorByHand) {
  const std::vector<WordPair> pairs = {{{"a", "b"}, {"x"}}};
  const HmmModel model(pairs, settings(1, 3, 0.5));
  const std::vector<double> posterior = model.posterior(pairs[0]);
  ASSERT_EQ(posterior.size(), 2U);
  EXPECT_NEAR(posterior[0], 0.25, 1e-12);
  EXPECT_NEAR(posterior[1], 0.25, 1e-12);
}

TEST(HmmModel, IsItsTwin) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    Random random(seed);
    std::vector<WordPair> pairs = testing::random_pairs(random, 6, 4);
    // Jumps beyond the farthest, both ways.
    pairs.push_back({{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}, {"A", "J", "A"}});
    const double null = random.uniform(0.1, 0.6);
    Twin::Table t;
    std::map<std::string, double> targets;
    for (const WordPair& pair : pairs) {
      for (const std::string& target : pair.target) {
        targets[target] = 1;
        t[{target, ""}] = 0;
        for (const std::string& source : pair.source) t[{target, source}] = 0;
      }
    }
    for (auto& [words, p] : t) p = 1 / static_cast<double>(targets.size());
    Twin twin(t, null);
    std::vector<double> logs;
    for (int i = 0; i < 3; ++i) logs.push_back(twin.step(pairs));
    const HmmModel model(pairs, settings(0, 3, null));
    for (std::size_t i = 0; i < logs.size(); ++i) EXPECT_NEAR(model.log_likelihoods()[i], logs[i], 1e-9);
    for (const auto& [words, p] : twin.table()) {
      EXPECT_NEAR(model.probability(words.first, words.second), p, 1e-9) << words.first << "|" << words.second;
    }
    for (int d = -kFarthest; d <= kFarthest; ++d) {
      EXPECT_NEAR(model.jump(d) / model.jump(1), twin.jump(d) / twin.jump(1), 1e-6) << d;
    }
    for (const WordPair& pair : pairs) {
      const std::vector<double> found = model.posterior(pair);
      const std::vector<double> expected = twin.posterior(pair);
      ASSERT_EQ(found.size(), expected.size());
      // As far as the least t of 1e-6 may change it.
      for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-4);
    }
  }
}

TEST(HmmModel, LikelihoodNeverDecreases) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const std::vector<WordPair> pairs = testing::random_pairs(random, 12, 11);
    const HmmModel model(pairs, settings(2, 40, random.uniform(0.05, 0.8)));
    const auto logs = model.log_likelihoods();
    ASSERT_EQ(logs.size(), 40U);
    for (std::size_t i = 1; i < logs.size(); ++i) {
      EXPECT_GE(logs[i], logs[i - 1] - 1e-9 * std::abs(logs[i])) << seed << ", step " << i;
    }
    EXPECT_GT(logs.back(), logs.front());
  }
}

TEST(HmmModel, ProbabilitiesSumToOne) {
  Random random(3);
  const std::vector<WordPair> pairs = testing::random_pairs(random, 20, 8);
  const HmmModel model(pairs);
  for (const char* source : {"", "a", "e", "j"}) {
    double sum = 0;
    for (char target = 'A'; target <= 'J'; ++target) sum += model.probability(std::string(1, target), source);
    EXPECT_NEAR(sum, 1, 1e-12) << source;
  }
  for (const WordPair& pair : pairs) {
    const std::vector<double> posterior = model.posterior(pair);
    for (std::size_t j = 0; j < pair.target.size(); ++j) {
      double sum = 0;
      for (std::size_t i = 0; i < pair.source.size(); ++i) sum += posterior[j * pair.source.size() + i];
      EXPECT_GE(sum, 0);
      EXPECT_LE(sum, 1 + 1e-12);
    }
  }
}

// Each word a capital of the source's, in the same order or in the opposite.
std::vector<WordPair> copies(std::uint64_t seed, std::size_t count, bool opposite) {
  Random random(seed);
  std::vector<WordPair> pairs = testing::random_pairs(random, count, 8);
  for (WordPair& pair : pairs) {
    pair.target = pair.source;
    for (std::string& word : pair.target) word = static_cast<char>(word[0] - 'a' + 'A');
    if (opposite) std::reverse(pair.target.begin(), pair.target.end());
  }
  return pairs;
}

// c finds the order, and so which of two equal words is meant, which model 1 cannot.
TEST(HmmModel, LearnsTheOrder) {
  for (const bool opposite : {false, true}) {
    const HmmModel model(copies(7, 200, opposite));
    // The farthest is what takes the opposite order from the start to the last word.
    for (int d = -kFarthest + 1; d < kFarthest; ++d) {
      if (d == (opposite ? -1 : 1)) continue;
      EXPECT_LT(model.jump(d), 0.5 * model.jump(opposite ? -1 : 1)) << d;
    }
    WordPair pair = {{"a", "b", "a", "c"}, {"A", "B", "A", "C"}};
    if (opposite) std::reverse(pair.target.begin(), pair.target.end());
    const std::vector<double> posterior = model.posterior(pair);
    for (std::size_t j = 0; j < 4; ++j) EXPECT_GT(posterior[j * 4 + (opposite ? 3 - j : j)], 0.6) << j;
  }
}

TEST(HmmModel, ReachesWordsItHasNotSeen) {
  std::vector<WordPair> pairs = copies(7, 200, false);
  const std::vector<WordPair> opposite = copies(8, 50, true);
  pairs.insert(pairs.end(), opposite.begin(), opposite.end());
  const HmmModel model(pairs);
  // By its place between others, and by its spelling even out of place.
  EXPECT_GT(model.posterior({{"a", "unknown", "c"}, {"A", "inconnu", "C"}})[1 * 3 + 1], 0.5);
  const std::vector<double> spelled = model.posterior({{"a", "Anna", "Otto"}, {"A", "Otto", "Anna"}});
  EXPECT_GT(spelled[1 * 3 + 2], 0.9);
  EXPECT_GT(spelled[2 * 3 + 1], 0.9);
}

TEST(HmmModel, Edges) {
  const std::vector<WordPair> pairs = {{{"a"}, {"x"}}, {{}, {"x"}}, {{"a"}, {}}, {{}, {}}};
  const HmmModel model(pairs);
  EXPECT_NEAR(model.probability("x", "a"), 1, 1e-12);
  EXPECT_TRUE(model.posterior({{}, {"x"}}).empty());
  EXPECT_TRUE(model.posterior({{"a"}, {}}).empty());
  const std::vector<double> unknown = model.posterior({{"u"}, {"v"}});
  ASSERT_EQ(unknown.size(), 1U);
  EXPECT_NEAR(unknown[0], 0.8, 1e-12);  // 1 - p0
  // No source words at all: NULL has it all.
  const HmmModel empty(std::vector<WordPair>{{{}, {"x"}}});
  EXPECT_NEAR(empty.posterior({{"a"}, {"x"}})[0], 0.8, 1e-12);
}

// 150 words of which each step is improbable: plain products would be 0.
TEST(HmmModel, LongSentencesStayPossible) {
  WordPair pair;
  for (int i = 0; i < 150; ++i) {
    pair.source.push_back("s" + std::to_string(i));
    pair.target.push_back("t" + std::to_string(i));
  }
  const HmmModel model(std::vector<WordPair>{pair}, settings(1, 2));
  EXPECT_TRUE(std::isfinite(model.log_likelihoods()[0]));
  EXPECT_LT(model.log_likelihoods()[0], -750);
  for (const double p : model.posterior(pair)) EXPECT_TRUE(p >= 0 && p <= 1);
}

TEST(HmmModel, IsTheSameToTheBit) {
  Random random(5);
  const std::vector<WordPair> pairs = testing::random_pairs(random, 30, 8);
  const HmmModel one(pairs);
  const HmmModel two(pairs);
  for (const WordPair& pair : pairs) EXPECT_EQ(one.posterior(pair), two.posterior(pair));
}

TEST(HmmModel, RefusesWhatItCannotLearnFrom) {
  EXPECT_THROW(HmmModel({}), ArgumentError);
  const std::vector<WordPair> pairs = {{{"a"}, {"x"}}};
  for (const double null : {0.0, 1.0, -0.1, std::nan("")}) {
    EXPECT_THROW(HmmModel(pairs, settings(1, 1, null)), ArgumentError) << null;
  }
  try {
    HmmModel(pairs, settings(1, 1, 2));
    FAIL();
  } catch (const ArgumentError& error) {
    EXPECT_STREQ(error.what(), "HmmModel: p0 is 2.000000, expected between 0 and 1");
  }
}

}  // namespace
}  // namespace softalign
