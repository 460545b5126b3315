#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "models/config.h"
#include "training/adam.h"
#include "training/corpus.h"

namespace softalign::training {

struct TrainSettings {
  std::size_t epochs = 12;
  BatchSettings batches;
  AdamSettings adam;
  double rate = 0.0015;           // peak
  std::uint64_t warmup = 500;     // steps
  double smoothing = 0.1;         // of labels
  double clip = 1.0;              // largest norm of the gradient of a mean target word
  std::size_t threads = 2;        // data-parallel
  std::uint64_t seed = 1;
  std::size_t patience = 4;       // evaluations without a better BLEU on dev before stopping
  std::size_t evaluations = 1;    // each epoch
  double checkpoint_seconds = 120;
  std::filesystem::path folder;   // checkpoint.safetensors and best.safetensors
  std::filesystem::path start;    // a model file whose weights to start from; empty: random ones
  const std::atomic<bool>* stop = nullptr;  // set by someone else: write a checkpoint and return
};

struct Progress {
  enum class Event { kStep, kEvaluated, kCheckpoint } event = Event::kStep;
  std::uint64_t step = 0, steps = 0;  // now, and expected in all
  std::size_t epoch = 0;
  double loss = 0;              // per target word, mean since the last report
  double tokens_per_second = 0;  // target words, since the last report
  double rate = 0;
  double dev_bleu = 0, best_bleu = 0;  // at kEvaluated
  double seconds_left = 0;
};

// Trains one model on pairs of id sequences, evaluating the averaged weights on dev by greedy
// translation and BLEU. Resumes by itself from a checkpoint in the folder: a run that was killed
// loses at most one checkpoint interval, and repeats the same batches in the same order.
// best.safetensors holds the averaged weights of the best evaluation, as F32.
//
// Throws ArgumentError if the folder's checkpoint belongs to another config, FormatError if the
// weights to start from do not fit it.
double train(const models::TranslationConfig& config, std::span<const std::byte> tokenizer,
             const std::vector<IdPair>& pairs, const std::vector<TextPair>& dev, const TrainSettings& settings,
             const std::function<void(const Progress&)>& report);

// Translations of many sentences, shared out among threads.
std::vector<std::string> translate_all(const models::TranslationModel<float>& model, const Tokenizer& tokenizer,
                                       const std::vector<std::string>& sentences, int beam, double length_penalty,
                                       std::size_t threads);

// One update of data-parallel training: each thread has its own graph and gradients for a share of
// the batch; the sum is clipped and given to Adam.
class ParallelStep {
 public:
  ParallelStep(const models::TranslationModel<float>& model, Adam<float>& adam, std::int32_t eos,
               const TrainSettings& settings);

  struct Result {
    double loss = 0;  // sum over target words
    std::size_t words = 0;
  };
  Result operator()(const IdBatch& batch, double rate);

 private:
  const models::TranslationModel<float>& model_;
  Adam<float>& adam_;
  std::int32_t eos_;
  const TrainSettings& settings_;
  std::vector<std::vector<float>> gradients_;
  std::vector<std::unique_ptr<Graph<float>>> graphs_;
};

}  // namespace softalign::training
