#include "evaluation/baseline.h"

#include "core/error.h"

namespace softalign {
namespace {

std::vector<WordPair> word_pairs(std::span<const std::string> english, std::span<const std::string> french) {
  if (english.size() != french.size()) {
    throw ArgumentError("BaselineAligner: " + std::to_string(english.size()) + " English sentences, but " +
                        std::to_string(french.size()) + " French");
  }
  std::vector<WordPair> pairs;
  pairs.reserve(english.size());
  for (std::size_t i = 0; i < english.size(); ++i) {
    pairs.push_back({lower_words(english[i], plain_words(english[i], Language::kEnglish)),
                     lower_words(french[i], plain_words(french[i], Language::kFrench))});
  }
  return pairs;
}

}  // namespace

BaselineAligner::BaselineAligner(std::span<const std::string> english, std::span<const std::string> french,
                                 int iterations)
    : model_(word_pairs(english, french), iterations) {}

Alignment BaselineAligner::align(const GoldPair& pair) const {
  const std::vector<ByteRange> source = plain_words(pair.source.text, Language::kEnglish);
  const std::vector<ByteRange> target = plain_words(pair.target.text, Language::kFrench);
  const Alignment links = model_.align({lower_words(pair.source.text, source), lower_words(pair.target.text, target)});
  return transfer_links(links, source, target, pair.source.words, pair.target.words);
}

}  // namespace softalign
