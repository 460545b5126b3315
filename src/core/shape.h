#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <string>

#include "core/error.h"

namespace softalign {

// Up to four dimensions, outermost first; tensors are row-major and contiguous.
//
// One table of letters for the whole project: B batch, S source length, T target length, D model
// width, H hidden width (or heads), A alignment width, V vocabulary, E embedding width.
// Sequences are time-major, [T, B, D]: all rows of one step lie together, so a step is a view.
class Shape {
 public:
  static constexpr std::size_t kMaxRank = 4;

  Shape() = default;
  Shape(std::initializer_list<std::size_t> dims) {
    if (dims.size() > kMaxRank) {
      throw ShapeError("Shape has rank " + std::to_string(dims.size()) + ", expected at most 4");
    }
    for (std::size_t d : dims) dims_[rank_++] = d;
  }

  std::size_t rank() const { return rank_; }
  std::size_t operator[](std::size_t i) const { return dims_[i]; }
  // Number of elements; a Shape of rank 0 is one scalar.
  std::size_t size() const {
    std::size_t n = 1;
    for (std::size_t i = 0; i < rank_; ++i) n *= dims_[i];
    return n;
  }
  // The same to ask memory for: what a size_t cannot hold is its largest number, which no memory has. A product
  // that wrapped around would be allocated.
  std::size_t size_to_allocate() const {
    constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
    std::size_t n = 1;
    for (std::size_t i = 0; i < rank_; ++i) {
      if (dims_[i] != 0 && n > kMost / dims_[i]) return kMost;
      n *= dims_[i];
    }
    return n;
  }
  // Seen as a matrix [rows, width]: the last dimension and all those before it.
  std::size_t width() const { return rank_ == 0 ? 1 : dims_[rank_ - 1]; }
  std::size_t rows() const {
    std::size_t n = 1;
    for (std::size_t i = 0; i + 1 < rank_; ++i) n *= dims_[i];
    return n;
  }
  // The same shape with another last dimension.
  Shape with_width(std::size_t width) const {
    Shape s = *this;
    s.dims_[rank_ == 0 ? s.rank_++ : rank_ - 1] = width;
    return s;
  }
  bool operator==(const Shape&) const = default;

  std::string to_string() const {
    std::string s = "[";
    for (std::size_t i = 0; i < rank_; ++i) s += (i ? ", " : "") + std::to_string(dims_[i]);
    return s + "]";
  }

 private:
  std::array<std::size_t, kMaxRank> dims_{};
  std::size_t rank_ = 0;
};

// Throws ShapeError "<who>: <what> is [2, 3], expected [2, 4]" unless the two agree.
inline void expect_shape(const char* who, const char* what, const Shape& is, const Shape& expected) {
  if (!(is == expected)) {
    throw ShapeError(std::string(who) + ": " + what + " is " + is.to_string() + ", expected " +
                     expected.to_string());
  }
}

// The same for one dimension.
inline void expect_size(const char* who, const char* what, std::size_t is, std::size_t expected) {
  if (is != expected) {
    throw ShapeError(std::string(who) + ": " + what + " is " + std::to_string(is) + ", expected " +
                     std::to_string(expected));
  }
}

}  // namespace softalign
