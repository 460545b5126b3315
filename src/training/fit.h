#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "training/adam.h"

// Training, whatever is trained: steps, schedule, evaluation and checkpoints.
namespace softalign::training {

struct FitSettings {
  std::size_t epochs = 12;
  AdamSettings adam;
  double rate = 0.0015;           // peak
  std::uint64_t warmup = 500;     // steps
  double smoothing = 0.1;         // of labels
  double clip = 1.0;              // largest norm of the gradient of a mean unit's loss
  std::size_t threads = 2;        // data-parallel
  std::uint64_t seed = 1;
  std::size_t patience = 4;       // evaluations without a better score on dev before stopping
  std::size_t evaluations = 1;    // each epoch
  double checkpoint_seconds = 120;
  std::filesystem::path folder;   // checkpoint.safetensors and best.safetensors
  const std::atomic<bool>* stop = nullptr;  // set by someone else: write a checkpoint and return
};

// Every stride-th example of a batch from `first` on: one thread's part, with examples of all lengths.
struct Share {
  std::size_t first = 0, stride = 1;

  template <class Example>
  std::vector<Example> of(const std::vector<Example>& batch) const {
    std::vector<Example> part;
    for (std::size_t i = first; i < batch.size(); i += stride) part.push_back(batch[i]);
    return part;
  }
};

struct BatchSize {
  std::size_t examples = 0;
  std::size_t units = 0;  // what the loss is a sum over: target words, labels
};

// One update of data-parallel training: each thread has its own graph and gradients for a share of
// the batch; the sum is clipped and given to Adam.
class ParallelStep {
 public:
  // The loss of a share of the batch, summed over its units and times scale.
  using Loss = std::function<Var<float>(Graph<float>&, Share, double scale)>;

  ParallelStep(Adam<float>& adam, const FitSettings& settings);
  // Returns the loss of the whole batch, a sum over its units.
  double operator()(const BatchSize& size, const Loss& loss, double rate);

 private:
  Adam<float>& adam_;
  const FitSettings& settings_;
  std::vector<std::vector<float>> gradients_;
  std::vector<std::unique_ptr<Graph<float>>> graphs_;
};

// What fit() trains. A task has its model twice: with the weights that are trained, and with their running
// average, which is what is evaluated and kept.
class Task {
 public:
  struct Metric {
    const char* name;             // "BLEU"
    bool higher_is_better = true;
  };

  virtual ~Task() = default;

  virtual Metric metric() const = 0;
  virtual const char* units() const = 0;  // "target words"
  // For model files.
  virtual std::string config() const = 0;
  virtual std::span<const std::byte> tokenizer() const = 0;

  virtual Parameters<float>& weights() = 0;
  virtual Parameters<float>& averaged() = 0;

  // Draws the batches of an epoch; returns how many there are.
  virtual std::size_t shuffle(Random& random) = 0;
  virtual BatchSize size(std::size_t batch) const = 0;
  // The loss of a share of a batch, as in ParallelStep. Called by several threads at once.
  virtual Var<float> loss(Graph<float>& g, std::size_t batch, Share share, double scale) const = 0;
  // The metric of the averaged weights on dev.
  virtual double evaluate() = 0;
};

struct Progress {
  enum class Event { kStep, kEvaluated, kCheckpoint } event = Event::kStep;
  std::uint64_t step = 0, steps = 0;  // now, and expected in all
  std::size_t epoch = 0;
  double loss = 0;              // per unit, mean since the last report
  double units_per_second = 0;  // since the last report
  double rate = 0;
  double score = 0, best = 0;   // of the task's metric on dev, at kEvaluated
  double seconds_left = 0;
};

// Trains, and evaluates the averaged weights on dev. Resumes by itself from a checkpoint in the folder: a run that
// was killed loses at most one checkpoint interval, and repeats the same batches in the same order.
// best.safetensors holds the averaged weights of the best evaluation, as F32. Returns the best score.
//
// Throws ArgumentError if the folder's checkpoint belongs to another config, or if there is nothing to learn from.
double fit(Task& task, const FitSettings& settings, const std::function<void(const Progress&)>& report);

}  // namespace softalign::training
