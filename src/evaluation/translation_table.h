#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace softalign {

// Two sentences that say the same, in words.
struct WordPair {
  std::vector<std::string> source;
  std::vector<std::string> target;
};

// The cells of a TranslationTable that each sentence pair reads.
struct Meetings {
  struct Shape {
    std::uint32_t source = 0;  // words
    std::uint32_t target = 0;
  };
  std::vector<Shape> pairs;
  std::vector<std::uint32_t> cells;  // pair after pair [target, 1 + source], row-major; column 0 is NULL
};

// t(target | source): what EM learns of words, for the pairs of words that meet in a sentence pair.
// All others have 0. The same pairs give the same table, to the bit: 12 bytes a cell.
class TranslationTable {
 public:
  static constexpr std::uint32_t kNull = 0;  // the source word of target words that translate nothing
  static constexpr std::uint32_t kUnknown = std::numeric_limits<std::uint32_t>::max();

  // Uniform. Throws ArgumentError if there are no target words at all.
  explicit TranslationTable(std::span<const WordPair> pairs);

  // Of the pairs it was made of: 4 bytes a meeting of two words.
  Meetings meetings(std::span<const WordPair> pairs) const;

  std::span<const double> probabilities() const { return probability_; }  // by cell

  // The M-step: each source word's counts divided by their sum. A source word without any has
  // zeros. `counts` has one a cell.
  void normalise(std::span<const double> counts);

  // kUnknown for words that are in no pair.
  std::uint32_t source_id(const std::string& word) const { return lookup(source_ids_, word); }
  std::uint32_t target_id(const std::string& word) const { return lookup(target_ids_, word); }

  // Where t(target | source) stands, kUnknown if they never met. Ids may be kUnknown themselves.
  std::uint32_t cell(std::uint32_t target, std::uint32_t source) const;
  double probability(std::uint32_t target, std::uint32_t source) const;

 private:
  using Ids = std::unordered_map<std::string, std::uint32_t>;
  static std::uint32_t lookup(const Ids& ids, const std::string& word);

  Ids source_ids_;  // from 1
  Ids target_ids_;
  // Row s is targets_[row_[s]] .. targets_[row_[s + 1]], ascending, with probability_ beside it.
  std::vector<std::size_t> row_;
  std::vector<std::uint32_t> targets_;
  std::vector<double> probability_;
};

}  // namespace softalign
