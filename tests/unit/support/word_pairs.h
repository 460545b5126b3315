#pragma once

#include <string>
#include <vector>

#include "core/random.h"
#include "evaluation/translation_table.h"

namespace softalign::testing {

// Sentence pairs of 1 to `longest` words a side, out of ten words of each language; some words repeat.
inline std::vector<WordPair> random_pairs(Random& random, std::size_t count, std::size_t longest) {
  const auto sentence = [&](char first) {
    std::vector<std::string> words(1 + random.below(longest));
    for (std::string& word : words) word = static_cast<char>(first + static_cast<char>(random.below(10)));
    return words;
  };
  std::vector<WordPair> pairs(count);
  for (WordPair& pair : pairs) pair = {sentence('a'), sentence('A')};
  return pairs;
}

}  // namespace softalign::testing
