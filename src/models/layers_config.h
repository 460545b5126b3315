#pragma once

#include <cstddef>

#include "models/alignment_head.h"
#include "models/translation_model.h"

namespace softalign::models {

// What the configs of all encoder-decoders of layers with heads share.
struct LayersConfig : TranslationInfo {
  std::size_t width = 160;         // D
  std::size_t heads = 4;           // H
  std::size_t feed_forward = 640;  // F
  std::size_t encoder_layers = 3, decoder_layers = 2;
  AlignmentHead alignment = {0, 0, true};
  double dropout = 0.1;  // in training only
  double guidance = 0;   // in training only: weight of the loss that teaches the alignment head
};

}  // namespace softalign::models
