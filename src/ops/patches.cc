#include "ops/patches.h"

#include <algorithm>

#include "kernels/vector.h"

namespace softalign::ops {
namespace {

// How images [B, C, H, W] and their patches [N, B, C P P] lie.
struct PatchGrid {
  std::size_t B, C;
  ImageSize size;
  std::size_t P;

  std::size_t across() const { return size.width / P; }
  std::size_t N() const { return size.height / P * across(); }
  Shape images() const { return {B, C, size.height, size.width}; }
  Shape patches() const { return {N(), B, C * P * P}; }
  // each(in_images, in_patches): where P pixels of one row stand
  template <class Each>
  void for_rows(Each each) const {
    std::size_t in_patches = 0;
    for (std::size_t n = 0; n < N(); ++n) {
      for (std::size_t b = 0; b < B; ++b) {
        for (std::size_t c = 0; c < C; ++c) {
          const std::size_t corner = ((b * C + c) * size.height + n / across() * P) * size.width + n % across() * P;
          for (std::size_t i = 0; i < P; ++i, in_patches += P) each(corner + i * size.width, in_patches);
        }
      }
    }
  }
};

void expect_divisor(const char* who, const ImageSize& size, std::size_t P) {
  if (P == 0 || size.height % P != 0 || size.width % P != 0) {
    throw ArgumentError(std::string(who) + ": a patch is " + std::to_string(P) + " pixels wide, expected a divisor of " +
                        std::to_string(size.height) + " and " + std::to_string(size.width));
  }
}

// y[to] = x[from] for every (from, to) that `runs` names, each the first of `count` elements.
template <class T, class Runs>
Var<T> moved(Graph<T>& g, Var<T> x, const Shape& shape, std::size_t count, Runs runs) {
  const Var<T> y = g.make(shape);
  runs([&](std::size_t from, std::size_t to) { std::copy_n(x.value + from, count, y.value + to); });
  if (g.training() && x.grad) {
    g.record([=] {
      runs([=](std::size_t from, std::size_t to) { kernels::axpy(T(1), y.grad + to, x.grad + from, count); });
    });
  }
  return y;
}

}  // namespace

template <class T>
Var<T> patches(Graph<T>& g, Var<T> images, std::size_t patch) {
  const Shape is = images.shape;
  if (is.rank() != 4 || is.size() == 0) {
    throw ShapeError("patches: images are " + is.to_string() + ", expected [B, C, H, W], all above 0");
  }
  const PatchGrid layout{is[0], is[1], {is[2], is[3]}, patch};
  expect_divisor("patches", layout.size, patch);
  return moved(g, images, layout.patches(), patch, [layout](auto each) { layout.for_rows(each); });
}

template <class T>
Var<T> from_patches(Graph<T>& g, Var<T> x, const ImageSize& size, std::size_t patch) {
  if (size.height == 0 || size.width == 0) {
    throw ArgumentError("from_patches: images are " + std::to_string(size.height) + " by " +
                        std::to_string(size.width) + ", expected both above 0");
  }
  expect_divisor("from_patches", size, patch);
  const Shape is = x.shape;
  const PatchGrid layout{is[1], is.width() / (patch * patch), size, patch};
  if (is.rank() != 3 || is.size() == 0 || !(is == layout.patches())) {
    throw ShapeError("from_patches: patches are " + is.to_string() + ", expected [" + std::to_string(layout.N()) +
                     ", B, C " + std::to_string(patch * patch) + "], all above 0");
  }
  return moved(g, x, layout.images(), patch, [layout](auto each) {
    layout.for_rows([&](std::size_t in_images, std::size_t in_patches) { each(in_patches, in_images); });
  });
}

#define SOFTALIGN_INSTANTIATE(T)                           \
  template Var<T> patches(Graph<T>&, Var<T>, std::size_t); \
  template Var<T> from_patches(Graph<T>&, Var<T>, const ImageSize&, std::size_t);
SOFTALIGN_INSTANTIATE(float)
SOFTALIGN_INSTANTIATE(double)
#undef SOFTALIGN_INSTANTIATE

}  // namespace softalign::ops
