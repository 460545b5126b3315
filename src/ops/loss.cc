#include "ops/loss.h"

#include <algorithm>

#include "kernels/vector.h"

namespace softalign::ops {

template <class T>
Var<T> cross_entropy(Graph<T>& g, Var<T> logits, std::span<const std::int32_t> targets, double smoothing,
                     double scale) {
  const std::size_t N = logits.rows(), V = logits.width();
  expect_size("cross_entropy", "number of targets", targets.size(), N);
  T* lse = g.template scratch<T>(N);
  std::int32_t* kept = g.template scratch<std::int32_t>(N);
  double total = 0;
  for (std::size_t i = 0; i < N; ++i) {
    const T* x = logits.value + i * V;
    kept[i] = targets[i];
    if (kept[i] < 0) continue;
    if (static_cast<std::size_t>(kept[i]) >= V) {
      throw ArgumentError("cross_entropy: targets[" + std::to_string(i) + "] is " + std::to_string(kept[i]) +
                          ", expected below " + std::to_string(V));
    }
    lse[i] = kernels::log_sum_exp(x, V);
    total += static_cast<double>(lse[i]) - (1 - smoothing) * static_cast<double>(x[kept[i]]);
    if (smoothing > 0) total -= smoothing / static_cast<double>(V) * static_cast<double>(kernels::sum(x, V));
  }
  Var<T> loss = g.make({1});
  loss.value[0] = static_cast<T>(total * scale);
  if (g.training()) {
    g.record([=] {
      const T d = static_cast<T>(static_cast<double>(loss.grad[0]) * scale);
      const T uniform = static_cast<T>(smoothing / static_cast<double>(V));
      for (std::size_t i = 0; i < N; ++i) {
        T* grad = logits.grad + i * V;
        if (kept[i] < 0) {
          std::fill_n(grad, V, T(0));
          continue;
        }
        const T* x = logits.value + i * V;
        for (std::size_t v = 0; v < V; ++v) grad[v] = x[v] - lse[i];
        kernels::exp(grad, grad, V);
        for (std::size_t v = 0; v < V; ++v) grad[v] = d * (grad[v] - uniform);
        grad[kept[i]] -= d * static_cast<T>(1 - smoothing);
      }
    });
  }
  return loss;
}

template Var<float> cross_entropy(Graph<float>&, Var<float>, std::span<const std::int32_t>, double, double);
template Var<double> cross_entropy(Graph<double>&, Var<double>, std::span<const std::int32_t>, double, double);

}  // namespace softalign::ops
