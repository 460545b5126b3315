#pragma once

#include <cstddef>
#include <span>

#include "evaluation/alignment.h"

namespace softalign {

// One alignment of two, that of a model of target given source (each target word has one link at most)
// and that of its opposite. Both say source first. intersection <= grow-diag <= grow-diag-final-and <= union.
enum class Symmetrisation {
  kIntersection,
  kUnion,
  // Koehn, Och & Marcu 2003: from the intersection, take links of the union next to links taken
  // (sideways, up, down, diagonally) that bring a word not linked yet, until none is left.
  kGrowDiag,
  // Then links of either direction, forward's first, whose words are both not linked yet.
  kGrowDiagFinalAnd,
};

// Links are taken in their order, by source and target. Costs as much as a grid of the words.
Alignment symmetrise(const Alignment& forward, const Alignment& backward, Symmetrisation how);

// The links both directions believe in (Liang, Taskar & Klein 2006): forward's posterior, [target, source],
// times backward's, [source, target], is above `threshold`. Throws ArgumentError if their sizes differ
// or are no rows of source_words.
Alignment agreed_links(std::span<const double> forward, std::span<const double> backward, std::size_t source_words,
                       double threshold);

// Each target word's most probable source word (the first of equals), unless NULL, with what is missing
// to 1, is as probable. `posterior` is [target words, source_words].
Alignment most_probable_links(std::span<const double> posterior, std::size_t source_words);

// The same links, seen from the other side.
Alignment reversed(const Alignment& alignment);

}  // namespace softalign
