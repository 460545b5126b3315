// The same as `softalign bench complexity`, as a program of its own, for WebAssembly:
//
//   npm run build
//   cmake --build --preset wasm --target softalign_bench_complexity && node build/wasm/tests/softalign_bench_complexity.js
#include "bench/complexity.h"

#include <cstdio>

int main() {
  const auto costs = softalign::bench::measure_complexity({}, [](const softalign::bench::LayerCost& cost) {
    std::fprintf(stderr, "measured %s\n", cost.name.c_str());
  });
  std::fputs(softalign::bench::complexity_table(costs, 64).c_str(), stdout);
}
