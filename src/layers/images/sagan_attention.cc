#include "layers/images/sagan_attention.h"

#include <algorithm>

#include "ops/attention.h"
#include "ops/elementwise.h"
#include "ops/scores.h"

namespace softalign::layers {
namespace {

std::size_t checked(std::size_t width, std::size_t reduced) {
  if (width == 0 || reduced == 0) {
    throw ArgumentError("SaganAttention: width is " + std::to_string(width) + ", reduced to " +
                        std::to_string(reduced) + ", expected both above 0");
  }
  return reduced;
}

}  // namespace

template <class T>
SaganAttention<T>::SaganAttention(Parameters<T>& p, const std::string& name, std::size_t width,
                                  std::optional<std::size_t> reduced)
    : width_(width),
      reduced_(checked(width, reduced.value_or(std::max<std::size_t>(width / 8, 1)))),
      f_(p, name + ".f", width, reduced_, Dense<T>::Bias::kNone),
      g_(p, name + ".g", width, reduced_, Dense<T>::Bias::kNone),
      h_(p, name + ".h", width, reduced_, Dense<T>::Bias::kNone),
      v_(p, name + ".v", reduced_, width, Dense<T>::Bias::kNone),
      gamma_(p.add(name + ".gamma", {1}, 0)) {}

template <class T>
typename SaganAttention<T>::Result SaganAttention<T>::operator()(Graph<T>& g, Var<T> x) const {
  const std::size_t N = x.shape[0], B = x.shape[1];
  expect_shape("SaganAttention", "x", x.shape, {N, B, width_});
  const ops::Reach reach(g, "SaganAttention", N, N, B, {}, {});
  const Var<T> weights = ops::softmax(g, ops::dot_scores(g, g_(g, x), f_(g, x), 1, reach), reach);
  const Var<T> o = v_(g, ops::weighted_sum(g, weights, h_(g, x), reach));
  return {ops::add_scaled(g, x, o, g.use(gamma_)), weights};
}

template class SaganAttention<float>;
template class SaganAttention<double>;

}  // namespace softalign::layers
