#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evaluation/hmm_model.h"
#include "evaluation/natural_text.h"
#include "evaluation/symmetrise.h"
#include "text/annotation.h"

namespace softalign {

// The words of two texts, and which of them translate each other.
struct WordLinks {
  std::vector<ByteRange> source;  // plain_words()
  std::vector<ByteRange> target;
  Alignment links;
};

// Finds out which words translate each other from sentence pairs alone: two HMMs, one a direction,
// and the links that both believe in. To guide attention in training, and to measure it against.
//
// It reads natural text; its words are plain_words(), in lower case and cut to 5 characters, since a
// small corpus shows most forms of a word too seldom. Trained on the 153,000 pairs of tatoeba-en-fr in
// some 20 seconds of one core and 320 MB. The same pairs give the same links.
class WordAligner {
 public:
  enum class Method {
    kAgreed,    // posteriors' product above 0.1: the best
    kForward,   // each target word's most probable source word
    kBackward,  // each source word's most probable target word
  };

  // Throws ArgumentError if the two are not of one length or have no words.
  WordAligner(std::span<const std::string> source, std::span<const std::string> target,
              Language source_language = Language::kEnglish, Language target_language = Language::kFrench);

  // To get links between other ranges of the same texts, give them to transfer_links().
  WordLinks align(std::string_view source, std::string_view target, Method method = Method::kAgreed) const;

  // Links between tokens: all tokens of two words that are linked. A token of white space alone has none.
  Alignment align(const Annotation& source, const Annotation& target, Method method = Method::kAgreed) const;

 private:
  WordAligner(std::vector<WordPair> pairs, Language source_language, Language target_language);

  Language source_language_;
  Language target_language_;
  HmmModel forward_;
  HmmModel backward_;
};

}  // namespace softalign
