#include "layers/layer_norm.h"

#include "ops/layer_norm.h"

namespace softalign::layers {
namespace {

std::size_t checked(std::size_t width) {
  if (width == 0) throw ArgumentError("LayerNorm: width is 0, expected at least 1");
  return width;
}

}  // namespace

template <class T>
LayerNorm<T>::LayerNorm(Parameters<T>& p, const std::string& name, std::size_t width, double epsilon)
    : epsilon_(epsilon), weight_(p.add(name + ".weight", {checked(width)}, 0, 1)), bias_(p.add(name + ".bias", {width}, 0)) {}

template <class T>
Var<T> LayerNorm<T>::operator()(Graph<T>& g, Var<T> x) const {
  return ops::layer_norm(g, x, g.use(weight_), g.use(bias_), epsilon_);
}

template class LayerNorm<float>;
template class LayerNorm<double>;

}  // namespace softalign::layers
