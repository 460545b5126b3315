#include "text/utf16.h"

#include <gtest/gtest.h>

#include <string>

#include "core/error.h"
#include "unit/support/random_text.h"

namespace softalign {
namespace {

using Offsets = std::vector<std::uint32_t>;

TEST(Utf16Offsets, CountsCodeUnits) {
  // "aé€😀b": 1, 2, 3, 4 and 1 bytes; 1, 1, 1, 2 and 1 units.
  EXPECT_EQ(utf16_offsets("a\u00e9\u20ac\U0001f600b", Offsets{0, 1, 3, 6, 10, 11}), (Offsets{0, 1, 2, 3, 5, 6}));
}

TEST(Utf16Offsets, InsideACharacterIsItsStart) {
  EXPECT_EQ(utf16_offsets("a\U0001f600b", Offsets{1, 2, 3, 4, 5, 6}), (Offsets{1, 1, 1, 1, 3, 4}));
}

TEST(Utf16Offsets, AnIllFormedPartIsOneUnit) {
  // TextDecoder: "a\uFFFDb\uFFFD\uFFFDc".
  EXPECT_EQ(utf16_offsets("a\xE2\x96"
                          "b\xFF\xFF"
                          "c",
                          Offsets{1, 3, 4, 5, 6, 7}),
            (Offsets{1, 2, 3, 4, 5, 6}));
}

TEST(Utf16Offsets, NamesAnOffsetThatIsWrong) {
  EXPECT_TRUE(utf16_offsets("abc", {}).empty());
  EXPECT_THROW(utf16_offsets("abc", Offsets{4}), ArgumentError);
  try {
    utf16_offsets("abc", Offsets{2, 1});
    FAIL();
  } catch (const ArgumentError& error) {
    EXPECT_STREQ(error.what(), "utf16_offsets: offset 1 is 1, expected 2 to 3");
  }
}

// Another's arithmetic for well-formed text: the units before byte i are the bytes before it that
// are no continuation, and one more for each four-byte lead.
TEST(Utf16Offsets, AgreesWithCountingLeadBytes) {
  testing::RandomText random(16);
  for (int round = 0; round < 2000; ++round) {
    const std::string text = random(random.below(30), false);
    Offsets offsets;
    Offsets wanted;
    std::uint32_t units = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
      const bool inside = i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80;
      if (inside) continue;
      offsets.push_back(static_cast<std::uint32_t>(i));
      wanted.push_back(units);
      if (i < text.size()) units += static_cast<unsigned char>(text[i]) >= 0xF0 ? 2 : 1;
    }
    ASSERT_EQ(utf16_offsets(text, offsets), wanted) << text;
  }
}

}  // namespace
}  // namespace softalign
