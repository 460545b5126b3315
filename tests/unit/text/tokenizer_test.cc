#include "text/tokenizer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

#include "core/error.h"
#include "io/file.h"
#include "text/sentencepiece_check.h"
#include "unit/support/random_text.h"

namespace softalign {
namespace {

using namespace std::literals;

const std::string kFolder = SOFTALIGN_SOURCE_DIR "/tests/golden/text/";

std::vector<std::byte> tiny_model() { return read_file(kFolder + "tiny.model"); }

const Tokenizer& tiny() {
  static const Tokenizer tokenizer(tiny_model());
  return tokenizer;
}

std::vector<std::int32_t> ids_of(const Annotation& annotation) {
  std::vector<std::int32_t> ids;
  for (const Token& token : annotation.tokens) ids.push_back(token.id);
  return ids;
}

std::vector<std::string> surfaces(const Annotation& annotation) {
  std::vector<std::string> result;
  for (const Token& token : annotation.tokens) {
    result.push_back(annotation.text.substr(token.range.begin, token.range.size()));
  }
  return result;
}
using Surfaces = std::vector<std::string>;

void expect_tiles(const Annotation& annotation) {
  std::uint32_t covered = 0;
  for (const Token& token : annotation.tokens) {
    ASSERT_EQ(token.range.begin, covered);
    ASSERT_GE(token.range.end, token.range.begin);
    covered = token.range.end;
  }
  if (!annotation.tokens.empty()) {
    ASSERT_EQ(covered, annotation.text.size());
  }
}

// tiny.model, tiny.txt and tiny.ids are made by SentencePiece's own programs (make_tokenizer.py).
TEST(Tokenizer, EncodesAsSentencePiecesOwnProgram) {
  std::ifstream text(kFolder + "tiny.txt", std::ios::binary);
  std::ifstream ids(kFolder + "tiny.ids", std::ios::binary);
  int lines = 0;
  for (std::string line, wanted; std::getline(text, line); ++lines) {
    ASSERT_TRUE(std::getline(ids, wanted));
    std::string found;
    for (const std::int32_t id : ids_of(tiny().encode(line))) {
      found += (found.empty() ? "" : " ") + std::to_string(id);
    }
    EXPECT_EQ(found, wanted) << line;
  }
  EXPECT_EQ(lines, 18);
}

TEST(Tokenizer, KnowsItsSymbols) {
  EXPECT_EQ(tiny().size(), 240U);
  EXPECT_EQ(tiny().unk(), 0);
  EXPECT_EQ(tiny().eos(), 1);
  EXPECT_EQ(tiny().piece(0), "<unk>");
  EXPECT_EQ(tiny().piece(1), "</s>");
  const Annotation cat = tiny().encode("the cat");
  EXPECT_EQ(tiny().piece(cat.tokens.back().id), "\u2581cat");
  EXPECT_TRUE(tiny().begins_word(cat.tokens.back().id));
  EXPECT_FALSE(tiny().begins_word(0));
  EXPECT_THROW(tiny().piece(-1), ArgumentError);
  EXPECT_THROW(tiny().begins_word(240), ArgumentError);
}

TEST(Tokenizer, WhiteSpaceBelongsToTheTokenAfterIt) {
  EXPECT_EQ(surfaces(tiny().encode("  the   cat \n")), (Surfaces{"  the", "   cat \n"}));
  EXPECT_EQ(surfaces(tiny().encode("cat\u00a0cat")), (Surfaces{"cat", "\u00a0cat"}));
}

TEST(Tokenizer, NormalisedCharactersMapBack) {
  // ﬁ is read as fi, ½ as 1⁄2, the soft hyphen not at all.
  const std::string text = "\ufb01 \u00bd ca\u00adt";
  const Annotation annotation = tiny().encode(text);
  expect_tiles(annotation);
  EXPECT_EQ(annotation.text, text);
  std::string joined;
  for (const std::string& surface : surfaces(annotation)) joined += surface;
  EXPECT_EQ(joined, text);
  std::vector<std::int32_t> plain = ids_of(tiny().encode("fi 1\u20442 cat"));
  EXPECT_EQ(ids_of(annotation), plain);
}

TEST(Tokenizer, BlankTextHasNoTokens) {
  for (const char* blank : {"", " ", "\n\t \u00a0", "\u200b", " \u00ad "}) {
    const Annotation annotation = tiny().encode(blank);
    EXPECT_EQ(annotation.text, blank);
    if (!annotation.tokens.empty()) expect_tiles(annotation);
  }
  EXPECT_TRUE(tiny().encode("").tokens.empty());
  EXPECT_TRUE(tiny().encode(" \n ").tokens.empty());
}

TEST(Tokenizer, IllFormedBytesKeepTheirRanges) {
  const std::string text = "the \xE2\x96\xFF cat";
  const Annotation annotation = tiny().encode(text);
  expect_tiles(annotation);
  EXPECT_EQ(annotation.text, text);
  EXPECT_EQ(surfaces(annotation).front(), "the");
  EXPECT_EQ(surfaces(annotation).back(), " cat");
}

bool knows(const Annotation& annotation) {
  return std::ranges::none_of(annotation.tokens, [](const Token& token) { return token.id == tiny().unk(); });
}

TEST(Tokenizer, UnknownSignsAreReadAsWhatIsKnown) {
  const std::string text = "the {cat} \u2014 \u201cthe \u2192 cat\u2019\u201d \U0001F600";
  ASSERT_FALSE(knows(tiny().encode(text)));
  const Annotation known = tiny().encode_known(text);
  EXPECT_TRUE(knows(known));
  EXPECT_EQ(known.text, text);
  expect_tiles(known);
  // What the model has of the simple forms it reads as such, the rest as white space.
  const auto simple = [](std::string_view sign) { return knows(tiny().encode(sign)) ? std::string(sign) : " "; };
  EXPECT_EQ(ids_of(known), ids_of(tiny().encode("the  cat  " + simple("-") + " " + simple("\"") + "the   cat" + simple("'") + simple("\""))));
  for (const std::string same : {"the cat, the cat.", "", " ", "the \u4e2d cat", "\xFF\xE2\x96"}) {
    EXPECT_EQ(ids_of(tiny().encode_known(same)), ids_of(tiny().encode(same))) << same;
  }
  expect_tiles(tiny().encode_known("\xFF{\xE2\x96"));
  EXPECT_FALSE(knows(tiny().encode_known("the \u4e2d cat")));
  EXPECT_TRUE(tiny().encode_known("{}").tokens.empty());
}

TEST(Tokenizer, TokensTileAnyBytes) {
  testing::RandomText random(1);
  for (int round = 0; round < 3000; ++round) {
    const std::string text = random(random.below(40), round % 2 == 0);
    const Annotation annotation = round % 3 ? tiny().encode(text) : tiny().encode_known(text);
    ASSERT_EQ(annotation.text, text);
    expect_tiles(annotation);
    for (const Token& token : annotation.tokens) {
      // No token ends inside a character.
      const std::size_t end = token.range.end;
      std::size_t at = 0;
      while (at < end) at += utf8_char(std::string_view(text).substr(at)).length;
      ASSERT_EQ(at, end) << text;
    }
  }
}

TEST(Tokenizer, DecodesWhatItEncodes) {
  for (const char* text : {"the cat sees the dog.", "Où est le chat ?", "l'eau", "a"}) {
    const Annotation decoded = tiny().decode(ids_of(tiny().encode(text)));
    EXPECT_EQ(decoded.text, text);
    expect_tiles(decoded);
    EXPECT_EQ(surfaces(decoded), surfaces(tiny().encode(text)));
  }
}

TEST(Tokenizer, DecodingKeepsOneRangeAnId) {
  const std::int32_t cat = tiny().encode("the cat").tokens.back().id;
  const std::int32_t comma = tiny().encode("cat,").tokens.back().id;
  const std::vector<std::int32_t> ids = {cat, tiny().eos(), comma, tiny().unk(), cat};
  const Annotation decoded = tiny().decode(ids);
  EXPECT_EQ(decoded.text, "cat, \u2047  cat");
  EXPECT_EQ(surfaces(decoded), (Surfaces{"cat", "", ",", " \u2047 ", " cat"}));
  EXPECT_EQ(ids_of(decoded), ids);
  const std::vector<std::string> unknown = {" R&D"};
  const Annotation spelled = tiny().decode(ids, unknown);
  EXPECT_EQ(spelled.text, "cat, R&D cat");
  EXPECT_EQ(surfaces(spelled), (Surfaces{"cat", "", ",", " R&D", " cat"}));
  EXPECT_TRUE(tiny().decode({}).text.empty());
  EXPECT_THROW(tiny().decode(std::vector<std::int32_t>{3, 240}), ArgumentError);
  try {
    tiny().decode(std::vector<std::int32_t>{-1});
    FAIL();
  } catch (const ArgumentError& error) {
    EXPECT_STREQ(error.what(), "tokenizer: id is -1, expected 0 to 239");
  }
}

TEST(Tokenizer, DecodingAnyIdsTiles) {
  testing::RandomText random(2);
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::int32_t> ids(random.below(30));
    for (std::int32_t& id : ids) id = static_cast<std::int32_t>(random.below(tiny().size()));
    const Annotation decoded = tiny().decode(ids);
    ASSERT_EQ(ids_of(decoded), ids);
    expect_tiles(decoded);
    ASSERT_EQ(utf8_valid_up_to(decoded.text), decoded.text.size());
  }
}

// Long texts are read in parts, and the cuts at white space must not show.
TEST(Tokenizer, PartsOfALongTextGiveTheTokensOfTheWhole) {
  testing::RandomText random(3);
  std::string text;
  std::vector<std::int32_t> wanted;
  while (text.size() < 60'000) {
    static const char* const kWords[] = {"cat",   "l'eau",      "maison,", "où",     "don't",
                                         "1984.", "\U0001f600", "jardin",  "x\u00e9"};
    const std::string word = kWords[random.below(std::size(kWords))];
    for (const std::int32_t id : ids_of(tiny().encode(word))) wanted.push_back(id);
    text += word + (random.below(9) == 0 ? "\n  " : " ");
  }
  const Annotation annotation = tiny().encode(text);
  EXPECT_EQ(ids_of(annotation), wanted);
  expect_tiles(annotation);
}

TEST(Tokenizer, LongTextWithoutSpacesIsLinear) {
  for (const char* unit : {"\U0001f600", "a", "é", "\xff", "\u00ad"}) {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += unit;
    const Annotation annotation = tiny().encode(text);
    expect_tiles(annotation);
  }
}

TEST(Tokenizer, Moves) {
  Tokenizer first(tiny_model());
  const std::string_view piece = first.piece(50);
  Tokenizer second = std::move(first);
  EXPECT_EQ(second.piece(50).data(), piece.data());
}

// --- Models made by hand -------------------------------------------------------------------------------

std::string message_of(std::span<const std::byte> model) {
  try {
    const Tokenizer tokenizer(model);
    // Whatever was accepted must also work.
    for (const char* text : {"the cat", "\u00bd \ufb01e\u0301 \U0001f600", "\xff"}) {
      const Annotation annotation = tokenizer.encode(text);
      tokenizer.decode(ids_of(annotation));
    }
  } catch (const FormatError& error) {
    EXPECT_STREQ(error.code(), "format");
    return error.what();
  }
  return "no error";
}

std::string message_of(std::string_view model) {
  return message_of(std::as_bytes(std::span(model.data(), model.size())));
}

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>((value & 0x7F) | 0x80);
  return bytes + static_cast<char>(value);
}
std::string field(int number, std::string_view bytes) {
  return varint(static_cast<std::uint64_t>(number) << 3 | 2) + varint(bytes.size()) + std::string(bytes);
}
std::string number_field(int number, std::uint64_t value) {
  return varint(static_cast<std::uint64_t>(number) << 3) + varint(value);
}
// A ModelProto.SentencePiece; types: 1 normal, 2 unknown, 3 control, 4 user-defined.
std::string piece(std::string_view text, int type) {
  return field(1, field(1, text) + number_field(3, static_cast<std::uint64_t>(type)));
}
const std::string kSymbols = piece("<unk>", 2) + piece("</s>", 3);

// SentencePiece by itself reads each ill-formed byte as one; E2 96 is one maximal subpart, FF another.
TEST(Tokenizer, AMaximalIllFormedSubpartIsOneReplacementCharacter) {
  const std::string model = kSymbols + piece("\u2581", 1) + piece("\ufffd", 1);
  const Tokenizer tokenizer(std::as_bytes(std::span(model.data(), model.size())));
  const Annotation annotation = tokenizer.encode("\xE2\x96\xFF");
  EXPECT_EQ(ids_of(annotation), (std::vector<std::int32_t>{2, 3, 3}));
  EXPECT_EQ(surfaces(annotation), (Surfaces{"", "\xE2\x96", "\xFF"}));
}

TEST(TokenizerHostile, TheSmallestModelIsFine) {
  EXPECT_EQ(message_of(kSymbols + piece("a", 1)), "no error");
  EXPECT_EQ(message_of(kSymbols + piece("a", 1) + field(2, number_field(3, 2))), "no error");  // BPE
}

// Protocol buffers' own parser keeps the low 32 bits of a tag: to it, this one is field 2, the model type that is checked here.
TEST(TokenizerHostile, ATagOfMoreThan32BitsIsRefused) {
  const std::string tag = varint((std::uint64_t{1} << 32) | (2 << 3 | 2)), type = number_field(3, 4);
  EXPECT_NE(message_of(kSymbols + piece("a", 1) + tag + varint(type.size()) + type).find("no such field"), std::string::npos);
}

TEST(Tokenizer, KnowsWhatStandsForAByteAndWhatForNothing) {
  std::string model = kSymbols + piece("a", 1) + piece("\u2581", 1);
  for (int i = 0; i < 256; ++i) {
    const char* digits = "0123456789ABCDEF";
    model += piece(std::string("<0x") + digits[i / 16] + digits[i % 16] + '>', 6);
  }
  model += field(2, number_field(35, 1));  // byte_fallback
  const Tokenizer tokenizer(std::as_bytes(std::span(model.data(), model.size())));
  const auto which = [&](bool (Tokenizer::*is)(std::int32_t) const) {
    std::string ids;
    for (std::int32_t id = 0; id < 5; ++id) ids += (tokenizer.*is)(id) ? '1' : '0';
    return ids;
  };
  EXPECT_EQ(which(&Tokenizer::is_byte), "00001");
  EXPECT_EQ(which(&Tokenizer::is_control), "01000");
  EXPECT_THROW((void)tokenizer.is_byte(260), ArgumentError);
  EXPECT_THROW((void)tokenizer.is_control(-1), ArgumentError);
}

TEST(TokenizerHostile, NamesWhatIsMissing) {
  EXPECT_NE(message_of("").find("tokenizer: SentencePiece refuses the model"), std::string::npos);
  EXPECT_NE(message_of(piece("</s>", 3) + piece("a", 1)).find("unk is not defined"), std::string::npos);
  EXPECT_EQ(message_of(piece("<unk>", 2) + piece("a", 1)), "tokenizer: the model has no end-of-sentence symbol");
  EXPECT_NE(message_of("not a model"), "no error");
  EXPECT_EQ(message_of(kSymbols + piece("a", 1) + field(2, number_field(3, 4))),
            "tokenizer: its type is 4, expected 1 (unigram) or 2 (BPE)");
  EXPECT_EQ(message_of(kSymbols + piece("a", 1) + field(5, field(2, "x"))),
            "tokenizer: it has a denormaliser, not supported");
  EXPECT_EQ(message_of(kSymbols + piece("a\0b"sv, 1)), "tokenizer: a piece holds a NUL");
  EXPECT_EQ(message_of("\x0a\x7f..."),
            "tokenizer: not a SentencePiece model, or cut short: a field of 127 bytes where 3 are left");
}

TEST(TokenizerHostile, NestedUserDefinedSymbolsHaveALimit) {
  std::string model = kSymbols + piece("b", 1);
  for (std::size_t length = 1; length <= 64; ++length) model += piece(std::string(length, 'a'), 4);
  EXPECT_EQ(message_of(model), "no error");
  model += piece(std::string(65, 'a'), 4);
  EXPECT_EQ(message_of(model), "tokenizer: its user-defined symbols nest more than 64 deep");
}

// A character map of one block: units as SentencePiece's double array has them.
std::string character_map(const std::vector<std::uint32_t>& units, std::string_view strings) {
  std::string bytes;
  const auto put = [&](std::uint32_t value) {
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
  };
  put(static_cast<std::uint32_t>(units.size() * 4));
  for (const std::uint32_t unit : units) put(unit);
  return bytes.append(strings);
}
std::string with_map(std::string_view map) { return kSymbols + piece("a", 1) + field(3, field(2, map)); }

constexpr std::uint32_t kLeafFlag = 1U << 8;
constexpr std::uint32_t kValueFlag = 1U << 31;
std::uint32_t unit(std::uint32_t offset, char label, bool leaf) {
  return offset << 10 | (leaf ? kLeafFlag : 0) | static_cast<unsigned char>(label);
}

// "a" becomes `strings` from `value` on. Root at 0 with base 1; "a" at 1 ^ 'a' with its leaf at
// `base`.
std::vector<std::uint32_t> one_rule(std::uint32_t value) {
  std::vector<std::uint32_t> units(256, 0x7F);
  const std::uint32_t base = 2;
  units[0] = unit(1, 0, false);
  units[1 ^ 'a'] = unit((1 ^ 'a') ^ base, 'a', true);
  units[base] = kValueFlag | value;
  return units;
}

TEST(TokenizerHostile, ACharacterMapOfOneRuleWorks) {
  const std::string model = kSymbols + piece("bc", 1) + field(3, field(2, character_map(one_rule(0), "bc\0"sv)));
  const Tokenizer tokenizer(std::as_bytes(std::span(model.data(), model.size())));
  EXPECT_EQ(ids_of(tokenizer.encode("aa")), (std::vector<std::int32_t>{0, 2, 2}));  // "▁" is unknown
}

TEST(TokenizerHostile, ACharacterMapMustStayInside) {
  const auto message = [](const std::vector<std::uint32_t>& units, std::string_view strings = "x\0"sv) {
    return message_of(with_map(character_map(units, strings)));
  };
  EXPECT_EQ(message(one_rule(0)), "no error");
  EXPECT_EQ(message(one_rule(1)), "no error");
  EXPECT_EQ(message(one_rule(2)), "tokenizer: its character map points outside its strings");
  EXPECT_EQ(message(one_rule(0x7FFFFFFF)), "tokenizer: its character map points outside its strings");
  EXPECT_EQ(message(one_rule(0), "xy"), "tokenizer: its character map does not end with a NUL");

  std::vector<std::uint32_t> units = one_rule(0);
  units[0] = unit(256, 0, false);
  EXPECT_EQ(message(units), "tokenizer: its character map points outside itself");
  units[0] = unit(256, 0, false) | kValueFlag;  // the root is followed whatever its flag says
  EXPECT_EQ(message(units), "tokenizer: its character map points outside itself");
  units = one_rule(0);
  units[1 ^ 'a'] = unit((1U << 21) - 1, 'a', false);
  EXPECT_EQ(message(units), "tokenizer: its character map points outside itself");

  units.resize(255);
  EXPECT_NE(message(units).find("expected a multiple of 1024"), std::string::npos);
  EXPECT_NE(message({}), "no error");
  EXPECT_EQ(message_of(with_map("\x01\x02")), "tokenizer: its character map is cut short");
  EXPECT_NE(message_of(with_map("\xff\xff\xff\xff....")), "no error");
}

TEST(TokenizerHostile, ACharacterMapMatchesAtMost32Prefixes) {
  // "a", "aa", "aaa", ... all have rules: unit i's base is 2i, its child "a" at 2i ^ 'a'.
  const auto chain = [](std::size_t length, bool loop) {
    std::vector<std::uint32_t> units(256 * 256, 0x7F);
    std::uint32_t at = 0;
    std::uint32_t base = 1U << 8;
    units[0] = unit(base, 0, false);
    for (std::size_t i = 0; i < length; ++i) {
      at = base ^ 'a';
      const std::uint32_t next = i + 1 == length && loop ? base : base + 256;
      units[at] = unit(at ^ next, 'a', true);
      units[next] = kValueFlag;
      base = next;
    }
    return message_of(with_map(character_map(units, "x\0"sv)));
  };
  EXPECT_EQ(chain(32, false), "no error");
  EXPECT_EQ(chain(33, false), "tokenizer: its character map nests more than 32 rules");
  EXPECT_EQ(chain(1, true), "tokenizer: its character map nests more than 32 rules");
}

TEST(TokenizerHostile, EveryTruncationIsAnErrorOrAWorkingModel) {
  const std::vector<std::byte> model = tiny_model();
  for (std::size_t length = 0; length < model.size(); ++length) {
    const std::vector<std::byte> cut(model.begin(), model.begin() + static_cast<std::ptrdiff_t>(length));
    message_of(cut);
  }
}

TEST(TokenizerHostile, EveryFlippedBitIsAnErrorOrAWorkingModel) {
  std::vector<std::byte> model = tiny_model();
  testing::RandomText random(4);
  std::size_t refused = 0;
  for (std::size_t i = 0; i < model.size(); ++i) {
    const std::byte flip = static_cast<std::byte>(1U << random.below(8));
    model[i] ^= flip;
    if (message_of(model) != "no error") ++refused;
    model[i] ^= flip;
  }
  EXPECT_GT(refused, 100U);
}

}  // namespace
}  // namespace softalign
