#include "ops/distance.h"

namespace softalign::ops {
namespace {

// each(i, row, column): offset i of the box, less the centre
template <class T, class Each>
void for_offsets(const ImageSize& reach, const T* centre, Each each) {
  const T height = static_cast<T>(reach.height), width = static_cast<T>(reach.width);
  std::size_t i = 0;
  for (std::size_t r = 0; r <= 2 * reach.height; ++r) {
    for (std::size_t c = 0; c <= 2 * reach.width; ++c, ++i) {
      each(i, static_cast<T>(r) - height - centre[0], static_cast<T>(c) - width - centre[1]);
    }
  }
}

}  // namespace

template <class T>
Var<T> distance_scores(Graph<T>& g, Var<T> centres, Var<T> sharpness, const ImageSize& reach) {
  const std::size_t H = sharpness.size(), N = (2 * reach.height + 1) * (2 * reach.width + 1);
  expect_shape("distance_scores", "sharpness", sharpness.shape, {H});
  expect_shape("distance_scores", "centres", centres.shape, {H, 2});
  const Var<T> y = g.make({H, N});
  for (std::size_t h = 0; h < H; ++h) {
    for_offsets(reach, centres.value + 2 * h, [&](std::size_t i, T row, T column) {
      y.value[h * N + i] = -sharpness.value[h] * (row * row + column * column);
    });
  }
  if (g.training()) {
    g.record([=] {
      for (std::size_t h = 0; h < H; ++h) {
        T sum = 0, of_row = 0, of_column = 0;
        for_offsets(reach, centres.value + 2 * h, [&](std::size_t i, T row, T column) {
          const T d = y.grad[h * N + i];
          sum += d * (row * row + column * column);
          of_row += d * row;
          of_column += d * column;
        });
        if (sharpness.grad) sharpness.grad[h] -= sum;
        if (centres.grad) {
          centres.grad[2 * h] += 2 * sharpness.value[h] * of_row;
          centres.grad[2 * h + 1] += 2 * sharpness.value[h] * of_column;
        }
      }
    });
  }
  return y;
}

template Var<float> distance_scores(Graph<float>&, Var<float>, Var<float>, const ImageSize&);
template Var<double> distance_scores(Graph<double>&, Var<double>, Var<double>, const ImageSize&);

}  // namespace softalign::ops
