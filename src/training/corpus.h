#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/random.h"
#include "evaluation/word_aligner.h"
#include "models/translation_model.h"
#include "text/tokenizer.h"

namespace softalign::training {

// Without their ends, "\n" or "\r\n".
std::vector<std::string> read_lines(const std::filesystem::path& path);

struct TextPair {
  std::string source, target;
};

// Lines "source<TAB>target". Throws FormatError naming the line without exactly one tab, or without
// text on both sides.
std::vector<TextPair> read_pairs(const std::filesystem::path& path);

struct IdPair {
  std::vector<std::int32_t> source, target;  // without eos
  Alignment links = {};                      // between them, for models whose attention is taught
};
// With an aligner, links and all.
std::vector<IdPair> encode_pairs(const std::vector<TextPair>& pairs, const Tokenizer& tokenizer,
                                 const WordAligner* aligner = nullptr);

// What one epoch reads: pairs in batches of like length.
struct BatchSettings {
  std::size_t target_tokens = 1200;  // of a batch, counting eos and padding
  std::size_t longest = 100;         // longer pairs are left out
  // This share of the pairs is joined with another pair into one longer example, so that a model sees
  // long inputs even where data has few of them.
  double joined = 0;
};

using IdBatch = std::vector<IdPair>;
std::vector<IdBatch> make_batches(const std::vector<IdPair>& pairs, const BatchSettings& settings, Random& random);

// Pads and transposes; eos is appended to both sides. A target word with several links has an equal share of each.
models::Batch to_model_batch(std::span<const IdPair> pairs, std::int32_t eos);

}  // namespace softalign::training
