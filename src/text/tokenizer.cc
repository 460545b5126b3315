#include "text/tokenizer.h"

#include <sentencepiece.pb.h>
#include <sentencepiece_processor.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/utf8.h"
#include "text/sentencepiece_check.h"

// In SentencePiece's library, but not in its public headers. Without it, it writes to stderr.
namespace sentencepiece::logging {
void SetMinLogLevel(int level);
}

namespace softalign {
namespace {

constexpr std::string_view kSpaceMark = "\xE2\x96\x81";  // U+2581
constexpr int kFatalOnly = 3;
constexpr std::size_t kPart = 8192;

// The text with each maximal ill-formed subpart replaced by U+FFFD.
struct Repaired {
  std::string text;
  // Where text and original part ways: from `repaired` on (up to the next), original = repaired +
  // shift. Empty if the original was well formed.
  struct Jump {
    std::size_t repaired;
    std::size_t original;
  };
  std::vector<Jump> jumps;

  std::size_t original(std::size_t at) const {
    const auto after = std::upper_bound(jumps.begin(), jumps.end(), at, [](std::size_t position, const Jump& jump) {
      return position < jump.repaired;
    });
    if (after == jumps.begin()) return at;
    const Jump& jump = *std::prev(after);
    return jump.original + (at - jump.repaired);
  }
};

Repaired repair(std::string_view text) {
  Repaired repaired;
  repaired.text.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Char next = utf8_char(text.substr(at));
    if (next.well_formed) {
      repaired.text.append(text, at, next.length);
    } else {
      append_utf8(repaired.text, next.code);
      repaired.jumps.push_back({repaired.text.size(), at + next.length});
    }
    at += next.length;
  }
  return repaired;
}

// Where to end a part that begins at `begin`: before white space if there is any, else before any
// character.
std::size_t part_end(std::string_view text, std::size_t begin) {
  if (text.size() - begin <= kPart) return text.size();
  const std::size_t limit = begin + kPart;
  for (std::size_t end = limit; end > begin; --end) {
    if (text[end] == ' ' || text[end] == '\n') return end;
  }
  std::size_t end = limit;
  while ((static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return end;
}

}  // namespace

struct Tokenizer::Impl {
  sentencepiece::SentencePieceProcessor processor;

  void check(std::int32_t id) const {
    const int size = processor.GetPieceSize();
    if (id < 0 || id >= size) {
      throw ArgumentError("tokenizer: id is " + std::to_string(id) + ", expected 0 to " + std::to_string(size - 1));
    }
  }

  // Appends the tokens of text[begin, end), ranges counted in `text`.
  void encode(std::string_view text, std::size_t begin, std::size_t end, std::vector<Token>& tokens) const {
    sentencepiece::SentencePieceText found;
    const auto status = processor.Encode(absl::string_view(text.data() + begin, end - begin), &found);
    if (!status.ok()) {
      throw FormatError("tokenizer: cannot encode: " + std::string(status.message()));
    }
    for (const auto& piece : found.pieces()) {
      tokens.push_back(
          {static_cast<std::int32_t>(piece.id()),
           {static_cast<std::uint32_t>(begin + piece.begin()), static_cast<std::uint32_t>(begin + piece.end())}});
    }
  }
};

Tokenizer::Tokenizer(std::span<const std::byte> sentencepiece_model) : impl_(std::make_unique<Impl>()) {
  static const bool silenced = (sentencepiece::logging::SetMinLogLevel(kFatalOnly), true);
  static_cast<void>(silenced);
  check_sentencepiece_model(sentencepiece_model);
  try {
    const auto status = impl_->processor.LoadFromSerializedProto(
        {reinterpret_cast<const char*>(sentencepiece_model.data()), sentencepiece_model.size()});
    if (!status.ok()) throw FormatError(status.message());
  } catch (const std::exception& error) {
    throw FormatError("tokenizer: SentencePiece refuses the model: " + std::string(error.what()));
  }
  if (impl_->processor.eos_id() < 0) {
    throw FormatError("tokenizer: the model has no end-of-sentence symbol");
  }
}

Tokenizer::~Tokenizer() = default;
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;

Annotation Tokenizer::encode(std::string_view utf8) const {
  if (utf8.size() > std::numeric_limits<std::int32_t>::max()) {
    throw ArgumentError("tokenizer: text has " + std::to_string(utf8.size()) + " bytes, expected less than 2^31");
  }
  Annotation result;
  result.text = utf8;
  Repaired repaired;
  std::string_view text = utf8;
  if (utf8_valid_up_to(utf8) != utf8.size()) {
    repaired = repair(utf8);
    text = repaired.text;
  }
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = part_end(text, begin);
    impl_->encode(text, begin, end, result.tokens);
    begin = end;
  }

  // What normalisation dropped, at the ends or between parts, goes to the token after it; at the
  // end of the text to the last one.
  std::uint32_t covered = 0;
  for (Token& token : result.tokens) {
    const auto end = static_cast<std::uint32_t>(repaired.original(token.range.end));
    token.range = {covered, std::max(covered, end)};
    covered = token.range.end;
  }
  if (!result.tokens.empty()) {
    result.tokens.back().range.end = static_cast<std::uint32_t>(utf8.size());
  }
  return result;
}

Annotation Tokenizer::decode(std::span<const std::int32_t> ids) const {
  for (const std::int32_t id : ids) impl_->check(id);
  sentencepiece::SentencePieceText found;
  const auto status = impl_->processor.Decode(std::vector<int>(ids.begin(), ids.end()), &found);
  if (!status.ok()) {
    throw FormatError("tokenizer: cannot decode: " + std::string(status.message()));
  }
  Annotation result;
  result.text = found.text();
  result.tokens.reserve(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto& piece = found.pieces(static_cast<int>(i));
    result.tokens.push_back({ids[i], {piece.begin(), piece.end()}});
  }
  return result;
}

std::int32_t Tokenizer::eos() const { return impl_->processor.eos_id(); }
std::int32_t Tokenizer::unk() const { return impl_->processor.unk_id(); }
std::size_t Tokenizer::size() const { return static_cast<std::size_t>(impl_->processor.GetPieceSize()); }

std::string_view Tokenizer::piece(std::int32_t id) const {
  impl_->check(id);
  return impl_->processor.IdToPiece(id);
}

bool Tokenizer::begins_word(std::int32_t id) const { return piece(id).starts_with(kSpaceMark); }

}  // namespace softalign
