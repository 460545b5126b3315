#include "evaluation/hmm_model.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "evaluation/ibm_model1.h"

namespace softalign {
namespace {

// So that sentences stay possible: in training too small to change anything else.
constexpr double kLeastInTraining = 1e-30;
constexpr double kLeastJump = 1e-9;
constexpr double kLeast = 1e-6;
constexpr double kSpelledAlike = 0.1;

std::size_t bucket(std::ptrdiff_t width) {
  constexpr std::ptrdiff_t kFarthest = HmmModel::kFarthest;
  return static_cast<std::size_t>(std::clamp(width, -kFarthest, kFarthest) + kFarthest);
}

}  // namespace

struct HmmModel::JumpCounts {
  std::array<double, 2 * kFarthest + 1> taken{};
  std::array<double, 2 * kFarthest + 1> offered{};  // departures / normaliser
};

// One sentence pair: forward, backward, and what is expected of it. Keeps its memory between pairs.
//
// X = 1 + I places: place 0 is the start as the last place used, and NULL as a column of t. Both passes
// are scaled so that step j's total is 1.
class HmmModel::Trellis {
 public:
  Trellis(const std::array<double, 2 * kFarthest + 1>& jump, double null) : jump_(jump), null_(null) {}

  // t is [target, X]. Returns the log likelihood.
  double forward(std::size_t source, std::size_t target, std::span<const double> t) {
    places_ = source + 1;
    steps_ = target;
    t_ = t;
    set_jumps();
    total_.assign((steps_ + 1) * places_, 0);
    linked_.assign(steps_ * places_, 0);
    scale_.assign(steps_, 0);
    total_[0] = 1;
    double log_likelihood = 0;
    for (std::size_t j = 0; j < steps_; ++j) {
      const double* const before = &total_[j * places_];
      double* const after = &total_[(j + 1) * places_];
      double* const linked = &linked_[j * places_];
      const double* const emit = &t_[j * places_];
      for (std::size_t x = 0; x < places_; ++x) {
        if (before[x] == 0) continue;
        const double leaving = before[x] * leave_[x];
        const double* const jumps = jumps_from(x);
        for (std::size_t i = 1; i < places_; ++i) linked[i] += leaving * jumps[i];
      }
      double sum = 0;
      for (std::size_t i = 1; i < places_; ++i) linked[i] *= emit[i];
      for (std::size_t x = 0; x < places_; ++x) {
        after[x] = linked[x] + before[x] * null_ * emit[0];
        sum += after[x];
      }
      scale_[j] = 1 / sum;
      for (std::size_t x = 0; x < places_; ++x) {
        after[x] *= scale_[j];
        linked[x] *= scale_[j];
      }
      log_likelihood += std::log(sum);
    }
    return log_likelihood;
  }

  // After forward(). Adds the jumps expected.
  void backward(JumpCounts* counts) {
    posterior_.assign(steps_ * places_, 0);
    later_.assign(places_, 1);
    earlier_.assign(places_, 0);
    linking_.assign(places_, 0);
    departures_.assign(places_, 0);
    taken_.assign(2 * places_, 0);
    for (std::size_t j = steps_; j-- > 0;) {
      const double* const before = &total_[j * places_];
      const double* const emit = &t_[j * places_];
      double* const posterior = &posterior_[j * places_];
      for (std::size_t i = 1; i < places_; ++i) {
        posterior[i] = linked_[j * places_ + i] * later_[i];
        linking_[i] = emit[i] * later_[i] * scale_[j];
      }
      for (std::size_t x = 0; x < places_; ++x) {
        const double* const jumps = jumps_from(x);
        double sum = 0;
        for (std::size_t i = 1; i < places_; ++i) sum += jumps[i] * linking_[i];
        const double as_null = null_ * emit[0] * later_[x] * scale_[j];
        const double leaving = before[x] * leave_[x];
        posterior[0] += before[x] * as_null;
        earlier_[x] = leave_[x] * sum + as_null;
        if (counts == nullptr || leaving == 0) continue;
        departures_[x] += leaving * sum;
        double* const taken = &taken_[places_ - x];
        for (std::size_t i = 1; i < places_; ++i) taken[i] += leaving * linking_[i];
      }
      std::swap(earlier_, later_);
    }
    if (counts == nullptr) return;
    for (std::size_t x = 0; x < places_; ++x) {
      const double offered = departures_[x] * leave_[x] / (1 - null_);
      for (std::size_t i = 1; i < places_; ++i) counts->offered[width_bucket(x, i)] += offered;
    }
    for (std::size_t i = 0; i < taken_.size(); ++i) counts->taken[width_bucket(places_, i)] += taken_[i] * widths_[i];
  }

  std::span<const double> posterior() const { return posterior_; }  // [target, X], NULL first

 private:
  static std::size_t width_bucket(std::size_t from, std::size_t to) {
    return bucket(static_cast<std::ptrdiff_t>(to) - static_cast<std::ptrdiff_t>(from));
  }

  // c(i - x) for i = 0 .. I, of which the first is not used.
  const double* jumps_from(std::size_t x) const { return &widths_[places_ - x]; }

  void set_jumps() {
    widths_.resize(2 * places_);
    for (std::size_t i = 0; i < widths_.size(); ++i) widths_[i] = jump_[width_bucket(places_, i)];
    leave_.resize(places_);
    for (std::size_t x = 0; x < places_; ++x) {
      double sum = 0;
      for (std::size_t i = 1; i < places_; ++i) sum += jumps_from(x)[i];
      leave_[x] = (1 - null_) / sum;
    }
  }

  const std::array<double, 2 * kFarthest + 1>& jump_;
  double null_;
  std::size_t places_ = 0;
  std::size_t steps_ = 0;
  std::span<const double> t_;
  std::vector<double> widths_;                                  // c(d) at places_ + d
  std::vector<double> leave_;                                   // (1 - p0) / normaliser, by place
  std::vector<double> total_;                                   // [target + 1, X]: the last place used after j words
  std::vector<double> linked_;                                  // [target, X]: word j comes from there
  std::vector<double> scale_;                                   // by step
  std::vector<double> posterior_;                               // [target, X]
  std::vector<double> later_, earlier_, linking_, departures_;  // by place
  std::vector<double> taken_;                                   // jumps expected / c(d), at places_ + d
};

HmmModel::HmmModel(std::span<const WordPair> pairs, const Settings& settings) : null_(settings.null), table_(pairs) {
  if (!(null_ > 0 && null_ < 1)) {
    throw ArgumentError("HmmModel: p0 is " + std::to_string(null_) + ", expected between 0 and 1");
  }
  jump_.fill(1 / static_cast<double>(jump_.size()));
  const Meetings meetings = table_.meetings(pairs);
  train_ibm_model1(table_, meetings, settings.model1_iterations);
  for (int i = 0; i < settings.iterations; ++i) train_once(meetings);
}

void HmmModel::train_once(const Meetings& meetings) {
  const std::span<const double> probabilities = table_.probabilities();
  std::vector<double> counts(probabilities.size());
  JumpCounts jumps;
  Trellis trellis(jump_, null_);
  std::vector<double> t;
  double log_likelihood = 0;
  const std::uint32_t* cells = meetings.cells.data();
  for (const Meetings::Shape shape : meetings.pairs) {
    const std::size_t size = (shape.source + std::size_t{1}) * shape.target;
    if (shape.source > 0) {
      t.resize(size);
      for (std::size_t i = 0; i < size; ++i) t[i] = std::max(probabilities[cells[i]], kLeastInTraining);
      log_likelihood += trellis.forward(shape.source, shape.target, t);
      trellis.backward(&jumps);
      for (std::size_t i = 0; i < size; ++i) counts[cells[i]] += trellis.posterior()[i];
    }
    cells += size;
  }
  log_likelihoods_.push_back(log_likelihood);
  table_.normalise(counts);
  double sum = 0;
  for (std::size_t d = 0; d < jump_.size(); ++d) {
    if (jumps.offered[d] > 0) jump_[d] = std::max(jumps.taken[d] / jumps.offered[d], kLeastJump);
    sum += jump_[d];
  }
  for (double& c : jump_) c /= sum;
}

std::vector<double> HmmModel::posterior(const WordPair& pair) const {
  const std::size_t source = pair.source.size();
  const std::size_t target = pair.target.size();
  if (source == 0 || target == 0) return {};
  std::vector<std::uint32_t> sources = {TranslationTable::kNull};
  for (const std::string& word : pair.source) sources.push_back(table_.source_id(word));
  std::vector<double> t;
  t.reserve((source + 1) * target);
  for (const std::string& word : pair.target) {
    const std::uint32_t id = table_.target_id(word);
    for (std::size_t i = 0; i <= source; ++i) {
      const std::uint32_t cell = table_.cell(id, sources[i]);
      if (cell != TranslationTable::kUnknown) {
        t.push_back(std::max(table_.probabilities()[cell], kLeast));
      } else {
        t.push_back(i > 0 && pair.source[i - 1] == word ? kSpelledAlike : kLeast);
      }
    }
  }
  Trellis trellis(jump_, null_);
  trellis.forward(source, target, t);
  trellis.backward(nullptr);
  std::vector<double> result;
  result.reserve(source * target);
  for (std::size_t j = 0; j < target; ++j) {
    const auto row = trellis.posterior().subspan(j * (source + 1), source + 1);
    result.insert(result.end(), row.begin() + 1, row.end());
  }
  return result;
}

double HmmModel::probability(const std::string& target, const std::string& source) const {
  return table_.probability(table_.target_id(target),
                            source.empty() ? TranslationTable::kNull : table_.source_id(source));
}

double HmmModel::jump(int width) const { return jump_[bucket(width)]; }

}  // namespace softalign
