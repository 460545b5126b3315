#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/annotation.h"

namespace softalign {

// One pair of words, counted from 0.
struct Link {
  std::uint32_t source = 0;
  std::uint32_t target = 0;

  friend auto operator<=>(const Link&, const Link&) = default;
};

// Ascending by source, then target; no link twice.
using Alignment = std::vector<Link>;

// "0-0 1-2 2-1": Pharaoh's format, source first. parse_pharaoh() sorts, and throws FormatError
// naming the piece it cannot read.
Alignment parse_pharaoh(std::string_view line);
std::string to_pharaoh(const Alignment& alignment);

// What people say: links all of them agreed on, and links that are fine to have or to leave.
struct GoldAlignment {
  Alignment sure;
  Alignment possible;  // holds the sure ones too
};

// "0-0 1p2": '-' sure, 'p' possible. `first` is the number of the first word, 0 or 1.
GoldAlignment parse_gold(std::string_view line, std::uint32_t first);

// Och & Ney 2003, with A the links found, S the sure and P the possible ones, over all sentences:
//
//   precision = |A and P| / |A|    recall = |A and S| / |S|
//   error     = 1 - (|A and S| + |A and P|) / (|A| + |S|)
//
// All are 0 .. 1. With no links found precision is 1, with no sure ones recall is 1, with neither
// error is 0.
struct AlignmentScore {
  double error = 0;
  double precision = 0;
  double recall = 0;
  std::size_t found = 0;  // |A|
  std::size_t sure = 0;   // |S|
};

// Throws ArgumentError if the two are not of one length.
AlignmentScore alignment_error_rate(std::span<const Alignment> found, std::span<const GoldAlignment> gold);

// For each target word the source word with the most weight (the first of equals), if it has any.
// `weights` is [target words, source_words], row-major: attention between words.
Alignment strongest_links(std::span<const float> weights, std::size_t source_words);

// The same alignment between other words of the same two texts: a pair of new words is linked if a
// pair of old words is that shares bytes with them. All ranges are of one text a side.
Alignment transfer_links(const Alignment& alignment, std::span<const ByteRange> old_source,
                         std::span<const ByteRange> old_target, std::span<const ByteRange> new_source,
                         std::span<const ByteRange> new_target);

}  // namespace softalign
