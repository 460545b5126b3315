// How fast the kernels are, beside their scalar double twins. One thread.
//
//   build/native/tests/softalign_bench_kernels [seconds for each line, default 0.2]
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/random.h"
#include "kernels/gemm.h"
#include "kernels/int8.h"
#include "kernels/recurrent.h"
#include "kernels/vector.h"

namespace {

using Clock = std::chrono::steady_clock;
double budget = 0.2;

// Seconds of one call: the fastest of many, since other programs only ever slow us down.
template <class Body>
double seconds(Body body) {
  body();
  double fastest = 1e9;
  const auto end = Clock::now() + std::chrono::duration<double>(budget);
  do {
    const auto start = Clock::now();
    body();
    fastest = std::min(fastest, std::chrono::duration<double>(Clock::now() - start).count());
  } while (Clock::now() < end);
  return fastest;
}

template <class T>
std::vector<T> random_values(std::size_t n) {
  softalign::Random random(n);
  std::vector<T> v(n);
  for (T& x : v) x = static_cast<T>(random.normal());
  return v;
}

void report(const char* what, double work, const char* unit, double fast, double twin) {
  std::printf("%-44s %8.2f %-14s twin %7.2f   %6.1f x\n", what, work / fast * 1e-9, unit, work / twin * 1e-9, twin / fast);
}

template <class T>
double time_gemm(std::size_t m, std::size_t n, std::size_t k, bool b_by_columns) {
  const auto a = random_values<T>(m * k), b = random_values<T>(k * n);
  std::vector<T> c(m * n), scratch(softalign::kernels::gemm_scratch<T>());
  using View = softalign::kernels::Strided<const T>;
  const View right = b_by_columns ? View{b.data(), 1, k} : View{b.data(), n, 1};
  return seconds([&] {
    softalign::kernels::gemm(m, n, k, View{a.data(), k, 1}, right, {c.data(), n, 1}, false, scratch.data());
  });
}

void gemm(const char* what, std::size_t m, std::size_t n, std::size_t k, bool b_by_columns) {
  report(what, 2.0 * double(m) * double(n) * double(k), "GFLOP/s", time_gemm<float>(m, n, k, b_by_columns),
         time_gemm<double>(m, n, k, b_by_columns));
}

template <class T>
double time_gemv(std::size_t rows, std::size_t n, std::size_t k) {
  const auto x = random_values<T>(rows * k), w = random_values<T>(n * k);
  std::vector<T> y(rows * n);
  return seconds([&] { softalign::kernels::gemv(rows, n, k, x.data(), k, w.data(), y.data(), n, false); });
}

void gemv_int8(std::size_t n, std::size_t k) {
  const auto x = random_values<float>(k), scales = random_values<float>(n);
  std::vector<std::int8_t> w(n * k, 3);
  std::vector<std::int16_t> q(k);
  std::vector<float> y(n);
  const double fast = seconds([&] {
    const float scale = softalign::kernels::quantise(x.data(), q.data(), k);
    softalign::kernels::gemv_int8(1, n, k, q.data(), &scale, w.data(), scales.data(), y.data(), n, false);
  });
  const double one = 1;
  const std::vector<double> twin_scales(n, 1.0);
  std::vector<double> twin_y(n);
  const double twin = seconds([&] {
    softalign::kernels::gemv_int8(1, n, k, q.data(), &one, w.data(), twin_scales.data(), twin_y.data(), n, false);
  });
  report("gemv int8, output layer: 1 x 6000 x 256", 2.0 * double(n) * double(k), "GOP/s", fast, twin);
}

// f(x, y, n) over n elements that stay in the first-level cache.
template <class F>
void elementwise(const char* what, F f) {
  constexpr std::size_t n = 2000;
  const auto x = random_values<float>(n);
  const auto twin_x = random_values<double>(n);
  std::vector<float> y(n);
  std::vector<double> twin_y(n);
  report(what, double(n), "G elements/s", seconds([&] { f(x.data(), y.data(), n); }),
         seconds([&] { f(twin_x.data(), twin_y.data(), n); }));
}

template <class T>
double time_gru(std::size_t width) {
  const auto x = random_values<T>(3 * width), hidden = random_values<T>(3 * width), h = random_values<T>(width);
  std::vector<T> out(width), gates(3 * width);
  return seconds([&] {
    softalign::kernels::gru_step(x.data(), hidden.data(), h.data(), out.data(), gates.data(), width);
  });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) budget = std::atof(argv[1]);
  namespace k = softalign::kernels;
  // Shapes of a training step (V=6000, E=256, encoder 2x192, decoder 384, 110 pairs of 11 words).
  gemm("gemm, output layer: 1210 x 6000 x 256", 1210, 6000, 256, true);
  gemm("gemm, its input gradient: 1210 x 256 x 6000", 1210, 256, 6000, false);
  gemm("gemm, GRU step: 110 x 1152 x 384", 110, 1152, 384, true);
  gemm("gemm, square: 512 x 512 x 512", 512, 512, 512, false);
  for (const std::size_t rows : {1, 4}) {
    const std::string what = "gemv, output layer: " + std::to_string(rows) + " x 6000 x 256";
    report(what.c_str(), 2.0 * double(rows) * 6000 * 256, "GFLOP/s", time_gemv<float>(rows, 6000, 256),
           time_gemv<double>(rows, 6000, 256));
  }
  gemv_int8(6000, 256);
  elementwise("exp", [](auto* x, auto* y, std::size_t n) { k::exp(x, y, n); });
  elementwise("tanh", [](auto* x, auto* y, std::size_t n) { k::tanh(x, y, n); });
  elementwise("sigmoid", [](auto* x, auto* y, std::size_t n) { k::sigmoid(x, y, n); });
  elementwise("softmax", [](auto* x, auto* y, std::size_t n) { k::softmax(x, y, n); });
  elementwise("log_sum_exp", [](auto* x, auto* y, std::size_t n) { y[0] = k::log_sum_exp(x, n); });
  elementwise("sum", [](auto* x, auto* y, std::size_t n) { y[0] = k::sum(x, n); });
  elementwise("dot", [](auto* x, auto* y, std::size_t n) { y[0] = k::dot(x, x, n); });
  elementwise("additive_score", [](auto* x, auto* y, std::size_t n) { y[0] = k::additive_score(x, x, x, n); });
  report("gru_step, width 384", 384, "G elements/s", time_gru<float>(384), time_gru<double>(384));
}
