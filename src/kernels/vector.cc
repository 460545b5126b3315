#include "kernels/vector.h"

#include <cmath>
#include <limits>

#include "kernels/lanes.h"

namespace softalign::kernels {

void exp(const float* x, float* y, std::size_t n) {
  for_lanes(n, [&](auto load, auto store) { store(exp_lanes(load(x)), y); });
}

void tanh(const float* x, float* y, std::size_t n) {
  for_lanes(n, [&](auto load, auto store) { store(tanh_lanes(load(x)), y); });
}

void sigmoid(const float* x, float* y, std::size_t n) {
  for_lanes(n, [&](auto load, auto store) { store(sigmoid_lanes(load(x)), y); });
}

float sum(const float* x, std::size_t n) {
  Batch total(0.0f);
  for_lanes(n, [&](auto load, auto) { total += load(x); });
  return xsimd::reduce_add(total);
}

float dot(const float* x, const float* y, std::size_t n) {
  Batch total(0.0f);
  for_lanes(n, [&](auto load, auto) { total = xsimd::fma(load(x), load(y), total); });
  return xsimd::reduce_add(total);
}

float max(const float* x, std::size_t n) {
  constexpr float kNone = -std::numeric_limits<float>::infinity();
  // Several at a time: each comparison waits for the one before it.
  Batch most[4] = {Batch(kNone), Batch(kNone), Batch(kNone), Batch(kNone)};
  std::size_t i = 0;
  for (; i + 4 * kLanes <= n; i += 4 * kLanes) {
    for (std::size_t k = 0; k < 4; ++k) most[k] = xsimd::max(most[k], Batch::load_unaligned(x + i + k * kLanes));
  }
  for (; i + kLanes <= n; i += kLanes) most[0] = xsimd::max(most[0], Batch::load_unaligned(x + i));
  if (i < n) most[0] = xsimd::max(most[0], load_part(x + i, n - i, kNone));
  return xsimd::reduce_max(xsimd::max(xsimd::max(most[0], most[1]), xsimd::max(most[2], most[3])));
}

void axpy(float scale, const float* x, float* y, std::size_t n) {
  for_lanes(n, [&](auto load, auto store) { store(xsimd::fma(Batch(scale), load(x), load(y)), y); });
}

void scale(float factor, const float* x, float* y, std::size_t n) {
  for_lanes(n, [&](auto load, auto store) { store(Batch(factor) * load(x), y); });
}

void add(const float* x, const float* y, float* out, std::size_t n) {
  for_lanes(n, [&](auto load, auto store) { store(load(x) + load(y), out); });
}

void multiply(const float* x, const float* y, float* out, std::size_t n) {
  for_lanes(n, [&](auto load, auto store) { store(load(x) * load(y), out); });
}

void multiply_add(const float* x, const float* y, float* into, std::size_t n) {
  for_lanes(n, [&](auto load, auto store) { store(xsimd::fma(load(x), load(y), load(into)), into); });
}

void tanh_gradient(const float* y, const float* d, float* into, std::size_t n) {
  for_lanes(n, [&](auto load, auto store) {
    const Batch t = load(y);
    store(xsimd::fma(load(d), Batch(1.0f) - t * t, load(into)), into);
  });
}

// Comparisons below are written so that a NaN chooses the branch it flows through.
void relu(const float* x, float* y, std::size_t n) {
  const Batch zero(0.0f);
  for_lanes(n, [&](auto load, auto store) { store(xsimd::select(load(x) <= zero, zero, load(x)), y); });
}

void relu_gradient(const float* x, const float* d, float* into, std::size_t n) {
  const Batch zero(0.0f);
  for_lanes(n, [&](auto load, auto store) {
    store(load(into) + xsimd::select(load(x) <= zero, zero, load(d)), into);
  });
}

void gelu(const float* x, float* y, std::size_t n) {
  for_lanes(n, [&](auto load, auto store) { store(load(x) * normal_lanes(load(x)).below, y); });
}

void gelu_gradient(const float* x, const float* d, float* into, std::size_t n) {
  for_lanes(n, [&](auto load, auto store) {
    const Normal normal = normal_lanes(load(x));
    store(xsimd::fma(load(d), xsimd::fma(load(x), normal.density, normal.below), load(into)), into);
  });
}

void elu_plus_one(const float* x, float* y, std::size_t n) {
  for_lanes(n, [&](auto load, auto store) {
    const Batch v = load(x);
    store(xsimd::select(v <= Batch(0.0f), exp_lanes(v), v + Batch(1.0f)), y);
  });
}

void elu_plus_one_gradient(const float* y, const float* d, float* into, std::size_t n) {
  const Batch one(1.0f);
  for_lanes(n, [&](auto load, auto store) {
    store(xsimd::fma(load(d), xsimd::select(load(y) > one, one, load(y)), load(into)), into);
  });
}

namespace {

// The sum of e^(x[i] - most), each given to write(e, i, count), where count lanes of e are meant.
template <class Write>
[[gnu::always_inline]] inline float sum_of_exponentials(const float* x, std::size_t n, float most, Write write) {
  Batch total(0.0f);
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const Batch e = exp_of_nonpositive(Batch::load_unaligned(x + i) - Batch(most));
    write(e, i, kLanes);
    total += e;
  }
  if (i < n) {
    constexpr float kNothing = -std::numeric_limits<float>::infinity();  // adds exactly 0
    const Batch e = exp_of_nonpositive(load_part(x + i, n - i, kNothing) - Batch(most));
    write(e, i, n - i);
    total += e;
  }
  return xsimd::reduce_add(total);
}

}  // namespace

void softmax(const float* x, float* y, std::size_t n) {
  const float total = sum_of_exponentials(x, n, max(x, n), [y](Batch e, std::size_t i, std::size_t count) {
    count == kLanes ? e.store_unaligned(y + i) : store_part(e, y + i, count);
  });
  scale(1.0f / total, y, y, n);
}

float log_sum_exp(const float* x, std::size_t n) {
  const float most = max(x, n);
  return most + std::log(sum_of_exponentials(x, n, most, [](Batch, std::size_t, std::size_t) {}));
}

float additive_score(const float* v, const float* q, const float* k, std::size_t n) {
  Batch total(0.0f);
  for_lanes(n, [&](auto load, auto) { total = xsimd::fma(load(v), tanh_lanes(load(q) + load(k)), total); });
  return xsimd::reduce_add(total);
}

void additive_score_gradient(float d, const float* v, const float* q, const float* k, float* dv, float* dq,
                             float* dk, std::size_t n) {
  for_lanes(n, [&](auto load, auto store) {
    const Batch t = tanh_lanes(load(q) + load(k));
    const Batch g = Batch(d) * load(v) * (Batch(1.0f) - t * t);
    store(xsimd::fma(Batch(d), t, load(dv)), dv);
    store(load(dq) + g, dq);
    store(load(dk) + g, dk);
  });
}

}  // namespace softalign::kernels
