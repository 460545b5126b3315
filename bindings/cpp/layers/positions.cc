#include "layers/positions/positions.h"

#include "layer.h"
#include "layers/positions/continuous.h"
#include "layers/positions/learned.h"
#include "layers/positions/recurrent.h"
#include "layers/positions/sinusoidal.h"

namespace softalign::js {
namespace {

// The positions themselves, or x with its own added.
template <class Encode>
void give_positions(Call& c, std::size_t width, const Encode& encode) {
  if (!c.has("x")) return c.give("output", encode(c.size("steps")));
  const Var<float> x = c.tensor("x", {"T", "B", width});
  c.give("output", ops::add_positions(c.graph(), x, encode(x.shape[0])));
}

template <class Positions>
Forward forward(const Positions& positions) {
  return [=](Call& c) {
    give_positions(c, positions.width(), [&](std::size_t steps) { return positions(c.graph(), steps); });
  };
}

Forward sinusoidal(Parameters<float>&, Options& o) { return forward(layers::SinusoidalPositions<float>(o.size("width"))); }

Forward learned(Parameters<float>& p, Options& o) {
  return forward(layers::LearnedPositions<float>(p, "", o.size("positions"), o.size("width")));
}

Forward recurrent(Parameters<float>& p, Options& o) {
  return forward(layers::RecurrentPositions<float>(p, "", o.size("width")));
}

Forward continuous(Parameters<float>& p, Options& o) {
  const std::size_t width = o.size("width");
  const layers::ContinuousPositions<float> positions(p, "", width, o.size("hidden"), o.size("solverSteps", 1, 1024));
  return [=](Call& c) {
    const auto times = c.numbers("times");
    give_positions(c, width, [&](std::size_t steps) {
      if (!c.has("times")) return positions(c.graph(), steps);
      expect_size(c.who(), "number of times", times.size(), steps);
      return positions(c.graph(), times);
    });
  };
}

}  // namespace

std::span<const Kind> position_kinds() {
  static constexpr Kind kinds[] = {
      {"SinusoidalPositions", sinusoidal},
      {"LearnedPositions", learned},
      {"RecurrentPositions", recurrent},
      {"ContinuousPositions", continuous},
  };
  return kinds;
}

}  // namespace softalign::js
