#include "layers/positions/sinusoidal.h"

#include <algorithm>
#include <cmath>

namespace softalign::layers {
namespace {

constexpr std::size_t kKept = 128;

}  // namespace

template <class T>
SinusoidalPositions<T>::SinusoidalPositions(std::size_t width, Order order) : width_(width), order_(order) {
  expect_positions("SinusoidalPositions", 1, width);
  const bool halves = order == Order::kHalves;
  const std::size_t sines = halves ? width / 2 : (width + 1) / 2;
  const double last = halves ? static_cast<double>(std::max<std::size_t>(sines, 2) - 1) : static_cast<double>(width) / 2;
  for (std::size_t i = 0; i < sines; ++i) rates_.push_back(std::pow(10000.0, -static_cast<double>(i) / last));
  first_.resize(kKept * width);
  for (std::size_t t = 0; t < kKept; ++t) write(t, first_.data() + t * width);
}

template <class T>
void SinusoidalPositions<T>::write(std::size_t t, T* row) const {
  const std::size_t sines = rates_.size(), step = order_ == Order::kHalves ? 1 : 2, cosines = order_ == Order::kHalves ? sines : 1;
  if (cosines + sines < width_ && step == 1) row[width_ - 1] = 0;
  for (std::size_t i = 0; i < sines; ++i) {
    const double angle = static_cast<double>(t) * rates_[i];
    row[step * i] = static_cast<T>(std::sin(angle));
    if (step * i + cosines < width_) row[step * i + cosines] = static_cast<T>(std::cos(angle));
  }
}

template <class T>
Var<T> SinusoidalPositions<T>::from(Graph<T>& g, std::size_t first, std::size_t steps) const {
  expect_positions("SinusoidalPositions", steps, width_);
  // no gradient flows into numbers that nobody learns
  const Var<T> p{g.template scratch<T>(steps * width_), nullptr, {steps, width_}, nullptr};
  for (std::size_t t = 0; t < steps; ++t) {
    T* const row = p.value + t * width_;
    if (first + t < kKept) {
      std::copy_n(first_.data() + (first + t) * width_, width_, row);
    } else {
      write(first + t, row);
    }
  }
  return p;
}

template class SinusoidalPositions<float>;
template class SinusoidalPositions<double>;

}  // namespace softalign::layers
