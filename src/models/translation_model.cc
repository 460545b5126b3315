#include "models/translation_model.h"

#include <algorithm>

namespace softalign::models {

Sources::Sources(std::span<const std::span<const std::int32_t>> sentences) {
  const std::size_t N = sentences.size();
  for (const auto& sentence : sentences) longest = std::max(longest, sentence.size());
  for (const auto& sentence : sentences) lengths.push_back(static_cast<std::int32_t>(sentence.size()));
  ids.resize(longest * N);
  for (std::size_t n = 0; n < N; ++n) {
    for (std::size_t s = 0; s < longest; ++s) ids[s * N + n] = sentences[n][std::min(s, sentences[n].size() - 1)];
  }
}

}  // namespace softalign::models
