#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "ops/loss.h"

namespace softalign::models {

// Which cross-attention of a decoder with several layers and heads is shown as the alignment of a translation.
struct AlignmentHead {
  std::size_t layer = 0, head = 0;  // of the decoder, from 0
  // Whether a word's alignment is read one step later, when it is the decoder's input (Chen et al. 2020,
  // arXiv:2004.14837, "Shift-Att"), instead of where it is predicted.
  bool shifted = false;
};
// "LAYER:HEAD" or "LAYER:HEAD:shifted"; throws ArgumentError.
AlignmentHead alignment_head(const std::string& text);

// Throws ArgumentError unless the head is there.
void expect_head(const char* who, const AlignmentHead& head, std::size_t heads, std::size_t layers);

// One head's weights, of cross [B, H, S]: a copy [B, S].
template <class T>
Var<T> head_weights(Graph<T>& g, Var<T> cross, std::size_t head);

// loss + weight * the cross entropy between the links of a batch and the head's weights, in `cross` [B, H, T, S] of its
// layer (Garg et al. 2019, arXiv:1909.02074, 4.2); the loss itself without links or weight.
template <class T>
Var<T> add_guidance(Graph<T>& g, Var<T> loss, Var<T> cross, const AlignmentHead& head,
                    std::span<const ops::AlignmentTarget> links, double weight);

}  // namespace softalign::models
