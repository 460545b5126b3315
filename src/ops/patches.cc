#include "ops/patches.h"

#include <algorithm>

#include "kernels/vector.h"

namespace softalign::ops {

template <class T>
Var<T> patches(Graph<T>& g, Var<T> images, std::size_t patch) {
  const std::size_t P = patch;
  if (images.shape.rank() != 4 || images.size() == 0) {
    throw ShapeError("patches: images are " + images.shape.to_string() + ", expected [B, C, H, W], all above 0");
  }
  const std::size_t B = images.shape[0], C = images.shape[1], height = images.shape[2], width = images.shape[3];
  if (P == 0 || height % P != 0 || width % P != 0) {
    throw ArgumentError("patches: a patch is " + std::to_string(P) + " pixels wide, expected a divisor of " +
                        std::to_string(height) + " and " + std::to_string(width));
  }
  const std::size_t across = width / P, N = height / P * across;
  const Var<T> y = g.make({N, B, C * P * P});
  // each(from, to): P pixels of one row
  const auto for_rows = [=](auto each) {
    std::size_t to = 0;
    for (std::size_t n = 0; n < N; ++n) {
      for (std::size_t b = 0; b < B; ++b) {
        for (std::size_t c = 0; c < C; ++c) {
          const std::size_t corner = ((b * C + c) * height + n / across * P) * width + n % across * P;
          for (std::size_t i = 0; i < P; ++i, to += P) each(corner + i * width, to);
        }
      }
    }
  };
  for_rows([=](std::size_t from, std::size_t to) { std::copy_n(images.value + from, P, y.value + to); });
  if (g.training() && images.grad) {
    g.record([=] {
      for_rows([=](std::size_t from, std::size_t to) { kernels::axpy(T(1), y.grad + to, images.grad + from, P); });
    });
  }
  return y;
}

template Var<float> patches(Graph<float>&, Var<float>, std::size_t);
template Var<double> patches(Graph<double>&, Var<double>, std::size_t);

}  // namespace softalign::ops
