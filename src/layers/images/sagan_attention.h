#pragma once

#include <optional>
#include <string>

#include "layers/dense.h"
#include "ops/pattern.h"

namespace softalign::layers {

// Self-attention of an image as a residual of a convolutional network: SAGAN (Zhang, Goodfellow, Metaxas &
// Odena 2019, arXiv:1805.08318, equations 1 to 3). For positions i and j of one image, x[i] [C]:
//
//   s[i,j]    = f(x[i]) . g(x[j])
//   beta[j,:] = softmax of s[:,j]: how much position j looks at each i
//   o[j]      = v(sum_i beta[j,i] h(x[i]))
//   y[j]      = gamma o[j] + x[j]
//
// f, g, h and v are 1x1 convolutions without bias; gamma starts at 0, so the layer starts as the identity.
// The first three reduce the width from C to C', by default C / 8, at least 1.
//
// x is [N, B, C]: the N = H W positions row by row as one reads, which ops::patches(g, images, 1) makes of
// PyTorch's [B, C, H, W] and ops::from_patches(g, y, size, 1) turns back.
//
// Weights: f.weight, g.weight and h.weight [C', C], v.weight [C, C'], gamma [1]; a PyTorch Conv2d has the
// same numbers as [out, in, 1, 1].
//
// The constructor throws ArgumentError for a width of 0; the call throws ShapeError for an x that does not
// fit. A NaN or infinity spoils every position of its image.
template <class T>
class SaganAttention {
 public:
  SaganAttention(Parameters<T>& p, const std::string& name, std::size_t width,
                 std::optional<std::size_t> reduced = std::nullopt);

  struct Result {
    Var<T> output;   // y [N, B, C]
    Var<T> weights;  // beta [B, 1, N, N]; rows sum to 1
  };
  Result operator()(Graph<T>& g, Var<T> x) const;

  std::size_t width() const { return width_; }

 private:
  std::size_t width_, reduced_;
  Dense<T> f_, g_, h_, v_;
  const Parameter<T>& gamma_;
};

}  // namespace softalign::layers
