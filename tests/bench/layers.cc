// How long single layers take, for layers.mjs, which compares them with other libraries: a line of JSON for each. One
// thread, batch 1, float32; the layers' own definitions, in an inferring graph.
//
//   npm run build
//   cmake --build --preset wasm --target softalign_bench_layers && node build/wasm/tests/softalign_bench_layers.js [PART OF A NAME]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

#include "kernels/vector.h"
#include "layers/attention/multi_head.h"
#include "layers/recurrent/gru.h"
#include "layers/recurrent/lstm.h"

namespace {

using namespace softalign;
using Clock = std::chrono::steady_clock;

constexpr double kSeconds = 0.4;  // for each
const char* wanted = "";

Var<float> random_tensor(Graph<float>& g, Shape shape) {
  Random random(shape.size());
  const Var<float> x = g.make(shape);
  for (std::size_t i = 0; i < x.size(); ++i) x.value[i] = static_cast<float>(random.normal());
  return x;
}

// Milliseconds of one call: the median.
template <class Body>
void measure(const char* name, double flop, const Body& body) {
  if (!std::strstr(name, wanted)) return;
  body();
  std::vector<double> all;
  const auto end = Clock::now() + std::chrono::duration<double>(kSeconds);
  do {
    const auto start = Clock::now();
    body();
    all.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  } while (Clock::now() < end);
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
  std::printf("{\"case\": \"%s\", \"ms\": %.5f, \"mflop\": %.3f}\n", name, all[all.size() / 2], flop * 1e-6);
}

// layer(g, x) again and again, in the same memory.
template <class Layer>
void measure_layer(const char* name, double flop, Shape shape, const Layer& layer) {
  Graph<float> g;
  const Var<float> x = random_tensor(g, shape);
  const auto mark = g.arena().mark();
  measure(name, flop, [&] {
    g.rewind(mark);
    layer(g, x);
  });
}

void measure_product(const char* name, std::size_t m, std::size_t k, std::size_t n) {
  Parameters<float> p;
  const layers::Dense<float> dense(p, "dense", k, n, layers::Dense<float>::Bias::kNone);
  measure_layer(name, 2.0 * static_cast<double>(m * k * n), {m, k}, dense);
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1) wanted = arguments[1];
  constexpr double kSteps = 32, kWidth = 512, kLength = 64;
  measure_product("gemv 512x512", 1, 512, 512);

  measure_product("gemm 32x512x2048", 32, 512, 2048);
  measure_product("gemm 512x512x512", 512, 512, 512);
  Parameters<float> p;
  const layers::Gru<float> gru(p, "gru", 512, 512);
  const layers::Lstm<float> lstm(p, "lstm", 512, 512);
  const layers::MultiHeadAttention<float> attention(p, "attention", {.width = 512, .heads = 8});
  measure_layer("GRU 32 steps, 512", kSteps * 2 * 3 * kWidth * 2 * kWidth, {32, 1, 512}, [&](Graph<float>& g, Var<float> x) { gru(g, x, {}); });
  measure_layer("LSTM 32 steps, 512", kSteps * 2 * 4 * kWidth * 2 * kWidth, {32, 1, 512}, [&](Graph<float>& g, Var<float> x) { lstm(g, x, {}); });
  measure_layer("multi-head attention 64x512, 8 heads", 8 * kLength * kWidth * kWidth + 4 * kLength * kLength * kWidth, {64, 1, 512},
                [&](Graph<float>& g, Var<float> x) { attention(g, x, std::span<const std::int32_t>()); });
  measure_layer("softmax 64x32000", 0, {64, 32000}, [](Graph<float>& g, Var<float> x) {
    const ops::Reach reach(g, "softmax", 64, 32000, 1, {}, {});
    ops::softmax(g, x.reshape({1, 1, 64, 32000}), reach);
  });
}
