#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ops/loss.h"

// What training and everything after it know of a model that reads one text and says something about it,
// whatever its architecture: the next word, a masked word, a label of each word or of the whole.
namespace softalign::models {

// What the configs of all text models share.
struct TextInfo {
  std::string name = "unnamed";
  std::string language = "en";    // BCP 47
  std::size_t vocabulary = 4000;  // V
};

// Texts as a model reads them, time-major and padded: ids[t * B + b].
struct TextBatch {
  std::vector<std::int32_t> ids;      // [T, B], anything valid beyond a length
  std::vector<std::int32_t> lengths;  // B
  // The places asked about, t * B + b each, by models that say something about places.
  std::vector<std::int32_t> places;
  std::vector<std::int32_t> answers;  // one a place; without places one a text
};

template <class T>
class TextModel {
 public:
  virtual ~TextModel() = default;

  virtual const TextInfo& info() const = 0;
  // What it says about each place, or about each text: scores of the possible answers [.., answers]. The batch's
  // own answers are not looked at.
  virtual Var<T> logits(Graph<T>& g, const TextBatch& batch) const = 0;

  // Sum of the answers' cross entropy, times scale; see ops::cross_entropy.
  Var<T> loss(Graph<T>& g, const TextBatch& batch, double smoothing, double scale) const {
    return ops::cross_entropy(g, logits(g, batch), batch.answers, smoothing, scale);
  }
};

}  // namespace softalign::models
