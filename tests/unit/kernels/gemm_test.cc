#include "kernels/gemm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "unit/support/guarded.h"

namespace softalign::kernels {
namespace {

using testing::Guarded;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// How a matrix lies in memory.
enum class Layout { kRows, kColumns, kRowsWithGaps, kColumnsWithGaps };
constexpr Layout kLayouts[] = {Layout::kRows, Layout::kColumns, Layout::kRowsWithGaps, Layout::kColumnsWithGaps};

struct Matrix {
  Matrix(std::size_t height, std::size_t breadth, Layout layout, std::size_t misalignment)
      : rows(height),
        columns(breadth),
        by_rows(layout == Layout::kRows || layout == Layout::kRowsWithGaps),
        gap(layout == Layout::kRows || layout == Layout::kColumns ? 0 : 3),
        // The last line has no gap after it, so that reading one is reading past the end.
        values(extent(), misalignment, kNaN) {}
  void fill(Random& random) {
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) at(i, j) = static_cast<float>(random.normal());
  }
  std::size_t stride() const { return (by_rows ? columns : rows) + gap; }
  std::size_t extent() const {
    if (rows * columns == 0) return 0;
    return stride() * ((by_rows ? rows : columns) - 1) + (by_rows ? columns : rows);
  }
  float& at(std::size_t i, std::size_t j) { return values[by_rows ? i * stride() + j : j * stride() + i]; }
  Strided<float> view() { return {values.data(), by_rows ? stride() : 1, by_rows ? 1 : stride()}; }
  Strided<const float> view_const() { return {values.data(), view().row, view().column}; }
  // Nothing wrote between the lines or around them.
  bool gaps_untouched() const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i % stride() >= stride() - gap && !std::isnan(values[i])) return false;
    }
    return values.untouched();
  }

  std::size_t rows, columns;
  bool by_rows;
  std::size_t gap;
  Guarded<float> values;
};

void expect_product(std::size_t m, std::size_t n, std::size_t k, Layout la, Layout lb, Layout lc,
                    std::size_t misalignment, bool accumulate) {
  SCOPED_TRACE(::testing::Message() << "m " << m << ", n " << n << ", k " << k << ", layouts " << int(la) << int(lb)
                                    << int(lc) << ", misalignment " << misalignment << ", accumulate "
                                    << accumulate);
  Random random(m * 1'000'003 + n * 1009 + k);
  Matrix a(m, k, la, misalignment), b(k, n, lb, misalignment), c(m, n, lc, misalignment);
  a.fill(random);
  b.fill(random);
  if (accumulate) c.fill(random);  // otherwise c holds NaN, which must not be read
  Matrix before = c;
  Guarded<float> scratch(gemm_scratch<float>(), misalignment);
  gemm(m, n, k, a.view_const(), b.view_const(), c.view(), accumulate, scratch.data());
  ASSERT_TRUE(c.gaps_untouched());
  ASSERT_TRUE(scratch.untouched());
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = accumulate ? before.at(i, j) : 0.0, magnitude = std::abs(sum);
      for (std::size_t t = 0; t < k; ++t) {
        const double product = double(a.at(i, t)) * b.at(t, j);
        sum += product;
        magnitude += std::abs(product);
      }
      // The header's bound; what c held before counts as one more product.
      const double bound = double(k + 8) * 0x1p-24 * magnitude;
      ASSERT_LE(std::abs(c.at(i, j) - sum), bound) << "at " << i << ", " << j;
    }
  }
}

TEST(Gemm, EverySmallSizeAtEveryMisalignment) {
  for (const std::size_t misalignment : testing::kMisalignments) {
    for (std::size_t d = 0; d <= 2 * testing::kWidestLanes * 2 + 1; ++d) {  // tiles are two vectors wide
      for (const bool accumulate : {false, true}) {
        const auto check = [&](std::size_t m, std::size_t n, std::size_t k) {
          expect_product(m, n, k, Layout::kRows, Layout::kRows, Layout::kRows, misalignment, accumulate);
          expect_product(m, n, k, Layout::kRows, Layout::kColumns, Layout::kRows, misalignment, accumulate);
        };
        check(d, 5, 7);
        check(5, d, 7);
        check(13, d, 2);
        check(5, 7, d);
        check(d, d, d);
      }
    }
  }
}

TEST(Gemm, EveryLayout) {
  for (const Layout a : kLayouts) {
    for (const Layout b : kLayouts) {
      for (const Layout c : kLayouts) {
        for (const bool accumulate : {false, true}) {
          expect_product(7, 37, 19, a, b, c, 1, accumulate);
          expect_product(37, 7, 19, a, b, c, 0, accumulate);
          expect_product(26, 66, 5, a, b, c, 3, accumulate);
          expect_product(1, 33, 18, a, b, c, 0, accumulate);
        }
      }
    }
  }
}

TEST(Gemm, AcrossTheEdgesOfItsBlocks) {
  for (const int by : {-1, 0, 1}) {
    const auto near = [by](std::size_t edge) { return edge + static_cast<std::size_t>(by + 1) - 1; };
    for (const bool accumulate : {false, true}) {
      expect_product(3, 5, near(kGemmDepth), Layout::kRows, Layout::kRows, Layout::kRows, 1, accumulate);
      expect_product(3, near(kGemmColumns), 9, Layout::kRows, Layout::kRows, Layout::kRows, 1, accumulate);
      expect_product(near(kGemmRows), 20, 9, Layout::kColumns, Layout::kRows, Layout::kRows, 1, accumulate);
      expect_product(near(kGemmRows), near(kGemmColumns), near(kGemmDepth), Layout::kColumns, Layout::kColumns,
                     Layout::kRows, 0, accumulate);
    }
  }
}

TEST(Gemm, DoubleIsTheSameFunction) {
  // The double twin against three plain loops: it is what the float version and gradients rest on.
  Random random(5);
  const std::size_t m = 6, n = 11, k = 9;
  const auto a = Guarded<double>::random(random, m * k), b = Guarded<double>::random(random, n * k);
  for (const bool accumulate : {false, true}) {
    Guarded<double> c(m * n, 0, accumulate ? 0.5 : std::numeric_limits<double>::quiet_NaN());
    Guarded<double> scratch(gemm_scratch<double>());
    gemm(m, n, k, Strided<const double>{a.data(), 1, m}, Strided<const double>{b.data(), 1, k},
         Strided<double>{c.data(), n, 1}, accumulate, scratch.data());
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        double sum = accumulate ? 0.5 : 0.0;
        for (std::size_t t = 0; t < k; ++t) sum += a[t * m + i] * b[j * k + t];
        ASSERT_NEAR(c[i * n + j], sum, 1e-13);
      }
    }
  }
}

template <class T>
void expect_gemv(std::size_t rows, std::size_t n, std::size_t k, std::size_t misalignment, bool accumulate,
                 double unit) {
  SCOPED_TRACE(::testing::Message() << "rows " << rows << ", n " << n << ", k " << k << ", misalignment "
                                    << misalignment << ", accumulate " << accumulate);
  Random random(rows * 1'000'003 + n * 1009 + k);
  const std::size_t x_stride = k + 2, y_stride = n + 1;
  const auto w = Guarded<T>::random(random, n * k, misalignment);
  const auto x = Guarded<T>::random(random, rows == 0 ? 0 : (rows - 1) * x_stride + k, misalignment);
  Guarded<T> y(rows == 0 ? 0 : (rows - 1) * y_stride + n, misalignment, accumulate ? T(0.25) : T(kNaN));
  gemv(rows, n, k, x.data(), x_stride, w.data(), y.data(), y_stride, accumulate);
  ASSERT_TRUE(y.untouched());
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      long double sum = accumulate ? 0.25L : 0.0L, magnitude = sum;
      for (std::size_t t = 0; t < k; ++t) {
        const long double product = static_cast<long double>(w[j * k + t]) * x[i * x_stride + t];
        sum += product;
        magnitude += std::abs(product);
      }
      const auto error = std::abs(static_cast<long double>(y[i * y_stride + j]) - sum);
      ASSERT_LE(static_cast<double>(error), double(k + 8) * unit * static_cast<double>(magnitude))
          << "at " << i << ", " << j;
    }
    if (i + 1 < rows) {
      const T gap = y[i * y_stride + n];
      ASSERT_TRUE(accumulate ? gap == T(0.25) : std::isnan(gap)) << "wrote between its rows";
    }
  }
}

TEST(Gemv, EveryLengthAtEveryMisalignment) {
  for (const std::size_t misalignment : testing::kMisalignments) {
    for (std::size_t k = 0; k <= testing::kLongestLength; ++k) {
      for (const bool accumulate : {false, true}) {
        for (std::size_t rows = 0; rows <= 9; ++rows) expect_gemv<float>(rows, 5, k, misalignment, accumulate, 0x1p-24);
        for (std::size_t n = 0; n <= 9; ++n) expect_gemv<float>(1, n, k, misalignment, accumulate, 0x1p-24);
        expect_gemv<double>(3, 3, k, misalignment, accumulate, 0x1p-53);
      }
    }
  }
  expect_gemv<float>(6, 31, 700, 1, false, 0x1p-24);
}

}  // namespace
}  // namespace softalign::kernels
