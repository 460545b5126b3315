#include "layers/attention/multi_head.h"

#include <cmath>

#include "ops/elementwise.h"
#include "ops/linear.h"

namespace softalign::layers {
namespace {

MultiHead checked(MultiHead c) {
  if (c.heads == 0 || c.width == 0 || c.width % c.heads != 0) {
    throw ArgumentError("MultiHeadAttention: width is " + std::to_string(c.width) + " with " + std::to_string(c.heads) +
                        " heads, expected heads that divide the width");
  }
  if (c.memory == 0) c.memory = c.width;
  return c;
}

}  // namespace

template <class T>
MultiHeadAttention<T>::MultiHeadAttention(Parameters<T>& p, const std::string& name, const MultiHead& choices)
    : choices_(checked(choices)),
      query_(p, name + ".q_proj", choices_.width, choices_.width),
      key_(p, name + ".k_proj", choices_.memory, choices_.width),
      value_(p, name + ".v_proj", choices_.memory, choices_.width),
      output_(p, name + ".out_proj", choices_.width, choices_.width, Dense<T>::Bias::kLearned, choices_.output_gain),
      score_(p, name + ".score", choices_.score, choices_.heads, choices_.width / choices_.heads) {
  if (choices_.relative) {
    const std::size_t A = choices_.width / choices_.heads;
    const Shape table = {2 * *choices_.relative + 1, A};
    relative_key_ = &p.add(name + ".relative.key", table, std::sqrt(3 / static_cast<double>(A)));
    relative_value_ = &p.add(name + ".relative.value", table, std::sqrt(3 / static_cast<double>(A)));
  }
}

template <class T>
Memory<T> MultiHeadAttention<T>::project(Graph<T>& g, Var<T> m, std::span<const std::int32_t> lengths) const {
  return {key_(g, m), value_(g, m), lengths};
}

template <class T>
typename MultiHeadAttention<T>::Result MultiHeadAttention<T>::operator()(Graph<T>& g, Var<T> x, const Memory<T>& memory,
                                                                         const ops::Pattern& pattern,
                                                                         std::span<const T> head_factors) const {
  if (x.shape.rank() != 3 || memory.keys.shape.rank() != 3) {
    throw ShapeError("MultiHeadAttention: x is " + x.shape.to_string() + " and the memory's keys " +
                     memory.keys.shape.to_string() + ", expected [T, B, D] and [S, B, D]");
  }
  if (!head_factors.empty()) expect_size("MultiHeadAttention", "number of head factors", head_factors.size(), choices_.heads);
  const ops::Reach reach(g, "MultiHeadAttention", x.shape[0], memory.keys.shape[0], x.shape[1], memory.lengths, pattern,
                         memory.keys.shape[1], memory.columns);
  const Var<T> q = score_.prepare(g, query_(g, x));
  const Var<T> scores = score_(g, q, memory.keys, reach);
  if (relative_key_) ops::add_relative_scores(g, scores, q, ops::numbers(g, g.use(*relative_key_)), reach);
  const Var<T> weights = normalise(g, scores, choices_.normaliser, reach, memory.steering);
  const Var<T> applied = ops::dropout(g, weights, choices_.dropout);
  Var<T> context = ops::weighted_sum(g, applied, memory.values, reach);
  if (relative_value_) ops::add_relative_values(g, context, applied, ops::numbers(g, g.use(*relative_value_)), reach);
  if (!head_factors.empty()) context = ops::scale_heads(g, context, head_factors);
  return {output_(g, context), context, weights, reach};
}

template class MultiHeadAttention<float>;
template class MultiHeadAttention<double>;

}  // namespace softalign::layers
