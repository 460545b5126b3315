#include "layers/window.h"

#include "ops/elementwise.h"
#include "ops/unfold.h"

namespace softalign::layers {
namespace {

std::size_t checked(std::size_t in, std::size_t out, std::size_t radius) {
  if (in == 0 || out == 0) {
    throw ArgumentError("Window: widths are " + std::to_string(in) + " and " + std::to_string(out) +
                        ", expected at least 1");
  }
  if (radius > ops::kLargestRadius) {
    throw ArgumentError("Window: radius is " + std::to_string(radius) + ", expected 0.." +
                        std::to_string(ops::kLargestRadius));
  }
  return radius;
}

}  // namespace

template <class T>
Window<T>::Window(Parameters<T>& p, const std::string& name, std::size_t in, std::size_t out, std::size_t radius)
    : in_(in), out_(out), radius_(checked(in, out, radius)), dense_(p, name, (2 * radius + 1) * in, out) {}

template <class T>
Var<T> Window<T>::operator()(Graph<T>& g, Var<T> x, std::span<const std::int32_t> lengths) const {
  expect_size("Window", "width of x", x.width(), in_);
  return ops::tanh(g, dense_(g, ops::unfold(g, x, radius_, lengths, ops::Neighbours::kInTurn)));
}

template class Window<float>;
template class Window<double>;

}  // namespace softalign::layers
