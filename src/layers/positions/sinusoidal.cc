#include "layers/positions/sinusoidal.h"

#include <cmath>

namespace softalign::layers {

template <class T>
SinusoidalPositions<T>::SinusoidalPositions(std::size_t width) : width_(width) {
  expect_positions("SinusoidalPositions", 1, width);
  for (std::size_t i = 0; i < width; i += 2) {
    rates_.push_back(std::pow(10000.0, -static_cast<double>(i) / static_cast<double>(width)));
  }
}

template <class T>
Var<T> SinusoidalPositions<T>::from(Graph<T>& g, std::size_t first, std::size_t steps) const {
  expect_positions("SinusoidalPositions", steps, width_);
  // no gradient flows into numbers that nobody learns
  const Var<T> p{g.template scratch<T>(steps * width_), nullptr, {steps, width_}, nullptr};
  for (std::size_t t = 0; t < steps; ++t) {
    T* row = p.value + t * width_;
    for (std::size_t i = 0; i < width_; ++i) {
      const double angle = static_cast<double>(first + t) * rates_[i / 2];
      row[i] = static_cast<T>(i % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  }
  return p;
}

template class SinusoidalPositions<float>;
template class SinusoidalPositions<double>;

}  // namespace softalign::layers
