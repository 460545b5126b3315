#include "models/alignment_head.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

#include "ops/elementwise.h"

namespace softalign::models {

AlignmentHead alignment_head(const std::string& text) {
  AlignmentHead head;
  const char *at = text.data(), *const end = at + text.size();
  auto read = std::from_chars(at, end, head.layer);
  bool good = read.ec == std::errc() && read.ptr != end && *read.ptr == ':';
  if (good) {
    read = std::from_chars(read.ptr + 1, end, head.head);
    const std::string_view rest(read.ptr, static_cast<std::size_t>(end - read.ptr));
    head.shifted = rest == ":shifted";
    good = read.ec == std::errc() && (head.shifted || rest.empty());
  }
  if (!good) throw ArgumentError("alignment head is \"" + text + "\", expected LAYER:HEAD or LAYER:HEAD:shifted");
  return head;
}

void expect_head(const char* who, const AlignmentHead& head, std::size_t heads, std::size_t layers) {
  if (head.layer < layers && head.head < heads) return;
  throw ArgumentError(std::string(who) + ": the alignment head is head " + std::to_string(head.head) + " of layer " +
                      std::to_string(head.layer) + ", expected below " + std::to_string(heads) + " and " + std::to_string(layers));
}

template <class T>
Var<T> head_weights(Graph<T>& g, Var<T> cross, std::size_t head) {
  const std::size_t B = cross.shape[0], H = cross.shape[1], S = cross.shape[2];
  const Var<T> weights = g.make({B, S});
  for (std::size_t b = 0; b < B; ++b) std::copy_n(cross.value + (b * H + head) * S, S, weights.value + b * S);
  return weights;
}

template <class T>
Var<T> add_guidance(Graph<T>& g, Var<T> loss, Var<T> cross, const AlignmentHead& head,
                    std::span<const ops::AlignmentTarget> links, double weight) {
  if (weight <= 0 || links.empty()) return loss;
  std::vector<ops::AlignmentTarget> targets(links.begin(), links.end());
  for (auto& target : targets) target.query += head.shifted;
  return ops::add(g, loss, ops::alignment_loss<T>(g, cross, head.head, targets, weight));
}

#define SOFTALIGN_INSTANTIATE(T)                                    \
  template Var<T> head_weights(Graph<T>&, Var<T>, std::size_t);     \
  template Var<T> add_guidance(Graph<T>&, Var<T>, Var<T>, const AlignmentHead&, std::span<const ops::AlignmentTarget>, double);
SOFTALIGN_INSTANTIATE(float)
SOFTALIGN_INSTANTIATE(double)
#undef SOFTALIGN_INSTANTIATE

}  // namespace softalign::models
