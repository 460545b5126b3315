#include "io/safetensors.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "core/error.h"
#include "core/utf8.h"
#include "io/header_reader.h"

namespace softalign {
namespace {

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kMaxHeader = 100'000'000;  // the reference implementation's limit
constexpr std::size_t kMaxRank = 16;
constexpr std::string_view kMetadata = "__metadata__";

struct TypeRow {
  DType type;
  std::string_view name;
  std::size_t size;
};
constexpr std::array<TypeRow, 13> kTypes = {{
    {DType::kBool, "BOOL", 1},
    {DType::kU8, "U8", 1},
    {DType::kI8, "I8", 1},
    {DType::kU16, "U16", 2},
    {DType::kI16, "I16", 2},
    {DType::kF16, "F16", 2},
    {DType::kBF16, "BF16", 2},
    {DType::kU32, "U32", 4},
    {DType::kI32, "I32", 4},
    {DType::kF32, "F32", 4},
    {DType::kU64, "U64", 8},
    {DType::kI64, "I64", 8},
    {DType::kF64, "F64", 8},
}};

const TypeRow& row(DType type) { return kTypes[static_cast<std::size_t>(type)]; }

// shape times element size, or nothing if that does not fit a size_t.
std::optional<std::size_t> byte_count(const std::vector<std::size_t>& shape, DType type) {
  std::size_t bytes = element_size(type);
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  for (const std::size_t dimension : shape) {
    if (bytes > std::numeric_limits<std::size_t>::max() / dimension) return std::nullopt;
    bytes *= dimension;
  }
  return bytes;
}

std::string show(const std::vector<std::size_t>& numbers, const char* between = ", ") {
  std::string text = "[";
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    text += (i == 0 ? "" : between) + std::to_string(numbers[i]);
  }
  return text + "]";
}

// What a message quotes of a hostile name: not all of its megabytes.
std::string quote(std::string_view name) {
  constexpr std::size_t kShown = 80;
  return '"' + std::string(name.substr(0, kShown)) + (name.size() > kShown ? "...\"" : "\"");
}

struct Described {
  TensorEntry entry;
  std::size_t begin = 0;
  std::size_t end = 0;
};

Described read_tensor(HeaderReader& json, std::string name, std::size_t data_bytes) {
  const std::string culprit = "safetensors: tensor " + quote(name);
  std::set<std::string> seen;
  std::vector<std::size_t> offsets;
  Described tensor;
  json.object([&](std::string key) {
    if (key == "dtype") {
      const std::string wanted = json.string();
      const auto known =
          std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeRow& type) { return type.name == wanted; });
      if (known == kTypes.end()) {
        throw FormatError(culprit + " has dtype " + quote(wanted) +
                          ", expected one like \"F32\", \"F16\", \"I8\" or \"U8\"");
      }
      tensor.entry.type = known->type;
    } else if (key == "shape" || key == "data_offsets") {
      std::vector<std::size_t>& numbers = key == "shape" ? tensor.entry.shape : offsets;
      numbers.clear();
      json.list([&] {
        if (numbers.size() == kMaxRank) {
          throw FormatError(culprit + " has more than " + std::to_string(kMaxRank) + " numbers in its " + key);
        }
        numbers.push_back(json.natural());
      });
    } else {
      throw FormatError(culprit + " has the key " + quote(key) + ", expected dtype, shape or data_offsets");
    }
    if (!seen.insert(key).second) throw FormatError(culprit + " says " + key + " twice");
  });
  if (seen.size() != 3) {
    throw FormatError(culprit + " lacks some of dtype, shape and data_offsets");
  }
  if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > data_bytes) {
    throw FormatError(culprit + " has data_offsets " + show(offsets) + ", expected [begin, end] within " +
                      std::to_string(data_bytes) + " bytes of data");
  }
  const std::optional<std::size_t> wanted = byte_count(tensor.entry.shape, tensor.entry.type);
  if (wanted != offsets[1] - offsets[0]) {
    throw FormatError(culprit + " has " + std::to_string(offsets[1] - offsets[0]) + " bytes, expected " +
                      (wanted ? std::to_string(*wanted) : "more than fit in memory") + " for " +
                      std::string(dtype_name(tensor.entry.type)) + " " + show(tensor.entry.shape));
  }
  tensor.entry.name = std::move(name);
  tensor.begin = offsets[0];
  tensor.end = offsets[1];
  return tensor;
}

void append_json_string(std::string& text, std::string_view value) {
  constexpr std::string_view kHex = "0123456789abcdef";
  text += '"';
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (byte < 0x20) {
      text += "\\u00";
      text += kHex[byte >> 4];
      text += kHex[byte & 15];
    } else {
      text += c;
    }
  }
  text += '"';
}

void check_utf8(std::string_view what, std::string_view text) {
  const std::size_t valid = utf8_valid_up_to(text);
  if (valid != text.size()) {
    throw ArgumentError("safetensors: " + std::string(what) + " is not UTF-8 at byte " + std::to_string(valid) +
                        " of " + std::to_string(text.size()));
  }
}

}  // namespace

std::size_t element_size(DType type) { return row(type).size; }
std::string_view dtype_name(DType type) { return row(type).name; }

Safetensors Safetensors::parse(std::span<const std::byte> file) {
  if (file.size() < kLengthBytes) {
    throw FormatError("safetensors: file has " + std::to_string(file.size()) + " bytes, expected at least 8");
  }
  std::uint64_t header_bytes = 0;
  for (std::size_t i = kLengthBytes; i-- > 0;) {
    header_bytes = header_bytes << 8 | std::to_integer<std::uint64_t>(file[i]);
  }
  if (header_bytes > kMaxHeader || header_bytes > file.size() - kLengthBytes) {
    throw FormatError("safetensors: header of " + std::to_string(header_bytes) + " bytes, expected at most " +
                      std::to_string(std::min(kMaxHeader, file.size() - kLengthBytes)) +
                      " (is this a safetensors file, and whole?)");
  }
  const auto header = file.subspan(kLengthBytes, static_cast<std::size_t>(header_bytes));
  const auto data = file.subspan(kLengthBytes + header.size());

  Safetensors result;
  std::vector<Described> found;
  std::set<std::string, std::less<>> names;
  HeaderReader json({reinterpret_cast<const char*>(header.data()), header.size()});
  json.object([&](std::string name) {
    if (!names.insert(name).second) {
      throw FormatError("safetensors: " + quote(name) + " is in the header twice");
    }
    if (name == kMetadata) {
      json.object([&](std::string key) {
        std::string value = json.string();
        const auto [at, fresh] = result.metadata_.emplace(std::move(key), std::move(value));
        if (!fresh) {
          throw FormatError("safetensors: metadata " + quote(at->first) + " is there twice");
        }
      });
    } else {
      found.push_back(read_tensor(json, std::move(name), data.size()));
    }
  });
  json.end();

  std::sort(found.begin(), found.end(), [](const Described& a, const Described& b) {
    return std::tie(a.begin, a.end, a.entry.name) < std::tie(b.begin, b.end, b.entry.name);
  });
  std::size_t covered = 0;
  for (Described& tensor : found) {
    if (tensor.begin != covered) {
      throw FormatError("safetensors: tensor " + quote(tensor.entry.name) + " begins at byte " +
                        std::to_string(tensor.begin) + " of the data, expected " + std::to_string(covered) +
                        " (no gap, no overlap)");
    }
    covered = tensor.end;
    tensor.entry.bytes = data.subspan(tensor.begin, tensor.end - tensor.begin);
    result.index_.emplace(tensor.entry.name, result.tensors_.size());
    result.tensors_.push_back(std::move(tensor.entry));
  }
  if (covered != data.size()) {
    throw FormatError("safetensors: tensors cover " + std::to_string(covered) + " bytes of data, but the file has " +
                      std::to_string(data.size()));
  }
  return result;
}

const TensorEntry* Safetensors::find(std::string_view name) const {
  const auto at = index_.find(name);
  return at == index_.end() ? nullptr : &tensors_[at->second];
}

std::vector<std::byte> serialize(const std::map<std::string, std::string>& metadata,
                                 std::span<const TensorEntry> tensors) {
  std::vector<const TensorEntry*> order;
  std::set<std::string_view> names;
  for (const TensorEntry& tensor : tensors) {
    check_utf8("a tensor's name", tensor.name);
    if (tensor.name.empty() || tensor.name == kMetadata || !names.insert(tensor.name).second) {
      throw ArgumentError("safetensors: cannot name a tensor " + quote(tensor.name) +
                          ": empty, reserved or already taken");
    }
    const std::optional<std::size_t> wanted = byte_count(tensor.shape, tensor.type);
    if (wanted != tensor.bytes.size() || tensor.shape.size() > kMaxRank) {
      throw ArgumentError("safetensors: tensor " + quote(tensor.name) + " has " + std::to_string(tensor.bytes.size()) +
                          " bytes, which do not fit " + std::string(dtype_name(tensor.type)) + " " +
                          show(tensor.shape));
    }
    order.push_back(&tensor);
  }
  std::sort(order.begin(), order.end(), [](const TensorEntry* a, const TensorEntry* b) {
    if (element_size(a->type) != element_size(b->type)) {
      return element_size(a->type) > element_size(b->type);
    }
    return a->name < b->name;
  });

  std::string header = "{";
  const auto key = [&](std::string_view name) {
    if (header.back() != '{') header += ',';
    append_json_string(header, name);
    header += ':';
  };
  if (!metadata.empty()) {
    key(kMetadata);
    header += '{';
    for (const auto& [name, value] : metadata) {
      check_utf8("metadata", name);
      check_utf8("metadata", value);
      key(name);
      append_json_string(header, value);
    }
    header += '}';
  }
  std::size_t offset = 0;
  for (const TensorEntry* tensor : order) {
    key(tensor->name);
    header += "{\"dtype\":\"" + std::string(dtype_name(tensor->type)) + "\",\"shape\":" + show(tensor->shape, ",") +
              ",\"data_offsets\":[" + std::to_string(offset) + "," + std::to_string(offset + tensor->bytes.size()) +
              "]}";
    offset += tensor->bytes.size();
  }
  header += '}';
  header.append((8 - header.size() % 8) % 8, ' ');  // so the data starts aligned
  if (header.size() > kMaxHeader) {
    throw ArgumentError("safetensors: header of " + std::to_string(header.size()) + " bytes, expected at most " +
                        std::to_string(kMaxHeader));
  }

  std::vector<std::byte> file(kLengthBytes + header.size() + offset);
  for (std::size_t i = 0; i < kLengthBytes; ++i) {
    file[i] = static_cast<std::byte>(static_cast<std::uint64_t>(header.size()) >> (8 * i) & 0xFF);
  }
  std::byte* at = file.data() + kLengthBytes;
  std::memcpy(at, header.data(), header.size());
  at += header.size();
  for (const TensorEntry* tensor : order) {
    if (tensor->bytes.empty()) continue;  // memcpy wants no null pointer, even for nothing
    std::memcpy(at, tensor->bytes.data(), tensor->bytes.size());
    at += tensor->bytes.size();
  }
  return file;
}

}  // namespace softalign
