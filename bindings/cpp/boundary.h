#pragma once

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"

// The border between C++ and JavaScript. What crosses it are values and handles: every bound call
// goes through guarded(), arrays are copied, and objects are counted, so that a test can see
// whether all were given back.
namespace softalign::js {

using emscripten::val;

inline val failure(const char* code, const char* message) {
  val error = val::object();
  error.set("code", std::string(code));
  error.set("message", std::string(message));
  val result = val::object();
  result.set("error", error);
  return result;
}

// { value } or { error: { code, message } }: no C++ exception reaches JavaScript. The codes are
// those of SoftalignError.
template <class Body>
val guarded(Body&& body) {
  try {
    val result = val::object();
    result.set("value", std::forward<Body>(body)());
    return result;
  } catch (const Error& e) {
    return failure(e.code(), e.what());
  } catch (const std::bad_alloc&) {
    return failure("out_of_memory", "the WebAssembly memory cannot grow any further");
  } catch (const std::length_error&) {  // more than any memory could hold
    return failure("out_of_memory", "the WebAssembly memory cannot grow that far");
  } catch (const std::exception& e) {
    return failure("internal", e.what());
  } catch (...) {
    return failure("internal", "an exception of an unknown type");
  }
}

// A fresh typed array: a view of the heap would go stale when the memory grows.
template <class T>
val copy_out(const std::vector<T>& values) {
  return val(emscripten::typed_memory_view(values.size(), values.data())).template call<val>("slice");
}

// The floats of a JavaScript array that should be a [rows, width] matrix. Throws ShapeError
// "Gru: inputWeight has 5 floats, expected [6, 3]".
inline std::vector<float> copy_in(const char* who, const char* what, const val& array, std::size_t rows,
                                  std::size_t width) {
  const auto length = array["length"].as<std::size_t>();
  // 64 bits: the product of two sizes may not fit a size_t here.
  if (length != std::uint64_t{rows} * width) {
    throw ShapeError(std::string(who) + ": " + what + " has " + std::to_string(length) + " floats, expected [" +
                     std::to_string(rows) + ", " + std::to_string(width) + "]");
  }
  return emscripten::convertJSArrayToNumberVector<float>(array);
}

// How many rows of `width` an array holds, at least one. Throws ShapeError unless it is a whole number.
inline std::size_t count_rows(const char* who, const char* what, const val& array, std::size_t width) {
  const auto length = array["length"].as<std::size_t>();
  if (length == 0 || length % width != 0) {
    throw ShapeError(std::string(who) + ": " + what + " has " + std::to_string(length) +
                     " floats, expected rows of " + std::to_string(width));
  }
  return length / width;
}

// Base of every class whose objects JavaScript holds.
class Counted {
 public:
  Counted() { ++live_; }
  ~Counted() { --live_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

  static int live() { return live_; }

 private:
  static inline int live_ = 0;
};

}  // namespace softalign::js
