#pragma once

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/aligned.h"
#include "core/bytes.h"
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

// What guarded() makes of a body: one copy for all calls, whose bodies are mostly shorter.
inline val answer(val (*call)(void* body), void* body) {
  try {
    val result = val::object();
    result.set("value", call(body));
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

// { value } or { error: { code, message } }: no C++ exception reaches JavaScript. The codes are
// those of SoftalignError.
template <class Body>
val guarded(Body body) {
  return answer([](void* called) { return val((*static_cast<Body*>(called))()); }, &body);
}

// A fresh typed array: a view of the heap would go stale when the memory grows.
template <class T>
val copy_out(const T* values, std::size_t count) {
  return val(emscripten::typed_memory_view(count, values)).template call<val>("slice");
}
template <class T>
val copy_out(const std::vector<T>& values) {
  return copy_out(values.data(), values.size());
}

// The bytes of a Uint8Array: a copy, aligned as what is read from it wants to be, and not zeroed first, which takes longer than
// all else that is done with some files.
inline Bytes bytes_in(const val& array) {
  const auto size = array["length"].as<std::size_t>();
  const std::shared_ptr<std::byte> owner(static_cast<std::byte*>(::operator new(size, std::align_val_t{kAlignment})),
                                         [](std::byte* p) { ::operator delete(p, std::align_val_t{kAlignment}); });
  val(emscripten::typed_memory_view(size, reinterpret_cast<std::uint8_t*>(owner.get()))).call<void>("set", array);
  return {{owner.get(), size}, owner};
}

// { data, shape }
inline val tensor_out(const float* data, const std::vector<std::size_t>& shape) {
  std::size_t count = 1;
  val dims = val::array();
  for (const std::size_t d : shape) {
    count *= d;
    dims.call<void>("push", static_cast<double>(d));
  }
  val tensor = val::object();
  tensor.set("data", copy_out(data, count));
  tensor.set("shape", dims);
  return tensor;
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
