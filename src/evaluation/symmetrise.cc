#include "evaluation/symmetrise.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "core/error.h"

namespace softalign {
namespace {

Alignment intersection(const Alignment& a, const Alignment& b) {
  Alignment both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

Alignment united(const Alignment& a, const Alignment& b) {
  Alignment all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

// Links taken so far, as a grid, and which words have one.
class Grid {
 public:
  explicit Grid(const Alignment& all) {
    for (const Link& link : all) {
      sources_ = std::max(sources_, link.source + 1);
      targets_ = std::max(targets_, link.target + 1);
    }
    taken_.assign(std::size_t{sources_} * targets_, false);
    source_linked_.assign(sources_, false);
    target_linked_.assign(targets_, false);
  }

  std::uint32_t sources() const { return sources_; }
  std::uint32_t targets() const { return targets_; }
  bool taken(std::uint32_t s, std::uint32_t t) const { return taken_[std::size_t{s} * targets_ + t]; }
  bool source_linked(std::uint32_t s) const { return source_linked_[s]; }
  bool target_linked(std::uint32_t t) const { return target_linked_[t]; }

  void take(std::uint32_t s, std::uint32_t t) {
    taken_[std::size_t{s} * targets_ + t] = true;
    source_linked_[s] = true;
    target_linked_[t] = true;
  }

  Alignment links() const {
    Alignment links;
    for (std::uint32_t s = 0; s < sources_; ++s) {
      for (std::uint32_t t = 0; t < targets_; ++t) {
        if (taken(s, t)) links.push_back({s, t});
      }
    }
    return links;
  }

 private:
  std::uint32_t sources_ = 0;
  std::uint32_t targets_ = 0;
  std::vector<bool> taken_, source_linked_, target_linked_;
};

void grow(Grid& grid, const Alignment& all) {
  constexpr int kNeighbours[8][2] = {{-1, 0}, {0, -1}, {1, 0}, {0, 1}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
  bool grown = true;
  while (grown) {
    grown = false;
    for (std::uint32_t s = 0; s < grid.sources(); ++s) {
      for (std::uint32_t t = 0; t < grid.targets(); ++t) {
        if (!grid.taken(s, t)) continue;
        for (const auto& [ds, dt] : kNeighbours) {
          // Below 0 it wraps around and is beyond the end.
          const Link next = {s + static_cast<std::uint32_t>(ds), t + static_cast<std::uint32_t>(dt)};
          if (next.source >= grid.sources() || next.target >= grid.targets()) continue;
          if (grid.source_linked(next.source) && grid.target_linked(next.target)) continue;
          if (!std::binary_search(all.begin(), all.end(), next)) continue;
          grid.take(next.source, next.target);
          grown = true;
        }
      }
    }
  }
}

std::size_t rows_of(const char* name, std::size_t size, std::size_t columns) {
  if (columns == 0 ? size != 0 : size % columns != 0) {
    throw ArgumentError(std::string(name) + ": " + std::to_string(size) + " posteriors, expected rows of " +
                        std::to_string(columns));
  }
  return columns == 0 ? 0 : size / columns;
}

}  // namespace

Alignment symmetrise(const Alignment& forward, const Alignment& backward, Symmetrisation how) {
  const Alignment both = intersection(forward, backward);
  if (how == Symmetrisation::kIntersection) return both;
  const Alignment all = united(forward, backward);
  if (how == Symmetrisation::kUnion) return all;
  Grid grid(all);
  for (const Link& link : both) grid.take(link.source, link.target);
  grow(grid, all);
  if (how == Symmetrisation::kGrowDiagFinalAnd) {
    for (const Alignment* direction : {&forward, &backward}) {
      for (const Link& link : *direction) {
        if (!grid.source_linked(link.source) && !grid.target_linked(link.target)) grid.take(link.source, link.target);
      }
    }
  }
  return grid.links();
}

Alignment agreed_links(std::span<const double> forward, std::span<const double> backward, std::size_t source_words,
                       double threshold) {
  if (forward.size() != backward.size()) {
    throw ArgumentError("agreed_links: " + std::to_string(forward.size()) + " posteriors forward, but " +
                        std::to_string(backward.size()) + " backward");
  }
  const std::size_t target_words = rows_of("agreed_links", forward.size(), source_words);
  Alignment links;
  for (std::size_t s = 0; s < source_words; ++s) {
    for (std::size_t t = 0; t < target_words; ++t) {
      if (forward[t * source_words + s] * backward[s * target_words + t] > threshold) {
        links.push_back({static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(t)});
      }
    }
  }
  return links;
}

Alignment most_probable_links(std::span<const double> posterior, std::size_t source_words) {
  const std::size_t target_words = rows_of("most_probable_links", posterior.size(), source_words);
  Alignment links;
  for (std::size_t t = 0; t < target_words; ++t) {
    const auto row = posterior.subspan(t * source_words, source_words);
    const auto best = std::max_element(row.begin(), row.end());
    double null = 1;
    for (const double p : row) null -= p;
    if (*best > null) links.push_back({static_cast<std::uint32_t>(best - row.begin()), static_cast<std::uint32_t>(t)});
  }
  std::sort(links.begin(), links.end());
  return links;
}

Alignment reversed(const Alignment& alignment) {
  Alignment result;
  result.reserve(alignment.size());
  for (const Link& link : alignment) result.push_back({link.target, link.source});
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace softalign
