#pragma once

#include <span>
#include <string>
#include <vector>

#include "evaluation/alignment.h"
#include "evaluation/translation_table.h"

namespace softalign {

// IBM model 1 (Brown et al. 1993): words without their order. A yardstick for attention as alignment,
// and where the HMM starts.
//
//   p(target | source) ~ prod_j 1/(I + 1) sum_i t(target_j | source_i),   source_0 = NULL, i = 0 .. I
//
// t is found by EM from a uniform start.
class IbmModel1 {
 public:
  // Throws ArgumentError if there are no target words at all.
  explicit IbmModel1(std::span<const WordPair> pairs, int iterations = 5);

  // For each target word its most probable source word (the first of equals), or none if that is
  // NULL or the word has met none of them.
  Alignment align(const WordPair& pair) const;

  // t(target | source); 0 for words that never met. An empty source is NULL.
  double probability(const std::string& target, const std::string& source) const;

 private:
  TranslationTable table_;
};

// EM alone, on a table of the pairs that `meetings` are of. Returns the pairs' log likelihood before
// each iteration, which never decreases.
std::vector<double> train_ibm_model1(TranslationTable& table, const Meetings& meetings, int iterations);

}  // namespace softalign
