#include "kernels/gemm.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "kernels/lanes.h"

namespace softalign::kernels {
namespace {

// The largest tile whose accumulators stay in registers: 16 of them on AVX2, 32 on AVX-512. WASM
// engines map v128 to 16 and need some for themselves (4x8 measured best).
#if defined(__wasm__)
constexpr std::size_t kTileRows = 4;
#elif defined(__AVX512F__)
constexpr std::size_t kTileRows = 12;
#else
constexpr std::size_t kTileRows = 6;
#endif
constexpr std::size_t kTileVectors = 2;
constexpr std::size_t kTileColumns = kTileVectors * kLanes;

// out[Rows][Vectors * kLanes] = sum_k a[row, k] * b[k, :]; b is a packed panel.
template <std::size_t Rows, std::size_t Vectors>
[[gnu::always_inline]] inline void accumulate_tile(std::size_t depth, const float* a, std::size_t a_row,
                                                   std::size_t a_depth, const float* b,
                                                   Batch (&acc)[Rows][Vectors]) {
  for (auto& row : acc)
    for (auto& v : row) v = Batch(0.0f);
  for (std::size_t k = 0; k < depth; ++k) {
    Batch column[Vectors];
    for (std::size_t v = 0; v < Vectors; ++v) column[v] = Batch::load_unaligned(b + v * kLanes);
    for (std::size_t r = 0; r < Rows; ++r) {
      const Batch scalar(a[r * a_row]);
      for (std::size_t v = 0; v < Vectors; ++v) acc[r][v] = xsimd::fma(scalar, column[v], acc[r][v]);
    }
    a += a_depth;
    b += Vectors * kLanes;
  }
}

template <std::size_t Rows, std::size_t Vectors>
void tile(std::size_t depth, const float* a, std::size_t a_row, std::size_t a_depth, const float* b,
          Strided<float> c, std::size_t columns, bool accumulate) {
  Batch acc[Rows][Vectors];
  accumulate_tile<Rows, Vectors>(depth, a, a_row, a_depth, b, acc);
  if (c.column == 1 && columns == Vectors * kLanes) {
    for (std::size_t r = 0; r < Rows; ++r) {
      for (std::size_t v = 0; v < Vectors; ++v) {
        float* at = c.data + r * c.row + v * kLanes;
        (accumulate ? acc[r][v] + Batch::load_unaligned(at) : acc[r][v]).store_unaligned(at);
      }
    }
    return;
  }
  float spilled[Rows][Vectors * kLanes];
  for (std::size_t r = 0; r < Rows; ++r)
    for (std::size_t v = 0; v < Vectors; ++v) acc[r][v].store_unaligned(&spilled[r][v * kLanes]);
  for (std::size_t j = 0; j < columns; ++j) {
    float* at = c.data + j * c.column;
    for (std::size_t r = 0; r < Rows; ++r) {
      at[r * c.row] = accumulate ? at[r * c.row] + spilled[r][j] : spilled[r][j];
    }
  }
}

using Tile = void (*)(std::size_t, const float*, std::size_t, std::size_t, const float*, Strided<float>,
                      std::size_t, bool);

template <std::size_t Vectors, std::size_t... R>
constexpr std::array<Tile, sizeof...(R)> tiles_of(std::index_sequence<R...>) {
  return {&tile<R + 1, Vectors>...};
}
// kTiles[vectors - 1][rows - 1]
constexpr std::array<std::array<Tile, kTileRows>, kTileVectors> kTiles = {
    tiles_of<1>(std::make_index_sequence<kTileRows>()),
    tiles_of<2>(std::make_index_sequence<kTileRows>())};

// b[depth, columns] into panels of kTileColumns (the last may be one vector wide), each [depth,
// width], zero beyond `columns`. Reads along memory: rows of b across the full panels first.
void pack_columns(Strided<const float> b, std::size_t depth, std::size_t columns, float* out) {
  std::size_t j = 0;
  if (b.column == 1) {
    j = columns / kTileColumns * kTileColumns;
    for (std::size_t k = 0; k < depth; ++k) {
      const float* from = b.data + k * b.row;
      float* to = out + k * kTileColumns;
      for (std::size_t i = 0; i < j; i += kTileColumns) {
        for (std::size_t v = 0; v < kTileVectors; ++v) {
          Batch::load_unaligned(from + i + v * kLanes).store_unaligned(to + i * depth + v * kLanes);
        }
      }
    }
  }
  for (; j < columns; j += kTileColumns) {
    const std::size_t wanted = std::min(kTileColumns, columns - j);
    const std::size_t width = wanted <= kLanes ? kLanes : kTileColumns;
    float* to = out + j * depth;
    if (wanted < width) std::fill_n(to, depth * width, 0.0f);
    for (std::size_t i = 0; i < wanted; ++i) {
      const float* at = b.data + (j + i) * b.column;
      for (std::size_t k = 0; k < depth; ++k) to[k * width + i] = at[k * b.row];
    }
  }
}

// a[rows, depth] into panels of kTileRows, each [depth, panel rows]. Reads along whichever of the
// two is contiguous or nearly so: k outside, all panels inside.
void pack_rows(Strided<const float> a, std::size_t rows, std::size_t depth, float* out) {
  for (std::size_t k = 0; k < depth; ++k) {
    const float* at = a.data + k * a.column;
    std::size_t i = 0;
    if (a.row == 1) {
      for (; i + kTileRows <= rows; i += kTileRows) {
        std::memcpy(out + i * depth + k * kTileRows, at + i, kTileRows * sizeof(float));
      }
    }
    for (; i < rows; i += kTileRows) {
      const std::size_t height = std::min(kTileRows, rows - i);
      for (std::size_t r = 0; r < height; ++r) out[i * depth + k * height + r] = at[(i + r) * a.row];
    }
  }
}

// Estimated cycles per element spent outside the multiply-adds.
double overhead(std::size_t m, std::size_t n, std::size_t k, const Strided<const float>& a,
                const Strided<const float>& b, const Strided<float>& c) {
  const auto [M, N, K] = std::array{double(m), double(n), double(k)};
  const double pack = (b.column == 1 ? 0.3 : 1.5) * N * K + (a.column == 1 ? 0.0 : 0.7) * M * K;
  const double store = (c.column == 1 ? 0.1 : 1.2) * M * N;
  const std::size_t padded = (n + kLanes - 1) / kLanes * kLanes;
  return pack + store + M * double(padded - n) * K / (2.0 * kLanes);
}

}  // namespace

void gemm(std::size_t m, std::size_t n, std::size_t k, Strided<const float> a, Strided<const float> b,
          Strided<float> c, bool accumulate, float* scratch) {
  // c = a b and c' = b' a' are the same product: take the one that packs and scatters less.
  if (overhead(n, m, k, b.transposed(), a.transposed(), c.transposed()) < overhead(m, n, k, a, b, c)) {
    std::swap(m, n);
    const auto was_a = a;
    a = b.transposed();
    b = was_a.transposed();
    c = c.transposed();
  }
  if (k == 0 && !accumulate) {
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < n; ++j) c.data[i * c.row + j * c.column] = 0.0f;
  }
  float* const column_panels = scratch;
  float* const row_panels = scratch + kGemmDepth * kGemmColumns;
  const bool packed_rows = a.column != 1;
  for (std::size_t k0 = 0; k0 < k; k0 += kGemmDepth) {
    const std::size_t depth = std::min(kGemmDepth, k - k0);
    const bool add = accumulate || k0 > 0;
    for (std::size_t j0 = 0; j0 < n; j0 += kGemmColumns) {
      const std::size_t columns = std::min(kGemmColumns, n - j0);
      pack_columns({b.data + k0 * b.row + j0 * b.column, b.row, b.column}, depth, columns, column_panels);
      for (std::size_t i0 = 0; i0 < m; i0 += kGemmRows) {
        const std::size_t rows = std::min(kGemmRows, m - i0);
        const float* a_block = a.data + i0 * a.row + k0 * a.column;
        if (packed_rows) pack_rows({a_block, a.row, a.column}, rows, depth, row_panels);
        const float* panel = column_panels;
        for (std::size_t j = 0; j < columns; j += kTileColumns) {
          const std::size_t wanted = std::min(kTileColumns, columns - j);
          const std::size_t vectors = wanted <= kLanes ? 1 : 2;
          for (std::size_t i = 0; i < rows; i += kTileRows) {
            const std::size_t height = std::min(kTileRows, rows - i);
            const Strided<float> at{c.data + (i0 + i) * c.row + (j0 + j) * c.column, c.row, c.column};
            if (packed_rows) {
              kTiles[vectors - 1][height - 1](depth, row_panels + i * depth, 1, height, panel, at, wanted, add);
            } else {
              kTiles[vectors - 1][height - 1](depth, a_block + i * a.row, a.row, 1, panel, at, wanted, add);
            }
          }
          panel += depth * vectors * kLanes;
        }
      }
    }
  }
}

namespace {

// What full vectors leave of a dot product. A function of its own: unrolled wherever it is used, it was half of the code.
[[gnu::noinline]] float dot_of_rest(const float* a, const float* b, std::size_t n) {
  float sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

// Several rows of w against `Rows` rows of x at a time: each loaded vector is used several times. The rows of w lie a part of
// the matrix apart, so that one that is read from far away comes in a few long streams, which processors fetch ahead. Four
// rows by two vectors measured best for one row of x.
template <std::size_t Rows>
void gemv_rows(std::size_t n, std::size_t k, const float* x, std::size_t x_stride, const float* w, float* y,
               std::size_t y_stride, bool accumulate) {
  constexpr std::size_t kOutputs = Rows <= 2 ? 4 : 2;
  const std::size_t apart = n / kOutputs;
  const auto block = [&]<std::size_t Outputs>(std::size_t o) {
    Batch acc[Rows][Outputs];
    for (auto& row : acc)
      for (auto& v : row) v = Batch(0.0f);
    const float* weights[Outputs];
    for (std::size_t j = 0; j < Outputs; ++j) weights[j] = w + (o + j * apart) * k;
    const auto add_products = [&](std::size_t i, std::size_t at) {
      Batch input[Rows];
      for (std::size_t r = 0; r < Rows; ++r) input[r] = Batch::load_unaligned(x + r * x_stride + i + at);
      for (std::size_t j = 0; j < Outputs; ++j) {
        const Batch weight = Batch::load_unaligned(weights[j] + i + at);
        for (std::size_t r = 0; r < Rows; ++r) acc[r][j] = xsimd::fma(weight, input[r], acc[r][j]);
      }
    };
    std::size_t i = 0;
    for (; i + 2 * kLanes <= k; i += 2 * kLanes) {
      add_products(i, 0);
      add_products(i, kLanes);
    }
    for (; i + kLanes <= k; i += kLanes) add_products(i, 0);
    for (std::size_t r = 0; r < Rows; ++r) {
      for (std::size_t j = 0; j < Outputs; ++j) {
        float sum = xsimd::reduce_add(acc[r][j]);
        if (i < k) sum += dot_of_rest(weights[j] + i, x + r * x_stride + i, k - i);
        float& out = y[r * y_stride + o + j * apart];
        out = accumulate ? out + sum : sum;
      }
    }
  };
  for (std::size_t o = 0; o < apart; ++o) block.template operator()<kOutputs>(o);
  const std::size_t done = kOutputs * apart;
  if constexpr (Rows == 1) {
    for (std::size_t o = done; o < n; ++o) block.template operator()<1>(o);
  } else if (done < n) {
    for (std::size_t r = 0; r < Rows; ++r) {
      gemv_rows<1>(n - done, k, x + r * x_stride, x_stride, w + done * k, y + r * y_stride + done, y_stride, accumulate);
    }
  }
}

// Called through a table, so that each stays a function of its own: merged into one large caller, as
// the WASM optimiser likes to do, their inner loops lose their registers.
constexpr decltype(&gemv_rows<1>) kGemvRows[] = {gemv_rows<1>, gemv_rows<2>, gemv_rows<3>, gemv_rows<4>};

}  // namespace

void gemv(std::size_t rows, std::size_t n, std::size_t k, const float* x, std::size_t x_stride, const float* w,
          float* y, std::size_t y_stride, bool accumulate) {
  while (rows > 0) {
    const std::size_t now = std::min<std::size_t>(rows, 4);
    kGemvRows[now - 1](n, k, x, x_stride, w, y, y_stride, accumulate);
    rows -= now;
    x += now * x_stride;
    y += now * y_stride;
  }
}

}  // namespace softalign::kernels
