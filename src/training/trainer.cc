#include "training/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>

#include "decoding/translator.h"
#include "evaluation/bleu.h"
#include "io/file.h"
#include "kernels/vector.h"
#include "models/model_file.h"

namespace softalign::training {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// body(i) for i in 0..count-1, each in a thread of its own; an exception of one is rethrown here.
template <class Body>
void in_parallel(std::size_t count, const Body& body) {
  std::vector<std::exception_ptr> errors(count);
  const auto guarded = [&](std::size_t i) {
    try {
      body(i);
    } catch (...) {
      errors[i] = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < count; ++i) threads.emplace_back(guarded, i);
  guarded(0);
  for (std::thread& t : threads) t.join();
  for (const auto& e : errors) {
    if (e) std::rethrow_exception(e);
  }
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

// Where a run stands, beside weights and optimiser.
struct Position {
  std::size_t epoch = 0, batch = 0, evaluations_without_gain = 0;
  double best_bleu = -1;
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
                                 {"best_bleu", std::to_string(at.best_bleu)}},
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
    at.best_bleu = std::stod(fact("best_bleu"));
    return true;
  }

 private:
  std::filesystem::path path_;
  std::string config_;
};

}  // namespace

ParallelStep::ParallelStep(const models::TranslationModel<float>& model, Adam<float>& adam, std::int32_t eos,
                           const TrainSettings& settings)
    : model_(model), adam_(adam), eos_(eos), settings_(settings) {
  for (std::size_t i = 0; i < settings.threads; ++i) {
    auto& gradient = gradients_.emplace_back(adam.weights().size());
    graphs_.push_back(std::make_unique<Graph<float>>(gradient.data(), 0));
  }
}

ParallelStep::Result ParallelStep::operator()(const IdBatch& batch, double rate) {
  const std::size_t parts = std::min(settings_.threads, batch.size());
  Result result;
  for (const IdPair& pair : batch) result.words += pair.target.size() + 1;
  const double scale = 1 / static_cast<double>(result.words);
  std::vector<double> losses(parts), norms(parts);
  in_parallel(parts, [&](std::size_t i) {
    // every parts-th pair, so that each share has pairs of all lengths
    IdBatch share;
    for (std::size_t b = i; b < batch.size(); b += parts) share.push_back(batch[b]);
    std::fill(gradients_[i].begin(), gradients_[i].end(), 0.0f);
    Graph<float>& g = *graphs_[i];
    g.rewind();
    g.random() = Random(settings_.seed, adam_.steps(), i);
    const Var<float> loss = model_.loss(g, to_model_batch(share, eos_), settings_.smoothing, scale);
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
  double norm = 0;
  for (std::size_t i = 0; i < parts; ++i) {
    norm += norms[i];
    result.loss += losses[i] / scale;
  }
  norm = std::sqrt(norm);
  const float factor = norm > settings_.clip ? static_cast<float>(settings_.clip / norm) : 1.0f;
  adam_.begin_step();
  in_parallel(parts, [&](std::size_t i) {
    for (std::size_t j = range(i); j < range(i + 1); ++j) sum[j] *= factor;
    adam_.update(sum.data(), rate, range(i), range(i + 1));
  });
  return result;
}

std::vector<std::string> translate_all(const models::TranslationModel<float>& model, const Tokenizer& tokenizer,
                                       const std::vector<std::string>& sentences, int beam, double length_penalty,
                                       std::size_t threads) {
  std::vector<std::string> out(sentences.size());
  std::atomic<std::size_t> next = 0;
  in_parallel(std::max<std::size_t>(threads, 1), [&](std::size_t) {
    Translator translator(model, tokenizer);
    for (std::size_t i; (i = next++) < sentences.size();) {
      out[i] = translator.translate(sentences[i], {.beam = beam, .length_penalty = length_penalty}).target.text;
    }
  });
  return out;
}

double train(const models::TranslationConfig& config, std::span<const std::byte> tokenizer_bytes,
             const std::vector<IdPair>& pairs, const std::vector<TextPair>& dev, const TrainSettings& settings,
             const std::function<void(const Progress&)>& report) {
  const Tokenizer tokenizer(tokenizer_bytes);
  Parameters<float> weights(settings.seed), averaged(settings.seed);
  const auto model = make_model(weights, config), averaged_model = make_model(averaged, config);
  const std::string config_json = to_json(config);
  if (!settings.start.empty()) {
    const auto bytes = read_file(settings.start);
    models::ModelFile(bytes).load(weights, models::ModelFile::Int8::kExpand);
  }
  Adam<float> adam(weights, settings.adam);
  ParallelStep update(*model, adam, tokenizer.eos(), settings);

  std::vector<std::string> dev_source, dev_target;
  for (const TextPair& pair : dev) {
    dev_source.push_back(pair.source);
    dev_target.push_back(pair.target);
  }

  std::filesystem::create_directories(settings.folder);
  const Checkpoint checkpoint(settings.folder / "checkpoint.safetensors", config_json);
  Position at;
  checkpoint.read(adam, weights, at);

  Progress progress;
  auto last_report = Clock::now(), last_checkpoint = last_report;
  double loss = 0;
  std::size_t words = 0;
  for (; at.epoch < settings.epochs; ++at.epoch, at.batch = 0) {
    Random random(settings.seed, at.epoch, 1);
    const auto batches = make_batches(pairs, settings.batches, random);
    const std::uint64_t total = batches.size() * settings.epochs;
    while (at.batch < batches.size()) {
      const double rate = cosine_rate(settings.rate, adam.steps(), settings.warmup, total);
      const auto result = update(batches[at.batch++], rate);
      loss += result.loss;
      words += result.words;
      progress = {.event = Progress::Event::kStep, .step = adam.steps(), .steps = total, .epoch = at.epoch,
                  .rate = rate, .best_bleu = at.best_bleu};
      if (const double elapsed = seconds_since(last_report); elapsed > 10) {
        progress.loss = loss / static_cast<double>(words);
        progress.tokens_per_second = static_cast<double>(words) / elapsed;
        const double words_a_step = static_cast<double>(result.words);
        progress.seconds_left = static_cast<double>(total - adam.steps()) * words_a_step / progress.tokens_per_second;
        report(progress);
        last_report = Clock::now();
        loss = 0;
        words = 0;
      }
      // evaluations are spread evenly over the epoch, the last at its end
      const std::size_t n = settings.evaluations;
      if (at.batch * n / batches.size() != (at.batch - 1) * n / batches.size()) {
        set_values(averaged, adam.average);
        const double bleu =
            corpus_bleu(translate_all(*averaged_model, tokenizer, dev_source, 1, 1, settings.threads), dev_target).score;
        if (bleu > at.best_bleu) {
          at.best_bleu = bleu;
          at.evaluations_without_gain = 0;
          write_file(settings.folder / "best.safetensors",
                     models::save_model(config_json, averaged, tokenizer_bytes, models::Storage::kF32));
        } else {
          ++at.evaluations_without_gain;
        }
        progress.event = Progress::Event::kEvaluated;
        progress.dev_bleu = bleu;
        progress.best_bleu = at.best_bleu;
        report(progress);
        last_report = Clock::now();
        loss = 0;
        words = 0;
      }
      const bool stopping = settings.stop && *settings.stop;
      const bool finished = at.evaluations_without_gain >= settings.patience;
      if (stopping || finished || seconds_since(last_checkpoint) > settings.checkpoint_seconds) {
        checkpoint.write(adam, weights, at);
        progress.event = Progress::Event::kCheckpoint;
        report(progress);
        last_checkpoint = Clock::now();
      }
      if (stopping || finished) return at.best_bleu;
    }
  }
  checkpoint.write(adam, weights, at);
  return at.best_bleu;
}

}  // namespace softalign::training
