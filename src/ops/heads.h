#pragma once

#include <algorithm>
#include <string>

#include "kernels/gemm.h"
#include "ops/graph.h"
#include "ops/pattern.h"

// How the ops of attention walk heads, queries and slots. For their sources only.
namespace softalign::ops {

// Below this many multiplications a head's matrix product costs more to set up than it saves.
inline constexpr std::size_t kSmallProduct = 4096;

// What the rows of a time-major [steps, B, H width] tensor look like to one head of one sequence.
struct Heads {
  std::size_t batch, count, width;
  std::size_t row() const { return batch * count * width; }
  std::size_t at(std::size_t step, std::size_t b, std::size_t h) const {
    return ((step * batch + b) * count + h) * width;
  }
  template <class U>
  kernels::Strided<U> matrix(U* data, std::size_t b, std::size_t h) const {
    return {data + at(0, b, h), row(), 1};
  }
};

template <class T>
Heads expect_heads(const char* who, const char* what, const Var<T>& x, std::size_t steps, std::size_t heads,
                   std::size_t batch) {
  if (heads == 0 || x.width() % heads != 0) {
    throw ShapeError(std::string(who) + ": " + what + " is " + x.shape.to_string() + ", expected a width that " +
                     std::to_string(heads) + " heads divide");
  }
  expect_shape(who, what, x.shape, {steps, batch, x.width()});
  return {batch, heads, x.width() / heads};
}

template <class T>
Heads expect_queries(const char* who, const char* what, const Var<T>& x, std::size_t heads, const Reach& reach) {
  return expect_heads(who, what, x, reach.queries(), heads, reach.batch());
}

template <class T>
Heads expect_keys(const char* who, const char* what, const Var<T>& x, std::size_t heads, const Reach& reach) {
  return expect_heads(who, what, x, reach.keys(), heads, reach.sequences());
}

template <class T>
std::size_t heads_of(const char* who, const char* what, const Var<T>& weights, const Reach& reach) {
  const std::size_t H = weights.shape.rank() == 4 ? weights.shape[1] : 0;
  expect_shape(who, what, weights.shape, {reach.batch(), H, reach.queries(), reach.slots()});
  return H;
}

// body(b, h, t, row) for every query, where row is its place among [B, H, T] rows of slots.
template <class Body>
void for_queries(const Reach& reach, std::size_t heads, Body body) {
  std::size_t row = 0;
  for (std::size_t b = 0; b < reach.batch(); ++b) {
    for (std::size_t h = 0; h < heads; ++h) {
      for (std::size_t t = 0; t < reach.queries(); ++t, ++row) body(b, h, t, row * reach.slots());
    }
  }
}

// Whether a head's scores are a matrix product large enough to be computed as one.
inline bool is_large_matrix(const Reach& reach, std::size_t width) {
  return reach.is_matrix() && reach.queries() * reach.keys() * width >= kSmallProduct && reach.queries() >= 4;
}

// body(b, h, at) for every head, where `at` is the place of its scores.
template <class Body>
void for_heads(const Reach& reach, std::size_t heads, Body body) {
  for (std::size_t b = 0; b < reach.batch(); ++b) {
    for (std::size_t h = 0; h < heads; ++h) {
      body(b, h, (b * heads + h) * reach.queries() * reach.slots());
    }
  }
}

// Columns of relative positions, [T, K] each: clip(s - t, -r, r) + r.
struct Offsets {
  std::size_t radius;
  std::size_t operator()(const Reach& reach, std::size_t t, std::size_t slot) const {
    const std::size_t s = reach.key(t, slot), at = reach.position(t);
    return s >= at ? radius + std::min(s - at, radius) : radius - std::min(at - s, radius);
  }
};

template <class T>
Offsets expect_table(const char* who, const Var<T>& table, std::size_t width) {
  if (table.shape.rank() != 2 || table.rows() % 2 == 0 || table.width() != width) {
    throw ShapeError(std::string(who) + ": table is " + table.shape.to_string() + ", expected [2 r + 1, " +
                     std::to_string(width) + "]");
  }
  return {table.rows() / 2};
}

}  // namespace softalign::ops
