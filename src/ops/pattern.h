#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "ops/lengths.h"

// Who may look at whom: the second of the three choices that make an attention, beside score and position.
namespace softalign::ops {

// Explicit links from queries to keys: a graph whose nodes look at their neighbours (graph attention,
// Velickovic et al. 2018), or a sparse pattern. Several graphs in one batch are one graph of several parts.
class EdgeList {
 public:
  // Edges (query, key), in any order; one that is listed twice counts once. A query without an edge
  // looks at nothing. Throws ArgumentError naming an edge outside [queries, keys].
  EdgeList(std::size_t queries, std::size_t keys, std::span<const std::pair<std::uint32_t, std::uint32_t>> edges);

  // The strided pattern of the Sparse Transformer (Child et al. 2019) over n positions: each looks at
  // itself, the stride - 1 positions before it, and every stride-th before those. Causal.
  static EdgeList strided(std::size_t n, std::size_t stride);
  // Global and window (Longformer, Beltagy et al. 2020; BigBird, Zaheer et al. 2020): the first
  // `globals` positions look at all and are looked at by all; the others see `radius` to each side.
  static EdgeList global_and_window(std::size_t n, std::size_t globals, std::size_t radius);

  std::size_t queries() const { return first_.size() - 1; }
  std::size_t keys() const { return keys_; }
  // The keys of query t, ascending.
  std::span<const std::uint32_t> of(std::size_t t) const {
    return std::span(key_).subspan(first_[t], first_[t + 1] - first_[t]);
  }
  std::size_t most() const { return most_; }  // edges of one query
  std::size_t size() const { return key_.size(); }

 private:
  std::size_t keys_, most_ = 0;
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> key_;
};

// Query t stands at position offset + t among the keys, which matters to all but the dense pattern.
class Pattern {
 public:
  enum class Kind { kDense, kCausal, kWindow, kEdges };

  Pattern() = default;                                        // dense: everybody looks at everybody
  static Pattern causal(std::size_t offset = 0) { return {Kind::kCausal, offset, 0, nullptr}; }  // s <= t
  // |s - t| <= radius: truncated self-attention. Radius 0 looks at itself alone.
  static Pattern window(std::size_t radius, std::size_t offset = 0) { return {Kind::kWindow, offset, radius, nullptr}; }
  // Borrowed: the list outlives the computation.
  static Pattern edges(const EdgeList& list) { return {Kind::kEdges, 0, 0, &list}; }

  Kind kind() const { return kind_; }
  std::size_t offset() const { return offset_; }
  std::size_t radius() const { return radius_; }
  const EdgeList* list() const { return list_; }

 private:
  Pattern(Kind kind, std::size_t offset, std::size_t radius, const EdgeList* list)
      : kind_(kind), offset_(offset), radius_(radius), list_(list) {}
  Kind kind_ = Kind::kDense;
  std::size_t offset_ = 0, radius_ = 0;
  const EdgeList* list_ = nullptr;
};

// A pattern met with a batch: T queries and S keys in each of B sequences, of which the keys from
// lengths[b] on do not exist (lengths may be empty: all S do). Where several sequences of queries look at
// the same keys, as the hypotheses of a beam do, there are fewer sequences of keys, N: `columns` says for
// each of the B which of the N it looks at, and lengths has N entries. For each query the keys it may look at
// have slots 0 .. slots() - 1 of which first(t, b) .. last(t, b) - 1 are used, so that scores and
// weights take [B, H, T, slots()] however many keys there are: slots() is S where the pattern is
// dense or causal, 2 radius + 1 in a window, and the largest number of edges in an edge list.
//
// A small value; what it points to is the graph's.
class Reach {
 public:
  // Throws ShapeError unless B lengths are in 1..S, positions end within S and an edge list is [T, S].
  // `who` names the caller in it.
  template <class T>
  Reach(Graph<T>& g, const char* who, std::size_t queries, std::size_t keys, std::size_t batch,
        std::span<const std::int32_t> lengths, const Pattern& pattern)
      : Reach(g, who, queries, keys, batch, lengths, pattern, batch, {}) {}
  // With `sequences` N of keys, and B columns below N (or none if B is N and each looks at its own).
  template <class T>
  Reach(Graph<T>& g, const char* who, std::size_t queries, std::size_t keys, std::size_t batch,
        std::span<const std::int32_t> lengths, const Pattern& pattern, std::size_t sequences,
        std::span<const std::int32_t> columns);

  std::size_t queries() const { return queries_; }
  std::size_t keys() const { return keys_; }
  std::size_t batch() const { return batch_; }          // B, of queries
  std::size_t sequences() const { return sequences_; }  // N, of keys
  std::size_t slots() const { return slots_; }
  // Whether slot k is key k for every query, so that scores are a matrix product.
  bool is_matrix() const { return pattern_.kind() == Pattern::Kind::kDense || pattern_.kind() == Pattern::Kind::kCausal; }

  // Which sequence of keys sequence b of queries looks at.
  std::size_t column(std::size_t b) const { return columns_ ? static_cast<std::size_t>(columns_[b]) : b; }
  std::size_t length(std::size_t b) const { return lengths_[column(b)]; }
  std::size_t position(std::size_t t) const { return pattern_.offset() + t; }
  std::size_t first(std::size_t t) const {
    const std::size_t at = position(t), r = pattern_.radius();
    return pattern_.kind() == Pattern::Kind::kWindow && at < r ? r - at : 0;
  }
  std::size_t last(std::size_t t, std::size_t b) const {
    const std::size_t n = length(b), at = position(t);
    switch (pattern_.kind()) {
      case Pattern::Kind::kDense: return n;
      case Pattern::Kind::kCausal: return at < n ? at + 1 : n;
      case Pattern::Kind::kWindow: {
        const std::size_t r = pattern_.radius(), beyond = n + r > at ? n + r - at : 0;
        return beyond < slots_ ? (beyond > first(t) ? beyond : first(t)) : slots_;
      }
      case Pattern::Kind::kEdges: return edges_before(t, n);
    }
    return 0;
  }
  std::size_t key(std::size_t t, std::size_t slot) const {
    switch (pattern_.kind()) {
      case Pattern::Kind::kDense:
      case Pattern::Kind::kCausal: return slot;
      case Pattern::Kind::kWindow: return position(t) + slot - pattern_.radius();
      case Pattern::Kind::kEdges: return pattern_.list()->of(t)[slot];
    }
    return 0;
  }
  // Pairs of query and key in the batch: how many weights one head computes.
  std::size_t pairs() const;

 private:
  std::size_t edges_before(std::size_t t, std::size_t length) const;

  std::size_t queries_, keys_, batch_, sequences_, slots_;
  Pattern pattern_;
  Lengths lengths_;
  const std::int32_t* columns_ = nullptr;
};

}  // namespace softalign::ops
