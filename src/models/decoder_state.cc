#include "models/decoder_state.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

namespace softalign::models {
namespace {

// rows[i] = from[kept[i]]
template <class T>
void gather(const T* from, std::span<const std::size_t> kept, std::size_t width, T* rows) {
  for (std::size_t i = 0; i < kept.size(); ++i) std::copy_n(from + kept[i] * width, width, rows + i * width);
}

}  // namespace

template <class T>
DecoderState<T>::DecoderState(Graph<T>& g, const StateShape& shape, std::size_t sentences, std::size_t longest,
                              std::size_t most)
    : shape_(shape), longest_(longest), most_(std::max(most, sentences)), hypotheses_(sentences) {
  const std::size_t rows = shape.grows ? longest : 2;
  // a long text and a wide beam overflow 32 bits before memory runs out
  std::size_t left = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T);
  for (const std::size_t factor : {shape.planes, rows, most_, shape.width}) left /= std::max<std::size_t>(factor, 1);
  if (left == 0) {
    throw ArgumentError("DecoderState: " + std::to_string(shape.planes) + " planes of " +
                        Shape{rows, most_, shape.width}.to_string() + " are expected to fit into memory");
  }
  plane_size_ = rows * most_ * shape.width;
  memory_ = g.template scratch<T>(shape.planes * plane_size_);
  if (shape.grows) scratch_ = g.template scratch<T>(most_ * shape.width);
  sentences_ = g.template scratch<std::int32_t>(2 * most_);
  std::iota(sentences_, sentences_ + sentences, 0);
}

template <class T>
void DecoderState<T>::advance() {
  ++words_;
  slot_ = 1 - slot_;
}

template <class T>
void DecoderState<T>::select(std::span<const std::size_t> kept) {
  if (kept.size() > most_) {
    throw ArgumentError("DecoderState: " + std::to_string(kept.size()) + " hypotheses are selected, expected at most " +
                        std::to_string(most_));
  }
  bool moved = kept.size() != hypotheses_;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i] >= hypotheses_) {
      throw ArgumentError("DecoderState: hypothesis " + std::to_string(kept[i]) + " is selected, expected one of " +
                          std::to_string(hypotheses_));
    }
    moved |= kept[i] != i;
  }
  if (!moved) return;
  const std::size_t width = shape_.width, from = hypotheses_ * width, to = kept.size() * width;
  for (std::size_t plane = 0; plane < shape_.planes; ++plane) {
    if (!shape_.grows) {
      if (words_ > 0) gather(last(plane).value, kept, width, next(plane).value);
      continue;
    }
    T* rows = memory_ + plane * plane_size_;
    // Words move towards the front where hypotheses become fewer, and away from it where they become
    // more: in that order none is overwritten before it was moved.
    for (std::size_t i = 0; i < words_; ++i) {
      const std::size_t word = to > from ? words_ - 1 - i : i;
      gather(rows + word * from, kept, width, scratch_);
      std::copy_n(scratch_, to, rows + word * to);
    }
  }
  gather(sentences_, kept, 1, sentences_ + most_);
  std::copy_n(sentences_ + most_, kept.size(), sentences_);
  slot_ = 1 - slot_;
  hypotheses_ = kept.size();
}

template class DecoderState<float>;
template class DecoderState<double>;

}  // namespace softalign::models
