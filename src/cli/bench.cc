#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>

#include "bench/complexity.h"
#include "cli/commands.h"
#include "decoding/translator.h"
#include "io/file.h"
#include "training/translation.h"

namespace softalign::cli {
namespace {

struct TranslationOptions {
  std::string model, test;
  Options decoding;
  std::size_t sentences = 500;
  int runs = 5;
};

// Translation, one sentence after the other in one thread: the median of several runs.
void bench_translation(const TranslationOptions& o) {
  const auto bytes = read_file(o.model);
  Translator translator(bytes);
  auto pairs = training::read_pairs(o.test);
  pairs.resize(std::min(pairs.size(), o.sentences));
  std::vector<double> rates;
  for (int run = 0; run <= o.runs; ++run) {
    const auto start = std::chrono::steady_clock::now();
    for (const auto& pair : pairs) translator.translate(pair.source, o.decoding);
    const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (run > 0) rates.push_back(static_cast<double>(pairs.size()) / s);  // the first run warms up
  }
  std::sort(rates.begin(), rates.end());
  std::printf("%s: %.0f sentences/s (%.0f to %.0f in %d runs), beam %d, one thread\n", translator.info().name.c_str(),
              rates[rates.size() / 2], rates.front(), rates.back(), o.runs, o.decoding.beam);
}

struct CostOptions {
  bench::ComplexityOptions measured;
  std::size_t crossover_width = 64;
};

void bench_complexity(const CostOptions& o) {
  const auto costs = bench::measure_complexity(o.measured, [](const bench::LayerCost& cost) {
    std::fprintf(stderr, "measured %s\n", cost.name.c_str());
  });
  std::fputs(bench::complexity_table(costs, o.crossover_width).c_str(), stdout);
}

}  // namespace

void add_bench(CLI::App& app) {
  CLI::App* bench = app.add_subcommand("bench", "Measure speed");
  bench->require_subcommand(1);
  {
    auto o = std::make_shared<TranslationOptions>();
    CLI::App* c = bench->add_subcommand("translation", "How many sentences a second one thread translates");
    c->add_option("--model", o->model, "Model file")->required()->check(CLI::ExistingFile);
    c->add_option("--test", o->test, "Lines of source<TAB>reference")->required()->check(CLI::ExistingFile);
    c->add_option("--beam", o->decoding.beam, "Hypotheses kept; 1 is greedy")->capture_default_str();
    c->add_option("--sentences", o->sentences, "How many")->capture_default_str();
    c->add_option("--runs", o->runs, "Runs after the one that warms up")->capture_default_str()->check(CLI::PositiveNumber);
    c->callback([o] { bench_translation(*o); });
  }
  {
    auto o = std::make_shared<CostOptions>();
    CLI::App* c = bench->add_subcommand("complexity", "How the time of each kind of layer grows with length n and width d");
    c->add_option("--lengths", o->measured.lengths, "Lengths n, ascending")->capture_default_str();
    c->add_option("--widths", o->measured.widths, "Widths d, ascending")->capture_default_str();
    c->add_option("--fit-from", o->measured.fit_from, "Exponents are fitted over lengths from here on")->capture_default_str();
    c->add_option("--kernel", o->measured.kernel, "k of the convolution, odd")->capture_default_str();
    c->add_option("--radius", o->measured.radius, "r of restricted self-attention")->capture_default_str();
    c->add_option("--seconds", o->measured.seconds, "For each sample at least")->capture_default_str();
    c->add_option("--crossover-width", o->crossover_width, "Width at which layers are compared")->capture_default_str();
    c->callback([o] { bench_complexity(*o); });
  }
}

}  // namespace softalign::cli
