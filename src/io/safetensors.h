#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace softalign {

// Names and sizes as the safetensors format gives them.
enum class DType : std::uint8_t { kBool, kU8, kI8, kU16, kI16, kF16, kBF16, kU32, kI32, kF32, kU64, kI64, kF64 };

std::size_t element_size(DType type);     // in bytes: 1, 2, 4 or 8
std::string_view dtype_name(DType type);  // "F32"

// One tensor: row-major, little-endian. `bytes` is borrowed from whoever holds the file.
struct TensorEntry {
  std::string name;
  DType type = DType::kF32;
  std::vector<std::size_t> shape;  // empty: one element
  std::span<const std::byte> bytes;

  std::size_t elements() const { return bytes.size() / element_size(type); }
};

// A safetensors file (huggingface.co/docs/safetensors): 8 bytes of little-endian header length, a
// JSON header, the data. Reading copies no data.
//
// The bytes are hostile: parse() accepts exactly the files whose tensors, in the order of their
// offsets, cover the data without gap or overlap, and whose every byte count is its shape times its
// element size. Everything else is a FormatError naming the culprit, its value and what was
// expected. Limits: header 100 MB, 16 dimensions, names as UTF-8.
//
// A view of `bytes` as T is aligned if the file starts at an aligned address and was written by
// serialize() or the format's reference implementation; others may not be, so copy with memcpy.
class Safetensors {
 public:
  // Borrows `file`, which must outlive the result and everything read from it.
  static Safetensors parse(std::span<const std::byte> file);

  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  const std::vector<TensorEntry>& tensors() const { return tensors_; }  // by offset
  const TensorEntry* find(std::string_view name) const;                 // nullptr: not there

 private:
  std::map<std::string, std::string> metadata_;
  std::vector<TensorEntry> tensors_;
  std::map<std::string, std::size_t, std::less<>> index_;
};

// A file that parse() reads back. Larger elements first, then by name, so the same tensors give the
// same bytes and every tensor is aligned to its element size. Throws ArgumentError if an entry's
// byte count is not its shape times its element size, or if a name is empty, doubled or reserved.
std::vector<std::byte> serialize(const std::map<std::string, std::string>& metadata,
                                 std::span<const TensorEntry> tensors);

}  // namespace softalign
