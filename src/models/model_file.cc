#include "models/model_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <list>

#include "core/half.h"
#include "kernels/int8.h"

namespace softalign::models {
namespace {

constexpr const char* kFormat = "softalign";
constexpr const char* kVersion = "1";

std::vector<std::size_t> dims(const Shape& shape) {
  std::vector<std::size_t> d(shape.rank());
  for (std::size_t i = 0; i < d.size(); ++i) d[i] = shape[i];
  return d;
}

template <class U>
AlignedVector<U> read_as(const TensorEntry& entry) {
  AlignedVector<U> values(entry.bytes.size() / sizeof(U));
  std::memcpy(values.data(), entry.bytes.data(), values.size() * sizeof(U));
  return values;
}

// The bytes of new tensors, kept until the file is written.
class Writer {
 public:
  template <class Values>
  void add(const std::string& name, DType type, std::vector<std::size_t> shape, const Values& values) {
    const auto from = std::as_bytes(std::span(values));
    const auto& kept = bytes_.emplace_back(from.begin(), from.end());
    entries_.push_back({name, type, std::move(shape), kept});
  }
  std::span<const TensorEntry> entries() const { return entries_; }

 private:
  std::list<std::vector<std::byte>> bytes_;
  std::vector<TensorEntry> entries_;
};

void add_int8(Writer& writer, const Parameter<float>& p) {
  const std::size_t rows = p.shape.rows(), width = p.shape.width();
  if (width > kernels::kInt8Depth) {
    throw ArgumentError("save_model: \"" + p.name + "\" is " + std::to_string(width) +
                        " wide, expected at most " + std::to_string(kernels::kInt8Depth) + " to store it in bytes");
  }
  std::vector<std::int8_t> bytes(p.value.size());
  std::vector<float> scales(rows);
  for (std::size_t r = 0; r < rows; ++r) {
    const float* row = p.value.data() + r * width;
    float most = 0;
    for (std::size_t i = 0; i < width; ++i) most = std::max(most, std::abs(row[i]));
    scales[r] = most / 127;
    for (std::size_t i = 0; i < width; ++i) {
      bytes[r * width + i] = static_cast<std::int8_t>(most > 0 ? std::nearbyint(row[i] / scales[r]) : 0);
    }
  }
  writer.add(p.name, DType::kI8, dims(p.shape), bytes);
  writer.add(p.name + ".scale", DType::kF32, {rows}, scales);
}

// Bytes into numbers, and the bytes given up.
void expand(Parameter<float>& p) {
  const std::size_t width = p.shape.width();
  p.value.resize(p.shape.size());
  for (std::size_t i = 0; i < p.value.size(); ++i) {
    p.value[i] = static_cast<float>(p.int8.bytes[i]) * p.int8.scale[i / width];
  }
  p.int8 = {};
}

void expect_finite(const std::string& name, std::span<const float> values) {
  const auto bad = std::find_if(values.begin(), values.end(), [](float v) { return !std::isfinite(v); });
  if (bad != values.end()) {
    throw FormatError("model file: tensor \"" + name + "\" has " + std::to_string(*bad) + " at element " +
                      std::to_string(bad - values.begin()) + ", expected finite numbers");
  }
}

}  // namespace

Storage storage_by_name(const std::string& name) {
  if (name == "f32") return Storage::kF32;
  if (name == "f16") return Storage::kF16;
  if (name == "int8") return Storage::kInt8;
  throw ArgumentError("storage is \"" + name + "\", expected \"f32\", \"f16\" or \"int8\"");
}

std::vector<std::byte> save_model(const std::string& config, const Parameters<float>& weights,
                                  std::span<const std::byte> tokenizer, Storage storage,
                                  const std::map<std::string, std::string>& facts,
                                  std::span<const std::byte> source_tokenizer) {
  Writer writer;
  for (const Parameter<float>& p : weights.all()) {
    if (p.shape.rank() < 2 || storage == Storage::kF32) {
      writer.add(p.name, DType::kF32, dims(p.shape), p.value);
    } else if (storage == Storage::kInt8) {
      add_int8(writer, p);
    } else {
      std::vector<std::uint16_t> halves(p.value.size());
      std::transform(p.value.begin(), p.value.end(), halves.begin(), to_half);
      writer.add(p.name, DType::kF16, dims(p.shape), halves);
    }
  }
  writer.add(kTokenizerTensor, DType::kU8, {tokenizer.size()}, tokenizer);
  if (!source_tokenizer.empty()) writer.add(kSourceTokenizerTensor, DType::kU8, {source_tokenizer.size()}, source_tokenizer);
  auto metadata = facts;
  metadata["format"] = kFormat;
  metadata["version"] = kVersion;
  metadata["config"] = config;
  return serialize(metadata, writer.entries());
}

ModelFile::ModelFile(std::span<const std::byte> bytes) : file_(Safetensors::parse(bytes)) {
  const auto fact = [&](const char* key) {
    const auto it = file_.metadata().find(key);
    return it == file_.metadata().end() ? std::string("missing") : '"' + it->second + '"';
  };
  if (fact("format") != std::string("\"") + kFormat + '"') {
    throw FormatError("model file: metadata \"format\" is " + fact("format") + ", expected \"" + kFormat + '"');
  }
  if (fact("version") != std::string("\"") + kVersion + '"') {
    throw FormatError("model file: version is " + fact("version") + ", expected \"" + kVersion +
                      "\"; a newer file needs a newer softalign");
  }
  if (!file_.metadata().contains("config")) throw FormatError("model file: metadata \"config\" is missing");
  config_ = file_.metadata().at("config");
  const TensorEntry* tokenizer = file_.find(kTokenizerTensor);
  if (!tokenizer || tokenizer->type != DType::kU8) {
    throw FormatError(std::string("model file: tensor \"") + kTokenizerTensor + "\" is " +
                      (tokenizer ? std::string(dtype_name(tokenizer->type)) : "missing") + ", expected U8");
  }
  tokenizer_ = tokenizer->bytes;
  const TensorEntry* source_tokenizer = file_.find(kSourceTokenizerTensor);
  if (source_tokenizer && source_tokenizer->type == DType::kU8) source_tokenizer_ = source_tokenizer->bytes;
}

void ModelFile::load(Parameters<float>& weights, Int8 int8, std::string_view prefix) const {
  for (Parameter<float>& p : weights.all()) {
    if (!p.name.starts_with(prefix)) continue;
    const TensorEntry* entry = file_.find(p.name);
    if (!entry) throw FormatError("model file: tensor \"" + p.name + "\" is missing, expected " + p.shape.to_string());
    if (entry->shape != dims(p.shape)) {
      std::string is = "[";
      for (std::size_t i = 0; i < entry->shape.size(); ++i) is += (i ? ", " : "") + std::to_string(entry->shape[i]);
      throw FormatError("model file: tensor \"" + p.name + "\" is " + is + "], expected " + p.shape.to_string());
    }
    if (entry->type != DType::kI8) p.value.resize(p.shape.size());
    if (entry->type == DType::kF32) {
      std::memcpy(p.value.data(), entry->bytes.data(), entry->bytes.size());
    } else if (entry->type == DType::kF16) {
      const auto halves = read_as<std::uint16_t>(*entry);
      std::transform(halves.begin(), halves.end(), p.value.begin(), from_half);
    } else if (entry->type == DType::kI8) {
      const TensorEntry* scale = file_.find(p.name + ".scale");
      if (!scale || scale->type != DType::kF32 || scale->elements() != p.shape.rows()) {
        throw FormatError("model file: tensor \"" + p.name + ".scale\" is " + (scale ? "of another type or size" : "missing") +
                          ", expected F32 [" + std::to_string(p.shape.rows()) + "]");
      }
      if (p.shape.width() > kernels::kInt8Depth) {
        throw FormatError("model file: tensor \"" + p.name + "\" is I8 and " + std::to_string(p.shape.width()) +
                          " wide, expected at most " + std::to_string(kernels::kInt8Depth));
      }
      p.int8 = {read_as<std::int8_t>(*entry), read_as<float>(*scale)};
      expect_finite(p.name + ".scale", p.int8.scale);
      // ops take bytes for matrices only
      if (int8 == Int8::kExpand || p.shape.rank() < 2) {
        expand(p);
      } else {
        p.value = {};
      }
    } else {
      throw FormatError("model file: tensor \"" + p.name + "\" is " + std::string(dtype_name(entry->type)) +
                        ", expected F32, F16 or I8");
    }
    expect_finite(p.name, p.value);
  }
}

}  // namespace softalign::models
