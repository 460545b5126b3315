// Any bytes are a model file or a FormatError, and what is read can be written and read again.
#include "io/safetensors.h"

#include <stdexcept>

#include "core/error.h"
#include "support/mutator.h"

namespace {

using namespace softalign;

// Keeps the compiler from leaving out the reads whose result nobody wants.
[[maybe_unused]] volatile unsigned sink = 0;

void demand(bool condition, const char* what) {
  if (!condition) throw std::logic_error(what);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const Safetensors file = Safetensors::parse(std::as_bytes(std::span(data, size)));
    unsigned sum = 0;
    for (const TensorEntry& tensor : file.tensors()) {
      demand(file.find(tensor.name) == &tensor, "find() finds another tensor");
      for (const std::byte byte : tensor.bytes) sum += std::to_integer<unsigned>(byte);
    }
    sink = sum;
    bool named = true;
    for (const TensorEntry& tensor : file.tensors()) named &= !tensor.name.empty();
    if (!named) return 0;  // may be read, not written
    const std::vector<std::byte> written = serialize(file.metadata(), file.tensors());
    const Safetensors again = Safetensors::parse(written);
    demand(again.metadata() == file.metadata(), "metadata changed");
    demand(again.tensors().size() == file.tensors().size(), "tensors changed");
  } catch (const FormatError&) {
  }
  return 0;
}

#ifndef SOFTALIGN_LIBFUZZER
int main(int argc, char** argv) {
  const std::vector<float> floats = {1, 2, 3, 4};
  const std::vector<TensorEntry> tensors = {
      {"weights", DType::kF32, {2, 2}, std::as_bytes(std::span(floats))},
      {"bytes", DType::kU8, {3}, std::as_bytes(std::span(floats)).first(3)},
      {"none", DType::kI64, {0, 7}, {}},
  };
  std::vector<fuzz::Bytes> seeds;
  const auto add = [&](const std::vector<std::byte>& file) {
    fuzz::Bytes bytes;
    for (const std::byte byte : file) bytes.push_back(std::to_integer<std::uint8_t>(byte));
    seeds.push_back(bytes);
  };
  add(serialize({}, {}));
  add(serialize({}, std::span(tensors).first(1)));
  add(serialize({{"format", "softalign"}, {"config", "{\"width\": 3}\n"}}, tensors));
  return fuzz::run(argc, argv, LLVMFuzzerTestOneInput, seeds,
                   {"{",
                    "}",
                    "[",
                    "]",
                    "\"",
                    ",",
                    ":",
                    "\\u00e9",
                    "\\ud83d\\ude00",
                    "\\",
                    "null",
                    "\"F16\"",
                    "\"F64\"",
                    "\"BOOL\"",
                    "dtype",
                    "shape",
                    "data_offsets",
                    "__metadata__",
                    "18446744073709551615",
                    "4294967296",
                    "0",
                    "[0,0]",
                    "\"a\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]},"});
}
#endif
