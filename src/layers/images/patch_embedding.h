#pragma once

#include <string>

#include "ops/graph.h"

namespace softalign::layers {

// Images as sequences: the input of the vision transformer (Dosovitskiy et al. 2021, arXiv:2010.11929,
// equation 1):
//
//   z[0] = class_token + positions[0]
//   z[n] = E patch[n] + bias + positions[n],  n = 1 .. N
//
// An image [C, H, W] has N = (H / P) (W / P) patches [C, P, P], row by row as one reads. All images are
// of the size the layer was made for, since its positions are.
//
// Weights: patch.weight E [D, C, P, P], patch.bias [D], as a PyTorch Conv2d of stride P has them;
// class_token [D], starting at 0; positions [1 + N, D], starting with a deviation of 0.02.
//
// The constructor throws ArgumentError for a size of 0 or a P that does not divide H and W; the call
// throws ShapeError for images of another size. A NaN or infinity spoils its own patch alone.
template <class T>
class PatchEmbedding {
 public:
  struct Images {
    std::size_t channels, height, width;  // C, H, W
    std::size_t patch;                    // P
  };
  PatchEmbedding(Parameters<T>& p, const std::string& name, const Images& images, std::size_t width);

  // images [B, C, H, W] -> z [1 + N, B, D], time-major
  Var<T> operator()(Graph<T>& g, Var<T> images) const;
  // N
  std::size_t patches() const { return positions_.shape.rows() - 1; }
  std::size_t width() const { return bias_.shape.width(); }

 private:
  Images images_;
  const Parameter<T>&weight_, &bias_, &class_token_, &positions_;
};

}  // namespace softalign::layers
