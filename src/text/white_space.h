#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace softalign {

// Unicode's White_Space property and U+001C to U+001F: what Python's str.split() splits at.
bool is_white_space(std::uint32_t code);

// The parts between white space; none is empty. Views into `text`.
std::vector<std::string_view> split_white_space(std::string_view text);

}  // namespace softalign
