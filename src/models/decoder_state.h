#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "ops/graph.h"

namespace softalign::models {

// What a decoder carries from word to word, for each open hypothesis: `planes` rows of `width`
// numbers. A growing state keeps the rows of all words so far (keys and values of a transformer),
// the other kind only those of the last word (what a recurrent network carries).
struct StateShape {
  std::size_t planes = 1, width = 0;
  bool grows = false;
};

// The states of the open hypotheses of N source sentences, B of them, t words long; inference only. It
// starts empty: t = 0, and one hypothesis for each sentence.
//
// A word is one round: a decoder writes next(plane) for every plane and calls advance(), then the
// search calls select(). All views are contiguous whatever B is, so that ops need not know of
// strides; they are valid until the next select() or advance().
template <class T>
class DecoderState {
 public:
  // Takes memory from the graph's arena, once for `longest` words of `most` hypotheses: what a step
  // computes is to be given back by rewinding to a mark made after this.
  // Throws ArgumentError if that is more than can be addressed.
  DecoderState(Graph<T>& g, const StateShape& shape, std::size_t sentences, std::size_t longest, std::size_t most);

  std::size_t hypotheses() const { return hypotheses_; }  // B
  std::size_t words() const { return words_; }            // t
  std::size_t longest() const { return longest_; }
  // Which sentence each hypothesis translates, [B].
  std::span<const std::int32_t> sentences() const { return {sentences_, hypotheses_}; }

  // Where this word's rows are to be written, [B, width].
  Var<T> next(std::size_t plane) const { return view(plane, next_row(), {hypotheses_, shape_.width}); }
  // The rows of the word before, [B, width]. There must be one: t > 0.
  Var<T> last(std::size_t plane) const { return view(plane, last_row(), {hypotheses_, shape_.width}); }
  // A growing state's rows of all words, this one's included, [t + 1, B, width].
  Var<T> all(std::size_t plane) const { return view(plane, 0, {words_ + 1, hypotheses_, shape_.width}); }

  // This word's rows are written: t grows by one.
  void advance();

  // Hypothesis i becomes a copy of what hypothesis kept[i] was; B becomes kept.size(). A growing
  // state moves the rows of all words, in place; where every hypothesis stays what and where it is,
  // as in a greedy search, nothing is moved.
  // Throws ArgumentError if there are more than `most`, or if one is not among the B.
  void select(std::span<const std::size_t> kept);

 private:
  // Row numbers count hypotheses of the current B in a growing plane; the other kind has two slots
  // of `most` rows, the last word's and the next one's.
  std::size_t last_row() const { return shape_.grows ? (words_ - 1) * hypotheses_ : slot_ * most_; }
  std::size_t next_row() const { return shape_.grows ? words_ * hypotheses_ : (1 - slot_) * most_; }
  Var<T> view(std::size_t plane, std::size_t row, Shape shape) const {
    return {memory_ + plane * plane_size_ + row * shape_.width, nullptr, shape, nullptr};
  }

  StateShape shape_;
  std::size_t longest_, most_;
  std::size_t hypotheses_, words_ = 0;
  std::size_t slot_ = 0;
  std::size_t plane_size_ = 0;
  T* memory_ = nullptr;   // plane after plane
  T* scratch_ = nullptr;  // `most` rows, for a growing state to rearrange one word's in
  std::int32_t* sentences_ = nullptr;  // `most` of them, and as many to rearrange them in
};

extern template class DecoderState<float>;
extern template class DecoderState<double>;

}  // namespace softalign::models
