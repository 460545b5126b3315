#include <emscripten/heap.h>

#include <cstdint>

#include "boundary.h"
#include "kernels/byte_products.h"

namespace softalign::js {

// A double, because JavaScript has no size_t and the heap may pass 2 GB.
double heap_bytes() { return static_cast<double>(emscripten_get_heap_size()); }

// A function pointer is its index in the module's table, into which JavaScript has put softalign_multiply_bytes.
void multiply_bytes_by(std::uint32_t index) {
  kernels::multiply_bytes = reinterpret_cast<kernels::MultiplyBytes>(static_cast<std::uintptr_t>(index));
}

EMSCRIPTEN_BINDINGS(engine) {
  emscripten::function("multiplyBytesBy", &multiply_bytes_by);
  emscripten::function("liveHandles", &Counted::live);
  emscripten::function("heapBytes", &heap_bytes);
}

}  // namespace softalign::js
