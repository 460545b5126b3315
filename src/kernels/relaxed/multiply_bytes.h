#pragma once

#include "kernels/byte_products.h"

// What ByteProduct says. In WASM a module of its own that shares the engine's memory and has neither stack nor data.
extern "C" void softalign_multiply_bytes(const softalign::kernels::ByteProduct& product);
