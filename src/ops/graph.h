#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/aligned.h"
#include "core/arena.h"
#include "core/random.h"
#include "core/shape.h"

namespace softalign {

// A weight matrix in bytes: row r, column c is bytes[r * width + c] * scale[r].
struct Int8Matrix {
  std::span<const std::int8_t> bytes;
  AlignedVector<float> scale;
  std::shared_ptr<const void> owner;  // of the bytes: a file that they lie in, say
  AlignedVector<float> sum;           // of a row's weights, for kernels::ByteProduct

  Int8Matrix() = default;
  Int8Matrix(std::span<const std::int8_t> all, AlignedVector<float> scales, std::shared_ptr<const void> keeper);
  static Int8Matrix of(AlignedVector<std::int8_t> bytes, AlignedVector<float> scale) {
    const auto kept = std::make_shared<const AlignedVector<std::int8_t>>(std::move(bytes));
    return {*kept, std::move(scale), kept};
  }
};

// One named weight. Its values are owned by the Parameters it was added to: as numbers, or, for
// inference only, as bytes (then `value` is empty).
template <class T>
struct Parameter {
  std::string name;
  Shape shape;
  AlignedVector<T> value;
  Int8Matrix int8;
  std::size_t offset = 0;  // of its gradient, in a buffer of Parameters::size() elements
};

// The weights of a model by name, in the order in which its layers were made.
template <class T>
class Parameters {
 public:
  // Weights start uniformly in [centre - range, centre + range], drawn from a generator seeded by
  // `seed` and the name, so that adding a layer does not change how the others start.
  explicit Parameters(std::uint64_t seed = 1) : seed_(seed) {}
  // Weights to be read from a file: they have no values, and take no memory, until they are filled.
  struct Unfilled {};
  explicit Parameters(Unfilled) : filled_(false) {}
  Parameters(const Parameters&) = delete;
  Parameters& operator=(const Parameters&) = delete;

  // The reference stays valid. Throws ArgumentError if the name is taken.
  const Parameter<T>& add(std::string name, Shape shape, double range, double centre = 0);
  Parameter<T>* find(std::string_view name);
  std::deque<Parameter<T>>& all() { return all_; }
  const std::deque<Parameter<T>>& all() const { return all_; }
  // Number of weights.
  std::size_t size() const { return size_; }

 private:
  std::uint64_t seed_ = 0;
  bool filled_ = true;
  std::deque<Parameter<T>> all_;
  std::size_t size_ = 0;
};

// A tensor of a Graph: where its elements are, and where its gradient is collected (null when the
// graph keeps no tape, or for data that has none).
template <class T>
struct Var {
  T* value = nullptr;
  T* grad = nullptr;
  Shape shape;
  const Int8Matrix* int8 = nullptr;  // a weight stored in bytes, which linear and lookup take; no value then

  std::size_t size() const { return shape.size(); }
  std::size_t rows() const { return shape.rows(); }
  std::size_t width() const { return shape.width(); }
  // Rows [first, first + count) of the matrix view, as a view: the same memory, nothing copied.
  Var slice(std::size_t first, std::size_t count) const {
    const std::size_t at = first * width();
    return {value + at, grad ? grad + at : nullptr, {count, width()}, nullptr};
  }
  // The same elements in another shape.
  Var reshape(Shape other) const {
    expect_size("reshape", "number of elements", other.size(), size());
    return {value, grad, other, nullptr};
  }
};

// Computes as operations are called. A training graph also keeps a tape: each op records how its
// gradient flows back, and backward() plays the tape from its end. An inferring graph keeps none:
// its memory is the arena's, rewound by the caller, so a repeated computation allocates nothing.
//
// T is float, or double for checks against finite differences.
template <class T>
class Graph {
 public:
  Graph() = default;  // infers
  // Trains: gradients of weights are added to `gradients` (Parameters::size() elements, zeroed by
  // the caller), random choices are drawn from `seed`.
  Graph(T* gradients, std::uint64_t seed) : gradients_(gradients), random_(seed) {}
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

#if defined(SOFTALIGN_INFERENCE_ONLY)  // see softalign_without_training() in cmake/part.cmake
  static constexpr bool training() { return false; }
#else
  bool training() const { return gradients_ != nullptr; }
#endif
  Random& random() { return random_; }
  Arena& arena() { return arena_; }

  // A weight, as a tensor of this graph. It is only read; the pointer is not const because a Var
  // does not say whether its owner may write.
  Var<T> use(const Parameter<T>& p) {
    return {const_cast<T*>(p.value.data()), training() ? gradients_ + p.offset : nullptr, p.shape,
            p.int8.bytes.empty() ? nullptr : &p.int8};
  }
  // Fresh memory for an op's result, values uninitialised; in training its gradient is zero.
  Var<T> make(Shape shape);
  Var<T> zeros(Shape shape);
  // Data copied in, without a gradient.
  Var<T> constant(Shape shape, const T* data);
  // Memory of this computation for an op's own use.
  template <class U>
  U* scratch(std::size_t count) {
    return arena_.allocate<U>(count);
  }
  T* gemm_scratch();

  // The tensor that body() computes. An inferring graph keeps that alone of what is computed for it, so that one layer after
  // the other works in the same memory, which so stays in the caches.
  template <class Body>
  Var<T> keep_result(Body&& body) {
    if (training()) return body();
    const Arena::Mark before = arena_.mark();
    const Var<T> result = body();
    arena_.rewind(before);
    const Var<T> kept = make(result.shape);
    std::memmove(kept.value, result.value, result.size() * sizeof(T));  // it may overlap what it is moved to
    return kept;
  }

  // Ops call this, in training only, with what adds to their inputs' gradients.
  void record(std::function<void()> step) { tape_.push_back(std::move(step)); }

  // d weight [N, K] += dy' x, for x [rows, K] and dy [rows, N]; and d bias [N] += column sums of dy
  // (bias may be null). Not done at once: the uses of one weight in all steps of a sequence are
  // gathered and become one large product at the end of backward(). The rows must live until then.
  void add_weight_gradient(T* weight, T* bias, const T* x, std::size_t K, const T* dy, std::size_t N,
                           std::size_t rows);

  // Plays the tape from `loss` (one element). Call once for each computation.
  void backward(const Var<T>& loss);

  // Forgets everything computed after `mark`; by default, everything. Vars made since are invalid.
  void rewind(Arena::Mark mark = Arena::Mark()) {
    arena_.rewind(mark);
    tape_.clear();
  }

 private:
  struct Uses {
    T *weight, *bias;
    std::size_t N, K;
    struct Rows {
      const T *x, *dy;
      std::size_t count;
    };
    std::vector<Rows> rows;
  };
  void finish_weight_gradients();

  T* gradients_ = nullptr;
  Random random_{0};
  Arena arena_;
  AlignedVector<T> gemm_scratch_;
  std::vector<std::function<void()>> tape_;
  std::vector<Uses> uses_;
  std::map<std::pair<T*, T*>, std::size_t> use_of_;  // weight and bias -> their place in uses_
};

extern template class Parameters<float>;
extern template class Parameters<double>;
extern template class Graph<float>;
extern template class Graph<double>;

}  // namespace softalign
