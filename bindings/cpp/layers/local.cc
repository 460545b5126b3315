#include "layer.h"
#include "layers/conv1d.h"
#include "layers/dense.h"
#include "layers/layer_norm.h"
#include "layers/window.h"

// The layers that see one position, or its neighbours.
namespace softalign::js {
namespace {

Forward dense(Parameters<float>& p, Options& o) {
  const std::size_t in = o.size("input");
  const layers::Dense<float> layer(p, "", in, o.size("output"));
  return [=](Call& c) { c.give("output", layer(c.graph(), c.rows("x", in))); };
}

Forward layer_norm(Parameters<float>& p, Options& o) {
  const std::size_t width = o.size("width");
  const layers::LayerNorm<float> layer(p, "", width);
  return [=](Call& c) { c.give("output", layer(c.graph(), c.rows("x", width))); };
}

template <class Layer>
Forward over_neighbours(const Layer& layer, std::size_t in) {
  return [=](Call& c) {
    const Var<float> x = c.tensor("x", {"T", "B", in});
    c.give("output", layer(c.graph(), x, c.lengths(x)));
  };
}

Forward conv1d(Parameters<float>& p, Options& o) {
  const std::size_t in = o.size("input");
  return over_neighbours(layers::Conv1d<float>(p, "", in, o.size("output"), o.size("kernel")), in);
}

Forward window(Parameters<float>& p, Options& o) {
  const std::size_t in = o.size("input");
  // A window of all inputs, (2 radius + 1) in, fits a size_t.
  return over_neighbours(layers::Window<float>(p, "", in, o.size("output"), o.size("radius", 0, Options::kLargest / 2 - 1)), in);
}

}  // namespace

std::span<const Kind> local_kinds() {
  static constexpr Kind kinds[] = {
      {"Dense", dense},
      {"LayerNorm", layer_norm},
      {"Conv1d", conv1d},
      {"Window", window},
  };
  return kinds;
}

}  // namespace softalign::js
