#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include "core/aligned.h"

namespace softalign {

// Memory for the values of one computation: handed out front to back, given back all at once by
// rewind(). Blocks are kept, so a computation that is repeated allocates nothing once warm.
// Memory is uninitialised, aligned (core/aligned.h), and never moves.
class Arena {
 public:
  struct Mark {
    std::size_t block = 0, used = 0;
  };

  // Throws std::bad_alloc for more than there is.
  template <class T>
  T* allocate(std::size_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / 2 / sizeof(T)) throw std::bad_alloc();
    return static_cast<T*>(bytes(count * sizeof(T)));
  }
  Mark mark() const { return at_; }
  void rewind(Mark to) { at_ = to; }
  // Bytes between the beginning and where the arena is now.
  std::size_t used() const {
    std::size_t n = at_.used;
    for (std::size_t i = 0; i < at_.block; ++i) n += blocks_[i].size;
    return n;
  }
  std::size_t reserved() const {
    std::size_t n = 0;
    for (const Block& b : blocks_) n += b.size;
    return n;
  }

 private:
  static constexpr std::size_t kSmallestBlock = std::size_t{1} << 18;
  struct Free {
    void operator()(std::byte* p) const { ::operator delete(p, std::align_val_t{kAlignment}); }
  };
  struct Block {
    std::unique_ptr<std::byte, Free> data;
    std::size_t size = 0;
  };

  void* bytes(std::size_t size) {
    size = (size + kAlignment - 1) / kAlignment * kAlignment;
    while (at_.block < blocks_.size() && at_.used + size > blocks_[at_.block].size) {
      at_ = {at_.block + 1, 0};
    }
    if (at_.block == blocks_.size()) {
      // Growing by what is already there keeps the number of blocks logarithmic.
      const std::size_t grown = std::max({size, kSmallestBlock, reserved() / 2});
      auto* raw = static_cast<std::byte*>(::operator new(grown, std::align_val_t{kAlignment}));
      blocks_.push_back({std::unique_ptr<std::byte, Free>(raw), grown});
    }
    void* result = blocks_[at_.block].data.get() + at_.used;
    at_.used += size;
    return result;
  }

  std::vector<Block> blocks_;
  Mark at_;
};

}  // namespace softalign
