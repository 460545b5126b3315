#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

// How the cost of each kind of layer grows with the length n of a sequence and its width d: the table of
// Vaswani et al. 2017 (arXiv:1706.03762, table 1), measured.
namespace softalign::bench {

// One layer at one size.
struct Sample {
  std::size_t n = 0, d = 0;
  double seconds = 0;     // of one forward pass, the least of several
  std::size_t bytes = 0;  // of working memory, beside input and weights
};

// time ~ n^of_n d^of_d, by least squares on logarithms.
struct Exponents {
  double of_n = 0, of_d = 0;
};
// Throws ArgumentError unless the samples have at least two values each of n and of d.
Exponents fit(const std::vector<Sample>& samples, const std::function<double(const Sample&)>& value);

struct LayerCost {
  std::string name;
  std::string theory;       // "n^2 d"
  Exponents expected;       // the same as numbers
  bool is_sequential = false;  // n steps that wait for each other instead of 1
  std::vector<Sample> samples;
  Exponents time, memory;
};

struct ComplexityOptions {
  std::vector<std::size_t> lengths = {16, 32, 64, 128, 256, 512, 1024, 2048};
  std::size_t fit_from = 256;  // exponents are those of lengths from here on, where what a call costs anyhow is nothing
  std::vector<std::size_t> widths = {64, 128, 256, 512};
  std::size_t kernel = 3;   // k of the convolution
  std::size_t radius = 16;  // r of restricted self-attention
  double seconds = 0.05;    // at least, for each sample
};

// Batch 1, float32, one head, one thread. Attention without the linear maps around it, as in the paper's
// table; `report` is called after each layer.
std::vector<LayerCost> measure_complexity(const ComplexityOptions& options,
                                          const std::function<void(const LayerCost&)>& report);

// From which n on, at the width d that both were measured with, `faster` takes less time than `slower`:
// interpolated between the measured lengths; 0 if it is always, and SIZE_MAX if never.
std::size_t crossover(const LayerCost& faster, const LayerCost& slower, std::size_t d);

// The whole table as text, a line a layer, and the crossovers.
std::string complexity_table(const std::vector<LayerCost>& costs, std::size_t d);

}  // namespace softalign::bench
