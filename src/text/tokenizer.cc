#include "text/tokenizer.h"

#include <sentencepiece.pb.h>
#include <sentencepiece_processor.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <map>
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

// A text in which some of another one's characters are replaced.
struct Repaired {
  std::string text;
  // Where text and original part ways: from `repaired` on (up to the next), original = repaired +
  // shift. Empty if nothing was replaced.
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

  // Tokens of `text` as those of the original, which they tile. What normalisation dropped, at the ends or between parts,
  // goes to the token after it; at the end of the text to the last one.
  void tile(std::vector<Token>& tokens, std::size_t size) const {
    std::uint32_t covered = 0;
    for (Token& token : tokens) {
      const auto end = static_cast<std::uint32_t>(original(token.range.end));
      token.range = {covered, std::max(covered, end)};
      covered = token.range.end;
    }
    if (!tokens.empty()) tokens.back().range.end = static_cast<std::uint32_t>(size);
  }
};

// Each maximal ill-formed subpart is U+FFFD.
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

// Punctuation, currencies, arrows, mathematical signs, pictures: what is neither a letter nor a digit, white space, nor a mark on a letter.
bool is_sign(std::uint32_t code) {
  constexpr struct {
    std::uint32_t first, last;
  } kSigns[] = {{'!', '/'},         {':', '@'},         {'[', '`'},         {'{', '~'},         {0xA1, 0xA9},       {0xAB, 0xB1},
                {0xB4, 0xB4},       {0xB6, 0xB8},       {0xBB, 0xBB},       {0xBF, 0xBF},       {0xD7, 0xD7},       {0xF7, 0xF7},
                {0x2010, 0x205E},   {0x20A0, 0x20C0},   {0x2190, 0x2BFF},   {0x3001, 0x3003},   {0x3008, 0x3020},   {0xFE00, 0xFE0F},
                {0x1F000, 0x1FAFF}};
  return std::ranges::any_of(kSigns, [code](const auto& signs) { return code >= signs.first && code <= signs.last; });
}

// The simplest of its kind; of none, white space.
std::string_view simple_sign(std::uint32_t code) {
  if ((code >= 0x2018 && code <= 0x201B) || code == 0x2032 || code == 0xB4 || code == '`') return "'";
  if ((code >= 0x201C && code <= 0x201F) || code == 0x2033 || code == 0xAB || code == 0xBB) return "\"";
  if ((code >= 0x2010 && code <= 0x2015) || code == 0x2212) return "-";
  return " ";
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
  repaired.tile(result.tokens, utf8.size());
  return result;
}

Annotation Tokenizer::encode_known(std::string_view utf8) const {
  Annotation result = encode(utf8);
  const auto is_unknown = [this](const Token& token) { return token.id == unk(); };
  std::map<std::string_view, bool> readable;
  Repaired known;
  std::size_t copied = 0;
  for (const Token& token : result.tokens) {
    if (!is_unknown(token)) continue;
    for (std::size_t at = token.range.begin; at < token.range.end;) {
      const Utf8Char next = utf8_char(utf8.substr(at));
      if (is_sign(next.code)) {
        const std::string_view simple = simple_sign(next.code);
        const auto [found, is_new] = readable.try_emplace(simple);
        if (is_new) found->second = std::ranges::none_of(encode(simple).tokens, is_unknown);
        known.text.append(utf8, copied, at - copied).append(found->second ? simple : " ");
        copied = at + next.length;
        known.jumps.push_back({known.text.size(), copied});
      }
      at += next.length;
    }
  }
  if (known.jumps.empty()) return result;
  known.text.append(utf8, copied);
  result.tokens = encode(known.text).tokens;
  known.tile(result.tokens, utf8.size());
  return result;
}

Annotation Tokenizer::decode(std::span<const std::int32_t> ids, std::span<const std::string> unknown) const {
  for (const std::int32_t id : ids) impl_->check(id);
  sentencepiece::SentencePieceText found;
  const auto status = impl_->processor.Decode(std::vector<int>(ids.begin(), ids.end()), &found);
  if (!status.ok()) {
    throw FormatError("tokenizer: cannot decode: " + std::string(status.message()));
  }
  Annotation result;
  result.tokens.reserve(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto& piece = found.pieces(static_cast<int>(i));
    const auto begin = static_cast<std::uint32_t>(result.text.size());
    if (ids[i] == unk() && !unknown.empty()) {
      result.text += unknown.front();
      unknown = unknown.subspan(1);
    } else {
      result.text.append(found.text(), piece.begin(), piece.end() - piece.begin());
    }
    result.tokens.push_back({ids[i], {begin, static_cast<std::uint32_t>(result.text.size())}});
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

bool Tokenizer::is_byte(std::int32_t id) const {
  impl_->check(id);
  return impl_->processor.IsByte(id);
}

bool Tokenizer::is_control(std::int32_t id) const {
  impl_->check(id);
  return impl_->processor.IsControl(id);
}

bool Tokenizer::begins_word(std::int32_t id) const { return piece(id).starts_with(kSpaceMark); }

}  // namespace softalign
