#include "evaluation/chrf.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

#include "core/error.h"
#include "core/utf8.h"
#include "text/white_space.h"

namespace softalign {
namespace {

constexpr std::size_t kOrders = 6;
constexpr double kBetaSquared = 4;

// The n-grams of one sentence. Not movable: the counts point into the text.
class Ngrams {
 public:
  explicit Ngrams(std::string_view sentence) {
    for (const std::string_view part : split_white_space(sentence)) text_ += part;
    std::vector<std::size_t> starts;
    for (std::size_t at = 0; at < text_.size();) {
      starts.push_back(at);
      at += utf8_char(std::string_view(text_).substr(at)).length;
    }
    starts.push_back(text_.size());
    const std::size_t length = starts.size() - 1;
    for (std::size_t n = 0; n < kOrders && n < length; ++n) {
      total[n] = length - n;
      for (std::size_t begin = 0; begin + n < length; ++begin) {
        const std::size_t end = starts[begin + n + 1];
        ++count[n][std::string_view(text_).substr(starts[begin], end - starts[begin])];
      }
    }
  }
  Ngrams(const Ngrams&) = delete;
  Ngrams& operator=(const Ngrams&) = delete;

  std::array<std::size_t, kOrders> total{};
  std::array<std::unordered_map<std::string_view, std::size_t>, kOrders> count;

 private:
  std::string text_;
};

struct Statistics {
  std::array<std::size_t, kOrders> hypothesis{};
  std::array<std::size_t, kOrders> reference{};
  std::array<std::size_t, kOrders> matches{};

  Statistics() = default;
  Statistics(const Ngrams& left, const Ngrams& right) : reference(right.total) {
    for (std::size_t n = 0; n < kOrders; ++n) {
      if (right.total[n] > 0) hypothesis[n] = left.total[n];  // sacreBLEU: no reference, no count
      for (const auto& [ngram, count] : left.count[n]) {
        const auto at = right.count[n].find(ngram);
        if (at != right.count[n].end()) matches[n] += std::min(count, at->second);
      }
    }
  }

  void add(const Statistics& other) {
    for (std::size_t n = 0; n < kOrders; ++n) {
      hypothesis[n] += other.hypothesis[n];
      reference[n] += other.reference[n];
      matches[n] += other.matches[n];
    }
  }

  double f_score() const {
    double precision = 0;
    double recall = 0;
    int orders = 0;
    for (std::size_t n = 0; n < kOrders; ++n) {
      if (hypothesis[n] == 0 || reference[n] == 0) continue;
      precision += static_cast<double>(matches[n]) / static_cast<double>(hypothesis[n]);
      recall += static_cast<double>(matches[n]) / static_cast<double>(reference[n]);
      ++orders;
    }
    if (precision + recall == 0) return 0;
    precision /= orders;
    recall /= orders;
    return 100 * (1 + kBetaSquared) * precision * recall / (kBetaSquared * precision + recall);
  }
};

class Corpus {
 public:
  void add(const std::string& hypothesis, std::span<const std::string> references) {
    const Ngrams own(hypothesis);
    Statistics best;
    double best_score = -1;
    for (const std::string& reference : references) {
      const Statistics statistics(own, Ngrams(reference));
      const double score = statistics.f_score();
      if (score > best_score) {
        best_score = score;
        best = statistics;
      }
    }
    total_.add(best);
  }
  double score() const { return total_.f_score(); }

 private:
  Statistics total_;
};

void check_lengths(std::size_t hypotheses, std::size_t references) {
  if (hypotheses != references) {
    throw ArgumentError("corpus_chrf: " + std::to_string(hypotheses) + " hypotheses, but " +
                        std::to_string(references) + " references");
  }
}

}  // namespace

double corpus_chrf(std::span<const std::string> hypotheses, std::span<const std::string> references) {
  check_lengths(hypotheses.size(), references.size());
  Corpus corpus;
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    corpus.add(hypotheses[i], references.subspan(i, 1));
  }
  return corpus.score();
}

double corpus_chrf(std::span<const std::string> hypotheses,
                   std::span<const std::vector<std::string>> references_of_each) {
  check_lengths(hypotheses.size(), references_of_each.size());
  Corpus corpus;
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    if (references_of_each[i].empty()) {
      throw ArgumentError("corpus_chrf: sentence " + std::to_string(i) + " has no reference");
    }
    corpus.add(hypotheses[i], references_of_each[i]);
  }
  return corpus.score();
}

}  // namespace softalign
