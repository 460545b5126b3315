#include "io/safetensors.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "boundary.h"
#include "core/half.h"

namespace softalign::js {
namespace {

float from_bfloat(std::uint16_t x) { return std::bit_cast<float>(static_cast<std::uint32_t>(x) << 16); }

template <class T, class Convert>
std::vector<float> floats(const TensorEntry& entry, Convert convert) {
  std::vector<float> values(entry.elements());
  for (std::size_t i = 0; i < values.size(); ++i) {
    T x;
    std::memcpy(&x, entry.bytes.data() + i * sizeof(T), sizeof(T));
    values[i] = convert(x);
  }
  return values;
}

template <class T>
std::vector<float> floats(const TensorEntry& entry) {
  return floats<T>(entry, [](T x) { return static_cast<float>(x); });
}

std::vector<float> floats(const TensorEntry& entry) {
  switch (entry.type) {
    case DType::kBool:
    case DType::kU8: return floats<std::uint8_t>(entry);
    case DType::kI8: return floats<std::int8_t>(entry);
    case DType::kU16: return floats<std::uint16_t>(entry);
    case DType::kI16: return floats<std::int16_t>(entry);
    case DType::kF16: return floats<std::uint16_t>(entry, from_half);
    case DType::kBF16: return floats<std::uint16_t>(entry, from_bfloat);
    case DType::kU32: return floats<std::uint32_t>(entry);
    case DType::kI32: return floats<std::int32_t>(entry);
    case DType::kF32: return floats<float>(entry);
    case DType::kU64: return floats<std::uint64_t>(entry);
    case DType::kI64: return floats<std::int64_t>(entry);
    case DType::kF64: return floats<double>(entry);
  }
  return {};
}

}  // namespace

// The tensors of a file, as a list of { name, tensor }: names are hostile, and JavaScript makes keys of them.
val read_safetensors(const val& file) {
  return guarded([&] {
    const Bytes bytes = bytes_in(file);
    const Safetensors parsed = Safetensors::parse(bytes.view);
    val list = val::array();
    for (const TensorEntry& entry : parsed.tensors()) {
      val named = val::object();
      named.set("name", entry.name);
      named.set("tensor", tensor_out(floats(entry).data(), entry.shape));
      list.call<void>("push", named);
    }
    return list;
  });
}

EMSCRIPTEN_BINDINGS(safetensors) { emscripten::function("readSafetensors", &read_safetensors); }

}  // namespace softalign::js
