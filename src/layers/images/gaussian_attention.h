#pragma once

#include <span>
#include <string>

#include "layers/dense.h"
#include "ops/patches.h"
#include "ops/pattern.h"

namespace softalign::layers {

// Attention of an image to positions alone, by which self-attention can be any convolution: the quadratic
// encoding of Cordonnier, Loukas & Jaggi 2020 (arXiv:1911.03584, theorem 1 and equation 9). Head h looks
// where its centre Delta[h] points from the query, the more sharply the larger alpha[h]; for a query at
// position q and a key at position k of the image, delta = k - q in rows and columns:
//
//   e[h,q,k] = -alpha[h] |delta - Delta[h]|^2
//   a[h,q,:] = softmax of e[h,q,:]
//   c[q,h]   = sum_k a[h,q,k] W_V[h] x[k]
//   y[q]     = W_O [c[q,1]; ...; c[q,H]] + b_O
//
// The paper writes e as v[h] . (|delta|^2, delta) with v[h] = -alpha[h] (1, -2 Delta[h]), which is the same
// up to a number that softmax does not see.
//
// Around the image lie `padding` rows and columns of zeros, which are keys, too, but no queries: slots =
// (height + 2 padding) (width + 2 padding), row by row as one reads. A convolution pads so.
//
// x is [N, B, in], N = height width (ops::patches(g, images, 1) of PyTorch's [B, C, H, W]), and y [N, B, out].
//
// Weights: centres Delta [H, 2], row then column, starting uniform in +-sqrt(6), a deviation of sqrt(2);
// sharpness alpha [H], starting at 1 and not kept above 0; v_proj.weight [H A, in], the rows of one head
// together; out_proj.weight [out, H A] and out_proj.bias [out].
//
// The constructor throws ArgumentError for a number of 0 or a padding above kLargestPadding; the call
// throws ShapeError for an x that does not fit. A NaN or infinity spoils every position of its image,
// even where its weight is 0.
template <class T>
class GaussianAttention {
 public:
  struct Sizes {
    std::size_t in = 0, out = 0;
    std::size_t heads = 1;  // H
    std::size_t width = 0;  // A of one head
    std::size_t padding = 0;
  };
  static constexpr std::size_t kLargestPadding = 1024;  // more is a mistake, such as a negative number

  GaussianAttention(Parameters<T>& p, const std::string& name, const Sizes& sizes);

  // The layer that is the convolution y = conv2d(x, weight, bias, padding=(K - 1) / 2) of stride 1: weight
  // [out, in, K, K] and bias [out], or none, as a PyTorch Conv2d has them. It has a head for each of the K K
  // offsets, in the order of the weight, min(in, out) wide; its weights are exactly 1 for one key and 0 for
  // all others. Throws ArgumentError for an even K, which has no middle, a size of 0 or a K above
  // 2 kLargestPadding + 1; ShapeError for a shape that is not such a weight's or numbers that are not as many.
  static GaussianAttention equal_to(Parameters<T>& p, const std::string& name, const Shape& shape,
                                    std::span<const T> weight, std::span<const T> bias = {});

  struct Result {
    Var<T> output;   // y [N, B, out]
    Var<T> weights;  // a [B, H, N, slots]; rows sum to 1
  };
  Result operator()(Graph<T>& g, Var<T> x, const ops::ImageSize& size) const;

  const Sizes& sizes() const { return sizes_; }

 private:
  Sizes sizes_;
  const Parameter<T>&centres_, &sharpness_;
  Dense<T> value_, output_;
};

}  // namespace softalign::layers
