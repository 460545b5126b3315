#pragma once

#include <string_view>
#include <vector>

namespace softalign {

// The sentences of a text by ICU's rules for `locale` (JavaScript's Intl.Segmenter follows the same
// ones), each with the white space and the line break after it: concatenated they are the text.
// A line break always ends a sentence. `utf8` may be ill-formed. Throws ArgumentError if ICU does
// not know the locale at all.
std::vector<std::string_view> split_sentences(std::string_view utf8, const char* locale = "en");

}  // namespace softalign
