#include "text/sentencepiece_check.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"

namespace softalign {
namespace {

using Bytes = std::span<const std::byte>;

[[noreturn]] void fail(const std::string& what) { throw FormatError("tokenizer: " + what); }

// Field numbers of sentencepiece_model.proto.
namespace field {
constexpr std::uint64_t kPieces = 1;
constexpr std::uint64_t kTrainer = 2;
constexpr std::uint64_t kNormalizer = 3;
constexpr std::uint64_t kDenormalizer = 5;
constexpr std::uint64_t kPieceText = 1;
constexpr std::uint64_t kPieceType = 3;
constexpr std::uint64_t kModelType = 3;
constexpr std::uint64_t kCharacterMap = 2;
}  // namespace field
constexpr std::uint32_t kUserDefined = 4;
constexpr std::uint32_t kUnigram = 1;
constexpr std::uint32_t kBpe = 2;

// The wire format of protocol buffers.
class Message {
 public:
  explicit Message(Bytes bytes) : bytes_(bytes) {}

  struct Field {
    std::uint64_t number = 0;
    bool is_bytes = false;    // else a number
    std::uint64_t value = 0;  // of a varint; fixed-width numbers are skipped
    Bytes bytes;
  };

  bool next(Field& out) {
    if (at_ == bytes_.size()) return false;
    const std::uint64_t tag = varint();
    // SentencePiece's parser keeps 32 bits of it, and would read another field.
    if (tag > std::numeric_limits<std::uint32_t>::max()) {
      fail("not a SentencePiece model: no such field at byte " + std::to_string(at_));
    }
    out = {};
    out.number = tag >> 3;
    switch (tag & 7) {
      case 0:
        out.value = varint();
        break;
      case 1:
        take(8);
        break;
      case 2:
        out.is_bytes = true;
        out.bytes = take(varint());
        break;
      case 5:
        take(4);
        break;
      default:
        fail("not a SentencePiece model: no such wire type at byte " + std::to_string(at_));
    }
    return true;
  }

 private:
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (at_ == bytes_.size()) break;
      const auto byte = std::to_integer<std::uint64_t>(bytes_[at_++]);
      value |= (byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    fail("not a SentencePiece model: broken number at byte " + std::to_string(at_));
  }

  Bytes take(std::uint64_t count) {
    if (count > bytes_.size() - at_) {
      fail("not a SentencePiece model, or cut short: a field of " + std::to_string(count) + " bytes where " +
           std::to_string(bytes_.size() - at_) + " are left");
    }
    const Bytes taken = bytes_.subspan(at_, static_cast<std::size_t>(count));
    at_ += taken.size();
    return taken;
  }

  Bytes bytes_;
  std::size_t at_ = 0;
};

// The double array (Darts-clone) inside a character map.
//
// A unit has an offset; the unit's children are found at index ^ offset ^ byte and carry that byte
// as label. If it has a leaf, index ^ offset holds the leaf's value.
class DoubleArray {
 public:
  explicit DoubleArray(Bytes bytes) : units_(bytes.size() / 4) {
    for (std::size_t i = 0; i < units_.size(); ++i) {
      for (std::size_t byte = 4; byte-- > 0;) {
        units_[i] = units_[i] << 8 | std::to_integer<std::uint32_t>(bytes[4 * i + byte]);
      }
    }
  }

  void check(std::size_t strings_bytes) const {
    for (std::size_t i = 0; i < units_.size(); ++i) {
      if (i != 0 && is_value(i)) continue;
      if ((base(i) | 0xFF) >= units_.size()) fail("its character map points outside itself");
      if (has_leaf(i) && (units_[base(i)] & 0x7FFFFFFF) >= strings_bytes) {
        fail("its character map points outside its strings");
      }
    }
    check_matches();
  }

 private:
  bool is_value(std::size_t i) const { return units_[i] >> 31 != 0; }
  bool has_leaf(std::size_t i) const { return (units_[i] >> 8 & 1) != 0; }
  std::size_t base(std::size_t i) const {
    return i ^ static_cast<std::uint32_t>((units_[i] >> 10) << ((units_[i] & 1U << 9) >> 6));
  }
  // The base of whoever has unit i as child.
  std::size_t parent_base(std::size_t i) const { return i ^ (units_[i] & 0xFF); }

  // Whatever text is looked up, at most 32 of its prefixes match. Units are shared (words of the
  // same end), so this looks for the longest way through a graph, which may hold loops: every base
  // is visited again only when a way with more matches leads to it, so at most 33 times.
  void check_matches() const {
    constexpr int kMaxMatches = 32;  // Normalizer::kMaxTrieResultsSize
    std::vector<std::uint32_t> first(units_.size() + 1);
    for (std::size_t i = 1; i < units_.size(); ++i) {
      if (!is_value(i)) ++first[parent_base(i) + 1];
    }
    for (std::size_t i = 0; i < units_.size(); ++i) first[i + 1] += first[i];
    std::vector<std::uint32_t> children(first.back());
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (std::size_t i = 1; i < units_.size(); ++i) {
      if (!is_value(i)) children[next[parent_base(i)]++] = static_cast<std::uint32_t>(i);
    }

    std::vector<int> most(units_.size(), -1);
    std::vector<std::size_t> open = {base(0)};
    most[base(0)] = 0;
    while (!open.empty()) {
      const std::size_t from = open.back();
      open.pop_back();
      for (std::size_t k = first[from]; k < first[from + 1]; ++k) {
        const std::size_t child = children[k];
        const int matches = most[from] + (has_leaf(child) ? 1 : 0);
        if (matches > kMaxMatches) fail("its character map nests more than 32 rules");
        if (matches > most[base(child)]) {
          most[base(child)] = matches;
          open.push_back(base(child));
        }
      }
    }
  }

  std::vector<std::uint32_t> units_;
};

void check_character_map(Bytes map) {
  if (map.empty()) return;
  std::uint32_t array_bytes = 0;
  if (map.size() < sizeof array_bytes) fail("its character map is cut short");
  for (std::size_t i = 4; i-- > 0;) {
    array_bytes = array_bytes << 8 | std::to_integer<std::uint32_t>(map[i]);
  }
  map = map.subspan(sizeof array_bytes);
  // Blocks of 256 units, so that one unit's children are inside or outside together.
  if (array_bytes == 0 || array_bytes >= map.size() || array_bytes % 1024 != 0) {
    fail("its character map has an array of " + std::to_string(array_bytes) +
         " bytes, expected a multiple of 1024 below " + std::to_string(map.size()));
  }
  // The replacement strings are read up to their NUL.
  if (map.back() != std::byte{0}) fail("its character map does not end with a NUL");
  DoubleArray(map.first(array_bytes)).check(map.size() - array_bytes);
}

void check_normalizer(Bytes spec) {
  Message message(spec);
  for (Message::Field field; message.next(field);) {
    if (field.number == field::kCharacterMap && field.is_bytes) check_character_map(field.bytes);
  }
}

void check_trainer(Bytes spec) {
  Message message(spec);
  for (Message::Field field; message.next(field);) {
    if (field.number != field::kModelType || field.is_bytes) continue;
    const auto type = static_cast<std::uint32_t>(field.value);
    if (type != kUnigram && type != kBpe) {
      fail("its type is " + std::to_string(type) + ", expected 1 (unigram) or 2 (BPE)");
    }
  }
}

void check_user_defined(std::vector<std::string_view> symbols) {
  constexpr std::size_t kMaxNested = 64;  // kResultSize of PrefixMatcher
  std::sort(symbols.begin(), symbols.end());
  std::vector<std::string_view> nested;
  for (const std::string_view symbol : symbols) {
    while (!nested.empty() && !symbol.starts_with(nested.back())) nested.pop_back();
    nested.push_back(symbol);
    if (nested.size() > kMaxNested) fail("its user-defined symbols nest more than 64 deep");
  }
}

}  // namespace

void check_sentencepiece_model(Bytes model) {
  std::vector<std::string_view> user_defined;
  Message message(model);
  for (Message::Field part; message.next(part);) {
    if (!part.is_bytes) continue;
    switch (part.number) {
      case field::kPieces: {
        std::string_view text;
        bool is_user_defined = false;
        Message piece(part.bytes);
        for (Message::Field field; piece.next(field);) {
          if (field.number == field::kPieceText && field.is_bytes) {
            text = {reinterpret_cast<const char*>(field.bytes.data()), field.bytes.size()};
          }
          if (field.number == field::kPieceType && !field.is_bytes) {
            is_user_defined |= static_cast<std::uint32_t>(field.value) == kUserDefined;
          }
        }
        if (text.find('\0') != std::string_view::npos) fail("a piece holds a NUL");
        if (is_user_defined) user_defined.push_back(text);
        break;
      }
      case field::kTrainer:
        check_trainer(part.bytes);
        break;
      case field::kNormalizer:
        check_normalizer(part.bytes);
        break;
      case field::kDenormalizer: {
        Message spec(part.bytes);
        for (Message::Field field; spec.next(field);) {
          if (field.number == field::kCharacterMap) fail("it has a denormaliser, not supported");
        }
        break;
      }
      default:
        break;
    }
  }
  check_user_defined(std::move(user_defined));
}

}  // namespace softalign
