#include "layers/conv1d.h"

#include <cmath>

#include "ops/linear.h"
#include "ops/unfold.h"

namespace softalign::layers {
namespace {

Shape kernel(std::size_t in, std::size_t out, std::size_t k) {
  if (in == 0 || out == 0) {
    throw ArgumentError("Conv1d: widths are " + std::to_string(in) + " and " + std::to_string(out) +
                        ", expected at least 1");
  }
  if (k % 2 == 0 || k / 2 > ops::kLargestRadius) {
    throw ArgumentError("Conv1d: the kernel is " + std::to_string(k) + " wide, expected an odd number up to " +
                        std::to_string(2 * ops::kLargestRadius + 1));
  }
  return {out, in, k};
}

double range_of(std::size_t in, std::size_t k) { return 1 / std::sqrt(static_cast<double>(in * k)); }

}  // namespace

template <class T>
Conv1d<T>::Conv1d(Parameters<T>& p, const std::string& name, std::size_t in, std::size_t out, std::size_t k)
    : weight_(p.add(name + ".weight", kernel(in, out, k), range_of(in, k))),
      bias_(p.add(name + ".bias", {out}, range_of(in, k))) {}

template <class T>
Var<T> Conv1d<T>::operator()(Graph<T>& g, Var<T> x, std::span<const std::int32_t> lengths) const {
  const std::size_t out = weight_.shape[0], in = weight_.shape[1], k = weight_.shape[2];
  expect_size("Conv1d", "width of x", x.width(), in);
  const Var<T> windows = ops::unfold(g, x, k / 2, lengths, ops::Neighbours::kOfEachChannel);
  return ops::linear(g, windows, ops::numbers(g, g.use(weight_)).reshape({out, in * k}), g.use(bias_));
}

template class Conv1d<float>;
template class Conv1d<double>;

}  // namespace softalign::layers
