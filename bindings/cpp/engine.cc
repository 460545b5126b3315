#include <emscripten/heap.h>

#include "boundary.h"

namespace softalign::js {

// A double, because JavaScript has no size_t and the heap may pass 2 GB.
double heap_bytes() { return static_cast<double>(emscripten_get_heap_size()); }

EMSCRIPTEN_BINDINGS(engine) {
  emscripten::function("liveHandles", &Counted::live);
  emscripten::function("heapBytes", &heap_bytes);
}

}  // namespace softalign::js
