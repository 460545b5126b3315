#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace softalign {

// The model files of the Marian toolkit (Junczys-Dowmunt et al. 2018, arXiv:1804.00344), in which Mozilla and the Bergamot
// project publish their models: tensors by name, and the training's options as YAML.
struct MarianTensor {
  // kIntgemm8: a byte a number, w = byte / multiplier. A matrix [in, out] lies there as its transpose, but for embeddings.
  enum class Type { kFloat32, kIntgemm8 };

  std::string name;
  Type type = Type::kFloat32;
  std::vector<std::size_t> shape;    // of matrices [in, out]
  std::span<const std::byte> values;  // little-endian, in C order, as many as the shape says
  float multiplier = 1;               // of kIntgemm8, finite and above 0

  std::size_t elements() const;
};

// Everything is checked before anything is used, so no bytes, however hostile, are read out of bounds or cost more memory
// than their own size. Values are not looked at: they may be NaN.
class MarianFile {
 public:
  // A .bin file (binary version 1; what it holds of other types than these, as ints of a training, is left out), or a .npz
  // archive of uncompressed float32 arrays. Borrows `file`. Throws FormatError.
  static MarianFile parse(std::span<const std::byte> file);

  const std::string& options() const { return options_; }  // YAML; empty if there are none
  const std::map<std::string, MarianTensor, std::less<>>& tensors() const { return tensors_; }
  const MarianTensor* find(std::string_view name) const;  // nullptr: not there

 private:
  void read_bin(std::span<const std::byte> file);
  void read_npz(std::span<const std::byte> file);
  void add(MarianTensor tensor);
  void set_options(std::span<const std::byte> text);

  std::string options_;
  std::map<std::string, MarianTensor, std::less<>> tensors_;
};

// A .bin file of these, which parse() and Marian read.
std::vector<std::byte> serialize_marian(const std::string& options, std::span<const MarianTensor> tensors);

// The options as Marian writes them: lines of "name: value", where a value is a word, a text in quotation marks or a list
// of such, "[a, b]" or in lines of its own beginning with "-". Anything else that YAML knows, maps in maps and references among
// them, is refused.
class MarianOptions {
 public:
  // Throws FormatError naming the line.
  static MarianOptions parse(std::string_view yaml);

  // The values of an option, one if it is no list; nullptr: not there.
  const std::vector<std::string>* find(std::string_view name) const;

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

}  // namespace softalign
