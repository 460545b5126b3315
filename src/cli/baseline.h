#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "evaluation/baseline.h"
#include "evaluation/word_aligner.h"
#include "training/corpus.h"

namespace softalign::cli {

// What attention is measured against: statistical aligners trained on lines of source<TAB>target.
class Baselines {
 public:
  explicit Baselines(const std::string& path);

  // Their alignments of a gold corpus, each with its name.
  std::vector<std::pair<std::string, std::vector<Alignment>>> align(const std::vector<GoldPair>& corpus) const;

  // The links of the pairs themselves, a line a pair: links<TAB>source words<TAB>target words.
  void write_links(const std::string& path) const;

 private:
  std::vector<std::string> source_;
  std::vector<std::string> target_;
  std::unique_ptr<BaselineAligner> model1_;
  std::unique_ptr<WordAligner> hmm_;
};

}  // namespace softalign::cli
