#include "ops/attention.h"

#include <algorithm>

#include "kernels/vector.h"

namespace softalign::ops {
namespace {

// Which memory row each query reads, how long it is, and where its position s lies.
class Reach {
 public:
  template <class T>
  Reach(Graph<T>& g, const char* who, std::size_t queries, Shape memory, std::span<const std::int32_t> lengths)
      : steps_(memory[0]), batch_(memory[1]), width_(memory[2]) {
    if (memory.rank() != 3) throw ShapeError(std::string(who) + ": memory is " + memory.to_string() + ", expected [S, B, *]");
    if (batch_ != 1) expect_size(who, "batch of the memory", batch_, queries);
    copy_lengths(g, who, lengths);
  }
  // Scores alone, [B, S]: one memory row for each, or one length for all.
  template <class T>
  Reach(Graph<T>& g, const char* who, Shape scores, std::span<const std::int32_t> lengths)
      : steps_(scores.width()), batch_(lengths.size()), width_(0) {
    if (batch_ != 1) expect_size(who, "number of lengths", batch_, scores.rows());
    copy_lengths(g, who, lengths);
  }
  std::size_t steps() const { return steps_; }
  std::size_t length(std::size_t b) const { return static_cast<std::size_t>(lengths_[row(b)]); }
  std::size_t at(std::size_t s, std::size_t b) const { return (s * batch_ + row(b)) * width_; }

 private:
  std::size_t row(std::size_t b) const { return batch_ == 1 ? 0 : b; }
  template <class T>
  void copy_lengths(Graph<T>& g, const char* who, std::span<const std::int32_t> lengths) {
    expect_size(who, "number of lengths", lengths.size(), batch_);
    lengths_ = g.template scratch<std::int32_t>(batch_);
    for (std::size_t b = 0; b < batch_; ++b) {
      if (lengths[b] < 1 || static_cast<std::size_t>(lengths[b]) > steps_) {
        throw ShapeError(std::string(who) + ": lengths[" + std::to_string(b) + "] is " +
                         std::to_string(lengths[b]) + ", expected 1.." + std::to_string(steps_));
      }
      lengths_[b] = lengths[b];
    }
  }
  std::size_t steps_, batch_, width_;
  std::int32_t* lengths_ = nullptr;
};

// scores[b, s] = score(b, position of key s) where there is one, 0 beyond.
template <class T, class Score>
void fill_scores(Var<T> scores, const Reach& reach, Score score) {
  const std::size_t S = reach.steps();
  for (std::size_t b = 0; b < scores.rows(); ++b) {
    T* row = scores.value + b * S;
    for (std::size_t s = 0; s < reach.length(b); ++s) row[s] = score(b, reach.at(s, b));
    std::fill(row + reach.length(b), row + S, T(0));
  }
}

}  // namespace

template <class T>
Var<T> additive_scores(Graph<T>& g, Var<T> query, Var<T> keys, Var<T> v, std::span<const std::int32_t> lengths) {
  const std::size_t B = query.rows(), A = query.width();
  const Reach reach(g, "additive_scores", B, keys.shape, lengths);
  expect_size("additive_scores", "width of keys", keys.width(), A);
  expect_shape("additive_scores", "v", v.shape, {A});
  Var<T> scores = g.make({B, reach.steps()});
  fill_scores(scores, reach, [&](std::size_t b, std::size_t at) {
    return kernels::additive_score(v.value, query.value + b * A, keys.value + at, A);
  });
  if (g.training()) {
    g.record([=] {
      for (std::size_t b = 0; b < B; ++b) {
        for (std::size_t s = 0; s < reach.length(b); ++s) {
          const std::size_t at = reach.at(s, b);
          kernels::additive_score_gradient(scores.grad[b * reach.steps() + s], v.value, query.value + b * A,
                                           keys.value + at, v.grad, query.grad + b * A, keys.grad + at, A);
        }
      }
    });
  }
  return scores;
}

template <class T>
Var<T> dot_scores(Graph<T>& g, Var<T> query, Var<T> keys, std::span<const std::int32_t> lengths) {
  const std::size_t B = query.rows(), A = query.width();
  const Reach reach(g, "dot_scores", B, keys.shape, lengths);
  expect_size("dot_scores", "width of keys", keys.width(), A);
  Var<T> scores = g.make({B, reach.steps()});
  fill_scores(scores, reach, [&](std::size_t b, std::size_t at) {
    return kernels::dot(query.value + b * A, keys.value + at, A);
  });
  if (g.training()) {
    g.record([=] {
      for (std::size_t b = 0; b < B; ++b) {
        for (std::size_t s = 0; s < reach.length(b); ++s) {
          const std::size_t at = reach.at(s, b);
          const T d = scores.grad[b * reach.steps() + s];
          if (query.grad) kernels::axpy(d, keys.value + at, query.grad + b * A, A);
          if (keys.grad) kernels::axpy(d, query.value + b * A, keys.grad + at, A);
        }
      }
    });
  }
  return scores;
}

template <class T>
Var<T> softmax(Graph<T>& g, Var<T> scores, std::span<const std::int32_t> lengths) {
  const Reach reach(g, "softmax", scores.shape, lengths);
  const std::size_t S = reach.steps();
  Var<T> y = g.make(scores.shape);
  for (std::size_t b = 0; b < y.rows(); ++b) {
    kernels::softmax(scores.value + b * S, y.value + b * S, reach.length(b));
    std::fill(y.value + b * S + reach.length(b), y.value + (b + 1) * S, T(0));
  }
  if (g.training() && scores.grad) {
    g.record([=] {
      for (std::size_t b = 0; b < y.rows(); ++b) {
        const T *p = y.value + b * S, *d = y.grad + b * S;
        const T mean = kernels::dot(p, d, reach.length(b));
        for (std::size_t s = 0; s < reach.length(b); ++s) scores.grad[b * S + s] += p[s] * (d[s] - mean);
      }
    });
  }
  return y;
}

template <class T>
Var<T> weighted_sum(Graph<T>& g, Var<T> weights, Var<T> values, std::span<const std::int32_t> lengths) {
  const std::size_t B = weights.rows(), S = weights.width(), D = values.width();
  const Reach reach(g, "weighted_sum", B, values.shape, lengths);
  expect_size("weighted_sum", "width of weights", S, reach.steps());
  Var<T> y = g.zeros({B, D});
  for (std::size_t b = 0; b < B; ++b) {
    for (std::size_t s = 0; s < reach.length(b); ++s) {
      kernels::axpy(weights.value[b * S + s], values.value + reach.at(s, b), y.value + b * D, D);
    }
  }
  if (g.training()) {
    g.record([=] {
      for (std::size_t b = 0; b < B; ++b) {
        for (std::size_t s = 0; s < reach.length(b); ++s) {
          const std::size_t at = reach.at(s, b);
          const T* d = y.grad + b * D;
          if (weights.grad) weights.grad[b * S + s] += kernels::dot(d, values.value + at, D);
          if (values.grad) kernels::axpy(weights.value[b * S + s], d, values.grad + at, D);
        }
      }
    });
  }
  return y;
}

#define SOFTALIGN_INSTANTIATE(T)                                                                              \
  template Var<T> additive_scores(Graph<T>&, Var<T>, Var<T>, Var<T>, std::span<const std::int32_t>);          \
  template Var<T> dot_scores(Graph<T>&, Var<T>, Var<T>, std::span<const std::int32_t>);                       \
  template Var<T> softmax(Graph<T>&, Var<T>, std::span<const std::int32_t>);                                  \
  template Var<T> weighted_sum(Graph<T>&, Var<T>, Var<T>, std::span<const std::int32_t>);
SOFTALIGN_INSTANTIATE(float)
SOFTALIGN_INSTANTIATE(double)
#undef SOFTALIGN_INSTANTIATE

}  // namespace softalign::ops
