#include "models/edits.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace softalign::models {
namespace {

void expect_head(const Head& head, const AttentionCount& count) {
  const std::size_t layers = head.kind == HeadKind::kCross     ? count.cross
                             : head.kind == HeadKind::kEncoder ? count.encoder
                                                               : count.decoder;
  if (head.layer < layers && head.head < count.heads) return;
  const std::string kind = head_kind_name(head.kind);
  throw ArgumentError("edits: head is " + std::to_string(head.head) + " of layer " + std::to_string(head.layer) + ", " +
                      kind + ", expected " +
                      (layers == 0 ? "another kind: the model has no such attention"
                                   : "a head below " + std::to_string(count.heads) + " and a layer below " +
                                         std::to_string(layers)));
}

// A row as numbers that sum to 1 over the words that are not masked.
template <class T>
void scale_row(std::vector<T>& weights, const std::vector<float>& given, std::size_t length, const unsigned char* mask) {
  if (given.size() != length) {
    throw ArgumentError("edits: a row has " + std::to_string(given.size()) + " weights, expected one for each of " +
                        std::to_string(length) + " source words");
  }
  for (std::size_t s = 0; s < length; ++s) {
    if (!(given[s] >= 0) || std::isinf(given[s])) {
      throw ArgumentError("edits: weight " + std::to_string(s) + " of a row is " + std::to_string(given[s]) +
                          ", expected a number of at least 0");
    }
    if (!mask || !mask[s]) weights[s] = static_cast<T>(given[s]);
  }
  const T sum = std::accumulate(weights.begin(), weights.end(), T(0));
  if (!(sum > 0) || std::isinf(sum)) {
    throw ArgumentError("edits: the weights of a row sum to " + std::to_string(sum) +
                        " over the source words that are not masked, expected more than 0");
  }
  for (T& w : weights) w /= sum;
}

}  // namespace

const char* head_kind_name(HeadKind kind) {
  switch (kind) {
    case HeadKind::kCross: return "cross";
    case HeadKind::kEncoder: return "encoder";
    case HeadKind::kDecoder: return "decoder";
  }
  return "";
}

template <class T>
EditedAttention<T>::EditedAttention(const Sources& sources, const AttentionCount& count)
    : longest_(sources.longest), heads_(count.heads) {
  for (std::size_t n = 0; n < sources.edits.size(); ++n) {
    const Edits* edits = sources.edits[n];
    if (!edits || edits->empty()) continue;
    if (count.cross == 0) throw ArgumentError("edits: the model has no attention, expected one that can be edited");
    edits_.resize(sources.size());
    edits_[n] = edits;
    read(n, *edits, static_cast<std::size_t>(sources.lengths[n]), count);
  }
}

template <class T>
void EditedAttention<T>::read(std::size_t n, const Edits& edits, std::size_t length, const AttentionCount& count) {
  const unsigned char* mask = nullptr;
  if (!edits.mask.empty()) {
    mask_.resize(edits_.size() * longest_);
    unsigned char* masked = mask_.data() + n * longest_;
    for (const std::size_t s : edits.mask) {
      if (s >= length) {
        throw ArgumentError("edits: source word " + std::to_string(s) + " is masked, expected one below " +
                            std::to_string(length));
      }
      masked[s] = 1;
    }
    if (std::find(masked, masked + length, 0) == masked + length) {
      throw ArgumentError("edits: all " + std::to_string(length) + " source words are masked, expected one that is not");
    }
    mask = masked;
  }
  for (const Head& head : edits.off) expect_head(head, count);
  for (const Edits::Row& row : edits.rows) {
    if (row.head) expect_head(*row.head, count);
    if (row.head && row.head->kind != HeadKind::kCross) {
      throw ArgumentError(std::string("edits: a row is set for attention \"") + head_kind_name(row.head->kind) +
                          "\", expected \"cross\"");
    }
    Row& added = rows_.emplace_back(Row{n, row.step, row.head, std::vector<T>(longest_)});
    scale_row(added.weights, row.weights, length, mask);
  }
  if (edits.uniform) {
    uniform_.resize(edits_.size());
    uniform_[n].resize(longest_);
    scale_row(uniform_[n], std::vector<float>(length, 1.0f), length, mask);
  }
}

template <class T>
bool EditedAttention<T>::is_off(std::size_t n, const Head& head) const {
  return edits_[n] && std::any_of(edits_[n]->off.begin(), edits_[n]->off.end(), [&](const Head& off) {
           return off.kind == head.kind && off.layer == head.layer && off.head == head.head;
         });
}

template <class T>
const T** EditedAttention<T>::switched_off(Graph<T>& g, HeadKind kind, std::size_t layer,
                                           std::span<const std::int32_t> columns, std::size_t keys) const {
  const std::size_t N = columns.empty() ? edits_.size() : columns.size();
  const T** given = g.template scratch<const T*>(N * heads_);
  const T* nothing = g.zeros({keys}).value;
  for (std::size_t i = 0; i < N * heads_; ++i) {
    const std::size_t n = columns.empty() ? i / heads_ : static_cast<std::size_t>(columns[i / heads_]);
    given[i] = is_off(n, {kind, layer, i % heads_}) ? nothing : nullptr;
  }
  return given;
}

template <class T>
ops::Steering<T> EditedAttention<T>::encoder(Graph<T>& g, std::size_t layer) const {
  if (edits_.empty()) return {};
  return {mask_, {switched_off(g, HeadKind::kEncoder, layer, {}, longest_), edits_.size() * heads_}};
}

template <class T>
ops::Steering<T> EditedAttention<T>::cross(Graph<T>& g, std::size_t layer, std::size_t step) const {
  if (edits_.empty()) return {};
  const std::size_t heads = edits_.size() * heads_;
  const T** given = switched_off(g, HeadKind::kCross, layer, {}, longest_);
  const T** told = g.template scratch<const T*>(heads);
  for (std::size_t i = 0; i < heads; ++i) {
    told[i] = uniform_.empty() || uniform_[i / heads_].empty() ? nullptr : uniform_[i / heads_].data();
  }
  for (const bool of_one : {false, true}) {
    for (const Row& row : rows_) {
      if (row.step != step || row.head.has_value() != of_one || (of_one && row.head->layer != layer)) continue;
      std::fill_n(told + row.sentence * heads_ + (of_one ? row.head->head : 0), of_one ? 1 : heads_, row.weights.data());
    }
  }
  for (std::size_t i = 0; i < heads; ++i) given[i] = given[i] ? given[i] : told[i];
  return {mask_, {given, heads}};
}

template <class T>
ops::Steering<T> EditedAttention<T>::decoder(Graph<T>& g, std::size_t layer, std::span<const std::int32_t> columns,
                                             std::size_t keys) const {
  if (edits_.empty()) return {};
  return {{}, {switched_off(g, HeadKind::kDecoder, layer, columns, keys), columns.size() * heads_}};
}

template <class T>
Var<T> EditedAttention<T>::alignment(Graph<T>& g, Var<T> cross, const AlignmentHead& head, const DecoderState<T>& state) const {
  const Var<T> weights = head_weights(g, cross, head.head);
  for (const Row& row : rows_) {
    if (!head.shifted || row.head || row.step + 1 != state.words()) continue;
    if (is_off(row.sentence, {HeadKind::kCross, head.layer, head.head})) continue;
    for (std::size_t b = 0; b < state.hypotheses(); ++b) {
      if (static_cast<std::size_t>(state.sentences()[b]) != row.sentence) continue;
      std::copy_n(row.weights.data(), longest_, weights.value + b * longest_);
    }
  }
  return weights;
}

template <class T>
Var<T> through_encoder(Graph<T>& g, const std::vector<layers::TransformerEncoderLayer<T>>& layers, Var<T> x,
                       std::span<const std::int32_t> lengths, const EditedAttention<T>* edited, std::vector<Var<T>>* weights) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto compute = [&] { return layers[i](g, x, lengths, {}, {}, edited ? edited->encoder(g, i) : ops::Steering<T>()); };
    if (weights) {
      const auto result = compute();
      weights->push_back(result.weights);
      x = result.output;
    } else {
      x = g.keep_result([&] { return compute().output; });
    }
  }
  return x;
}

#define SOFTALIGN_INSTANTIATE(T) \
  template class EditedAttention<T>; \
  template Var<T> through_encoder(Graph<T>&, const std::vector<layers::TransformerEncoderLayer<T>>&, Var<T>, \
                                  std::span<const std::int32_t>, const EditedAttention<T>*, std::vector<Var<T>>*);
SOFTALIGN_INSTANTIATE(float)
SOFTALIGN_INSTANTIATE(double)
#undef SOFTALIGN_INSTANTIATE

}  // namespace softalign::models
