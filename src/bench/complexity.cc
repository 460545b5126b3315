#include "bench/complexity.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <limits>

#include "layers/conv1d.h"
#include "layers/recurrent/simple_rnn.h"
#include "ops/attention.h"
#include "ops/linear_attention.h"
#include "ops/scores.h"

namespace softalign::bench {
namespace {

using Clock = std::chrono::steady_clock;
// Computes something of size n, d in the graph it is given.
using Pass = std::function<void(Graph<float>&)>;

Sample measure(std::size_t n, std::size_t d, double seconds, const Pass& pass) {
  Sample sample{n, d, std::numeric_limits<double>::infinity(), 0};
  Graph<float> g;
  pass(g);  // warms up
  sample.bytes = g.arena().used();
  double spent = 0;
  for (int runs = 0; runs < 3 || spent < seconds; ++runs) {
    g.rewind();
    const auto start = Clock::now();
    pass(g);
    const double s = std::chrono::duration<double>(Clock::now() - start).count();
    sample.seconds = std::min(sample.seconds, s);
    spent += s;
  }
  return sample;
}

// For one size, what to run: weights and input are made here, outside of what is measured.
using Maker = std::function<Pass(Parameters<float>&, std::size_t n, std::size_t d)>;

struct Kind {
  const char *name, *theory;
  Exponents expected;
  bool is_sequential;
  Maker make;
};

// Queries, keys and values of self-attention are all x.
Maker attention(const ops::Pattern& pattern) {
  return [=](Parameters<float>& p, std::size_t n, std::size_t d) -> Pass {
    const auto& x = p.add("x", {n, 1, d}, 0.1);
    return [&x, n, pattern](Graph<float>& g) {
      const Var<float> v = g.use(x);
      const ops::Reach reach(g, "bench", n, n, 1, {}, pattern);
      ops::weighted_sum(g, ops::softmax(g, ops::dot_scores(g, v, v, 1, reach), reach), v, reach);
    };
  };
}

std::vector<Kind> kinds(const ComplexityOptions& o) {
  const Maker recurrent = [](Parameters<float>& p, std::size_t n, std::size_t d) -> Pass {
    const auto& x = p.add("x", {n, 1, d}, 0.1);
    const layers::SimpleRnn<float> layer(p, "layer", d, d);
    return [&x, layer](Graph<float>& g) { layer(g, g.use(x), {}); };
  };
  const Maker convolution = [k = o.kernel](Parameters<float>& p, std::size_t n, std::size_t d) -> Pass {
    const auto& x = p.add("x", {n, 1, d}, 0.1);
    const layers::Conv1d<float> layer(p, "layer", d, d, k);
    return [&x, layer](Graph<float>& g) { layer(g, g.use(x), {}); };
  };
  const Maker linear = [](Parameters<float>& p, std::size_t n, std::size_t d) -> Pass {
    const auto& x = p.add("x", {n, 1, d}, 0.1, 0.5);  // features are above 0
    return [&x](Graph<float>& g) {
      const Var<float> v = g.use(x);
      ops::linear_attention(g, v, v, v, 1, {});
    };
  };
  return {{"self-attention", "n^2 d", {2, 1}, false, attention({})},
          {"recurrent", "n d^2", {1, 2}, true, recurrent},
          {"convolution", "k n d^2", {1, 2}, false, convolution},
          {"restricted self-attention", "r n d", {1, 1}, false, attention(ops::Pattern::window(o.radius))},
          {"linear attention", "n d^2", {1, 2}, false, linear}};
}

const Sample* find(const LayerCost& cost, std::size_t n, std::size_t d) {
  const auto it = std::find_if(cost.samples.begin(), cost.samples.end(),
                               [&](const Sample& s) { return s.n == n && s.d == d; });
  return it == cost.samples.end() ? nullptr : &*it;
}

std::string line(const char* format, const auto&... values) {
  char text[160];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

}  // namespace

Exponents fit(const std::vector<Sample>& samples, const std::function<double(const Sample&)>& value) {
  // Normal equations of log value = c + a log n + b log d, with the means taken out.
  double mean_n = 0, mean_d = 0, mean_v = 0;
  for (const Sample& s : samples) {
    mean_n += std::log(static_cast<double>(s.n));
    mean_d += std::log(static_cast<double>(s.d));
    mean_v += std::log(value(s));
  }
  const double count = static_cast<double>(samples.size());
  mean_n /= count, mean_d /= count, mean_v /= count;
  double nn = 0, dd = 0, nd = 0, nv = 0, dv = 0;
  for (const Sample& s : samples) {
    const double n = std::log(static_cast<double>(s.n)) - mean_n, d = std::log(static_cast<double>(s.d)) - mean_d;
    const double v = std::log(value(s)) - mean_v;
    nn += n * n, dd += d * d, nd += n * d, nv += n * v, dv += d * v;
  }
  const double determinant = nn * dd - nd * nd;
  if (!(determinant > 1e-12)) {
    throw ArgumentError("fit: the samples have one length or one width, expected several of each");
  }
  return {(nv * dd - dv * nd) / determinant, (dv * nn - nv * nd) / determinant};
}

std::vector<LayerCost> measure_complexity(const ComplexityOptions& options,
                                          const std::function<void(const LayerCost&)>& report) {
  std::vector<LayerCost> costs;
  for (const Kind& kind : kinds(options)) {
    LayerCost cost{kind.name, kind.theory, kind.expected, kind.is_sequential, {}, {}, {}};
    for (const std::size_t d : options.widths) {
      for (const std::size_t n : options.lengths) {
        Parameters<float> p;
        cost.samples.push_back(measure(n, d, options.seconds, kind.make(p, n, d)));
      }
    }
    std::vector<Sample> long_ones;
    std::copy_if(cost.samples.begin(), cost.samples.end(), std::back_inserter(long_ones),
                 [&](const Sample& s) { return s.n >= options.fit_from; });
    cost.time = fit(long_ones, [](const Sample& s) { return s.seconds; });
    cost.memory = fit(long_ones, [](const Sample& s) { return static_cast<double>(s.bytes); });
    report(cost);
    costs.push_back(std::move(cost));
  }
  return costs;
}

std::size_t crossover(const LayerCost& faster, const LayerCost& slower, std::size_t d) {
  // Where log time of one falls below the other's, on straight lines between the measured lengths.
  double last_n = 0, last_gap = 0;
  bool any = false;
  for (const Sample& s : slower.samples) {
    const Sample* other = s.d == d ? find(faster, s.n, d) : nullptr;
    if (!other) continue;
    const double n = std::log(static_cast<double>(s.n)), gap = std::log(other->seconds / s.seconds);
    if (gap < 0) {
      if (!any) return 0;
      return static_cast<std::size_t>(std::lround(std::exp(last_n + (n - last_n) * last_gap / (last_gap - gap))));
    }
    last_n = n, last_gap = gap, any = true;
  }
  return SIZE_MAX;
}

std::string complexity_table(const std::vector<LayerCost>& costs, std::size_t d) {
  std::string text = line("%-26s %-8s %-22s %-22s %-10s %s\n", "layer", "theory", "time measured", "memory measured", "steps",
                          "ms at the largest n and d");
  for (const LayerCost& c : costs) {
    const Sample& last = c.samples.back();
    text += line("%-26s %-8s n^%.2f d^%.2f          n^%.2f d^%.2f          %-10s %.2f (n %zu, d %zu), %.1f MB\n", c.name.c_str(),
                 c.theory.c_str(), c.time.of_n, c.time.of_d, c.memory.of_n, c.memory.of_d, c.is_sequential ? "n" : "1",
                 1e3 * last.seconds, last.n, last.d, static_cast<double>(last.bytes) / 1e6);
  }
  for (const char* name : {"restricted self-attention", "linear attention"}) {
    const auto by_name = [&](const std::string& wanted) {
      return std::find_if(costs.begin(), costs.end(), [&](const LayerCost& c) { return c.name == wanted; });
    };
    const auto faster = by_name(name), dense = by_name("self-attention");
    if (faster == costs.end() || dense == costs.end()) continue;
    const std::size_t n = crossover(*faster, *dense, d);
    text += std::string(name) + " beats self-attention at d = " + std::to_string(d) +
            (n == 0          ? " at every n measured\n"
             : n == SIZE_MAX ? " at no n measured\n"
                             : " from n = " + std::to_string(n) + "\n");
  }
  return text;
}

}  // namespace softalign::bench
