#pragma once

#include <cstddef>
#include <limits>
#include <new>
#include <vector>

namespace softalign {

// Where numbers that kernels read begin: at a cache line. Plain memory in WebAssembly begins at any multiple of 8, and
// vectors of 16 bytes that lie across lines made products take half as long again.
inline constexpr std::size_t kAlignment = 64;

template <class T>
struct AlignedAllocator {
  using value_type = T;

  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}

  T* allocate(std::size_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t{kAlignment}));
  }
  void deallocate(T* data, std::size_t) { ::operator delete(data, std::align_val_t{kAlignment}); }

  template <class U>
  bool operator==(const AlignedAllocator<U>&) const {
    return true;
  }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace softalign
