#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/safetensors.h"
#include "ops/graph.h"

// A model is one safetensors file: its config in the metadata, its weights and its tokenizer as tensors.
// What the config says, the file does not know: translation models have theirs in models/config.h.
namespace softalign::models {

inline constexpr const char* kTokenizerTensor = "tokenizer.sentencepiece";
inline constexpr const char* kSourceTokenizerTensor = "source_tokenizer.sentencepiece";  // if the source has one of its own

// How weight matrices are stored. Vectors (biases, scores) are always F32.
//   kF32   as trained
//   kF16   half precision
//   kInt8  one byte, and one F32 scale a row in "<name>.scale": w = byte * scale, |error| <= scale / 2
enum class Storage { kF32, kF16, kInt8 };
Storage storage_by_name(const std::string& name);  // "f32", "f16", "int8"; throws ArgumentError

// The bytes of a model file. `config` is JSON, `facts` are further lines for its metadata (licence,
// scores, ...).
std::vector<std::byte> save_model(const std::string& config, const Parameters<float>& weights,
                                  std::span<const std::byte> tokenizer, Storage storage,
                                  const std::map<std::string, std::string>& facts = {},
                                  std::span<const std::byte> source_tokenizer = {});

// A model file opened. Borrows its bytes. Throws FormatError for anything that is not a model of a
// version this library reads.
class ModelFile {
 public:
  explicit ModelFile(std::span<const std::byte> bytes);

  const Safetensors& file() const { return file_; }
  const std::string& config() const { return config_; }  // JSON, not looked into
  std::span<const std::byte> tokenizer() const { return tokenizer_; }
  std::span<const std::byte> source_tokenizer() const { return source_tokenizer_; }  // empty: the same
  // Fills every parameter by name, or those alone whose names begin with `prefix`; one that has no memory yet takes it only once the file is known
  // to hold it. Matrices stored in bytes stay bytes, or become numbers where they are to be trained
  // or written again. Throws FormatError if a tensor is missing or has another shape or an unknown
  // type, if a value is not finite, or if a byte matrix is wider than kernels::kInt8Depth.
  enum class Int8 { kKeep, kExpand };
  void load(Parameters<float>& weights, Int8 int8 = Int8::kKeep, std::string_view prefix = {}) const;

 private:
  Safetensors file_;
  std::string config_;
  std::span<const std::byte> tokenizer_, source_tokenizer_;
};

}  // namespace softalign::models
