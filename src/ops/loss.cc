#include "ops/loss.h"

#include <algorithm>
#include <cmath>

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

template <class T>
Var<T> alignment_loss(Graph<T>& g, Var<T> weights, std::size_t head, std::span<const AlignmentTarget> targets,
                      double scale) {
  if (weights.shape.rank() != 4 || head >= weights.shape[1]) {
    throw ShapeError("alignment_loss: weights is " + weights.shape.to_string() + ", expected [B, H, T, S] with head " +
                     std::to_string(head));
  }
  const std::size_t B = weights.shape[0], H = weights.shape[1], T_ = weights.shape[2], S = weights.shape[3];
  constexpr T kLeast = T(1e-7);
  std::size_t* cells = g.template scratch<std::size_t>(targets.size());
  T* shares = g.template scratch<T>(targets.size());
  double total = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const AlignmentTarget& a = targets[i];
    if (a.sequence >= B || a.query >= T_ || a.key >= S) {
      throw ArgumentError("alignment_loss: target " + std::to_string(i) + " is query " + std::to_string(a.query) +
                          " and key " + std::to_string(a.key) + " of sequence " + std::to_string(a.sequence) +
                          ", expected inside " + weights.shape.to_string());
    }
    cells[i] = ((a.sequence * H + head) * T_ + a.query) * S + a.key;
    shares[i] = static_cast<T>(a.share);
    total -= static_cast<double>(shares[i]) * std::log(static_cast<double>(std::max(weights.value[cells[i]], kLeast)));
  }
  Var<T> loss = g.make({1});
  loss.value[0] = static_cast<T>(total * scale);
  if (g.training()) {
    const std::size_t count = targets.size();
    g.record([=] {
      const T d = loss.grad[0] * static_cast<T>(scale);
      for (std::size_t i = 0; i < count; ++i) {
        weights.grad[cells[i]] -= d * shares[i] / std::max(weights.value[cells[i]], kLeast);
      }
    });
  }
  return loss;
}

template Var<float> alignment_loss(Graph<float>&, Var<float>, std::size_t, std::span<const AlignmentTarget>, double);
template Var<double> alignment_loss(Graph<double>&, Var<double>, std::size_t, std::span<const AlignmentTarget>, double);
template Var<float> cross_entropy(Graph<float>&, Var<float>, std::span<const std::int32_t>, double, double);
template Var<double> cross_entropy(Graph<double>&, Var<double>, std::span<const std::int32_t>, double, double);

}  // namespace softalign::ops
