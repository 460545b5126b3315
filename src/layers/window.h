#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "layers/dense.h"

namespace softalign::layers {

// A fully connected layer over a window that slides along the sequence (the word windows of Bengio et
// al. 2003 and Collobert & Weston 2008): what attention is compared with, since it sees r neighbours on
// each side and no further:
//
//   y[t] = tanh(W [x[t-r]; ...; x[t+r]] + b)
//
// Weights: weight W [out, (2r + 1) in], bias b [out], starting as those of a Dense. x is time-major
// [T, B, in] -> [T, B, out]. What lies outside the sequence or beyond a length counts as 0; outputs
// beyond a length follow the same equation. lengths has B entries in 1..T, or is empty if all are T
// long. Radius 0 sees each position alone.
//
// The constructor throws ArgumentError for a radius above ops::kLargestRadius or a width of 0; the call
// throws ShapeError for an x or lengths that do not fit. A NaN spoils the outputs whose window it is in;
// an infinity does, too, or saturates them at +-1.
template <class T>
class Window {
 public:
  Window(Parameters<T>& p, const std::string& name, std::size_t in, std::size_t out, std::size_t radius);

  Var<T> operator()(Graph<T>& g, Var<T> x, std::span<const std::int32_t> lengths) const;
  std::size_t width() const { return out_; }
  std::size_t radius() const { return radius_; }

 private:
  std::size_t in_, out_, radius_;
  Dense<T> dense_;
};

}  // namespace softalign::layers
