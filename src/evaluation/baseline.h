#pragma once

#include <span>
#include <string>

#include "evaluation/gold_corpus.h"
#include "evaluation/ibm_model1.h"

namespace softalign {

// What attention is measured against: IBM model 1 trained on the model's own sentence pairs, English
// to French. Both know the same: natural text. Its words are plain_words() in lower case, in training
// and on the gold's texts; its links go to the gold's words by the bytes they share.
class BaselineAligner {
 public:
  // Throws ArgumentError if the two are not of one length or hold no words.
  BaselineAligner(std::span<const std::string> english, std::span<const std::string> french, int iterations = 5);

  Alignment align(const GoldPair& pair) const;

 private:
  IbmModel1 model_;
};

}  // namespace softalign
