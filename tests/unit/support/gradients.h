#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/random.h"
#include "ops/graph.h"

namespace softalign::testing {

// loss = sum_i seed[i] * output[i], with its gradient: an end for any computation.
template <class T>
struct Weighed {
  Var<T> output;
  std::vector<T> seed;
};
template <class T>
Var<T> weighed_sum(Graph<T>& g, const std::vector<Weighed<T>>& terms) {
  Var<T> loss = g.zeros({1});
  for (const auto& [output, seed] : terms) {
    if (seed.size() != output.size()) throw ArgumentError("weighed_sum: one seed for each element, please");
    for (std::size_t i = 0; i < seed.size(); ++i) loss.value[0] += seed[i] * output.value[i];
  }
  if (g.training()) {
    g.record([=] {
      for (const auto& [output, seed] : terms) {
        for (std::size_t i = 0; i < seed.size(); ++i) output.grad[i] += loss.grad[0] * seed[i];
      }
    });
  }
  return loss;
}

// Random seeds for outputs, the same ones on every call with the same number of outputs.
inline Var<double> weighed_sum(Graph<double>& g, const std::vector<Var<double>>& outputs) {
  std::vector<Weighed<double>> terms;
  Random random(99);
  for (const Var<double>& output : outputs) {
    std::vector<double> seed(output.size());
    for (double& s : seed) s = random.normal();
    terms.push_back({output, seed});
  }
  return weighed_sum(g, terms);
}

// Fills all weights (inputs of a test are weights too) with normal numbers of this deviation.
inline void randomise(Parameters<double>& parameters, double deviation = 0.7, std::uint64_t seed = 1) {
  Random random(seed);
  for (auto& p : parameters.all())
    for (double& v : p.value) v = deviation * random.normal();
}

// build(g) computes a loss of one element from `parameters`. Every partial derivative that
// backward() gives is compared with the central difference; 40 elements of each weight at most.
template <class Build>
void expect_gradients(Parameters<double>& parameters, Build build, double tolerance = 1e-7) {
  constexpr std::uint64_t kSeed = 3;  // the same dropout in every evaluation
  std::vector<double> gradients(parameters.size(), 0.0);
  {
    Graph<double> g(gradients.data(), kSeed);
    g.backward(build(g));
  }
  std::vector<double> unused(parameters.size(), 0.0);
  Graph<double> g(unused.data(), kSeed);
  const auto loss = [&] {
    g.rewind();
    g.random() = Random(kSeed);
    return build(g).value[0];
  };
  for (auto& p : parameters.all()) {
    const std::size_t stride = std::max<std::size_t>(1, p.value.size() / 40);
    for (std::size_t i = 0; i < p.value.size(); i += stride) {
      const double was = p.value[i], step = 1e-5 * std::max(1.0, std::abs(was));
      p.value[i] = was + step;
      const double up = loss();
      p.value[i] = was - step;
      const double down = loss();
      p.value[i] = was;
      const double expected = (up - down) / (2 * step), got = gradients[p.offset + i];
      ASSERT_NEAR(got, expected, tolerance * (1 + std::abs(expected))) << p.name << "[" << i << "]";
    }
  }
}

}  // namespace softalign::testing
