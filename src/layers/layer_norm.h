#pragma once

#include <string>

#include "ops/graph.h"

namespace softalign::layers {

// Layer normalisation over the last dimension (Ba, Kiros & Hinton 2016, arXiv:1607.06450), as PyTorch's:
//
//   y = (x - mean x) / sqrt(variance x + epsilon) * weight + bias,  variance = mean (x - mean x)^2
//
// epsilon is 1e-5, as PyTorch's, where nothing else is said.
// Weights: weight [D], starting at 1, and bias [D], starting at 0. x [.., D] -> [.., D]; every row is
// normalised on its own, so padding changes nothing. Throws ArgumentError for a width of 0 and
// ShapeError for an x of another width. A NaN or infinity spoils its own row alone, with NaN.
template <class T>
class LayerNorm {
 public:
  static constexpr double kEpsilon = 1e-5;

  LayerNorm(Parameters<T>& p, const std::string& name, std::size_t width, double epsilon = kEpsilon);

  Var<T> operator()(Graph<T>& g, Var<T> x) const;

 private:
  double epsilon_;
  const Parameter<T>&weight_, &bias_;
};

}  // namespace softalign::layers
