#include "decoding/beam_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/vector.h"

namespace softalign::decoding {
namespace {

using Model = models::TranslationModel<float>;
using State = models::DecoderState<float>;

// Every word ever proposed, linked to the word before it, so that hypotheses share their beginnings.
struct Node {
  std::int32_t id, parent;
  float log_probability;
  std::uint32_t attention;  // row of the trace
};

struct Candidate {
  double total;  // sum of log probabilities so far
  std::size_t hypothesis;
  std::int32_t id;
  float log_probability;
};

double ranked(double total, std::size_t length, double penalty) {
  return total / std::pow(static_cast<double>(length), penalty);
}

// The best continuations of the open hypotheses, best first; of equals, the one offered first.
class Best {
 public:
  void clear(std::size_t beam) {
    beam_ = beam;
    kept_.clear();
  }
  double worst() const {
    return kept_.size() < beam_ ? -std::numeric_limits<double>::infinity() : kept_.back().total;
  }
  void offer(const Candidate& c) {
    if (kept_.size() == beam_) {
      if (!(c.total > kept_.back().total)) return;
      kept_.pop_back();
    }
    const auto at = std::upper_bound(kept_.begin(), kept_.end(), c,
                                     [](const Candidate& a, const Candidate& b) { return a.total > b.total; });
    kept_.insert(at, c);
  }
  const std::vector<Candidate>& kept() const { return kept_; }

 private:
  std::size_t beam_ = 0;
  std::vector<Candidate> kept_;
};

}  // namespace

Hypothesis search(Graph<float>& g, const Model& model, std::span<const std::int32_t> source,
                  const SearchSettings& settings) {
  const Arena::Mark start = g.arena().mark();
  const std::size_t S = source.size(), beam = settings.beam;
  const auto decoder = model.read(g, source);
  State state(g, decoder->state_shape(), settings.longest + 1, beam);
  const Arena::Mark step_start = g.arena().mark();
  const bool shifted = decoder->alignment_is_shifted();

  struct Open {
    double total;
    std::int32_t node;
  };
  std::vector<Open> open = {{0, -1}}, next_open;
  std::vector<std::int32_t> previous = {settings.eos};
  std::vector<std::size_t> continued;  // of each new open hypothesis: the one it continues
  std::vector<Node> nodes;
  std::vector<float> trace;
  Best best;
  std::size_t wanted = beam;  // a finished hypothesis leaves the beam
  std::int32_t finished = -1;  // the node of the best finished hypothesis
  double finished_score = -std::numeric_limits<double>::infinity();

  for (std::size_t t = 1; !open.empty(); ++t) {
    const auto step = decoder->step(g, previous, state);
    const std::size_t V = step.logits.width();
    std::uint32_t first_row = 0;
    if (settings.trace && step.weights.value) {
      first_row = static_cast<std::uint32_t>(trace.size() / S);
      trace.insert(trace.end(), step.weights.value, step.weights.value + step.weights.size());
      for (std::size_t h = 0; h < open.size() && shifted; ++h) {
        if (open[h].node >= 0) nodes[static_cast<std::size_t>(open[h].node)].attention = first_row + static_cast<std::uint32_t>(h);
      }
    }
    best.clear(wanted);
    const bool must_end = t > settings.longest;
    for (std::size_t h = 0; h < open.size(); ++h) {
      float* logits = step.logits.value + h * V;
      logits[settings.unknown] = -std::numeric_limits<float>::max();
      const float lse = kernels::log_sum_exp(logits, V);
      const auto offer = [&](std::size_t v) {
        const float log_probability = logits[v] - lse;
        best.offer({open[h].total + static_cast<double>(log_probability), h, static_cast<std::int32_t>(v), log_probability});
      };
      if (must_end) {
        offer(static_cast<std::size_t>(settings.eos));
      } else if (beam == 1) {
        const float most = kernels::max(logits, V);
        // nothing equals a NaN, which only absurd weights can bring about
        offer(std::min(static_cast<std::size_t>(std::find(logits, logits + V, most) - logits), V - 1));
      } else {
        for (std::size_t v = 0; v < V; ++v) {
          if (open[h].total + static_cast<double>(logits[v] - lse) > best.worst()) offer(v);
        }
      }
    }
    next_open.clear();
    previous.clear();
    continued.clear();
    for (const Candidate& c : best.kept()) {
      const auto node = static_cast<std::int32_t>(nodes.size());
      nodes.push_back({c.id, open[c.hypothesis].node, c.log_probability,
                       first_row + static_cast<std::uint32_t>(c.hypothesis)});
      if (c.id == settings.eos) {
        --wanted;
        const double score = ranked(c.total, t, settings.length_penalty);
        if (score > finished_score) {
          finished_score = score;
          finished = node;
        }
      } else {
        next_open.push_back({c.total, node});
        previous.push_back(c.id);
        continued.push_back(c.hypothesis);
      }
    }
    state.select(continued);
    open.swap(next_open);
    g.arena().rewind(step_start);
  }
  g.arena().rewind(start);

  Hypothesis result;
  result.score = finished_score;
  for (std::int32_t n = finished; n >= 0; n = nodes[static_cast<std::size_t>(n)].parent) {
    const Node& node = nodes[static_cast<std::size_t>(n)];
    if (n != finished) result.ids.push_back(node.id);
    result.log_probability.push_back(node.log_probability);
  }
  std::reverse(result.ids.begin(), result.ids.end());
  std::reverse(result.log_probability.begin(), result.log_probability.end());
  // nothing was found: only when absurd weights make every score a NaN
  if (finished < 0) result.log_probability.push_back(-std::numeric_limits<float>::infinity());
  if (!trace.empty()) {
    const std::size_t rows = result.ids.size() + 1;
    result.attention.resize(rows * S);
    std::size_t row = rows;
    for (std::int32_t n = finished; n >= 0; n = nodes[static_cast<std::size_t>(n)].parent) {
      std::copy_n(trace.begin() + static_cast<std::ptrdiff_t>(nodes[static_cast<std::size_t>(n)].attention * S), S,
                  result.attention.begin() + static_cast<std::ptrdiff_t>(--row * S));
    }
  }
  return result;
}

Hypothesis force(Graph<float>& g, const Model& model, std::span<const std::int32_t> source,
                 std::span<const std::int32_t> target, std::int32_t eos, Heads heads) {
  const Arena::Mark start = g.arena().mark();
  const auto decoder = model.read(g, source);
  State state(g, decoder->state_shape(), target.size() + 1, 1);
  const Arena::Mark step_start = g.arena().mark();
  const std::size_t rows = target.size() + 1, S = source.size();
  const std::size_t shift = decoder->alignment_is_shifted() ? 1 : 0;
  Hypothesis result;
  result.ids.assign(target.begin(), target.end());
  double total = 0;
  for (std::size_t t = 0; t < rows; ++t) {
    const std::int32_t previous = t == 0 ? eos : target[t - 1];
    const std::int32_t id = t == target.size() ? eos : target[t];
    const auto step = decoder->step(g, {&previous, 1}, state);
    const float* logits = step.logits.value;
    result.log_probability.push_back(logits[id] - kernels::log_sum_exp(logits, step.logits.width()));
    total += static_cast<double>(result.log_probability.back());
    if (step.weights.value) {
      result.attention.resize(rows * S);
      if (t >= shift) std::copy_n(step.weights.value, S, result.attention.data() + (t - shift) * S);
      if (t + 1 == rows) std::copy_n(step.weights.value, S, result.attention.data() + t * S);
    }
    if (heads == Heads::kKeep) {
      std::size_t head = 0;
      for (const Var<float>& layer : step.cross) {
        result.heads.resize(step.cross.size() * layer.shape[0] * rows * S);
        for (std::size_t h = 0; h < layer.shape[0]; ++h, ++head) {
          std::copy_n(layer.value + h * S, S, result.heads.data() + (head * rows + t) * S);
        }
      }
    }
    g.arena().rewind(step_start);
  }
  g.arena().rewind(start);
  result.score = total / static_cast<double>(rows);
  return result;
}

}  // namespace softalign::decoding
