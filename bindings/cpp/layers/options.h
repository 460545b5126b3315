#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "boundary.h"
#include "core/shape.h"

namespace softalign::js {

// A tensor of JavaScript's: its shape, checked to be that of its data, and the data, not read yet.
// Throws ArgumentError or ShapeError "<who>: <name> ...".
struct TensorIn {
  TensorIn(const char* who, const std::string& name, const val& tensor);
  // Row-major elements [first, first + count) of the data.
  void copy(std::size_t first, std::size_t count, float* to) const;
  std::vector<float> numbers() const;  // all of them

  Shape shape;
  val data;
};

// What JavaScript gave by name: whole numbers, booleans, strings, lists of numbers (typed arrays) and
// tensors { data: Float32Array, shape }. bindings/js/layers/layer.ts has made it plain: reading it runs nobody's code.
//
// Whatever is missing, of the wrong kind or out of its range is an ArgumentError that names it.
class Options {
 public:
  // Above all widths, and their products with the few gates of a network fit a size_t.
  static constexpr std::size_t kLargest = 65536;

  // `who` and `what` name the layer and the object in errors; `who` outlives this.
  Options(const char* who, const val& object, const char* what = "the object of options");

  const char* who() const { return who_; }
  bool has(const char* name) { return !get(name).isUndefined(); }

  std::size_t size(const char* name, std::size_t least = 1, std::size_t most = kLargest);
  std::optional<std::size_t> optional_size(const char* name, std::size_t least = 1, std::size_t most = kLargest);
  bool flag(const char* name, bool otherwise = false);
  std::string text(const char* name, const char* otherwise);
  // Whether it is the second of two words, the first of which is the default.
  bool is_second(const char* name, const char* first, const char* second);
  std::vector<double> numbers(const char* name);  // none if it is not there
  std::vector<std::uint32_t> whole_numbers(const char* name, double least, double most);
  // A part that has names of its own: { window: 3 }.
  Options part(const char* name) { return {who_, get(name), name}; }
  bool is_text(const char* name) { return get(name).isString(); }
  TensorIn tensor_in(const char* name) { return {who_, name, get(name)}; }

  // To be called at the end: throws ArgumentError for a name that nobody asked for.
  void expect_no_others() const;

 protected:
  val get(const char* name);
  // Throws ArgumentError "<who>: <name> is <value>, expected <expected>".
  [[noreturn]] void refuse(const std::string& name, const val& value, const std::string& expected) const;

 private:
  const char* who_;
  val object_;
  std::set<std::string> asked_;
};

}  // namespace softalign::js
