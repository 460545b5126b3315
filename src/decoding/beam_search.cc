#include "decoding/beam_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/vector.h"

namespace softalign::decoding {
namespace {

using Model = models::TranslationModel<float>;
using State = models::DecoderState<float>;

// What a word costs that stands for a term without being of it, in log probability.
constexpr double kOwnWords = 10;
constexpr float kNever = -std::numeric_limits<float>::infinity();

// Every word ever proposed, linked to the word before it, so that hypotheses share their beginnings.
struct Node : Continuation {
  std::uint32_t attention;  // row of the trace
};

struct Candidate {
  double total;  // sum of log probabilities so far
  std::size_t hypothesis;
  std::int32_t id;
  float log_probability;
  std::size_t begun = 0;     // state of the beginning after it
  Terms::Progress terms = {};
};

double ranked(double total, std::size_t length, double penalty) {
  return total / std::pow(static_cast<double>(length), penalty);
}

// The best continuations, best first; of equals, the one offered first.
class Best {
 public:
  void clear(std::size_t most) {
    most_ = most;
    kept_.clear();
  }
  double worst() const {
    if (most_ == 0) return std::numeric_limits<double>::infinity();
    return kept_.size() < most_ ? -std::numeric_limits<double>::infinity() : kept_.back().total;
  }
  void offer(const Candidate& c) {
    if (most_ == 0) return;
    if (kept_.size() == most_) {
      if (!(c.total > kept_.back().total)) return;
      kept_.pop_back();
    }
    insert(c);
  }
  const std::vector<Candidate>& kept() const { return kept_; }

  // What is left to `most` when the banks, of more and more pieces, share it: each its part, and what one
  // does not need goes to the others, those that have most pieces first.
  void share(std::span<const Best> banks, std::size_t most) {
    clear(most);
    std::size_t given = 0;
    std::vector<std::size_t> shares(banks.size());
    for (const std::size_t part : {most / banks.size(), most}) {
      for (std::size_t i = banks.size(); i-- > 0;) {
        const std::size_t more = std::min({part - std::min(part, shares[i]), banks[i].kept_.size() - shares[i], most - given});
        shares[i] += more;
        given += more;
      }
    }
    for (std::size_t i = 0; i < banks.size(); ++i) {
      for (std::size_t k = 0; k < shares[i]; ++k) insert(banks[i].kept_[k]);
    }
  }

 private:
  void insert(const Candidate& c) {
    const auto at = std::upper_bound(kept_.begin(), kept_.end(), c,
                                     [](const Candidate& a, const Candidate& b) { return a.total > b.total; });
    kept_.insert(at, c);
  }

  std::size_t most_ = 0;
  std::vector<Candidate> kept_;
};

// The search for the translation of one sentence. Its open hypotheses are rows of a step that it shares
// with those of other sentences.
class SentenceSearch {
 public:
  SentenceSearch(const Request& request, const SearchSettings& settings)
      : request_(request),
        settings_(settings),
        wanted_(beam_of(request, settings)),
        banks_(request.terms ? request.terms->pieces() + 1 : 1) {}

  std::size_t open() const { return open_.size(); }
  bool wants_attention() const { return settings_.trace || request_.terms; }

  // Reads the rows of step t, from 1, that are its open hypotheses', and continues them. Appends the words that
  // the new hypotheses end with, and for each the row that it continues.
  void advance(std::size_t t, float* logits, std::size_t V, const float* attention, std::size_t S, bool shifted,
               std::size_t first_row, std::vector<std::int32_t>& previous, std::vector<std::size_t>& continued) {
    const std::uint32_t first_trace = keep_attention(attention, S, shifted);
    if (request_.terms && attention) charge_own_words();
    for (Best& bank : banks_) bank.clear(wanted_);
    for (std::size_t h = 0; h < open_.size(); ++h) offer_words_after(h, t, logits + h * V, V);
    if (banks_.size() > 1) best_.share(banks_, wanted_);
    next_.clear();
    for (const Candidate& c : (banks_.size() > 1 ? best_ : banks_[0]).kept()) {
      const auto node = static_cast<std::int32_t>(nodes_.size());
      nodes_.push_back({{c.id, open_[c.hypothesis].node, c.log_probability},
                        first_trace + static_cast<std::uint32_t>(c.hypothesis)});
      if (c.id == settings_.eos) {
        --wanted_;
        const double rank = ranked(c.total, t, settings_.length_penalty);
        if (!std::isnan(rank)) finished_.push_back({rank, node});
      } else {
        next_.push_back({c.total, node, c.terms.pieces > open_[c.hypothesis].terms.pieces, c.begun, c.terms});
        previous.push_back(c.id);
        continued.push_back(first_row + c.hypothesis);
      }
    }
    open_.swap(next_);
  }

  std::vector<Hypothesis> finished() {
    std::stable_sort(finished_.begin(), finished_.end(), [](const Finished& a, const Finished& b) { return a.rank > b.rank; });
    std::vector<Hypothesis> result;
    for (const Finished& f : finished_) result.push_back(hypothesis(f));
    if (!result.empty()) {
      if (settings_.tree) result.front().tree.assign(nodes_.begin(), nodes_.end());
      return result;
    }
    // nothing was found: only when absurd weights make every score a NaN
    Hypothesis& none = result.emplace_back();
    none.log_probability.push_back(-std::numeric_limits<float>::infinity());
    none.score = -std::numeric_limits<double>::infinity();
    return result;
  }

 private:
  struct Open {
    double total;
    std::int32_t node;
    bool of_term = false;  // whether its last word brought it further in a term
    std::size_t begun = 0;
    Terms::Progress terms = {};
  };
  struct Finished {
    double rank;
    std::int32_t node;
  };

  // Returns the row of the trace where those of the open hypotheses begin.
  std::uint32_t keep_attention(const float* attention, std::size_t S, bool shifted) {
    if (!attention) return 0;
    const std::size_t width = request_.source.size();
    const auto first = static_cast<std::uint32_t>(trace_.size() / width);
    for (std::size_t h = 0; h < open_.size(); ++h) {
      trace_.insert(trace_.end(), attention + h * S, attention + h * S + width);
      if (shifted && open_[h].node >= 0) node(open_[h].node).attention = first + static_cast<std::uint32_t>(h);
    }
    return first;
  }

  // A hypothesis that says in its own words what a term translates has the term somewhere else, where it adds nothing.
  void charge_own_words() {
    const std::size_t S = request_.source.size();
    for (Open& open : open_) {
      if (open.node < 0 || open.of_term) continue;
      const std::span row(trace_.data() + node(open.node).attention * S, S);
      if (request_.terms->attention_to_sources(row) > 0.5f) open.total -= kOwnWords;
    }
  }

  void offer_words_after(std::size_t h, std::size_t t, float* logits, std::size_t V) {
    const Open& open = open_[h];
    const std::span<const Beginning::Choice> choices =
        request_.beginning ? request_.beginning->choices(open.begun) : std::span<const Beginning::Choice>();
    const Terms* terms = request_.terms;
    wanted_words_.clear();
    if (terms) {
      last_words(open.node, terms->longest());
      terms->wanted(open.terms, words_, wanted_words_);
    }
    const bool says_unknown = choices.empty() ? std::ranges::find(wanted_words_, settings_.unknown) != wanted_words_.end()
                                              : choices.size() == 1 && choices[0].id == settings_.unknown;
    if (!says_unknown) logits[column(settings_.unknown)] = kNever;
    const float lse = kernels::log_sum_exp(logits, V);
    const auto candidate = [&](std::size_t v) {
      const float log_probability = logits[v] - lse;
      return Candidate{open.total + static_cast<double>(log_probability), h, word(v), log_probability, open.begun, open.terms};
    };
    const auto offer = [&](Candidate c) {
      if (terms) {
        words_.push_back(c.id);
        c.terms = terms->after(open.terms, words_);
        words_.pop_back();
      }
      banks_[c.terms.pieces].offer(c);
    };
    if (!choices.empty()) {
      const std::int32_t not_meant = request_.beginning->instead_of(open.begun);
      const double others = not_meant < 0 ? 0 : std::log1p(-std::min(0.99, std::exp(static_cast<double>(logits[column(not_meant)] - lse))));
      for (const Beginning::Choice& choice : choices) {
        Candidate c = candidate(column(choice.id));
        c.total -= others;
        c.begun = choice.next;
        offer(c);
      }
      return;
    }
    const std::size_t eos = column(settings_.eos);
    const bool may_end = !terms || terms->complete(open.terms);
    if (t > request_.longest) {
      // Without all its terms only if none has them.
      if (may_end || (finished_.empty() && std::none_of(open_.begin(), open_.end(), [&](const Open& o) { return terms->complete(o.terms); }))) {
        banks_[open.terms.pieces].offer(candidate(eos));
      }
      return;
    }
    if (!may_end || (settings_.never_empty && open.node < 0)) logits[eos] = kNever;
    // A term is whole words: what follows it begins one, or is a sign.
    if (open.of_term && open.terms.pieces == open.terms.pieces_met && terms->spelling()) {
      for (const std::int32_t id : terms->spelling()->continuations) {
        if (const std::size_t v = column(id); v < V && word(v) == id) logits[v] = kNever;
      }
    }
    if (!terms && wanted_ == 1) {
      const float most = kernels::max(logits, V);
      // nothing equals a NaN, which only absurd weights can bring about
      offer(candidate(std::min(static_cast<std::size_t>(std::find(logits, logits + V, most) - logits), V - 1)));
      return;
    }
    // All other words bring a hypothesis no further, or back.
    for (const std::int32_t id : wanted_words_) {
      offer(candidate(column(id)));
      logits[column(id)] = kNever;
    }
    Best& bank = banks_[open.terms.pieces_met];
    for (std::size_t v = 0; v < V; ++v) {
      if (!(open.total + static_cast<double>(logits[v] - lse) > bank.worst())) continue;
      Candidate c = candidate(v);
      c.terms.pieces = open.terms.pieces_met;
      bank.offer(c);
    }
  }

  // The word of a column of logits, and the column of a word that has one.
  std::int32_t word(std::size_t column) const {
    return settings_.words.empty() ? static_cast<std::int32_t>(column) : settings_.words[column];
  }
  std::size_t column(std::int32_t word) const {
    if (settings_.words.empty()) return static_cast<std::size_t>(word);
    return static_cast<std::size_t>(std::lower_bound(settings_.words.begin(), settings_.words.end(), word) - settings_.words.begin());
  }

  // The last words of the hypothesis that ends with node n, at most `most` of them, into words_.
  void last_words(std::int32_t n, std::size_t most) {
    words_.clear();
    for (; n >= 0 && words_.size() < most; n = node(n).parent) words_.push_back(node(n).id);
    std::reverse(words_.begin(), words_.end());
  }

  Hypothesis hypothesis(const Finished& f) {
    Hypothesis h;
    for (std::int32_t n = f.node; n >= 0; n = node(n).parent) {
      if (n != f.node) h.ids.push_back(node(n).id);
      h.log_probability.push_back(node(n).log_probability);
    }
    std::reverse(h.ids.begin(), h.ids.end());
    std::reverse(h.log_probability.begin(), h.log_probability.end());
    for (const float p : h.log_probability) h.score += static_cast<double>(p);
    h.score = ranked(h.score, h.log_probability.size(), settings_.length_penalty);
    if (!settings_.trace || trace_.empty()) return h;
    const std::size_t S = request_.source.size(), rows = h.ids.size() + 1;
    h.attention.resize(rows * S);
    std::size_t row = rows;
    for (std::int32_t n = f.node; n >= 0; n = node(n).parent) {
      std::copy_n(trace_.begin() + static_cast<std::ptrdiff_t>(node(n).attention * S), S,
                  h.attention.begin() + static_cast<std::ptrdiff_t>(--row * S));
    }
    return h;
  }

  Node& node(std::int32_t n) { return nodes_[static_cast<std::size_t>(n)]; }

  const Request& request_;
  const SearchSettings& settings_;
  std::size_t wanted_;  // a finished hypothesis leaves the beam
  std::vector<Best> banks_;  // by pieces of terms
  Best best_;
  std::vector<Open> open_ = {{0, -1}}, next_;
  std::vector<Finished> finished_;
  std::vector<Node> nodes_;
  std::vector<float> trace_;
  std::vector<std::int32_t> words_, wanted_words_;
};

}  // namespace

std::size_t beam_of(const Request& request, const SearchSettings& settings) {
  constexpr std::size_t kWidest = 64;
  const std::size_t beam = std::max(settings.beam, request.beam);
  return request.terms ? std::max(beam, std::min(request.terms->pieces() + 4, kWidest)) : beam;
}

std::vector<std::vector<Hypothesis>> search(Graph<float>& g, const Model& model, std::span<const Request> requests,
                                            const SearchSettings& settings) {
  if (requests.empty()) return {};
  const Arena::Mark start = g.arena().mark();
  std::vector<SentenceSearch> searches;
  std::vector<std::span<const std::int32_t>> sources;
  std::size_t longest = 0, most = 0;
  for (const Request& request : requests) {
    sources.push_back(request.source);
    searches.emplace_back(request, settings);
    most += beam_of(request, settings);
    longest = std::max(longest, request.longest);
  }
  models::Sources together(sources);
  together.words = settings.words;
  for (const Request& request : requests) together.edits.push_back(request.edits);
  const auto decoder = model.read(g, together);
  State state(g, decoder->state_shape(), requests.size(), longest + 1, most);
  const Arena::Mark step_start = g.arena().mark();

  std::vector<std::int32_t> previous(requests.size(), settings.eos);
  std::vector<std::size_t> continued;  // of each new open hypothesis: the one it continues
  for (std::size_t t = 1; !previous.empty(); ++t) {
    const auto step = decoder->step(g, previous, state);
    const std::size_t V = step.logits.width(), S = step.weights.value ? step.weights.width() : 0;
    previous.clear();
    continued.clear();
    std::size_t row = 0;
    for (SentenceSearch& sentence : searches) {
      const std::size_t rows = sentence.open();
      const bool looks = S > 0 && sentence.wants_attention();
      sentence.advance(t, step.logits.value + row * V, V, looks ? step.weights.value + row * S : nullptr, S,
                       decoder->alignment_is_shifted(), row, previous, continued);
      row += rows;
    }
    state.select(continued);
    g.arena().rewind(step_start);
  }
  g.arena().rewind(start);

  std::vector<std::vector<Hypothesis>> result;
  for (SentenceSearch& sentence : searches) result.push_back(sentence.finished());
  return result;
}

}  // namespace softalign::decoding
