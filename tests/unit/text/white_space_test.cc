#include "text/white_space.h"

#include <gtest/gtest.h>

namespace softalign {
namespace {

TEST(WhiteSpace, IsWhatPythonSplitsAt) {
  // [c for c in range(0x110000) if chr(c).isspace()]
  const std::vector<std::uint32_t> python = {9,      10,     11,     12,     13,     28,     29,     30,
                                             31,     32,     133,    160,    0x1680, 0x2000, 0x2001, 0x2002,
                                             0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200A,
                                             0x2028, 0x2029, 0x202F, 0x205F, 0x3000};
  std::vector<std::uint32_t> ours;
  for (std::uint32_t code = 0; code < 0x110000; ++code) {
    if (is_white_space(code)) ours.push_back(code);
  }
  EXPECT_EQ(ours, python);
}

TEST(WhiteSpace, SplitsIntoViews) {
  using Parts = std::vector<std::string_view>;
  EXPECT_EQ(split_white_space(""), Parts{});
  EXPECT_EQ(split_white_space(" \t\u3000"), Parts{});
  EXPECT_EQ(split_white_space("\u00a0a b\u2003\u2003c\xff\n"), (Parts{"a", "b", "c\xff"}));
}

}  // namespace
}  // namespace softalign
