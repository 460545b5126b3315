#include "evaluation/translation_table.h"

#include <algorithm>

#include "core/error.h"

namespace softalign {

TranslationTable::TranslationTable(std::span<const WordPair> pairs) {
  std::vector<std::uint64_t> cells;  // source, then target
  std::vector<std::uint32_t> sources;
  for (const WordPair& pair : pairs) {
    sources.assign(1, kNull);
    for (const std::string& word : pair.source) {
      sources.push_back(source_ids_.emplace(word, static_cast<std::uint32_t>(source_ids_.size() + 1)).first->second);
    }
    for (const std::string& word : pair.target) {
      const std::uint32_t target =
          target_ids_.emplace(word, static_cast<std::uint32_t>(target_ids_.size())).first->second;
      for (const std::uint32_t source : sources) cells.push_back(static_cast<std::uint64_t>(source) << 32 | target);
    }
  }
  if (cells.empty()) throw ArgumentError("TranslationTable: no target words to learn from");
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());

  row_.assign(source_ids_.size() + 2, 0);
  targets_.reserve(cells.size());
  for (const std::uint64_t cell : cells) {
    ++row_[static_cast<std::size_t>(cell >> 32) + 1];
    targets_.push_back(static_cast<std::uint32_t>(cell));
  }
  for (std::size_t s = 0; s + 1 < row_.size(); ++s) row_[s + 1] += row_[s];
  probability_.assign(cells.size(), 1 / static_cast<double>(target_ids_.size()));
}

Meetings TranslationTable::meetings(std::span<const WordPair> pairs) const {
  Meetings meetings;
  meetings.pairs.reserve(pairs.size());
  std::vector<std::uint32_t> sources;
  for (const WordPair& pair : pairs) {
    meetings.pairs.push_back(
        {static_cast<std::uint32_t>(pair.source.size()), static_cast<std::uint32_t>(pair.target.size())});
    sources.assign(1, kNull);
    for (const std::string& word : pair.source) sources.push_back(source_id(word));
    for (const std::string& word : pair.target) {
      const std::uint32_t target = target_id(word);
      for (const std::uint32_t source : sources) meetings.cells.push_back(cell(target, source));
    }
  }
  return meetings;
}

void TranslationTable::normalise(std::span<const double> counts) {
  for (std::size_t s = 0; s + 1 < row_.size(); ++s) {
    double sum = 0;
    for (std::size_t i = row_[s]; i < row_[s + 1]; ++i) sum += counts[i];
    for (std::size_t i = row_[s]; i < row_[s + 1]; ++i) {
      // A word that only meets words better explained by others can end with nothing.
      probability_[i] = sum > 0 ? counts[i] / sum : 0;
    }
  }
}

std::uint32_t TranslationTable::lookup(const Ids& ids, const std::string& word) {
  const auto at = ids.find(word);
  return at == ids.end() ? kUnknown : at->second;
}

std::uint32_t TranslationTable::cell(std::uint32_t target, std::uint32_t source) const {
  if (target == kUnknown || source == kUnknown) return kUnknown;
  const auto begin = targets_.begin() + static_cast<std::ptrdiff_t>(row_[source]);
  const auto end = targets_.begin() + static_cast<std::ptrdiff_t>(row_[source + 1]);
  const auto at = std::lower_bound(begin, end, target);
  if (at == end || *at != target) return kUnknown;
  return static_cast<std::uint32_t>(at - targets_.begin());
}

double TranslationTable::probability(std::uint32_t target, std::uint32_t source) const {
  const std::uint32_t at = cell(target, source);
  return at == kUnknown ? 0 : probability_[at];
}

}  // namespace softalign
