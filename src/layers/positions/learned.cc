#include "layers/positions/learned.h"

#include <cmath>
#include <numeric>

#include "ops/linear.h"

namespace softalign::layers {
namespace {

Shape table(std::size_t positions, std::size_t width) {
  expect_positions("LearnedPositions", positions, width);
  return {positions, width};
}

}  // namespace

template <class T>
LearnedPositions<T>::LearnedPositions(Parameters<T>& p, const std::string& name, std::size_t positions,
                                      std::size_t width)
    : weight_(p.add(name + ".weight", table(positions, width), 0.02 * std::sqrt(3.0))) {}

template <class T>
Var<T> LearnedPositions<T>::from(Graph<T>& g, std::size_t first, std::size_t steps) const {
  expect_positions("LearnedPositions", steps, width());
  if (first >= positions() || steps > positions() - first) {
    throw ArgumentError("LearnedPositions: a position is " + std::to_string(first + steps - 1) +
                        ", expected 0.." + std::to_string(positions() - 1) + ", which its table holds");
  }
  auto* ids = g.template scratch<std::int32_t>(steps);
  std::iota(ids, ids + steps, static_cast<std::int32_t>(first));
  return ops::lookup<T>(g, g.use(weight_), {ids, steps});
}

template class LearnedPositions<float>;
template class LearnedPositions<double>;

}  // namespace softalign::layers
