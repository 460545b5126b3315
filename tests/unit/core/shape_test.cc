#include "core/shape.h"

#include <gtest/gtest.h>

#include <limits>
#include <new>

#include "core/arena.h"

namespace softalign {
namespace {

constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();

TEST(Shape, ASizeDoesNotWrapAround) {
  EXPECT_EQ((Shape{2, 3, 4}).size_to_allocate(), 24u);
  EXPECT_EQ((Shape{kMost, 1}).size_to_allocate(), kMost);
  EXPECT_EQ((Shape{kMost / 2 + 1, 2}).size_to_allocate(), kMost);     // 0, if it wrapped
  EXPECT_EQ((Shape{kMost / 2 + 1, 2, 3}).size_to_allocate(), kMost);
  EXPECT_EQ((Shape{0, kMost}).size_to_allocate(), 0u);
}

TEST(Arena, RefusesWhatNoMemoryHas) {
  Arena arena;
  EXPECT_THROW(arena.allocate<float>(kMost), std::bad_alloc);
  EXPECT_THROW(arena.allocate<float>(kMost / 4 + 1), std::bad_alloc);  // 0 bytes, if they wrapped
  EXPECT_NE(arena.allocate<float>(1), nullptr);
}

}  // namespace
}  // namespace softalign
