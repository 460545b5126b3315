#include "decoding/beam_search.h"
#include "decoding/forced.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "models/seq2seq.h"
#include "unit/support/allocations.h"
#include "unit/support/search.h"

namespace softalign::decoding {
namespace {

using models::AttentionKind;
using testing::search;
using testing::search_all;
using Ids = std::vector<std::int32_t>;

constexpr AttentionKind kKinds[] = {AttentionKind::kNone, AttentionKind::kAdditive, AttentionKind::kDot};
constexpr std::int32_t kEos = 1, kUnknown = 0;
const Ids kSource = {4, 2, 5, 3, kEos};

// A model of six words whose weights are large enough for opinions.
struct Model {
  explicit Model(AttentionKind kind, std::uint64_t seed = 1) : weights(seed), model(weights, config(kind)) {
    Random random(seed);
    for (auto& p : weights.all())
      for (float& v : p.value) v = static_cast<float>(0.8 * random.normal());
    // search() never says the unknown word, force() does not know: let the model agree.
    weights.find("output.bias")->value[kUnknown] = -1e4f;
  }
  static models::Seq2SeqConfig config(AttentionKind kind) {
    models::Seq2SeqConfig c;
    c.attention = kind;
    c.vocabulary = 6;
    c.embedding = 5;
    c.encoder = 4;
    c.decoder = 6;
    c.alignment = 3;
    return c;
  }
  Parameters<float> weights;
  models::Seq2Seq<float> model;
};

// A model whose state spells the words it has read, and whose opinion of the next word is a function
// of these words alone: whoever mixes up states gets another translation. Its attention shows what a
// hypothesis has read: its words in the first columns, then -1.
class Speller : public models::TranslationModel<float> {
 public:
  Speller(bool grows, std::uint64_t seed, float end_bias) : grows_(grows), seed_(seed), end_bias_(end_bias) {}

  const models::TranslationInfo& info() const override { return info_; }
  std::unique_ptr<models::Decoder<float>> read(Graph<float>&, const models::Sources& sources) const override {
    return std::make_unique<Reader>(*this, sources.longest);
  }
  Var<float> loss(Graph<float>&, const models::Batch&, double, double) const override { return {}; }

  void logits(std::span<const std::int32_t> words, float* out) const {
    std::uint64_t hash = 0;
    for (const std::int32_t word : words) hash = hash * 7 + static_cast<std::uint64_t>(word);
    Random random(seed_, hash, words.size());
    for (std::size_t v = 0; v < 6; ++v) out[v] = static_cast<float>(random.normal());
    out[kEos] += end_bias_;
    out[kUnknown] = -1e4f;
  }

  // Log probability of each next word after `prefix`, from the start.
  std::vector<double> next_words(Ids prefix) const {
    prefix.insert(prefix.begin(), kEos);
    float out[6];
    logits(prefix, out);
    double total = 0;
    for (const float x : out) total += std::exp(static_cast<double>(x));
    std::vector<double> result(6);
    for (std::size_t v = 0; v < 6; ++v) result[v] = static_cast<double>(out[v]) - std::log(total);
    return result;
  }

 private:
  class Reader : public models::Decoder<float> {
   public:
    Reader(const Speller& model, std::size_t source) : model_(model), source_(source) {}
    // A growing state keeps each word in every column of its planes; the other kind spells all words
    // in one number, a digit each, and has no room for many.
    models::StateShape state_shape() const override {
      return model_.grows_ ? models::StateShape{2, 3, true} : models::StateShape{2, 1, false};
    }

   protected:
    Step compute(Graph<float>& g, std::span<const std::int32_t> previous,
                 const models::DecoderState<float>& state) const override {
      const std::size_t B = previous.size(), t = state.words(), width = state_shape().width;
      std::int32_t* words = g.scratch<std::int32_t>(t + 1);
      const Step step{g.make({B, 6}), g.make({B, source_})};
      std::fill_n(step.weights.value, step.weights.size(), -1.0f);
      for (std::size_t b = 0; b < B; ++b) {
        for (std::size_t plane = 0; plane < 2; ++plane) {
          for (std::size_t c = 0; c < width; ++c) {
            const float before = model_.grows_ || t == 0 ? 0 : 6 * state.last(plane).value[b];
            state.next(plane).value[b * width + c] = before + static_cast<float>(previous[b]);
            spell(state, plane, b, c, {words, t + 1});
            for (std::size_t i = 0; i <= t; ++i) {
              float& shown = step.weights.value[b * source_ + i];
              EXPECT_TRUE(plane + c == 0 || shown == static_cast<float>(words[i])) << "planes and columns agree";
              shown = static_cast<float>(words[i]);
            }
          }
        }
        model_.logits({words, t + 1}, step.logits.value + b * 6);
      }
      return step;
    }

   private:
    void spell(const models::DecoderState<float>& state, std::size_t plane, std::size_t b, std::size_t c,
               std::span<std::int32_t> words) const {
      auto digits = static_cast<std::int32_t>(state.next(plane).value[b]);
      for (std::size_t i = words.size(); i-- > 0;) {
        if (model_.grows_) {
          const auto all = state.all(plane);
          words[i] = static_cast<std::int32_t>(all.value[(i * all.shape[1] + b) * all.width() + c]);
        } else {
          words[i] = digits % 6;
          digits /= 6;
        }
      }
    }

    const Speller& model_;
    std::size_t source_;
  };

  models::TranslationInfo info_;
  bool grows_;
  std::uint64_t seed_;
  float end_bias_;
};

double score_of(const Hypothesis& h, double penalty) {
  double total = 0;
  for (const float p : h.log_probability) total += static_cast<double>(p);
  return total / std::pow(static_cast<double>(h.ids.size() + 1), penalty);
}

TEST(Search, AWideBeamFindsTheBestOfAllSentences) {
  for (const AttentionKind kind : kKinds) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      Model m(kind, seed);
      Graph<float> g;
      std::vector<Ids> all = {{}};
      for (std::size_t first = 0, length = 1; length <= 3; ++length) {
        for (const std::size_t end = all.size(); first < end; ++first) {
          for (std::int32_t word = 2; word < 6; ++word) {
            all.push_back(all[first]);
            all.back().push_back(word);
          }
        }
      }
      ASSERT_EQ(all.size(), 1u + 4 + 16 + 64);
      for (const double penalty : {0.0, 1.0, 2.0}) {
        Ids best;
        double best_score = -1e30;
        for (const Ids& ids : all) {
          auto forced = force(g, m.model, kSource, ids, kEos);
          if (ids.size() == 3) {
            // The longest hypotheses are ended whether the model wants it or not, at its price.
            ASSERT_EQ(forced.log_probability.size(), 4u);
          }
          const double score = score_of(forced, penalty);
          if (score > best_score) {
            best_score = score;
            best = ids;
          }
        }
        const auto found = search(g, m.model, kSource, {.beam = 200, .length_penalty = penalty, .longest = 3});
        EXPECT_EQ(found.ids, best) << "penalty " << penalty << ", seed " << seed;
        EXPECT_NEAR(found.score, best_score, 1e-5);
      }
    }
  }
}

TEST(Search, SaysAtLeastOneWordIfItHasTo) {
  const Speller model(true, 3, 9);  // which would rather say nothing
  for (const std::size_t beam : {1, 3}) {
    Graph<float> g;
    const Request request = {.source = kSource, .longest = 4};
    SearchSettings settings = {.beam = beam, .eos = kEos, .unknown = kUnknown};
    EXPECT_TRUE(search(g, model, {&request, 1}, settings).front().front().ids.empty());
    settings.never_empty = true;
    const auto found = search(g, model, {&request, 1}, settings);
    for (const Hypothesis& each : found.front()) EXPECT_EQ(each.ids.size(), 1u);
  }
}

TEST(Search, BeamOfOneIsGreedy) {
  for (const AttentionKind kind : kKinds) {
    Model m(kind);
    Graph<float> g;
    const std::int32_t length = static_cast<std::int32_t>(kSource.size());
    const auto encoded = m.model.encode(g, kSource, {&length, 1});
    Ids expected;
    Var<float> state = encoded.start;
    for (std::int32_t previous = kEos; expected.size() < 12;) {
      const auto step = m.model.step(g, encoded.memory, {&previous, 1}, state);
      state = step.state;
      previous = static_cast<std::int32_t>(std::max_element(step.logits.value, step.logits.value + 6) - step.logits.value);
      if (previous == kEos) break;
      expected.push_back(previous);
    }
    Graph<float> other;
    EXPECT_EQ(search(other, m.model, kSource, {.beam = 1, .longest = 12}).ids, expected);
  }
}

// Log probability of each next word after `prefix`, from the start.
std::vector<double> next_words(const Model& m, const Ids& prefix) {
  Graph<float> g;
  const std::int32_t length = static_cast<std::int32_t>(kSource.size());
  const auto encoded = m.model.encode(g, kSource, {&length, 1});
  Var<float> state = encoded.start;
  models::Seq2Seq<float>::Step step;
  for (std::size_t t = 0; t <= prefix.size(); ++t) {
    const std::int32_t previous = t == 0 ? kEos : prefix[t - 1];
    step = m.model.step(g, encoded.memory, {&previous, 1}, state);
    state = step.state;
  }
  double total = 0;
  for (std::size_t v = 0; v < 6; ++v) total += std::exp(static_cast<double>(step.logits.value[v]));
  std::vector<double> result(6);
  for (std::size_t v = 0; v < 6; ++v) result[v] = static_cast<double>(step.logits.value[v]) - std::log(total);
  return result;
}

// The search as its header tells it, without sharing anything.
Ids plain_search(const std::function<std::vector<double>(const Ids&)>& next_words_after, std::size_t beam, double penalty,
                 std::size_t longest) {
  struct Hyp {
    Ids ids;
    double total;
  };
  std::vector<Hyp> open = {{{}, 0}};
  Ids best;
  double best_score = -1e30;
  for (std::size_t t = 1; !open.empty(); ++t) {
    std::vector<Hyp> candidates;
    for (const Hyp& h : open) {
      const auto words = next_words_after(h.ids);
      for (std::int32_t v = t > longest ? kEos : 1; v < (t > longest ? kEos + 1 : 6); ++v) {
        candidates.push_back({h.ids, h.total + words[static_cast<std::size_t>(v)]});
        candidates.back().ids.push_back(v);
      }
    }
    std::stable_sort(candidates.begin(), candidates.end(), [](const Hyp& a, const Hyp& b) { return a.total > b.total; });
    candidates.resize(std::min(candidates.size(), beam));
    open.clear();
    for (Hyp& c : candidates) {
      if (c.ids.back() != kEos) {
        open.push_back(c);
        continue;
      }
      --beam;
      const double score = c.total / std::pow(static_cast<double>(t), penalty);
      if (score > best_score) {
        best_score = score;
        best.assign(c.ids.begin(), c.ids.end() - 1);
      }
    }
  }
  return best;
}

TEST(Search, DoesWhatItsHeaderSays) {
  for (const AttentionKind kind : kKinds) {
    for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
      Model m(kind, seed);
      Graph<float> g;
      for (const std::size_t beam : {1, 2, 3, 5}) {
        for (const double penalty : {0.0, 1.0, 2.0}) {
          EXPECT_EQ(search(g, m.model, kSource, {.beam = beam, .length_penalty = penalty, .longest = 7}).ids,
                    plain_search([&](const Ids& prefix) { return next_words(m, prefix); }, beam, penalty, 7))
              << attention_name(kind) << ", seed " << seed << ", beam " << beam << ", penalty " << penalty;
        }
      }
    }
  }
}

// Each row of attention shows what the hypothesis had read, which are its own words.
void expect_spelled(const Hypothesis& h, std::size_t columns) {
  ASSERT_EQ(h.attention.size(), (h.ids.size() + 1) * columns);
  for (std::size_t t = 0; t <= h.ids.size(); ++t) {
    for (std::size_t c = 0; c < columns; ++c) {
      const std::int32_t expected = c > t ? -1 : c == 0 ? kEos : h.ids[c - 1];
      ASSERT_EQ(h.attention[t * columns + c], static_cast<float>(expected)) << "word " << t << ", column " << c;
    }
  }
}

TEST(Search, EveryHypothesisKeepsItsOwnState) {
  for (const bool grows : {false, true}) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const Speller model(grows, seed, seed % 2 ? 0.0f : -1.5f);
      const std::size_t longest = grows ? 30 : 7;
      Ids source(longest + 2, 2);
      Graph<float> g;
      for (const std::size_t beam : {1, 2, 4, 7}) {
        const auto found = search(g, model, source, {.beam = beam, .longest = longest, .trace = true});
        ASSERT_EQ(found.ids, plain_search([&](const Ids& prefix) { return model.next_words(prefix); }, beam, 1, longest))
            << (grows ? "growing" : "replaced") << ", seed " << seed << ", beam " << beam;
        ASSERT_NO_FATAL_FAILURE(expect_spelled(found, source.size()));
        const auto forced = force(g, model, source, found.ids, kEos);
        EXPECT_EQ(forced.attention, found.attention);
        EXPECT_NEAR(forced.score, found.score, 1e-5);
      }
    }
  }
}

TEST(Search, HundredsOfWords) {
  const std::size_t longest = 400;
  const Speller model(true, 3, -9);
  const Ids source(longest + 2, 2);
  Graph<float> g;
  for (const std::size_t beam : {1, 5}) {
    const auto found = search(g, model, source, {.beam = beam, .length_penalty = 2, .longest = longest, .trace = true});
    EXPECT_GT(found.ids.size(), 300u);
    ASSERT_NO_FATAL_FAILURE(expect_spelled(found, source.size()));
  }
}

// Sentences of many lengths, and what each is when it is searched for alone.
void expect_as_alone(const models::TranslationModel<float>& model, const SearchSettings& settings) {
  const std::vector<Ids> sources = {{4, 2, 5, 3, kEos}, {kEos}, {2, 2, 3, kEos}, {5, 4, 3, 2, 5, 4, 3, 2, kEos}, {3, kEos}};
  std::vector<Request> requests;
  for (std::size_t i = 0; i < sources.size(); ++i) requests.push_back({.source = sources[i], .longest = 9 - i});
  Graph<float> g;
  const auto together = search(g, model, requests, settings);
  ASSERT_EQ(together.size(), sources.size());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto alone = search(g, model, std::span(requests).subspan(i, 1), settings).front();
    ASSERT_EQ(together[i].size(), alone.size());
    for (std::size_t n = 0; n < alone.size(); ++n) {
      EXPECT_EQ(together[i][n].ids, alone[n].ids);
      EXPECT_NEAR(together[i][n].score, alone[n].score, 1e-5);
      ASSERT_EQ(together[i][n].attention.size(), alone[n].attention.size());
      for (std::size_t k = 0; k < alone[n].attention.size(); ++k) {
        EXPECT_NEAR(together[i][n].attention[k], alone[n].attention[k], 1e-5f);
      }
    }
  }
}

TEST(Search, SentencesTogetherAreTranslatedAsAlone) {
  for (const AttentionKind kind : kKinds) {
    for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
      Model m(kind, seed);
      for (const std::size_t beam : {1, 2, 5}) {
        SCOPED_TRACE(std::string(attention_name(kind)) + ", seed " + std::to_string(seed) + ", beam " + std::to_string(beam));
        ASSERT_NO_FATAL_FAILURE(expect_as_alone(m.model, {.beam = beam, .trace = true}));
      }
    }
  }
  Graph<float> g;
  EXPECT_TRUE(search(g, Model(AttentionKind::kDot).model, std::span<const Request>(), {}).empty());
}

TEST(Search, ReturnsAllItFinishedTheBestFirst) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Speller model(true, seed, 0);
    Graph<float> g;
    const auto found = search_all(g, model, Ids(9, 2), {.beam = 4, .longest = 7, .trace = true});
    ASSERT_EQ(found.size(), 4u);
    for (std::size_t n = 0; n < found.size(); ++n) {
      ASSERT_NO_FATAL_FAILURE(expect_spelled(found[n], 9));
      EXPECT_NEAR(found[n].score, force(g, model, Ids(9, 2), found[n].ids, kEos).score, 1e-5);
      if (n == 0) continue;
      EXPECT_GE(found[n - 1].score, found[n].score);
      for (std::size_t other = 0; other < n; ++other) EXPECT_NE(found[n].ids, found[other].ids);
    }
  }
}

Terms terms_of(const std::vector<Ids>& list) {
  std::vector<Term> terms;
  for (const Ids& ids : list) terms.push_back({.ids = ids});
  return Terms(std::move(terms));
}

bool occurs(const Ids& term, const Ids& ids) { return std::search(ids.begin(), ids.end(), term.begin(), term.end()) != ids.end(); }

TEST(Search, WithTermsFindsTheBestOfAllSentencesThatHaveThem) {
  const std::vector<std::vector<Ids>> wanted = {{{3}}, {{4, 2}}, {{5}, {3}}, {{2, 2}}, {{5}, {5}}, {{2, 3}, {3, 2}}};
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Speller model(true, seed, 0.5f);
    std::vector<Ids> all = {{}};
    for (std::size_t first = 0, length = 1; length <= 4; ++length) {
      for (const std::size_t end = all.size(); first < end; ++first) {
        for (std::int32_t word = 2; word < 6; ++word) {
          all.push_back(all[first]);
          all.back().push_back(word);
        }
      }
    }
    Graph<float> g;
    const Ids source(6, 2);
    for (const auto& list : wanted) {
      const Terms terms = terms_of(list);
      Ids best;
      double best_score = -1e30;
      for (const Ids& ids : all) {
        if (!std::all_of(list.begin(), list.end(), [&](const Ids& term) { return occurs(term, ids); })) continue;
        if (list.size() == 2 && list[0] == list[1] && std::count(ids.begin(), ids.end(), list[0][0]) < 2) continue;
        // Two terms do not share a word.
        if (list.size() == 2 && list[0].size() == 2 && ids.size() < 4) continue;
        const double score = force(g, model, source, ids, kEos).score;
        if (score > best_score) {
          best_score = score;
          best = ids;
        }
      }
      const auto found = search(g, model, source, {.beam = 400, .longest = 4, .terms = &terms});
      if (list.size() == 2 && list[0].size() == 2) {
        EXPECT_TRUE(occurs(list[0], found.ids) && occurs(list[1], found.ids));
        continue;
      }
      EXPECT_EQ(found.ids, best) << "seed " << seed;
      EXPECT_NEAR(found.score, best_score, 1e-5);
    }
  }
}

TEST(Search, ANarrowBeamFindsRoomForItsTerms) {
  const Terms terms = terms_of({{5, 2, 5}, {3, 3}});
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Speller model(true, seed, seed % 3 ? 0.0f : 4.0f);
    Graph<float> g;
    for (const std::size_t beam : {1, 3}) {
      for (const auto& found : search_all(g, model, Ids(22, 2), {.beam = beam, .longest = 20, .trace = true, .terms = &terms})) {
        EXPECT_TRUE(occurs({5, 2, 5}, found.ids) && occurs({3, 3}, found.ids)) << "seed " << seed << ", beam " << beam;
        ASSERT_NO_FATAL_FAILURE(expect_spelled(found, 22));
      }
    }
    // Where there is no room they stay out.
    EXPECT_LE(search(g, model, Ids(22, 2), {.longest = 4, .terms = &terms}).ids.size(), 4u);
  }
}

// A model that translates word by word: at step t it looks at source word t, and likes to say it again.
class Parrot : public models::TranslationModel<float> {
 public:
  const models::TranslationInfo& info() const override { return info_; }
  std::unique_ptr<models::Decoder<float>> read(Graph<float>&, const models::Sources& sources) const override {
    return std::make_unique<Reader>(sources);
  }
  Var<float> loss(Graph<float>&, const models::Batch&, double, double) const override { return {}; }

 private:
  struct Reader : models::Decoder<float> {
    explicit Reader(const models::Sources& s) : sources(s) {}
    models::StateShape state_shape() const override { return {1, 1, false}; }
    Step compute(Graph<float>& g, std::span<const std::int32_t> previous, const models::DecoderState<float>& state) const override {
      const std::size_t B = previous.size(), S = sources.longest;
      const Step step{g.zeros({B, 6}), g.zeros({B, S})};
      for (std::size_t b = 0; b < B; ++b) {
        state.next(0).value[b] = 0;
        const std::size_t at = std::min(state.words(), S - 1);
        step.weights.value[b * S + at] = 1;
        step.logits.value[b * 6 + static_cast<std::size_t>(sources.ids[at])] = 5;
        step.logits.value[b * 6 + 3] = std::max(step.logits.value[b * 6 + 3], 1.0f);
      }
      return step;
    }
    models::Sources sources;
  };
  models::TranslationInfo info_;
};

TEST(Search, ATermStandsWhereAttentionIsOnWhatItTranslates) {
  const Ids source = {4, 5, 4, 2, kEos};
  Graph<float> g;
  for (const std::size_t at : {0, 1, 2, 3}) {
    Ids expected(source.begin(), source.end() - 1);
    expected[at] = 3;
    const Terms terms({{.ids = {3}, .first = at, .last = at + 1}});
    const auto found = search(g, Parrot(), source, {.longest = 8, .terms = &terms});
    EXPECT_EQ(found.ids, expected);
    EXPECT_TRUE(found.attention.empty());
    EXPECT_NEAR(found.score, score_of(found, 1), 1e-5);
  }
}

TEST(Terms, BadOnesAreErrors) {
  EXPECT_THROW(terms_of({{3}, {}}), ArgumentError);
  EXPECT_THROW(terms_of(std::vector<Ids>(65, Ids{2})), ArgumentError);
  EXPECT_EQ(terms_of(std::vector<Ids>(64, Ids{2})).pieces(), 64u);
}

TEST(Decoder, AStepThatDoesNotFitItsStateIsAnError) {
  const Speller model(true, 1, 0);
  Graph<float> g;
  const auto decoder = model.read(g, models::Sources(kSource));
  models::DecoderState<float> state(g, decoder->state_shape(), 1, 2, 3);
  const Ids words = {kEos, 3};
  const auto error = [&](std::size_t count) -> std::string {
    try {
      decoder->step(g, {words.data(), count}, state);
    } catch (const ShapeError& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_EQ(error(2), "Decoder::step: number of words before is 2, expected 1");
  EXPECT_EQ(error(1), "no error");
  EXPECT_EQ(error(1), "no error");
  EXPECT_EQ(error(1), "Decoder::step: the state is 2 words long, expected fewer");
}

TEST(Search, SaysTheSameAsForcedDecodingOfItsResult) {
  for (const AttentionKind kind : kKinds) {
    // Many models, so that the winner is not always the first in the beam.
    for (std::size_t seed = 5; seed < 29; ++seed) {
      const std::size_t beam = seed % 3 == 0 ? 1 : seed % 3 == 1 ? 3 : 8;
      Model m(kind, seed);
      Graph<float> g;
      const auto found = search(g, m.model, kSource, {.beam = beam, .longest = 9, .trace = true});
      const auto forced = force(g, m.model, kSource, found.ids, kEos);
      ASSERT_EQ(found.log_probability.size(), found.ids.size() + 1);
      ASSERT_EQ(forced.log_probability.size(), found.ids.size() + 1);
      for (std::size_t i = 0; i < found.log_probability.size(); ++i) {
        EXPECT_NEAR(found.log_probability[i], forced.log_probability[i], 1e-5f);
      }
      EXPECT_NEAR(found.score, forced.score, 1e-5);
      ASSERT_EQ(found.attention.size(), kind == AttentionKind::kNone ? 0 : (found.ids.size() + 1) * kSource.size());
      ASSERT_EQ(forced.attention.size(), found.attention.size());
      for (std::size_t i = 0; i < found.attention.size(); ++i) {
        EXPECT_NEAR(found.attention[i], forced.attention[i], 1e-5f);
      }
      for (std::size_t row = 0; row * kSource.size() < found.attention.size(); ++row) {
        float total = 0;
        for (std::size_t s = 0; s < kSource.size(); ++s) total += found.attention[row * kSource.size() + s];
        EXPECT_NEAR(total, 1.0f, 1e-6f);
      }
      EXPECT_TRUE(search(g, m.model, kSource, {.beam = beam, .longest = 9}).attention.empty());
    }
  }
}

TEST(Search, EndsAModelThatNeverDoesAndNeverSaysTheUnknownWord) {
  for (const std::size_t beam : {1, 4}) {
    Model m(AttentionKind::kAdditive);
    m.weights.find("output.bias")->value[kEos] = -1e4f;
    m.weights.find("output.bias")->value[kUnknown] = 1e4f;
    Graph<float> g;
    for (const std::size_t longest : {0, 1, 17}) {
      const auto found = search(g, m.model, kSource, {.beam = beam, .longest = longest});
      EXPECT_EQ(found.ids.size(), longest);
      EXPECT_EQ(std::count(found.ids.begin(), found.ids.end(), kUnknown), 0);
      EXPECT_EQ(std::count(found.ids.begin(), found.ids.end(), kEos), 0);
    }
  }
}

TEST(Search, GivesItsMemoryBack) {
  Model m(AttentionKind::kAdditive);
  Graph<float> g;
  const auto first = search(g, m.model, kSource, {.beam = 4, .longest = 30});
  const auto mark = g.arena().mark();
  const std::size_t reserved = g.arena().reserved();
  EXPECT_EQ(mark.block, 0u);
  EXPECT_EQ(mark.used, 0u);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(search(g, m.model, kSource, {.beam = 4, .longest = 30}).ids, first.ids);
  EXPECT_EQ(g.arena().reserved(), reserved);
}

// The steps of one sentence, with hypotheses that change places, become fewer and more.
TEST(BeamSearch, TellsAllThatItFollowed) {
  constexpr std::size_t kBeam = 4;
  for (const bool grows : {false, true}) {
    const Speller model(grows, 7, 0.5f);
    Graph<float> g;
    const auto found = search_all(g, model, kSource, {.beam = kBeam, .longest = 8, .tree = true});
    const auto& tree = found.front().tree;
    struct Branch {
      Ids ids;
      double total = 0;
    };
    std::vector<Branch> branches;
    std::vector<std::size_t> followed(10);  // by length
    for (const Continuation& word : tree) {
      const auto parent = static_cast<std::size_t>(word.parent);
      ASSERT_TRUE(word.parent == -1 || parent < branches.size());
      Branch branch = word.parent < 0 ? Branch{} : branches[parent];
      EXPECT_NEAR(word.log_probability, model.next_words(branch.ids)[static_cast<std::size_t>(word.id)], 1e-5);
      branch.ids.push_back(word.id);
      branch.total += static_cast<double>(word.log_probability);
      if (!branches.empty() && branches.back().ids.size() == branch.ids.size()) {
        EXPECT_GE(branches.back().total, branch.total);
      }
      ++followed[branch.ids.size()];
      branches.push_back(std::move(branch));
    }
    for (const std::size_t count : followed) EXPECT_LE(count, kBeam);
    // As many ended as were found, and what had to be cut off is among them.
    EXPECT_EQ(static_cast<std::size_t>(std::count_if(tree.begin(), tree.end(), [](const auto& word) { return word.id == kEos; })),
              found.size());
    for (const Hypothesis& h : found) {
      Ids whole = h.ids;
      whole.push_back(kEos);
      EXPECT_TRUE(std::any_of(branches.begin(), branches.end(), [&](const Branch& b) { return b.ids == whole; }));
      EXPECT_EQ(h.tree.empty(), &h != &found.front());
    }
    EXPECT_TRUE(search(g, model, kSource, {.beam = kBeam, .longest = 8}).tree.empty());
  }
}

std::size_t allocations_of_steps(Graph<float>& g, const models::TranslationModel<float>& model) {
  const std::vector<std::size_t> chosen[] = {{0, 0, 0}, {2, 0, 1}, {1, 1}, {1}, {0}};
  const Ids words = {2, 3, 4};
  g.rewind();
  const auto decoder = model.read(g, models::Sources(kSource));
  models::DecoderState<float> state(g, decoder->state_shape(), 1, 4 * std::size(chosen), 3);
  const auto mark = g.arena().mark();
  const std::size_t before = testing::allocations();
  while (state.words() < state.longest()) {
    for (const auto& kept : chosen) {
      decoder->step(g, {words.data(), state.hypotheses()}, state);
      state.select(kept);
      g.arena().rewind(mark);
    }
  }
  return testing::allocations() - before;
}

TEST(Decoder, AStepAllocatesNothingOnceWarm) {
  if (!testing::kAllocationsAreCounted) GTEST_SKIP() << "allocations are not counted under AddressSanitizer";
  for (const AttentionKind kind : kKinds) {
    Model m(kind);
    Graph<float> g;
    allocations_of_steps(g, m.model);
    EXPECT_EQ(allocations_of_steps(g, m.model), 0u) << attention_name(kind);
  }
}

}  // namespace
}  // namespace softalign::decoding
