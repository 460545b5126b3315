#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "core/random.h"

namespace softalign::testing {

// Offsets from the allocator's alignment, in elements, at which every kernel is run.
inline constexpr std::size_t kMisalignments[] = {0, 1, 3};
// The widest vector of any build: lengths 0..2N+1 with this N cover the narrower ones too.
inline constexpr std::size_t kWidestLanes = 16;
inline constexpr std::size_t kLongestLength = 2 * kWidestLanes + 1;

// `size` elements at a chosen misalignment, between guards: untouched() says whether anybody wrote
// outside. Under AddressSanitizer the allocation ends with the elements, so a read beyond the end
// is caught as well; elsewhere the guards are NaN, so that it spoils the result.
template <class T>
class Guarded {
 public:
  explicit Guarded(std::size_t size, std::size_t misalignment = 0, T fill = T{})
      : size_(size), offset_(kFront + misalignment), all_(offset_ + size + kBack, kGuard) {
    for (std::size_t i = 0; i < size; ++i) (*this)[i] = fill;
  }
  // Normal numbers around 0 with this standard deviation.
  static Guarded random(Random& random, std::size_t size, std::size_t misalignment = 0, double deviation = 1.0) {
    Guarded g(size, misalignment);
    for (std::size_t i = 0; i < size; ++i) g[i] = static_cast<T>(deviation * random.normal());
    return g;
  }

  T* data() { return all_.data() + offset_; }
  const T* data() const { return all_.data() + offset_; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  std::size_t size() const { return size_; }

  bool untouched() const {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const bool inside = i >= offset_ && i < offset_ + size_;
      if (!inside && all_[i] == all_[i]) return false;  // no longer NaN
    }
    return true;
  }

 private:
#if defined(__SANITIZE_ADDRESS__)
  static constexpr std::size_t kBack = 0;
#else
  static constexpr std::size_t kBack = kWidestLanes;
#endif
  static constexpr std::size_t kFront = kWidestLanes;  // a multiple of every vector: keeps alignment
  static constexpr T kGuard = std::numeric_limits<T>::quiet_NaN();

  std::size_t size_, offset_;
  std::vector<T> all_;
};

}  // namespace softalign::testing
