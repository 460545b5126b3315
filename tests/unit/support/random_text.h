#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "core/utf8.h"

namespace softalign::testing {

// Text meant to break text handling: words, rare scripts, emoji joined by U+200D, combining marks,
// every kind of white space, controls, NULs, U+2581; if wanted, also bytes that are no UTF-8.
class RandomText {
 public:
  explicit RandomText(std::uint64_t seed) : random_(seed) {}

  std::string operator()(std::size_t pieces, bool ill_formed) {
    std::string text;
    for (std::size_t i = 0; i < pieces; ++i) text += piece(ill_formed);
    return text;
  }

  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }

 private:
  std::string piece(bool ill_formed) {
    static const std::vector<std::string> kFixed = {"the",
                                                    " the",
                                                    "cat",
                                                    " l'eau",
                                                    "don't",
                                                    " été",
                                                    "\u00e0",
                                                    ".",
                                                    ",",
                                                    " !",
                                                    "  ",
                                                    "\t",
                                                    "\n",
                                                    "\r\n",
                                                    "\u00a0",
                                                    "\u202f",
                                                    "\u3000",
                                                    "\u2028",
                                                    "\ufb01",
                                                    "\u00bd",
                                                    "e\u0301",
                                                    "\u0301",
                                                    "\u00ad",
                                                    "\u200b",
                                                    "\u2581",
                                                    "\u2581the",
                                                    "\U0001f600",
                                                    "日本",
                                                    "\U0001f468\u200d\U0001f469",
                                                    "\u05d0",
                                                    "\u0416",
                                                    "\ufeff",
                                                    "\ufffd",
                                                    "\U0010ffff",
                                                    std::string(1, '\0'),
                                                    "\x01",
                                                    "\x7f",
                                                    "<unk>",
                                                    "</s>",
                                                    "«",
                                                    "»",
                                                    "-",
                                                    "'",
                                                    "1984",
                                                    "3.5"};
    static const std::vector<std::string> kIllFormed = {
        "\x80",     "\xff",     "\xc3",         "\xe2\x96",         "\xf0\x9f\x98", "\xed\xa0\x80",
        "\xc0\x80", "\xf5\x80", "\xe0\x80\x80", "\xf4\x90\x80\x80", "\xbf\xbf"};
    const std::size_t kind = below(ill_formed ? 12 : 10);
    if (kind >= 10) return kIllFormed[below(kIllFormed.size())];
    if (kind < 8) return kFixed[below(kFixed.size())];
    std::uint32_t code = 0;
    do code = static_cast<std::uint32_t>(below(kind == 8 ? 0x300 : 0x110000));
    while (code >= 0xD800 && code <= 0xDFFF);
    std::string text;
    append_utf8(text, code);
    return text;
  }

  std::mt19937_64 random_;
};

}  // namespace softalign::testing
