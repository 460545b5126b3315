#include "core/utf8.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace softalign {
namespace {

using namespace std::literals;

// The replacement of maximal subparts, as the Unicode Standard 15 shows it in table 3-8 (section
// 3.9): where U+FFFD stand for ill-formed bytes, one for each length here.
std::vector<std::size_t> lengths(std::string_view text) {
  std::vector<std::size_t> result;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Char next = utf8_char(text.substr(at));
    EXPECT_EQ(next.code == 0xFFFD, !next.well_formed);
    result.push_back(next.length);
    at += next.length;
  }
  return result;
}
using Lengths = std::vector<std::size_t>;

TEST(Utf8, CutsTheStandardsExamplesIntoMaximalSubparts) {
  // Table 3-8, 3-9, 3-10 and 3-11.
  EXPECT_EQ(lengths("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41"), Lengths(9, 1));
  EXPECT_EQ(lengths("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41"), Lengths(9, 1));
  EXPECT_EQ(lengths("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42"), Lengths(9, 1));
  EXPECT_EQ(lengths("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"), (Lengths{2, 1, 3, 2, 1}));
}

TEST(Utf8, StopsAtTheEndOfTheText) {
  for (const char* whole : {"\xC3\xA9", "\xE2\x96\x81", "\xF0\x9F\x98\x80"}) {
    const std::string_view text = whole;
    EXPECT_TRUE(utf8_char(text).well_formed);
    for (std::size_t length = 1; length < text.size(); ++length) {
      const Utf8Char cut = utf8_char(text.substr(0, length));
      EXPECT_FALSE(cut.well_formed);
      EXPECT_EQ(cut.length, length);
    }
  }
}

TEST(Utf8, ReadsBackEveryCharacterItWrites) {
  for (std::uint32_t code = 0; code < 0x110000; ++code) {
    if (code >= 0xD800 && code <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, code);
    const Utf8Char read = utf8_char(text + "x");
    ASSERT_EQ(read.code, code);
    ASSERT_EQ(read.length, text.size());
    ASSERT_TRUE(read.well_formed);
  }
}

TEST(Utf8, FindsTheFirstIllFormedByte) {
  EXPECT_EQ(utf8_valid_up_to(""), 0U);
  EXPECT_EQ(utf8_valid_up_to("d\u00e9j\u00e0 \U0001f600"), 11U);
  EXPECT_EQ(utf8_valid_up_to("d\u00e9\xE2\x96j"), 3U);
  EXPECT_EQ(utf8_valid_up_to("a\0b\xff"sv), 3U);
}

}  // namespace
}  // namespace softalign
