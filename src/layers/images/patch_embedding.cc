#include "layers/images/patch_embedding.h"

#include <cmath>

#include "ops/elementwise.h"
#include "ops/linear.h"
#include "ops/patches.h"
#include "ops/positions.h"

namespace softalign::layers {
namespace {

template <class Images>
Images checked_images(const Images& images, std::size_t width) {
  const auto [C, H, W, P] = images;
  const auto text = [](std::size_t n) { return std::to_string(n); };
  if (C == 0 || H == 0 || W == 0 || width == 0) {
    throw ArgumentError("PatchEmbedding: images are [" + text(C) + ", " + text(H) + ", " + text(W) + "] and vectors " +
                        text(width) + " wide, expected all above 0");
  }
  if (P == 0 || H % P != 0 || W % P != 0) {
    throw ArgumentError("PatchEmbedding: a patch is " + text(P) + " pixels wide, expected a divisor of " + text(H) +
                        " and " + text(W));
  }
  return images;
}

double glorot(std::size_t in, std::size_t out) { return std::sqrt(6.0 / static_cast<double>(in + out)); }

}  // namespace

template <class T>
PatchEmbedding<T>::PatchEmbedding(Parameters<T>& p, const std::string& name, const Images& images, std::size_t width)
    : images_(checked_images(images, width)),
      weight_(p.add(name + ".patch.weight", {width, images.channels, images.patch, images.patch},
                    glorot(images.channels * images.patch * images.patch, width))),
      bias_(p.add(name + ".patch.bias", {width}, 0)),
      class_token_(p.add(name + ".class_token", {width}, 0)),
      positions_(p.add(name + ".positions",
                       {1 + (images.height / images.patch) * (images.width / images.patch), width},
                       0.02 * std::sqrt(3.0))) {}

template <class T>
Var<T> PatchEmbedding<T>::operator()(Graph<T>& g, Var<T> images) const {
  const std::size_t B = images.shape[0], D = width();
  expect_shape("PatchEmbedding", "images", images.shape, {B, images_.channels, images_.height, images_.width});
  const Var<T> pixels = ops::patches(g, images, images_.patch);
  const Var<T> weight = ops::numbers(g, g.use(weight_)).reshape({D, pixels.width()});
  const Var<T> rows[] = {ops::repeat(g, g.use(class_token_).reshape({1, D}), B),
                         ops::linear(g, pixels, weight, g.use(bias_))};
  const Var<T> z = ops::stack<T>(g, rows).reshape({1 + patches(), B, D});
  return ops::add_positions(g, z, ops::numbers(g, g.use(positions_)));
}

template class PatchEmbedding<float>;
template class PatchEmbedding<double>;

}  // namespace softalign::layers
