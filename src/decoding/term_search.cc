#include "decoding/term_search.h"

#include <algorithm>
#include <optional>

namespace softalign::decoding {
namespace {

using Ids = std::span<const std::int32_t>;

// How much a word has to look at what a term translates to be its place, and for words beside it to be so, too.
constexpr float kLooks = 0.1f, kLooksMost = 0.5f;
// In bytes, the sign for a space among them.
constexpr std::size_t kSmall = 5;
// Hypotheses of a search for the word before a term.
constexpr std::size_t kBeam = 8;

// Ways through pieces, from state 0.
struct Paths {
  std::vector<Beginning::State> states = std::vector<Beginning::State>(1);

  std::size_t add() { return states.emplace_back(), states.size() - 1; }
  void link(std::size_t from, std::int32_t id, std::size_t to) { states[from].choices.push_back({id, to}); }
  // Returns the state behind the pieces.
  std::size_t go(std::size_t from, Ids pieces) {
    for (const std::int32_t id : pieces) {
      const std::size_t to = add();
      link(from, id, to);
      from = to;
    }
    return from;
  }
  void go(std::size_t from, Ids pieces, std::size_t to) { link(go(from, pieces.first(pieces.size() - 1)), pieces.back(), to); }
};

// A sentence on its way to a translation with all its terms.
class Placement {
 public:
  Placement(const Request& request, const SearchSettings& settings, const Tokenizer& target)
      : request_(request), settings_(settings), target_(target), left_(request.terms->terms()) {}

  // The next search, given what the last one found; none if that has all terms.
  std::optional<Request> next(const std::vector<Hypothesis>& found) {
    if (given_up_) return {};
    const Hypothesis& best = found.front();
    fixed_ = searched_ ? std::max(fixed_, request_.terms->end_of(*searched_, best.ids, fixed_, best.ids.size())) : begun(best.ids);
    for (searched_.reset(); !left_.empty();) {
      std::optional<Place> place;
      std::size_t which = 0;
      for (std::size_t i = 0; i < left_.size(); ++i) {
        const auto here = place_of(left_[i], best);
        if (!here) return all_at_once();
        if (!place || here->first < place->first) place = here, which = i;
      }
      const Term term = std::move(left_[which]);
      left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(which));
      if (!place->said) {
        searched_ = term;
        return with(term, *place, best.ids);
      }
      fixed_ = place->last;
    }
    return {};
  }

 private:
  struct Place {
    std::size_t first, last;  // pieces of the translation
    bool said = false;        // they are the term already
  };

  const Spelling& spelling() const { return *request_.terms->spelling(); }
  static bool contains(Ids ids, std::int32_t id) { return std::binary_search(ids.begin(), ids.end(), id); }
  bool may_say(std::int32_t id) const { return settings_.words.empty() || contains(settings_.words, id); }

  // How many pieces say what the translation has to begin with.
  std::size_t begun(Ids ids) const {
    if (!request_.beginning) return 0;
    std::size_t state = 0, count = 0;
    while (count < ids.size() && !request_.beginning->choices(state).empty()) {
      const auto choices = request_.beginning->choices(state);
      const auto chosen = std::find_if(choices.begin(), choices.end(), [&](const auto& choice) { return choice.id == ids[count]; });
      if (chosen == choices.end()) break;
      state = chosen->next;
      ++count;
    }
    return count;
  }

  std::size_t word_begin(Ids ids, std::size_t i) const {
    while (i > fixed_ && !target_.begins_word(ids[i])) --i;
    return i;
  }
  std::size_t word_end(Ids ids, std::size_t i) const {
    do ++i;
    while (i < ids.size() && !target_.begins_word(ids[i]));
    return i;
  }

  bool is_small(Ids word) const { return word.size() == 1 && target_.piece(word.front()).size() <= kSmall; }

  std::optional<Place> place_of(const Term& term, const Hypothesis& h) const {
    const Ids ids = h.ids;
    const std::size_t S = request_.source.size();
    if (h.attention.empty() || fixed_ >= ids.size()) return {};
    // The most that one of these pieces looks at what the term translates.
    const auto looks = [&](std::size_t first, std::size_t last) {
      float most = 0;
      for (std::size_t i = first; i < last; ++i) {
        float total = 0;
        for (std::size_t s = term.first; s < std::min(term.last, S); ++s) total += h.attention[i * S + s];
        most = std::max(most, total);
      }
      return most;
    };
    Place best = {0, 0};
    float most = kLooks;
    for (std::size_t first = fixed_; first < ids.size();) {
      const std::size_t last = word_end(ids, first);
      if (const float share = looks(first, last); share > most) most = share, best = {first, last};
      first = last;
    }
    if (best.last == 0) return {};
    // Words as small as articles and auxiliaries are, only between others.
    for (std::size_t first = best.first; first > fixed_;) {
      const std::size_t last = first;
      first = word_begin(ids, last - 1);
      if (looks(first, last) < kLooksMost) break;
      if (!is_small(ids.subspan(first, last - first))) best.first = first;
    }
    for (std::size_t last = best.last; last < ids.size();) {
      const std::size_t first = last;
      last = word_end(ids, first);
      if (looks(first, last) < kLooksMost) break;
      if (!is_small(ids.subspan(first, last - first))) best.last = last;
    }
    if (const std::size_t end = request_.terms->end_of(term, ids, best.first, best.last); end > 0) return Place{best.first, end, true};
    // The signs after a word are not of it.
    const auto is_sign = [&](std::int32_t id) { return !target_.begins_word(id) && !contains(spelling().continuations, id); };
    while (best.last > best.first + 1 && is_sign(ids[best.last - 1])) --best.last;
    return best;
  }

  // The translation with the term in its place: a beginning that goes on to the end.
  Request with(const Term& term, const Place& place, Ids ids) {
    // [from, to) may change: an elided word that is written together with the place, or else a short word before it.
    std::size_t from = place.first, to = place.first;
    for (std::size_t i = place.first; i + 1 < place.last; ++i) {
      if (contains(spelling().elisions, ids[i])) to = i + 1;
    }
    if (to == from && from > fixed_ && contains(spelling().short_words, ids[from - 1])) --from;
    const bool elided = to > 0 && contains(spelling().elisions, ids[to - 1]), joins = !term.joined.empty();

    Paths paths;
    const std::size_t choice = paths.go(0, ids.first(from)), rest = paths.add();
    const auto say = [&](std::size_t after, Ids pieces) {
      paths.states[after].instead_of = ids[to];
      paths.go(after, pieces, rest);
    };
    const auto say_as_it_is = [&] { say(paths.go(choice, ids.subspan(from, to - from)), elided && joins ? term.joined : term.ids); };
    if (to == from || !elided || joins) say_as_it_is();
    const bool may_change = to > from && !(elided && joins);
    const auto link = [&](std::size_t from_state, const std::vector<std::int32_t>& pieces, std::size_t to_state) {
      for (const std::int32_t id : pieces) {
        if (may_say(id)) paths.link(from_state, id, to_state);
      }
    };
    if (may_change) {
      const std::size_t word = paths.add();
      link(choice, spelling().short_words, word);
      say(word, term.ids);
    }
    if (may_change && joins) {
      const std::size_t stem = paths.add(), word = paths.add();
      for (const std::int32_t id : spelling().elisions) {
        if (may_say(id)) paths.link(target_.begins_word(id) ? choice : stem, id, word);
      }
      // What leads to where nothing goes on would be free from there.
      if (!paths.states[stem].choices.empty()) link(choice, spelling().stems, stem);
      say(word, term.joined);
    }
    if (paths.states[choice].choices.empty()) say_as_it_is();  // where a shortlist has no other word
    paths.go(paths.go(rest, ids.subspan(place.last)), {&settings_.eos, 1});

    Request request = request_;
    request.longest = std::max(request.longest, paths.states.size());  // it may be longer than what it is made of
    beginning_.emplace(std::move(paths.states));
    request.beginning = &*beginning_;
    request.terms = nullptr;
    request.beam = kBeam;
    return request;
  }

  Request all_at_once() {
    given_up_ = true;
    return request_;
  }

  const Request& request_;
  const SearchSettings& settings_;
  const Tokenizer& target_;
  std::vector<Term> left_;        // terms that have no place yet
  std::optional<Term> searched_;  // the one that the last search was for
  std::size_t fixed_ = 0;         // so many pieces of the translation stay
  bool given_up_ = false;
  std::optional<Beginning> beginning_;
};

}  // namespace

std::vector<std::vector<Hypothesis>> search_with_terms(Graph<float>& g, const models::TranslationModel<float>& model,
                                                       std::span<const Request> requests, const SearchSettings& settings,
                                                       const Tokenizer& target) {
  const auto has_terms = [](const Request& request) { return request.terms != nullptr; };
  if (std::none_of(requests.begin(), requests.end(), has_terms)) return search(g, model, requests, settings);
  SearchSettings traced = settings;
  traced.trace = true;
  std::vector<Request> next(requests.begin(), requests.end());
  for (Request& request : next) request.terms = nullptr;
  auto result = search(g, model, next, traced);

  std::vector<std::optional<Placement>> placements(requests.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (requests[i].terms) placements[i].emplace(requests[i], settings, target);
  }
  for (;;) {
    next.clear();
    std::vector<std::size_t> which;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (!placements[i]) continue;
      if (const auto request = placements[i]->next(result[i])) {
        next.push_back(*request);
        which.push_back(i);
      }
    }
    if (next.empty()) break;
    auto found = search(g, model, next, traced);
    for (std::size_t i = 0; i < which.size(); ++i) result[which[i]] = std::move(found[i]);
  }
  if (!settings.trace) {
    for (auto& found : result) {
      for (Hypothesis& hypothesis : found) hypothesis.attention.clear();
    }
  }
  return result;
}

}  // namespace softalign::decoding
