#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace softalign {

// JavaScript's string offsets (UTF-16 code units) of byte offsets into `utf8`, in one pass. The
// string is what TextDecoder makes of the bytes: each maximal ill-formed subpart one U+FFFD, so one
// unit. An offset inside a character counts as that character's start.
//
// `byte_offsets` must not descend, nor go beyond utf8.size(); otherwise ArgumentError.
std::vector<std::uint32_t> utf16_offsets(std::string_view utf8, std::span<const std::uint32_t> byte_offsets);

}  // namespace softalign
