#include "evaluation/ibm_model1.h"

#include <algorithm>
#include <cmath>

namespace softalign {

std::vector<double> train_ibm_model1(TranslationTable& table, const Meetings& meetings, int iterations) {
  std::vector<double> log_likelihoods;
  std::vector<double> counts(table.probabilities().size());
  for (int iteration = 0; iteration < iterations; ++iteration) {
    const std::span<const double> t = table.probabilities();
    std::fill(counts.begin(), counts.end(), 0.0);
    double log_likelihood = 0;
    const std::uint32_t* cell = meetings.cells.data();
    for (const Meetings::Shape shape : meetings.pairs) {
      const std::size_t width = shape.source + std::size_t{1};
      for (std::uint32_t j = 0; j < shape.target; ++j) {
        double sum = 0;
        for (std::size_t i = 0; i < width; ++i) sum += t[cell[i]];
        for (std::size_t i = 0; i < width; ++i) counts[cell[i]] += t[cell[i]] / sum;
        log_likelihood += std::log(sum / static_cast<double>(width));
        cell += width;
      }
    }
    log_likelihoods.push_back(log_likelihood);
    table.normalise(counts);
  }
  return log_likelihoods;
}

IbmModel1::IbmModel1(std::span<const WordPair> pairs, int iterations) : table_(pairs) {
  train_ibm_model1(table_, table_.meetings(pairs), iterations);
}

double IbmModel1::probability(const std::string& target, const std::string& source) const {
  return table_.probability(table_.target_id(target),
                            source.empty() ? TranslationTable::kNull : table_.source_id(source));
}

Alignment IbmModel1::align(const WordPair& pair) const {
  std::vector<std::uint32_t> sources;
  for (const std::string& word : pair.source) sources.push_back(table_.source_id(word));
  Alignment alignment;
  for (std::size_t j = 0; j < pair.target.size(); ++j) {
    const std::uint32_t target = table_.target_id(pair.target[j]);
    double best = table_.probability(target, TranslationTable::kNull);
    std::size_t best_source = sources.size();
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const double p = table_.probability(target, sources[i]);
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
