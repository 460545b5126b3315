#include "core/aligned.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace softalign {
namespace {

TEST(Aligned, VectorsBeginAtACacheLineHoweverTheyGrow) {
  AlignedVector<float> floats;
  AlignedVector<std::int8_t> bytes;
  const auto place = [](const void* data) { return reinterpret_cast<std::uintptr_t>(data) % kAlignment; };
  for (int i = 0; i < 1000; ++i) {
    floats.push_back(static_cast<float>(i));
    bytes.push_back(static_cast<std::int8_t>(i % 100));
    ASSERT_EQ(place(floats.data()), 0u) << i;
    ASSERT_EQ(place(bytes.data()), 0u) << i;
  }
  const AlignedVector<float> copy = floats;
  EXPECT_EQ(place(copy.data()), 0u);
  EXPECT_EQ(copy, floats);
}

TEST(Aligned, RefusesWhatNoMemoryCouldHold) {
  AlignedAllocator<double> allocator;
  EXPECT_THROW(allocator.allocate(std::numeric_limits<std::size_t>::max() / 4), std::bad_array_new_length);
}

}  // namespace
}  // namespace softalign
