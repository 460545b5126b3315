#include "training/adam.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace softalign::training {

template <class T>
Adam<T>::Adam(Parameters<T>& weights, const AdamSettings& settings)
    : m(weights.size()), v(weights.size()), average(weights.size()), weights_(weights), settings_(settings) {
  for (const auto& p : weights.all()) std::copy(p.value.begin(), p.value.end(), average.begin() + static_cast<std::ptrdiff_t>(p.offset));
}

template <class T>
void Adam<T>::update(const T* gradient, double rate, std::size_t first, std::size_t last) {
  const double t = static_cast<double>(steps_);
  const T b1 = static_cast<T>(settings_.beta1), b2 = static_cast<T>(settings_.beta2);
  const T correct_m = static_cast<T>(1 / (1 - std::pow(settings_.beta1, t)));
  const T correct_v = static_cast<T>(1 / (1 - std::pow(settings_.beta2, t)));
  const T r = static_cast<T>(rate), epsilon = static_cast<T>(settings_.epsilon);
  const T share = static_cast<T>(1 - std::min(settings_.average_decay, (1 + t) / (10 + t)));
  for (auto& p : weights_.all()) {
    const std::size_t from = std::max(first, p.offset), to = std::min(last, p.offset + p.value.size());
    T* w = p.value.data();
    for (std::size_t i = from; i < to; ++i) {
      const T g = gradient[i];
      m[i] = b1 * m[i] + (1 - b1) * g;
      v[i] = b2 * v[i] + (1 - b2) * g * g;
      T& weight = w[i - p.offset];
      weight -= r * (m[i] * correct_m) / (std::sqrt(v[i] * correct_v) + epsilon);
      average[i] += share * (weight - average[i]);
    }
  }
}

double cosine_rate(double peak, std::uint64_t t, std::uint64_t warmup, std::uint64_t total) {
  if (t < warmup) return peak * static_cast<double>(t + 1) / static_cast<double>(warmup);
  const double done = total > warmup ? static_cast<double>(t - warmup) / static_cast<double>(total - warmup) : 1;
  return peak * std::max(0.001, 0.5 * (1 + std::cos(std::numbers::pi * std::min(1.0, done))));
}

template class Adam<float>;
template class Adam<double>;

}  // namespace softalign::training
