#pragma once

#include <cstdint>
#include <vector>

#include "ops/graph.h"

namespace softalign::training {

// Adam (Kingma & Ba 2015, algorithm 1), with bias correction:
//
//   m = b1 m + (1 - b1) g,  v = b2 v + (1 - b2) g^2
//   w -= rate * (m / (1 - b1^t)) / (sqrt(v / (1 - b2^t)) + epsilon)
//
// It also keeps an exponential average of the weights (Polyak & Juditsky 1992), which is what gets
// evaluated and shipped: average += (1 - decay) (w - average), with a shorter memory at first.
struct AdamSettings {
  double beta1 = 0.9, beta2 = 0.998, epsilon = 1e-8;
  double average_decay = 0.9995;
};

template <class T>
class Adam {
 public:
  Adam(Parameters<T>& weights, const AdamSettings& settings);

  // One step with gradient [weights.size()], laid out by Parameter::offset.
  void step(const T* gradient, double rate) {
    begin_step();
    update(gradient, rate, 0, weights_.size());
  }
  // The same in two parts, so that threads can share the work: count the step, then update the
  // weights whose offsets lie in [first, last).
  void begin_step() { ++steps_; }
  void update(const T* gradient, double rate, std::size_t first, std::size_t last);

  Parameters<T>& weights() { return weights_; }
  std::uint64_t steps() const { return steps_; }
  // State for checkpoints, each [weights.size()].
  std::vector<T> m, v, average;
  void resume_at(std::uint64_t steps) { steps_ = steps; }

 private:
  Parameters<T>& weights_;
  AdamSettings settings_;
  std::uint64_t steps_ = 0;
};

// Learning rate at step t: linear warm-up to `peak`, then a cosine down to a tenth of a percent of it
// at `total` steps (Loshchilov & Hutter 2017).
double cosine_rate(double peak, std::uint64_t t, std::uint64_t warmup, std::uint64_t total);

}  // namespace softalign::training
