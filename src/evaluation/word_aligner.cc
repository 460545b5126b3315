#include "evaluation/word_aligner.h"

#include <utility>

#include "core/error.h"
#include "core/utf8.h"

namespace softalign {
namespace {

constexpr std::size_t kStem = 5;
constexpr double kAgreement = 0.1;

std::vector<std::string> stems(std::string_view text, std::span<const ByteRange> ranges) {
  std::vector<std::string> words = lower_words(text, ranges);
  for (std::string& word : words) {
    std::size_t end = 0;
    for (std::size_t i = 0; i < kStem && end < word.size(); ++i) {
      end += utf8_char(std::string_view(word).substr(end)).length;
    }
    word.resize(end);
  }
  return words;
}

std::vector<WordPair> stem_pairs(std::span<const std::string> source, std::span<const std::string> target,
                                 Language source_language, Language target_language) {
  if (source.size() != target.size()) {
    throw ArgumentError("WordAligner: " + std::to_string(source.size()) + " source sentences, but " +
                        std::to_string(target.size()) + " target sentences");
  }
  std::vector<WordPair> pairs;
  pairs.reserve(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    pairs.push_back({stems(source[i], plain_words(source[i], source_language)),
                     stems(target[i], plain_words(target[i], target_language))});
  }
  return pairs;
}

std::vector<WordPair> turned(std::vector<WordPair> pairs) {
  for (WordPair& pair : pairs) std::swap(pair.source, pair.target);
  return pairs;
}

std::vector<ByteRange> ranges_of(const Annotation& annotation) {
  std::vector<ByteRange> ranges;
  ranges.reserve(annotation.tokens.size());
  for (const Token& token : annotation.tokens) ranges.push_back(token.range);
  return ranges;
}

}  // namespace

WordAligner::WordAligner(std::span<const std::string> source, std::span<const std::string> target,
                         Language source_language, Language target_language)
    : WordAligner(stem_pairs(source, target, source_language, target_language), source_language, target_language) {}

WordAligner::WordAligner(std::vector<WordPair> pairs, Language source_language, Language target_language)
    : source_language_(source_language),
      target_language_(target_language),
      forward_(pairs),
      backward_(turned(std::move(pairs))) {}

WordLinks WordAligner::align(std::string_view source, std::string_view target, Method method) const {
  WordLinks result{plain_words(source, source_language_), plain_words(target, target_language_), {}};
  const WordPair pair{stems(source, result.source), stems(target, result.target)};
  if (method == Method::kForward) {
    result.links = most_probable_links(forward_.posterior(pair), pair.source.size());
  } else if (method == Method::kBackward) {
    result.links = reversed(most_probable_links(backward_.posterior({pair.target, pair.source}), pair.target.size()));
  } else {
    result.links = agreed_links(forward_.posterior(pair), backward_.posterior({pair.target, pair.source}),
                                pair.source.size(), kAgreement);
  }
  return result;
}

Alignment WordAligner::align(const Annotation& source, const Annotation& target, Method method) const {
  const WordLinks words = align(source.text, target.text, method);
  return transfer_links(words.links, words.source, words.target, ranges_of(source), ranges_of(target));
}

}  // namespace softalign
