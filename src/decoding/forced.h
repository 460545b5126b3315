#pragma once

#include "decoding/beam_search.h"

namespace softalign::decoding {

// Forced decoding: the model says `target` (without eos) and then eos. Traced, all heads on request.
enum class Heads { kLeaveOut, kKeep };
Hypothesis force(Graph<float>& g, const models::TranslationModel<float>& model, std::span<const std::int32_t> source,
                 std::span<const std::int32_t> target, std::int32_t eos, Heads heads = Heads::kLeaveOut,
                 const models::Edits* edits = nullptr);

}  // namespace softalign::decoding
