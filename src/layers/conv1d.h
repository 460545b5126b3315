#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "ops/graph.h"

namespace softalign::layers {

// Convolution over time (LeCun et al. 1989; for translation Gehring et al. 2017, arXiv:1705.03122), as
// PyTorch's Conv1d with stride 1 and as much zero padding on each side as keeps the length:
//
//   y[t] = sum_j weight[:, :, j] x[t + j - r] + bias,  j = 0 .. k - 1,  r = (k - 1) / 2
//
// Weights: weight [out, in, k] and bias [out], both starting uniform in +-1/sqrt(in k), as PyTorch's.
// x is time-major [T, B, in] -> [T, B, out]. What lies outside the sequence or beyond a length counts
// as 0; outputs beyond a length follow the same equation. lengths has B entries in 1..T, or is empty if
// all are T long. k = 1 is a Dense layer at each position.
//
// The constructor throws ArgumentError for an even k, which has no middle, or a width of 0; the call
// throws ShapeError for an x or lengths that do not fit. A NaN or infinity spoils the outputs whose
// window it is in.
template <class T>
class Conv1d {
 public:
  Conv1d(Parameters<T>& p, const std::string& name, std::size_t in, std::size_t out, std::size_t k);

  Var<T> operator()(Graph<T>& g, Var<T> x, std::span<const std::int32_t> lengths) const;
  std::size_t width() const { return bias_.shape.width(); }

 private:
  const Parameter<T>&weight_, &bias_;
};

}  // namespace softalign::layers
