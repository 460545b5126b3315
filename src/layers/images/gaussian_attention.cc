#include "layers/images/gaussian_attention.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "ops/attention.h"
#include "ops/distance.h"
#include "ops/elementwise.h"
#include "ops/scores.h"

namespace softalign::layers {
namespace {

// e^-1024 is 0 in float and in double, and scores at whole offsets are exact.
constexpr double kSharp = 1024;

template <class Sizes>
Sizes checked_sizes(const Sizes& s, std::size_t largest_padding) {
  if (s.in == 0 || s.out == 0 || s.heads == 0 || s.width == 0) {
    throw ArgumentError("GaussianAttention: it maps " + std::to_string(s.in) + " channels to " + std::to_string(s.out) +
                        " with " + std::to_string(s.heads) + " heads " + std::to_string(s.width) +
                        " wide, expected all above 0");
  }
  if (s.padding > largest_padding) {
    throw ArgumentError("GaussianAttention: padding is " + std::to_string(s.padding) + ", expected at most " +
                        std::to_string(largest_padding));
  }
  return s;
}

// x [H W, B, D] -> [(H + 2 padding) (W + 2 padding), B, D], zeros around.
template <class T>
Var<T> padded(Graph<T>& g, Var<T> x, const ops::ImageSize& size, std::size_t padding) {
  if (padding == 0) return x;
  const std::size_t B = x.shape[1], across = size.width + 2 * padding;
  const Var<T> y = g.zeros({(size.height + 2 * padding) * across, B, x.width()});
  for (std::size_t r = 0; r < size.height; ++r) {
    ops::copy(g, x.slice(r * size.width * B, size.width * B),
              y.slice(((r + padding) * across + padding) * B, size.width * B));
  }
  return y;
}

// For every query and every key of the padded image, which of the offsets in `reach` lies between them.
std::vector<std::int32_t> offsets(const ops::ImageSize& size, std::size_t padding, const ops::ImageSize& reach) {
  const std::size_t rows = size.height + 2 * padding, columns = size.width + 2 * padding;
  std::vector<std::int32_t> which;
  which.reserve(size.height * size.width * rows * columns);
  for (std::size_t r = 0; r < size.height; ++r) {
    for (std::size_t c = 0; c < size.width; ++c) {
      for (std::size_t i = 0; i < rows; ++i) {
        const std::size_t row = i + reach.height - padding - r;
        for (std::size_t j = 0; j < columns; ++j) {
          which.push_back(static_cast<std::int32_t>(row * (2 * reach.width + 1) + j + reach.width - padding - c));
        }
      }
    }
  }
  return which;
}

}  // namespace

template <class T>
GaussianAttention<T>::GaussianAttention(Parameters<T>& p, const std::string& name, const Sizes& sizes)
    : sizes_(checked_sizes(sizes, kLargestPadding)),
      centres_(p.add(name + ".centres", {sizes.heads, 2}, std::sqrt(6.0))),
      sharpness_(p.add(name + ".sharpness", {sizes.heads}, 0, 1)),
      value_(p, name + ".v_proj", sizes.in, sizes.heads * sizes.width, Dense<T>::Bias::kNone),
      output_(p, name + ".out_proj", sizes.heads * sizes.width, sizes.out) {}

template <class T>
GaussianAttention<T> GaussianAttention<T>::equal_to(Parameters<T>& p, const std::string& name, const Shape& shape,
                                                    std::span<const T> weight, std::span<const T> bias) {
  const std::size_t out = shape[0], in = shape[1], K = shape[2], A = std::min(in, out);
  if (shape.rank() != 4 || shape[3] != K) {
    throw ShapeError("GaussianAttention: the convolution's weight is " + shape.to_string() +
                     ", expected [out, in, K, K]");
  }
  if (K % 2 == 0 || K / 2 > kLargestPadding) {
    throw ArgumentError("GaussianAttention: K is " + std::to_string(K) + ", expected an odd number up to " +
                        std::to_string(2 * kLargestPadding + 1));
  }
  expect_size("GaussianAttention", "number of the convolution's weights", weight.size(), shape.size());
  if (!bias.empty()) expect_size("GaussianAttention", "number of the convolution's biases", bias.size(), out);
  const std::size_t heads = K * K, columns = heads * A;
  const GaussianAttention layer(p, name, {in, out, heads, A, K / 2});
  const auto set = [&](const char* part, AlignedVector<T> to) { p.find(name + part)->value = std::move(to); };
  // y = sum over heads of W_O[h] W_V[h] x: the convolution's matrix for that offset is one of the two, the
  // identity is the other, whichever way the heads are narrow.
  AlignedVector<T> centres, value(columns * in), output(out * columns);
  for (std::size_t h = 0; h < heads; ++h) {
    for (const std::size_t at : {h / K, h % K}) centres.push_back(static_cast<T>(at) - static_cast<T>(K / 2));
    const auto matrix = [&](std::size_t o, std::size_t i) { return weight[(o * in + i) * heads + h]; };
    for (std::size_t a = 0; a < A; ++a) {
      for (std::size_t i = 0; i < in; ++i) value[(h * A + a) * in + i] = A == out ? matrix(a, i) : T(a == i);
      for (std::size_t o = 0; o < out; ++o) output[o * columns + h * A + a] = A == out ? T(a == o) : matrix(o, a);
    }
  }
  set(".centres", std::move(centres));
  set(".sharpness", AlignedVector<T>(heads, T(kSharp)));
  set(".v_proj.weight", std::move(value));
  set(".out_proj.weight", std::move(output));
  set(".out_proj.bias", bias.empty() ? AlignedVector<T>(out) : AlignedVector<T>(bias.begin(), bias.end()));
  return layer;
}

template <class T>
typename GaussianAttention<T>::Result GaussianAttention<T>::operator()(Graph<T>& g, Var<T> x,
                                                                       const ops::ImageSize& size) const {
  const std::size_t N = size.height * size.width, B = x.shape[1], P = sizes_.padding;
  expect_shape("GaussianAttention", "x", x.shape, {N, B, sizes_.in});
  const ops::Reach reach(g, "GaussianAttention", N, (size.height + 2 * P) * (size.width + 2 * P), B, {}, {});
  const ops::ImageSize farthest = {size.height - 1 + P, size.width - 1 + P};
  const Var<T> near = ops::distance_scores(g, ops::numbers(g, g.use(centres_)), g.use(sharpness_), farthest);
  const Var<T> scores = g.zeros({B, sizes_.heads, N, reach.slots()});
  ops::add_pair_bias(g, scores, near, offsets(size, P, farthest), reach);
  const Var<T> weights = ops::softmax(g, scores, reach);
  const Var<T> context = ops::weighted_sum(g, weights, padded(g, value_(g, x), size, P), reach);
  return {output_(g, context), weights};
}

template class GaussianAttention<float>;
template class GaussianAttention<double>;

}  // namespace softalign::layers
