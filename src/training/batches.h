#pragma once

#include <algorithm>
#include <numeric>
#include <tuple>
#include <vector>

#include "core/random.h"

namespace softalign::training {

// The numbers 0..count-1 in groups of like size, so that padding them to the largest of a group costs little:
// size(i) x the group's number is at most `limit`, except in groups of one. What has the same key(i), by which they
// are sorted and which must not decrease with size, is grouped anew by each draw. The groups are in random order.
template <class Size, class Key>
std::vector<std::vector<std::size_t>> draw_batches(std::size_t count, std::size_t limit, Random& random, const Size& size,
                                                   const Key& key) {
  std::vector<std::uint64_t> shuffled(count);
  for (auto& s : shuffled) s = random.next();
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return std::tuple(key(a), shuffled[a]) < std::tuple(key(b), shuffled[b]); });
  std::vector<std::vector<std::size_t>> batches;
  for (const std::size_t i : order) {
    // the last one added is the largest so far
    if (batches.empty() || (batches.back().size() + 1) * size(i) > limit) batches.emplace_back();
    batches.back().push_back(i);
  }
  for (std::size_t i = batches.size(); i > 1; --i) std::swap(batches[i - 1], batches[random.below(i)]);
  return batches;
}

}  // namespace softalign::training
