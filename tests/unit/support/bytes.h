#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "ops/graph.h"

namespace softalign::testing {

// Some bytes with a scale for each row, whose numbers the weight takes: to be compared with the bytes themselves.
inline Int8Matrix take_numbers_of_bytes(Parameter<float>& weight) {
  const std::size_t width = weight.shape.width();
  AlignedVector<std::int8_t> bytes;
  AlignedVector<float> scale;
  for (std::size_t r = 0; r < weight.shape.rows(); ++r) scale.push_back(0.001f * static_cast<float>(r % 8 + 1));
  for (std::size_t i = 0; i < weight.value.size(); ++i) {
    bytes.push_back(static_cast<std::int8_t>(static_cast<int>(i * 37 % 255) - 127));
    weight.value[i] = static_cast<float>(bytes[i]) * scale[i / width];
  }
  return Int8Matrix::of(std::move(bytes), std::move(scale));
}

// The weight in bytes alone; clear() would leave its numbers readable.
inline void store_in_bytes(Parameter<float>& weight, Int8Matrix bytes) {
  weight.value = {};
  weight.int8 = std::move(bytes);
}

}  // namespace softalign::testing
