#include "support/mutator.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <random>
#include <string>

// Part of every sanitizer's run-time library; absent in a plain build.
extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

namespace softalign::fuzz {
namespace {

std::uint64_t current_seed = 1;
std::uint64_t current_run = 0;
const Bytes* current_input = nullptr;

// Says how to meet this input again. Called when all is lost, too.
void report() {
  if (current_input == nullptr) return;
  const std::string name = "crash-" + std::to_string(current_seed) + "-" + std::to_string(current_run);
  std::fprintf(stderr, "\nrun %llu of seed %llu failed; its input is in ./%s\n",
               static_cast<unsigned long long>(current_run), static_cast<unsigned long long>(current_seed),
               name.c_str());
  std::ofstream(name, std::ios::binary)
      .write(reinterpret_cast<const char*>(current_input->data()), static_cast<std::streamsize>(current_input->size()));
}

class Mutator {
 public:
  Mutator(const std::vector<Bytes>& seeds, const std::vector<std::string_view>& dictionary)
      : seeds_(seeds), dictionary_(dictionary) {}

  Bytes operator()(std::uint64_t seed, std::uint64_t run) {
    // The sequence mixes both, or neighbouring runs would begin alike.
    std::seed_seq sequence{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
                           static_cast<std::uint32_t>(run), static_cast<std::uint32_t>(run >> 32)};
    random_.seed(sequence);
    Bytes bytes = any_seed();
    const std::size_t steps = std::size_t{1} << below(5);
    for (std::size_t i = 0; i < steps; ++i) step(bytes);
    return bytes;
  }

 private:
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }
  const Bytes& any_seed() { return seeds_[below(seeds_.size())]; }

  // A stretch of `bytes`, short more often than long.
  std::pair<std::ptrdiff_t, std::ptrdiff_t> stretch(const Bytes& bytes) {
    const std::size_t begin = below(bytes.size() + 1);
    const std::size_t most = std::min(bytes.size() - begin, std::size_t{1} << below(12));
    return {static_cast<std::ptrdiff_t>(begin), static_cast<std::ptrdiff_t>(begin + below(most + 1))};
  }

  void insert(Bytes& bytes, const Bytes& what) {
    const auto at = static_cast<std::ptrdiff_t>(below(bytes.size() + 1));
    bytes.insert(bytes.begin() + at, what.begin(), what.end());
  }

  void overwrite(Bytes& bytes, const Bytes& what) {
    const std::size_t at = below(bytes.size() + 1);
    if (bytes.size() < at + what.size()) bytes.resize(at + what.size());
    std::copy(what.begin(), what.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
  }

  // A number near a power of two, little-endian, of 1, 2, 4 or 8 bytes.
  Bytes number() {
    std::uint64_t value = (std::uint64_t{1} << below(64)) + below(3) - 1;
    if (below(4) == 0) value = ~value;
    Bytes bytes(std::size_t{1} << below(4));
    for (std::uint8_t& byte : bytes) {
      byte = static_cast<std::uint8_t>(value);
      value >>= 8;
    }
    return bytes;
  }

  Bytes word() {
    if (dictionary_.empty()) return {};
    return bytes_of(dictionary_[below(dictionary_.size())]);
  }

  void step(Bytes& bytes) {
    if (bytes.empty()) bytes.push_back(0);
    std::uint8_t& byte = bytes[below(bytes.size())];
    switch (below(12)) {
      case 0:
      case 1:
        byte ^= static_cast<std::uint8_t>(1U << below(8));
        break;
      case 2:
        byte = static_cast<std::uint8_t>(below(256));
        break;
      case 3:
        byte = static_cast<std::uint8_t>(byte + (below(2) == 0 ? 1 : 255));
        break;
      case 4:
        bytes.resize(below(bytes.size() + 1));
        break;
      case 5: {
        const auto [begin, end] = stretch(bytes);
        bytes.erase(bytes.begin() + begin, bytes.begin() + end);
        break;
      }
      case 6: {
        const auto [begin, end] = stretch(bytes);
        insert(bytes, Bytes(bytes.begin() + begin, bytes.begin() + end));
        break;
      }
      case 7: {
        const Bytes& other = any_seed();
        const auto [begin, end] = stretch(other);
        const Bytes part(other.begin() + begin, other.begin() + end);
        below(2) == 0 ? insert(bytes, part) : overwrite(bytes, part);
        break;
      }
      case 8:
        overwrite(bytes, number());
        break;
      case 9:
        insert(bytes, number());
        break;
      case 10:
        overwrite(bytes, word());
        break;
      default:
        insert(bytes, word());
        break;
    }
  }

  const std::vector<Bytes>& seeds_;
  const std::vector<std::string_view>& dictionary_;
  std::mt19937_64 random_;
};

struct Options {
  std::optional<double> seconds;
  std::optional<std::uint64_t> runs;
  std::uint64_t seed = 1;
  std::uint64_t first = 0;
  std::vector<std::string> files;
};

bool parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.starts_with("--")) {
      if (i + 1 == argc) return false;
      const std::uint64_t value = std::strtoull(argv[++i], nullptr, 10);
      if (argument == "--runs") {
        options.runs = value;
      } else if (argument == "--seed") {
        options.seed = value;
      } else if (argument == "--first") {
        options.first = value;
      } else {
        return false;
      }
    } else if (argument.find_first_not_of("0123456789.") == argument.npos) {
      options.seconds = std::strtod(argument.c_str(), nullptr);
    } else {
      options.files.push_back(argument);
    }
  }
  if (!options.seconds && !options.runs) options.seconds = 10;
  return true;
}

}  // namespace

Bytes bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

int run(int argc, char** argv, Target target, const std::vector<Bytes>& seeds,
        const std::vector<std::string_view>& dictionary) {
  Options options;
  if (!parse(argc, argv, options)) {
    std::fprintf(stderr, "usage: %s [SECONDS] [--runs N] [--seed N] [--first N] [FILE...]\n", argv[0]);
    return 2;
  }
  for (const std::string& name : options.files) {
    std::ifstream file(name, std::ios::binary);
    const Bytes bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    target(bytes.data(), bytes.size());
    std::printf("%s: %zu bytes, survived\n", name.c_str(), bytes.size());
  }
  if (!options.files.empty()) return 0;

  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(report);
  current_seed = options.seed;
  Mutator mutate(seeds, dictionary);
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  const std::uint64_t runs = options.runs.value_or(std::numeric_limits<std::uint64_t>::max());
  const double seconds = options.seconds.value_or(std::numeric_limits<double>::infinity());
  std::uint64_t done = 0;
  for (; done < runs && elapsed() < seconds; ++done) {
    current_run = options.first + done;
    // Of its exact size, so that a sanitizer sees a read beyond the end.
    const Bytes input = mutate(current_seed, current_run);
    current_input = &input;
    try {
      target(input.data(), input.size());
    } catch (const std::exception& error) {
      std::fprintf(stderr, "it threw: %s", error.what());
      report();
      return 1;
    }
    current_input = nullptr;
  }
  std::printf("%llu runs of seed %llu in %.1f s, all survived\n", static_cast<unsigned long long>(done),
              static_cast<unsigned long long>(options.seed), elapsed());
  return 0;
}

}  // namespace softalign::fuzz
