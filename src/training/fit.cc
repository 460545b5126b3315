#include "training/fit.h"

#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>

#include "io/file.h"
#include "kernels/vector.h"
#include "models/model_file.h"
#include "training/parallel.h"

namespace softalign::training {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void set_values(Parameters<float>& weights, const std::vector<float>& flat) {
  for (auto& p : weights.all()) {
    std::copy_n(flat.begin() + static_cast<std::ptrdiff_t>(p.offset), p.value.size(), p.value.begin());
  }
}

std::vector<float> flat_values(const Parameters<float>& weights) {
  std::vector<float> flat(weights.size());
  for (const auto& p : weights.all()) {
    std::copy(p.value.begin(), p.value.end(), flat.begin() + static_cast<std::ptrdiff_t>(p.offset));
  }
  return flat;
}

// With all its digits: a score that is equal is no gain.
std::string exactly(double x) {
  std::ostringstream text;
  text.precision(std::numeric_limits<double>::max_digits10);
  text << x;
  return text.str();
}

// Where a run stands, beside weights and optimiser.
struct Position {
  std::size_t epoch = 0, batch = 0, evaluations_without_gain = 0;
  double best = 0;  // an infinity before the first evaluation
};

// Everything a run needs to go on as if it had not been interrupted.
class Checkpoint {
 public:
  Checkpoint(std::filesystem::path path, std::string config) : path_(std::move(path)), config_(std::move(config)) {}

  void write(const Adam<float>& adam, const Parameters<float>& weights, const Position& at) const {
    const std::vector<float> w = flat_values(weights);
    const auto entry = [](const char* name, const std::vector<float>& x) {
      return TensorEntry{name, DType::kF32, {x.size()}, std::as_bytes(std::span(x))};
    };
    const TensorEntry entries[] = {entry("weights", w), entry("m", adam.m), entry("v", adam.v), entry("average", adam.average)};
    write_file(path_, serialize({{"config", config_},
                                 {"step", std::to_string(adam.steps())},
                                 {"epoch", std::to_string(at.epoch)},
                                 {"batch", std::to_string(at.batch)},
                                 {"evaluations_without_gain", std::to_string(at.evaluations_without_gain)},
                                 {"best", exactly(at.best)}},
                                entries));
  }

  // False if there is none.
  bool read(Adam<float>& adam, Parameters<float>& weights, Position& at) const {
    if (!std::filesystem::exists(path_)) return false;
    const auto bytes = read_file(path_);
    const auto file = Safetensors::parse(bytes);
    const auto fact = [&](const char* key) {
      const auto it = file.metadata().find(key);
      if (it == file.metadata().end()) throw FormatError(path_.string() + ": no \"" + key + "\" in its metadata");
      return it->second;
    };
    if (fact("config") != config_) {
      throw ArgumentError(path_.string() + " was written for " + fact("config") + ", expected " + config_);
    }
    const auto copy = [&](const char* name, std::vector<float>& to) {
      const TensorEntry* e = file.find(name);
      if (!e || e->type != DType::kF32 || e->elements() != to.size()) {
        throw FormatError(path_.string() + ": tensor \"" + name + "\" is missing or of another size");
      }
      std::memcpy(to.data(), e->bytes.data(), e->bytes.size());
    };
    std::vector<float> w(weights.size());
    copy("weights", w);
    copy("m", adam.m);
    copy("v", adam.v);
    copy("average", adam.average);
    set_values(weights, w);
    adam.resume_at(std::stoull(fact("step")));
    at.epoch = std::stoull(fact("epoch"));
    at.batch = std::stoull(fact("batch"));
    at.evaluations_without_gain = std::stoull(fact("evaluations_without_gain"));
    at.best = std::stod(fact("best"));
    return true;
  }

 private:
  std::filesystem::path path_;
  std::string config_;
};

}  // namespace

ParallelStep::ParallelStep(Adam<float>& adam, const FitSettings& settings) : adam_(adam), settings_(settings) {
  if (settings.threads == 0) throw ArgumentError("threads is 0, expected at least 1");
  for (std::size_t i = 0; i < settings.threads; ++i) {
    auto& gradient = gradients_.emplace_back(adam.weights().size());
    graphs_.push_back(std::make_unique<Graph<float>>(gradient.data(), 0));
  }
}

double ParallelStep::operator()(const BatchSize& size, const Loss& loss_of, double rate) {
  const std::size_t parts = std::min(settings_.threads, size.examples);
  const double scale = 1 / static_cast<double>(size.units);
  std::vector<double> losses(parts), norms(parts);
  in_parallel(parts, [&](std::size_t i) {
    std::fill(gradients_[i].begin(), gradients_[i].end(), 0.0f);
    Graph<float>& g = *graphs_[i];
    g.rewind();
    g.random() = Random(settings_.seed, adam_.steps(), i);
    const Var<float> loss = loss_of(g, {i, parts}, scale);
    losses[i] = static_cast<double>(loss.value[0]);
    g.backward(loss);
  });
  std::vector<float>& sum = gradients_[0];
  const auto range = [&](std::size_t i) { return sum.size() * i / parts; };
  in_parallel(parts, [&](std::size_t i) {
    const std::size_t from = range(i), count = range(i + 1) - from;
    for (std::size_t other = 1; other < parts; ++other) {
      kernels::axpy(1.0f, gradients_[other].data() + from, sum.data() + from, count);
    }
    norms[i] = static_cast<double>(kernels::dot(sum.data() + from, sum.data() + from, count));
  });
  double norm = 0, loss = 0;
  for (std::size_t i = 0; i < parts; ++i) {
    norm += norms[i];
    loss += losses[i] / scale;
  }
  norm = std::sqrt(norm);
  // One such step, and weights, moments and checkpoint would be lost.
  if (!std::isfinite(norm)) {
    throw ArgumentError("the gradient of step " + std::to_string(adam_.steps() + 1) + " is not finite: the learning rate, " + std::to_string(rate) +
                        ", is too high, or the weights it began with are damaged");
  }
  const float factor = norm > settings_.clip ? static_cast<float>(settings_.clip / norm) : 1.0f;
  adam_.begin_step();
  in_parallel(parts, [&](std::size_t i) {
    for (std::size_t j = range(i); j < range(i + 1); ++j) sum[j] *= factor;
    adam_.update(sum.data(), rate, range(i), range(i + 1));
  });
  return loss;
}

double fit(Task& task, const FitSettings& settings, const std::function<void(const Progress&)>& report) {
  Adam<float> adam(task.weights(), settings.adam);
  ParallelStep update(adam, settings);
  const Task::Metric metric = task.metric();
  const auto better = [&](double a, double b) { return metric.higher_is_better ? a > b : a < b; };

  std::filesystem::create_directories(settings.folder);
  const Checkpoint checkpoint(settings.folder / "checkpoint.safetensors", task.config());
  Position at;
  at.best = metric.higher_is_better ? -HUGE_VAL : HUGE_VAL;
  checkpoint.read(adam, task.weights(), at);
  const auto is_over = [&] { return at.evaluations_without_gain >= settings.patience; };
  if (is_over()) return at.best;

  Progress progress;
  auto last_report = Clock::now(), last_checkpoint = last_report;
  double loss = 0;
  std::size_t units = 0;
  const auto tell = [&] {
    report(progress);
    last_report = Clock::now();
    loss = 0;
    units = 0;
  };
  for (; at.epoch < settings.epochs; ++at.epoch, at.batch = 0) {
    Random random(settings.seed, at.epoch, 1);
    const std::size_t batches = task.shuffle(random);
    if (batches == 0) throw ArgumentError("there is nothing to learn from, expected at least one example");
    const std::uint64_t total = batches * settings.epochs;
    while (at.batch < batches) {
      const double rate = cosine_rate(settings.rate, adam.steps(), settings.warmup, total);
      const std::size_t batch = at.batch++;
      const BatchSize size = task.size(batch);
      loss += update(size, [&](Graph<float>& g, Share share, double scale) { return task.loss(g, batch, share, scale); }, rate);
      units += size.units;
      progress = {.event = Progress::Event::kStep, .step = adam.steps(), .steps = total, .epoch = at.epoch,
                  .rate = rate, .best = at.best};
      if (const double elapsed = seconds_since(last_report); elapsed > 10) {
        progress.loss = loss / static_cast<double>(units);
        progress.units_per_second = static_cast<double>(units) / elapsed;
        const double units_a_step = static_cast<double>(size.units);
        progress.seconds_left = static_cast<double>(total - adam.steps()) * units_a_step / progress.units_per_second;
        tell();
      }
      // evaluations are spread evenly over the epoch, the last at its end
      const std::size_t n = settings.evaluations;
      if (at.batch * n / batches != (at.batch - 1) * n / batches) {
        set_values(task.averaged(), adam.average);
        progress.score = task.evaluate();
        if (better(progress.score, at.best)) {
          at.best = progress.score;
          at.evaluations_without_gain = 0;
          write_file(settings.folder / "best.safetensors",
                     models::save_model(task.config(), task.averaged(), task.tokenizer(), models::Storage::kF32));
        } else {
          ++at.evaluations_without_gain;
        }
        progress.event = Progress::Event::kEvaluated;
        progress.best = at.best;
        tell();
      }
      const bool stopping = settings.stop && *settings.stop;
      const bool finished = is_over();
      if (stopping || finished || seconds_since(last_checkpoint) > settings.checkpoint_seconds) {
        checkpoint.write(adam, task.weights(), at);
        progress.event = Progress::Event::kCheckpoint;
        report(progress);
        last_checkpoint = Clock::now();
      }
      if (stopping || finished) return at.best;
    }
  }
  checkpoint.write(adam, task.weights(), at);
  return at.best;
}

}  // namespace softalign::training
