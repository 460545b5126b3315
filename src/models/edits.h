#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "layers/transformer/transformer.h"
#include "models/alignment_head.h"
#include "models/translation_model.h"

namespace softalign::models {

// Who looks at whom: target words at source words, source words at each other, target words at those before them.
enum class HeadKind { kCross, kEncoder, kDecoder };
const char* head_kind_name(HeadKind kind);  // "cross", "encoder", "decoder"

// One head of a translation model's attentions, counted from 0. A recurrent model has one, the first of all.
struct Head {
  HeadKind kind = HeadKind::kCross;
  std::size_t layer = 0, head = 0;
};

// What the attentions of a trained model are made to do while it translates a sentence: what-if questions.
struct Edits {
  // What cross-attention looks at in one step, the one that predicts word `step` of the target.
  struct Row {
    std::size_t step = 0;
    std::vector<float> weights = {};          // one for each source word, the end included; scaled to sum to 1
    std::optional<Head> head = std::nullopt;  // of all cross-attentions if none is named
  };

  // Source words that no attention looks at: neither the decoder's nor a transformer's encoder's. (A recurrent
  // encoder has read them all the same.) What rows give them counts as 0.
  std::vector<std::size_t> mask = {};
  // Heads that look at nothing: their weights are 0, and so is what they bring.
  std::vector<Head> off = {};
  // Of two for the same step and head the later counts, and one for a head more than one for all.
  std::vector<Row> rows = {};
  // No attention: in every step all cross-attentions look at all source words alike, so that what the decoder sees
  // of the source is always the same, as in an encoder-decoder without attention (Cho et al. 2014). Rows count more.
  bool uniform = false;

  bool empty() const { return mask.empty() && off.empty() && rows.empty() && !uniform; }
};

// The attentions of a model.
struct AttentionCount {
  std::size_t cross = 0, encoder = 0, decoder = 0;  // layers that have one
  std::size_t heads = 1;                            // of each
};

// The edits of sentences that are read together, as layers take them. Costs nothing where there are none.
template <class T>
class EditedAttention {
 public:
  // Throws ArgumentError naming what a sentence does not have: a word, a head, all that could be looked at.
  EditedAttention(const Sources& sources, const AttentionCount& count);

  // What an attention is told; the memory is the graph's and this object's.
  ops::Steering<T> encoder(Graph<T>& g, std::size_t layer) const;
  ops::Steering<T> cross(Graph<T>& g, std::size_t layer, std::size_t step) const;
  // For hypotheses, of sentences `columns`, that look at `keys` words.
  ops::Steering<T> decoder(Graph<T>& g, std::size_t layer, std::span<const std::int32_t> columns, std::size_t keys) const;
  // One head's weights, of its layer's `cross` [B, H, S], as the alignment [B, S] of a step's hypotheses. Where a word's
  // alignment is read a step later, and the word was made to look somewhere, that is its alignment.
  Var<T> alignment(Graph<T>& g, Var<T> cross, const AlignmentHead& head, const DecoderState<T>& state) const;

 private:
  struct Row {
    std::size_t sentence, step;
    std::optional<Head> head;
    std::vector<T> weights;  // [S]
  };
  void read(std::size_t sentence, const Edits& edits, std::size_t length, const AttentionCount& count);
  bool is_off(std::size_t sentence, const Head& head) const;
  // The heads [N, H] of an attention, nullptr for those that are not off.
  const T** switched_off(Graph<T>& g, HeadKind kind, std::size_t layer, std::span<const std::int32_t> columns,
                         std::size_t keys) const;

  std::size_t longest_, heads_;
  std::vector<const Edits*> edits_;  // N, if there are any
  std::vector<unsigned char> mask_;  // [N, S], if there is one
  std::vector<Row> rows_;
  std::vector<std::vector<T>> uniform_;  // [S] of each sentence that has no attention, else empty
};

// x [S, B, D] through a transformer's encoder layers. Adds the attention of each, [B, H, S, S], to `weights` if there are any.
template <class T>
Var<T> through_encoder(Graph<T>& g, const std::vector<layers::TransformerEncoderLayer<T>>& layers, Var<T> x,
                       std::span<const std::int32_t> lengths, const EditedAttention<T>* edited, std::vector<Var<T>>* weights);

extern template class EditedAttention<float>;
extern template class EditedAttention<double>;

}  // namespace softalign::models
