// One step of training after another on given batches; train_speed.py calls it and compares.
//
//   build/native/tests/softalign_bench_train_speed BATCHES ATTENTION THREADS SECONDS
//
// BATCHES: a line for each pair, "batch<TAB>source ids<TAB>target ids", without end-of-sentence.
// Prints target words a second, the end of the sentence counted.
#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "training/translation.h"

namespace {

using namespace softalign;

std::vector<std::int32_t> ids_of(const std::string& field) {
  std::istringstream in(field);
  std::vector<std::int32_t> ids;
  for (std::int32_t id; in >> id;) ids.push_back(id);
  return ids;
}

std::vector<training::IdBatch> read_batches(const char* path) {
  std::ifstream in(path);
  if (!in) throw IoError(std::string(path) + " cannot be read");
  std::vector<training::IdBatch> batches;
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    std::string batch, source, target;
    std::getline(fields, batch, '\t');
    std::getline(fields, source, '\t');
    std::getline(fields, target, '\t');
    batches.resize(std::max(batches.size(), std::stoul(batch) + 1));
    batches[std::stoul(batch)].push_back({ids_of(source), ids_of(target)});
  }
  return batches;
}

void run(char** argv) {
  const auto batches = read_batches(argv[1]);
  models::Seq2SeqConfig config;
  config.attention = models::attention_by_name(argv[2]);
  training::FitSettings settings;
  settings.threads = std::stoul(argv[3]);
  const double wanted = std::stod(argv[4]);
  Parameters<float> weights;
  const auto model = make_model<float>(weights, config);
  training::Adam<float> adam(weights, settings.adam);
  training::ParallelStep update(adam, settings);
  // The words of a batch.
  const auto step = [&](const training::IdBatch& batch) {
    const training::BatchSize size = training::size_of(batch);
    const auto loss = [&](Graph<float>& g, training::Share share, double scale) {
      return model->loss(g, training::to_model_batch(share.of(batch), 1), settings.smoothing, scale);
    };
    update(size, loss, 0.0005);
    return static_cast<double>(size.units);
  };
  for (const auto& batch : batches) step(batch);  // warms the arenas

  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  double words = 0, elapsed = 0;
  for (std::size_t i = 0; elapsed < wanted; ++i) {
    words += step(batches[i % batches.size()]);
    elapsed = std::chrono::duration<double>(Clock::now() - start).count();
  }
  std::printf("%.1f\n", words / elapsed);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: %s BATCHES ATTENTION THREADS SECONDS\n", argv[0]);
    return 2;
  }
  try {
    run(argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
