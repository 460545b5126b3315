#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "evaluation/alignment.h"

namespace softalign {

// Two sentences that say the same, in words.
struct WordPair {
  std::vector<std::string> source;
  std::vector<std::string> target;
};

// IBM model 1 (Brown et al. 1993): the yardstick for attention as alignment.
//
//   p(target | source) ~ prod_j sum_i t(target_j | source_i),   source_0 = NULL
//
// t is found by EM from a uniform start, over the pairs of words that meet in a sentence pair. The
// same pairs give the same table, to the bit. About 45 bytes of memory a meeting of two words
// while training, 12 a different meeting after.
class IbmModel1 {
 public:
  // Throws ArgumentError if there are no words at all.
  explicit IbmModel1(std::span<const WordPair> pairs, int iterations = 5);

  // For each target word its most probable source word (the first of equals), or none if that is
  // NULL or the word has met none of them.
  Alignment align(const WordPair& pair) const;

  // t(target | source); 0 for words that never met. An empty source is NULL.
  double probability(const std::string& target, const std::string& source) const;

 private:
  using Ids = std::unordered_map<std::string, std::uint32_t>;
  static std::uint32_t lookup(const Ids& ids, const std::string& word);
  double probability(std::uint32_t target, std::uint32_t source) const;

  Ids source_ids_;  // from 1; 0 is NULL
  Ids target_ids_;
  // Row s, targets_[row_[s]] .. targets_[row_[s + 1]], ascending, with probability_ beside it.
  std::vector<std::size_t> row_;
  std::vector<std::uint32_t> targets_;
  std::vector<double> probability_;
};

}  // namespace softalign
