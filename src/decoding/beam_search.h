#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/translation_model.h"

namespace softalign::decoding {

// One finished hypothesis.
struct Hypothesis {
  std::vector<std::int32_t> ids;  // without the end-of-sentence word
  std::vector<float> log_probability;  // of each id, then of the end of the sentence
  // [ids + 1, S] if traced: where each word was aligned to. Of a decoder whose alignment is shifted, a word's row
  // is that of the step that reads it; the end of the sentence is read by none and has that of the last word.
  std::vector<float> attention;
  // [layers heads, ids + 1, S] if asked for: every cross-attention of a transformer, each row that of the step
  // that predicts the word.
  std::vector<float> heads;
  double score = 0;               // sum of log_probability / (ids + 1)^length_penalty
};

struct SearchSettings {
  std::size_t beam = 1;
  double length_penalty = 1;
  std::size_t longest = 100;  // ids; a hypothesis that reaches it is ended there
  std::int32_t eos = 1;
  std::int32_t unknown = 0;  // never produced
  bool trace = false;
};

// Beam search (Sutskever et al. 2014) with scores divided by length^length_penalty (Wu et al. 2016
// without the constants). A hypothesis that ends leaves the beam, which narrows by one; the search is
// over when none is open. With beam 1 it is greedy.
// `source` ends with eos. Graph memory used is given back before returning.
Hypothesis search(Graph<float>& g, const models::TranslationModel<float>& model,
                  std::span<const std::int32_t> source, const SearchSettings& settings);

// Forced decoding: the model says `target` (without eos) and then eos. Traced, the heads on request.
enum class Heads { kLeaveOut, kKeep };
Hypothesis force(Graph<float>& g, const models::TranslationModel<float>& model, std::span<const std::int32_t> source,
                 std::span<const std::int32_t> target, std::int32_t eos, Heads heads = Heads::kLeaveOut);

}  // namespace softalign::decoding
