#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

// A fuzzer that needs no special compiler: it changes seeds at random, but the same way each time.
// Run number i depends on the seed number and i alone, so what it found is found again by
//
//   softalign_fuzz_X --seed S --first i --runs 1
//
// A target defines LLVMFuzzerTestOneInput(), so clang's libFuzzer drives it as well:
//
//   clang++ -std=c++20 -fsanitize=fuzzer,address -DSOFTALIGN_LIBFUZZER -Isrc tests/fuzz/X.cc ...
namespace softalign::fuzz {

using Bytes = std::vector<std::uint8_t>;
using Target = int (*)(const std::uint8_t* data, std::size_t size);

Bytes bytes_of(std::string_view text);

// Usage: PROGRAM [SECONDS] [--runs N] [--seed N] [--first N] [FILE...]; 10 seconds if it says neither
// seconds nor runs. With files, it only runs the target on each of them.
//
// Mutations also put in and write over with words of the dictionary. Returns 1, after naming the run
// and writing its input to ./crash-SEED-RUN, if the target lets an exception out.
int run(int argc, char** argv, Target target, const std::vector<Bytes>& seeds,
        const std::vector<std::string_view>& dictionary);

}  // namespace softalign::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
