#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "io/file.h"
#include "io/safetensors.h"
#include "ops/graph.h"

namespace softalign::testing {

// PyTorch's answers, from tests/golden/<name>.safetensors; make_goldens.py says what the names mean.
class Golden {
 public:
  explicit Golden(const std::string& name)
      : bytes_(read_file(std::string(SOFTALIGN_SOURCE_DIR "/tests/golden/") + name + ".safetensors")),
        file_(Safetensors::parse(bytes_)) {}

  Shape shape(std::string_view name) const {
    const auto& dims = entry(name).shape;
    switch (dims.size()) {
      case 0: return {};
      case 1: return {dims[0]};
      case 2: return {dims[0], dims[1]};
      case 3: return {dims[0], dims[1], dims[2]};
      default: return {dims[0], dims[1], dims[2], dims[3]};
    }
  }
  std::vector<float> floats(std::string_view name) const { return read<float>(name, DType::kF32); }
  std::vector<std::int32_t> ints(std::string_view name) const { return read<std::int32_t>(name, DType::kI32); }

 private:
  const TensorEntry& entry(std::string_view name) const {
    const TensorEntry* e = file_.find(name);
    if (!e) throw ArgumentError("golden file has no tensor \"" + std::string(name) + '"');
    return *e;
  }
  template <class U>
  std::vector<U> read(std::string_view name, DType type) const {
    const TensorEntry& e = entry(name);
    if (e.type != type) throw ArgumentError("golden tensor \"" + std::string(name) + "\" is of another type");
    std::vector<U> values(e.elements());
    if (!values.empty()) std::memcpy(values.data(), e.bytes.data(), e.bytes.size());
    return values;
  }

  std::vector<std::byte> bytes_;
  Safetensors file_;
};

// Gives a weight its golden values.
template <class T>
void load(Parameters<T>& parameters, const Golden& golden, const std::string& parameter, const std::string& tensor) {
  Parameter<T>* p = parameters.find(parameter);
  ASSERT_TRUE(p) << "there is no weight \"" << parameter << '"';
  ASSERT_EQ(p->shape.to_string(), golden.shape(tensor).to_string()) << parameter;
  const auto values = golden.floats(tensor);
  p->value.assign(values.begin(), values.end());
}

// A golden input as one more weight, so that it has a gradient.
template <class T>
const Parameter<T>& add_input(Parameters<T>& parameters, const Golden& golden, const std::string& name) {
  const Parameter<T>& p = parameters.add(name, golden.shape(name), 0);
  load(parameters, golden, name, name);
  return p;
}

// The gradient put in at an output.
template <class T>
std::vector<T> seed_of(const Golden& golden, const std::string& name) {
  const auto seed = golden.floats(name);
  return {seed.begin(), seed.end()};
}

// What is stored is float32, so even the double computation differs by its rounding.
template <class T>
constexpr double kGoldenTolerance = std::is_same_v<T, float> ? 1e-5 : 1e-6;

template <class T>
void expect_golden(const Golden& golden, const std::string& name, const T* got, std::size_t size) {
  const auto expected = golden.floats(name);
  ASSERT_EQ(size, expected.size()) << name;
  for (std::size_t i = 0; i < size; ++i) {
    ASSERT_NEAR(static_cast<double>(got[i]), expected[i], kGoldenTolerance<T> * (1 + std::abs(expected[i])))
        << name << " at " << i << " of " << golden.shape(name).to_string();
  }
}

template <class T>
void expect_golden_gradient(const Golden& golden, const std::string& name, const Parameters<T>& parameters,
                            const std::string& parameter, const std::vector<T>& gradients) {
  for (const Parameter<T>& p : parameters.all()) {
    if (p.name == parameter) {
      expect_golden(golden, name, gradients.data() + p.offset, p.shape.size());
      return;
    }
  }
  FAIL() << "there is no weight \"" << parameter << '"';
}

}  // namespace softalign::testing
