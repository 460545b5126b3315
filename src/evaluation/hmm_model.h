#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "evaluation/translation_table.h"

namespace softalign {

// The HMM of word alignment (Vogel, Ney & Tillmann 1996), with NULL as in Och & Ney 2003: target words
// come one after the other, each from a source word that is some jump away from the last one used.
//
//   p(target, a | source) = prod_j  p0 t(target_j | NULL)                                if a_j = NULL
//                                   (1 - p0) p(a_j | last, I) t(target_j | source_a_j)   else
//
//   p(i | last, I) = c(i - last) / sum_{i' = 1 .. I} c(i' - last),   i = 1 .. I
//
// I source words, from 1; last is a of the word before that is not NULL's, 0 at the start. Jumps of
// kFarthest and more share one c, to the left and to the right. p0 stays as it is given: EM would
// take it to nearly 0 and give every word a link.
//
// EM starts from IBM model 1's t and equal c. The sums over alignments are the forward-backward
// algorithm's, exact. For c, whose normaliser depends on I, the M-step is one step of the MM algorithm
// (Hunter 2004), which like EM never makes the pairs less likely:
//
//   c(d) <- expected jumps of width d /
//           sum over (last, I) and i with i - last = d of expected departures from last / normaliser(last, I)
//
// A pair costs O(J I^2) time and O(J I) memory, J target words. The same pairs give the same model, to the
// bit. Const methods are safe to call concurrently.
class HmmModel {
 public:
  struct Settings {
    int model1_iterations = 5;
    int iterations = 5;
    double null = 0.2;  // p0
  };
  static constexpr int kFarthest = 7;

  // Throws ArgumentError if there are no target words at all or p0 is not between 0 and 1. A pair
  // with no words on one side teaches the HMM nothing.
  HmmModel(std::span<const WordPair> pairs, const Settings& settings);
  explicit HmmModel(std::span<const WordPair> pairs) : HmmModel(pairs, Settings()) {}

  // p(a_j = i | source, target), [target words, source words], row-major; what a row lacks to 1 is
  // NULL's. So that no word is beyond reach, t is at least 1e-6 here, and 0.1 between words that never
  // met but are spelled alike: names, numbers.
  std::vector<double> posterior(const WordPair& pair) const;

  // t(target | source); 0 for words that never met. An empty source is NULL.
  double probability(const std::string& target, const std::string& source) const;
  double jump(int width) const;  // c; only ratios matter

  // Of the pairs, before each iteration; never decreasing.
  std::span<const double> log_likelihoods() const { return log_likelihoods_; }

 private:
  struct JumpCounts;
  class Trellis;
  void train_once(const Meetings& meetings);

  double null_;
  TranslationTable table_;
  std::array<double, 2 * kFarthest + 1> jump_;
  std::vector<double> log_likelihoods_;
};

}  // namespace softalign
