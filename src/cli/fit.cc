#include "cli/fit.h"

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>

namespace softalign::cli {
namespace {

std::atomic<bool> interrupted = false;

std::string clock(double seconds) {
  const auto s = static_cast<long>(seconds);
  char text[32];
  std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
  return text;
}

void print(const training::Task& task, const training::Progress& p) {
  using Event = training::Progress::Event;
  if (p.event == Event::kStep) {
    std::printf("epoch %zu  step %llu/%llu  loss %.3f  rate %.5f  %.0f %s/s  %s left\n", p.epoch + 1,
                static_cast<unsigned long long>(p.step), static_cast<unsigned long long>(p.steps), p.loss, p.rate,
                p.units_per_second, task.units(), clock(p.seconds_left).c_str());
  } else if (p.event == Event::kEvaluated) {
    std::printf("epoch %zu  step %llu  dev %s %.2f  best %.2f\n", p.epoch + 1,
                static_cast<unsigned long long>(p.step), task.metric().name, p.score, p.best);
  }
  std::fflush(stdout);
}

}  // namespace

void add_fit_options(CLI::App& c, training::FitSettings& s) {
  c.add_option("--out", s.folder, "Folder for checkpoint.safetensors and best.safetensors")->required();
  c.add_option("--epochs", s.epochs, "Epochs")->capture_default_str();
  c.add_option("--rate", s.rate, "Peak learning rate")->capture_default_str();
  c.add_option("--warmup", s.warmup, "Steps to the peak rate")->capture_default_str();
  c.add_option("--average", s.adam.average_decay, "Decay of the weight average")->capture_default_str();
  c.add_option("--smoothing", s.smoothing, "Label smoothing")->capture_default_str();
  c.add_option("--clip", s.clip, "Largest gradient norm")->capture_default_str();
  c.add_option("--threads", s.threads, "Threads")->capture_default_str();
  c.add_option("--seed", s.seed, "Seed of weights, batches and dropout")->capture_default_str();
  c.add_option("--patience", s.patience, "Evaluations without gain before stopping")->capture_default_str();
  c.add_option("--evaluations", s.evaluations, "Evaluations an epoch")->capture_default_str();
}

void fit(training::Task& task, training::FitSettings settings) {
  settings.stop = &interrupted;
  std::signal(SIGINT, [](int) {
    interrupted = true;
    std::signal(SIGINT, SIG_DFL);
  });
  const double best = training::fit(task, settings, [&](const training::Progress& p) { print(task, p); });
  std::printf("best dev %s %.2f, in %s\n", task.metric().name, best, (settings.folder / "best.safetensors").c_str());
}

}  // namespace softalign::cli
