#include "ops/pattern.h"

#include <algorithm>

namespace softalign::ops {
namespace {

using Edge = std::pair<std::uint32_t, std::uint32_t>;

}  // namespace

EdgeList::EdgeList(std::size_t queries, std::size_t keys, std::span<const Edge> edges) : keys_(keys) {
  for (const Edge& e : edges) {
    if (e.first >= queries || e.second >= keys) {
      throw ArgumentError("EdgeList: an edge is (" + std::to_string(e.first) + ", " + std::to_string(e.second) +
                          "), expected a query below " + std::to_string(queries) + " and a key below " +
                          std::to_string(keys));
    }
  }
  std::vector<Edge> sorted(edges.begin(), edges.end());
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  first_.resize(queries + 1);
  for (const Edge& e : sorted) {
    key_.push_back(e.second);
    ++first_[e.first + 1];
  }
  for (std::size_t t = 0; t < queries; ++t) {
    most_ = std::max(most_, first_[t + 1]);
    first_[t + 1] += first_[t];
  }
}

EdgeList EdgeList::strided(std::size_t n, std::size_t stride) {
  if (stride == 0) throw ArgumentError("EdgeList::strided: stride is 0, expected at least 1");
  std::vector<Edge> edges;
  for (std::size_t t = 0; t < n; ++t) {
    const std::size_t near = t - std::min(t, stride - 1);  // the first neighbour
    for (std::size_t s = t % stride; s < near; s += stride) edges.emplace_back(t, s);
    for (std::size_t s = near; s <= t; ++s) edges.emplace_back(t, s);
  }
  return EdgeList(n, n, edges);
}

EdgeList EdgeList::global_and_window(std::size_t n, std::size_t globals, std::size_t radius) {
  std::vector<Edge> edges;
  for (std::size_t t = 0; t < n; ++t) {
    if (t < globals) {
      for (std::size_t s = 0; s < n; ++s) edges.emplace_back(t, s);
      continue;
    }
    for (std::size_t s = 0; s < std::min(globals, n); ++s) edges.emplace_back(t, s);
    const std::size_t from = t > radius ? t - radius : 0, to = radius < n - t ? t + radius + 1 : n;
    for (std::size_t s = from; s < to; ++s) edges.emplace_back(t, s);
  }
  return EdgeList(n, n, edges);
}

template <class T>
Reach::Reach(Graph<T>& g, const char* who, std::size_t queries, std::size_t keys, std::size_t batch,
             std::span<const std::int32_t> lengths, const Pattern& pattern, std::size_t sequences,
             std::span<const std::int32_t> columns)
    : queries_(queries),
      keys_(keys),
      batch_(batch),
      sequences_(sequences),
      slots_(keys),
      pattern_(pattern),
      lengths_(g, who, lengths, keys, sequences) {
  if (queries == 0 || keys == 0 || batch == 0) {
    throw ShapeError(std::string(who) + ": it has " + std::to_string(queries) + " queries and " + std::to_string(keys) +
                     " keys in " + std::to_string(batch) + " sequences, expected at least one of each");
  }
  if (columns.empty()) {
    expect_size(who, "batch of what is looked at", sequences, batch);
  } else {
    expect_size(who, "number of columns", columns.size(), batch);
    auto* copy = g.template scratch<std::int32_t>(batch);
    for (std::size_t b = 0; b < batch; ++b) {
      if (columns[b] < 0 || static_cast<std::size_t>(columns[b]) >= sequences) {
        throw ShapeError(std::string(who) + ": columns[" + std::to_string(b) + "] is " + std::to_string(columns[b]) +
                         ", expected 0.." + std::to_string(sequences - 1));
      }
      copy[b] = columns[b];
    }
    columns_ = copy;
  }
  switch (pattern.kind()) {
    case Pattern::Kind::kDense: break;
    case Pattern::Kind::kWindow:
      // A window wider than the sequence has slots for nobody.
      pattern_ = Pattern::window(std::min(pattern.radius(), keys - 1), pattern.offset());
      slots_ = 2 * pattern_.radius() + 1;
      [[fallthrough]];
    case Pattern::Kind::kCausal:
      if (pattern.offset() + queries > keys) {
        throw ShapeError(std::string(who) + ": the last query stands at position " +
                         std::to_string(pattern.offset() + queries - 1) + ", expected below the number of keys, " +
                         std::to_string(keys));
      }
      break;
    case Pattern::Kind::kEdges:
      expect_size(who, "queries of the edge list", pattern.list()->queries(), queries);
      expect_size(who, "keys of the edge list", pattern.list()->keys(), keys);
      slots_ = std::max<std::size_t>(pattern.list()->most(), 1);
      break;
  }
}

std::size_t Reach::pairs() const {
  std::size_t n = 0;
  for (std::size_t b = 0; b < batch_; ++b) {
    for (std::size_t t = 0; t < queries_; ++t) n += last(t, b) - first(t);
  }
  return n;
}

std::size_t Reach::edges_before(std::size_t t, std::size_t length) const {
  const auto keys = pattern_.list()->of(t);
  return static_cast<std::size_t>(std::lower_bound(keys.begin(), keys.end(), length) - keys.begin());
}

template Reach::Reach(Graph<float>&, const char*, std::size_t, std::size_t, std::size_t, std::span<const std::int32_t>,
                      const Pattern&, std::size_t, std::span<const std::int32_t>);
template Reach::Reach(Graph<double>&, const char*, std::size_t, std::size_t, std::size_t, std::span<const std::int32_t>,
                      const Pattern&, std::size_t, std::span<const std::int32_t>);

}  // namespace softalign::ops
