#pragma once

#include <cstddef>
#include <span>

namespace softalign {

// SentencePiece 0.1.97 follows the indices in a model file without looking where they lead, and
// ends the process where a CHECK fails. This walks the serialised ModelProto first and throws
// FormatError for every model on which that could happen:
//   - not a protocol buffer, or one with a model type other than unigram or BPE;
//   - a character map whose double array leaves its bounds, points outside the replacement strings,
//     or matches more prefixes of one text than the 32 SentencePiece has room for;
//   - more than 64 user-defined symbols, each a prefix of the next (room for 64);
//   - a piece with a NUL in it;
//   - a denormaliser (which would change a text after its ranges were set).
void check_sentencepiece_model(std::span<const std::byte> model);

}  // namespace softalign
