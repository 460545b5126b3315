#include "evaluation/ibm_model1.h"

#include <algorithm>
#include <limits>

#include "core/error.h"

namespace softalign {
namespace {

constexpr std::uint32_t kNull = 0;
constexpr std::uint32_t kUnknown = std::numeric_limits<std::uint32_t>::max();

std::uint64_t key(std::uint32_t source, std::uint32_t target) {
  return static_cast<std::uint64_t>(source) << 32 | target;
}

}  // namespace

IbmModel1::IbmModel1(std::span<const WordPair> pairs, int iterations) {
  // Every meeting of two words, sentence by sentence, target by target, NULL first.
  std::vector<std::uint64_t> meetings;
  std::vector<std::uint32_t> widths;  // meetings of each target word in turn
  for (const WordPair& pair : pairs) {
    std::vector<std::uint32_t> sources = {kNull};
    for (const std::string& word : pair.source) {
      sources.push_back(source_ids_.emplace(word, static_cast<std::uint32_t>(source_ids_.size() + 1)).first->second);
    }
    for (const std::string& word : pair.target) {
      const std::uint32_t target =
          target_ids_.emplace(word, static_cast<std::uint32_t>(target_ids_.size())).first->second;
      for (const std::uint32_t source : sources) meetings.push_back(key(source, target));
      widths.push_back(static_cast<std::uint32_t>(sources.size()));
    }
  }
  if (widths.empty()) throw ArgumentError("IbmModel1: no target words to learn from");

  std::vector<std::uint64_t> cells = meetings;
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  std::vector<std::uint32_t> cell_of(meetings.size());
  for (std::size_t i = 0; i < meetings.size(); ++i) {
    cell_of[i] = static_cast<std::uint32_t>(std::lower_bound(cells.begin(), cells.end(), meetings[i]) - cells.begin());
  }
  meetings = {};

  const std::size_t sources = source_ids_.size() + 1;
  row_.assign(sources + 1, 0);
  targets_.reserve(cells.size());
  for (const std::uint64_t cell : cells) {
    ++row_[static_cast<std::size_t>(cell >> 32) + 1];
    targets_.push_back(static_cast<std::uint32_t>(cell));
  }
  for (std::size_t s = 0; s < sources; ++s) row_[s + 1] += row_[s];

  probability_.assign(cells.size(), 1 / static_cast<double>(target_ids_.size()));
  std::vector<double> counts(cells.size());
  for (int iteration = 0; iteration < iterations; ++iteration) {
    std::fill(counts.begin(), counts.end(), 0.0);
    const std::uint32_t* cell = cell_of.data();
    for (const std::uint32_t width : widths) {
      double sum = 0;
      for (std::uint32_t i = 0; i < width; ++i) sum += probability_[cell[i]];
      for (std::uint32_t i = 0; i < width; ++i) {
        counts[cell[i]] += probability_[cell[i]] / sum;
      }
      cell += width;
    }
    for (std::size_t s = 0; s < sources; ++s) {
      double sum = 0;
      for (std::size_t i = row_[s]; i < row_[s + 1]; ++i) sum += counts[i];
      for (std::size_t i = row_[s]; i < row_[s + 1]; ++i) {
        // A word that only meets words better explained by others can end with nothing.
        probability_[i] = sum > 0 ? counts[i] / sum : 0;
      }
    }
  }
}

std::uint32_t IbmModel1::lookup(const Ids& ids, const std::string& word) {
  const auto at = ids.find(word);
  return at == ids.end() ? kUnknown : at->second;
}

double IbmModel1::probability(std::uint32_t target, std::uint32_t source) const {
  if (target == kUnknown || source == kUnknown) return 0;
  const auto begin = targets_.begin() + static_cast<std::ptrdiff_t>(row_[source]);
  const auto end = targets_.begin() + static_cast<std::ptrdiff_t>(row_[source + 1]);
  const auto at = std::lower_bound(begin, end, target);
  if (at == end || *at != target) return 0;
  return probability_[static_cast<std::size_t>(at - targets_.begin())];
}

double IbmModel1::probability(const std::string& target, const std::string& source) const {
  return probability(lookup(target_ids_, target), source.empty() ? kNull : lookup(source_ids_, source));
}

Alignment IbmModel1::align(const WordPair& pair) const {
  std::vector<std::uint32_t> sources;
  for (const std::string& word : pair.source) sources.push_back(lookup(source_ids_, word));
  Alignment alignment;
  for (std::size_t j = 0; j < pair.target.size(); ++j) {
    const std::uint32_t target = lookup(target_ids_, pair.target[j]);
    double best = probability(target, kNull);
    std::size_t best_source = sources.size();
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const double p = probability(target, sources[i]);
      if (p > best) {
        best = p;
        best_source = i;
      }
    }
    if (best_source < sources.size()) {
      alignment.push_back({static_cast<std::uint32_t>(best_source), static_cast<std::uint32_t>(j)});
    }
  }
  std::sort(alignment.begin(), alignment.end());
  return alignment;
}

}  // namespace softalign
