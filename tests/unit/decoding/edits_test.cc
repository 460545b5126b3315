#include "models/edits.h"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "decoding/forced.h"
#include "models/seq2seq.h"
#include "models/student.h"
#include "models/transformer.h"
#include "unit/support/errors.h"
#include "unit/support/search.h"

// Attentions that are made to look elsewhere while a sentence is translated.
namespace softalign::decoding {
namespace {

using models::Edits;
using models::Head;
using models::HeadKind;
using testing::message_of;
using testing::search;
using testing::search_all;
using Ids = std::vector<std::int32_t>;

constexpr std::int32_t kEos = 1, kUnknown = 0;
const Ids kSource = {4, 2, 5, 3, kEos};
const Ids kTarget = {3, 5, 2};
const std::size_t kS = kSource.size();

// Students have no attention of the decoder to itself.
constexpr const char* kKinds[] = {"additive", "dot", "transformer", "shifted transformer", "student", "shifted student"};
bool is_student(const std::string& kind) { return kind.ends_with("student"); }
bool is_transformer(const std::string& kind) { return kind.ends_with("transformer") || is_student(kind); }

template <class Config>
std::unique_ptr<models::TranslationModel<float>> transformer(Parameters<float>& weights, bool shifted) {
  Config c;
  c.vocabulary = 6;
  c.width = 8;
  c.heads = 2;
  c.feed_forward = 9;
  c.encoder_layers = 2;
  c.decoder_layers = 2;
  c.alignment = {.layer = 1, .head = 1, .shifted = shifted};
  return std::make_unique<typename Config::template Model<float>>(weights, c);
}

// A model of six words whose weights are large enough for opinions.
struct Model {
  explicit Model(const std::string& kind, std::uint64_t seed = 1) : weights(seed) {
    const bool shifted = kind.starts_with("shifted");
    if (is_student(kind)) {
      model = transformer<models::StudentConfig>(weights, shifted);
    } else if (is_transformer(kind)) {
      model = transformer<models::TransformerConfig>(weights, shifted);
    } else {
      models::Seq2SeqConfig c;
      c.attention = models::attention_by_name(kind);
      c.vocabulary = 6;
      c.embedding = 5;
      c.encoder = 4;
      c.decoder = 6;
      c.alignment = 3;
      model = std::make_unique<models::Seq2Seq<float>>(weights, c);
    }
    Random random(seed);
    for (auto& p : weights.all()) {
      if (is_student(kind) && p.name.find("norm") != std::string::npos) continue;  // they are the last to speak
      for (float& v : p.value) v = static_cast<float>(0.6 * random.normal());
    }
    weights.find("output.bias")->value[kUnknown] = -1e4f;
  }
  Hypothesis force(const Edits& edits, const Ids& source = kSource) const {
    Graph<float> g;
    return decoding::force(g, *model, source, kTarget, kEos, Heads::kKeep, &edits);
  }
  void clear(const std::string& name) { std::fill(weights.find(name)->value.begin(), weights.find(name)->value.end(), 0.0f); }

  Parameters<float> weights;
  std::unique_ptr<models::TranslationModel<float>> model;
};

void expect_near(const std::vector<float>& a, const std::vector<float>& b, float error = 1e-5f) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], error) << i;
}
void expect_far(const std::vector<float>& a, const std::vector<float>& b) {
  ASSERT_EQ(a.size(), b.size());
  float most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  EXPECT_GT(most, 1e-3f);
}

std::vector<float> row_of(const std::vector<float>& weights, std::size_t row) {
  const auto from = weights.begin() + static_cast<std::ptrdiff_t>(row * kS);
  return {from, from + static_cast<std::ptrdiff_t>(kS)};
}

TEST(Edits, NoneChangeNothing) {
  for (const std::string kind : kKinds) {
    const Model m(kind);
    const Edits none;
    Graph<float> g, other;
    for (const std::size_t beam : {1, 3}) {
      const auto plain = search_all(g, *m.model, kSource, {.beam = beam, .longest = 9, .trace = true});
      const auto edited = search_all(other, *m.model, kSource, {.beam = beam, .longest = 9, .trace = true, .edits = &none});
      ASSERT_EQ(plain.size(), edited.size());
      for (std::size_t i = 0; i < plain.size(); ++i) {
        EXPECT_EQ(plain[i].ids, edited[i].ids);
        EXPECT_EQ(plain[i].log_probability, edited[i].log_probability);
        EXPECT_EQ(plain[i].attention, edited[i].attention);
      }
    }
  }
}

TEST(Edits, AMaskedWordIsNeverLookedAt) {
  for (const std::string kind : kKinds) {
    SCOPED_TRACE(kind);
    const Model m(kind);
    const Hypothesis free = m.force({}), edited = m.force({.mask = {1, 3}});
    expect_far(free.log_probability, edited.log_probability);
    for (std::size_t i = 0; i < free.heads.size(); ++i) {
      const HeadWeights &was = free.heads[i], &is = edited.heads[i];
      if (is.kind == HeadKind::kDecoder) continue;
      for (std::size_t row = 0; row < is.rows; ++row) {
        const auto weights = row_of(is.weights, row);
        EXPECT_EQ(weights[1], 0);
        EXPECT_EQ(weights[3], 0);
        EXPECT_GT(row_of(was.weights, row)[1], 0);
        EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0f), 1, 1e-5f);
      }
    }
    // Before anything else differs, what is left goes to the others as before.
    if (is_transformer(kind)) continue;
    auto was = row_of(free.attention, 0);
    was[1] = was[3] = 0;
    const float left = std::accumulate(was.begin(), was.end(), 0.0f);
    for (float& w : was) w /= left;
    expect_near(row_of(edited.attention, 0), was);
  }
}

// Nothing of a masked word gets out of a transformer: any word may stand there.
TEST(Edits, ATransformerDoesNotReadAMaskedWord) {
  for (const std::string kind : kKinds) {
    if (!is_transformer(kind)) continue;
    const Model m(kind);
    const Edits edits = {.mask = {2}};
    for (const std::int32_t other : {2, 3, 4}) {
      Ids source = kSource;
      source[2] = other;
      EXPECT_EQ(m.force(edits).log_probability, m.force(edits, source).log_probability);
      EXPECT_EQ(m.force(edits).attention, m.force(edits, source).attention);
      expect_far(m.force({}).log_probability, m.force({}, source).log_probability);
    }
  }
}

TEST(Edits, ARowIsLookedAtAsGiven) {
  for (const std::string kind : kKinds) {
    SCOPED_TRACE(kind);
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const Model m(kind, seed);
      Graph<float> g;
      for (const std::size_t beam : {1, 4}) {
        const Edits edits = {.rows = {{1, {0, 0, 8, 0, 0}}, {2, {1, 2, 1, 0, 0}}}};
        const Hypothesis found = search(g, *m.model, kSource, {.beam = beam, .longest = 9, .trace = true, .edits = &edits});
        if (found.ids.size() < 3) continue;
        EXPECT_EQ(row_of(found.attention, 1), (std::vector<float>{0, 0, 1, 0, 0}));
        EXPECT_EQ(row_of(found.attention, 2), (std::vector<float>{0.25, 0.5, 0.25, 0, 0}));
        const Hypothesis forced = decoding::force(g, *m.model, kSource, found.ids, kEos, Heads::kKeep, &edits);
        expect_near(forced.attention, found.attention);
        expect_near(forced.log_probability, found.log_probability, 1e-4f);
        for (const HeadWeights& h : forced.heads) {
          if (h.kind != HeadKind::kCross) continue;
          EXPECT_EQ(row_of(h.weights, 2), (std::vector<float>{0.25, 0.5, 0.25, 0, 0}));
        }
      }
    }
    // What came before the row is as it was, what comes after it is not.
    const Model m(kind);
    const auto free = m.force({}).log_probability, edited = m.force({.rows = {{1, {1, 0, 0, 0, 0}}}}).log_probability;
    EXPECT_EQ(free[0], edited[0]);
    for (std::size_t t = 1; t < free.size(); ++t) EXPECT_GT(std::abs(free[t] - edited[t]), 1e-5f) << t;
  }
}

TEST(Edits, ToldWhatItDoesAnywayAModelDoesTheSame) {
  for (const std::string kind : kKinds) {
    SCOPED_TRACE(kind);
    const Model m(kind);
    const Hypothesis free = m.force({});
    Edits edits;
    for (const HeadWeights& h : free.heads) {
      if (h.kind != HeadKind::kCross) continue;
      for (std::size_t t = 0; t < h.rows; ++t) edits.rows.push_back({t, row_of(h.weights, t), h});
    }
    const Hypothesis told = m.force(edits);
    expect_near(told.log_probability, free.log_probability);
    for (std::size_t i = 0; i < free.heads.size(); ++i) expect_near(told.heads[i].weights, free.heads[i].weights);
    // Of one head only; of two rows for it the later, and one for all counts less.
    edits = {.rows = {{1, {0, 1, 0, 0, 0}, Head{}}, {1, {1, 0, 0, 0, 0}, Head{}}}};
    const Hypothesis one = m.force(edits);
    EXPECT_EQ(row_of(one.heads[0].weights, 1), (std::vector<float>{1, 0, 0, 0, 0}));
    EXPECT_EQ(row_of(one.heads[0].weights, 0), row_of(free.heads[0].weights, 0));
    if (is_transformer(kind)) expect_near(row_of(one.heads[1].weights, 1), row_of(free.heads[1].weights, 1), 1e-6f);
    edits.rows.push_back({1, {0, 0, 0, 0, 1}});
    EXPECT_EQ(row_of(m.force(edits).heads[0].weights, 1), (std::vector<float>{1, 0, 0, 0, 0}));
  }
}

// As if a head's columns of the output map were 0.
TEST(Edits, AHeadThatIsOffBringsNothing) {
  const std::pair<HeadKind, std::string> attentions[] = {{HeadKind::kCross, "decoder.layers.1.multihead_attn"},
                                                         {HeadKind::kEncoder, "encoder.layers.1.self_attn"},
                                                         {HeadKind::kDecoder, "decoder.layers.1.self_attn"}};
  for (const std::string kind : {"shifted transformer", "student"}) {
    for (const auto& [attention, name] : attentions) {
      if (is_student(kind) && attention == HeadKind::kDecoder) continue;
      SCOPED_TRACE(kind + " " + name);
      const Model m(kind);
      const Hypothesis off = m.force({.off = {{attention, 1, 1}}});
      expect_far(off.log_probability, m.force({}).log_probability);
      Model without(kind);
      auto& map = without.weights.find(name + ".out_proj.weight")->value;
      for (std::size_t i = 0; i < map.size(); ++i) {
        if (i % 8 >= 4) map[i] = 0;
      }
      expect_near(off.log_probability, without.force({}).log_probability);
      for (const HeadWeights& h : off.heads) {
        const float sum = std::accumulate(h.weights.begin(), h.weights.end(), 0.0f);
        const bool is_off = h.kind == attention && h.layer == 1 && h.head == 1;
        EXPECT_NEAR(sum, is_off ? 0 : static_cast<float>(h.rows), is_off ? 0 : 1e-4f);
      }
      Graph<float> g;
      const Edits edits = {.off = {{attention, 1, 1}}};
      for (const std::size_t beam : {1, 4}) {
        EXPECT_EQ(search(g, *m.model, kSource, {.beam = beam, .longest = 9, .edits = &edits}).ids,
                  search(g, *without.model, kSource, {.beam = beam, .longest = 9}).ids);
      }
    }
  }
  for (const std::string kind : {"additive", "dot"}) {
    const Model m(kind);
    Model without(kind);
    without.clear("decoder.gru.context.weight");
    without.clear("readout.context.weight");
    expect_near(m.force({.off = {Head{}}}).log_probability, without.force({}).log_probability);
  }
}

TEST(Edits, WithoutAttentionAllWordsAreLookedAtAlike) {
  for (const std::string kind : kKinds) {
    SCOPED_TRACE(kind);
    const Model m(kind);
    Model indifferent(kind);  // its scores are all the same
    if (kind == "additive") indifferent.clear("attention.score");
    if (kind == "dot") indifferent.clear("attention.query.weight");
    for (std::size_t i = 0; is_transformer(kind) && i < 2; ++i) {
      const std::string name = "decoder.layers." + std::to_string(i) + ".multihead_attn.q_proj";
      indifferent.clear(name + ".weight");
      indifferent.clear(name + ".bias");
    }
    const Hypothesis uniform = m.force({.uniform = true}), expected = indifferent.force({});
    expect_far(uniform.log_probability, m.force({}).log_probability);
    expect_near(uniform.log_probability, expected.log_probability);
    for (const float w : uniform.attention) EXPECT_NEAR(w, 0.2f, 1e-6f);
    // Over what is not masked, and less than rows and heads that are off.
    const Hypothesis all = m.force({.mask = {0}, .off = {Head{}}, .rows = {{1, {0, 3, 1, 0, 0}}}, .uniform = true});
    EXPECT_EQ(row_of(all.heads[0].weights, 0), std::vector<float>(kS));
    EXPECT_EQ(row_of(all.heads[0].weights, 1), std::vector<float>(kS));
    if (!is_transformer(kind)) continue;
    EXPECT_EQ(row_of(all.heads[1].weights, 0), (std::vector<float>{0, 0.25, 0.25, 0.25, 0.25}));
    EXPECT_EQ(row_of(all.heads[1].weights, 1), (std::vector<float>{0, 0.75, 0.25, 0, 0}));
  }
}

// A masked word has no part of a row, whatever the row says.
TEST(Edits, ARowLeavesMaskedWordsOut) {
  for (const std::string kind : kKinds) {
    const Model m(kind);
    const Hypothesis h = m.force({.mask = {1}, .rows = {{0, {1, 9, 3, 0, 0}}}});
    EXPECT_EQ(row_of(h.attention, 0), (std::vector<float>{0.25, 0, 0.75, 0, 0})) << kind;
  }
}

TEST(Edits, OfSentencesTogetherAreThoseOfEachAlone) {
  const std::vector<Ids> sources = {kSource, {2, 2, 3, kEos}, {5, 4, 3, 2, 5, 4, 3, 2, kEos}, {3, kEos}, kSource};
  for (const std::string kind : kKinds) {
    std::vector<Edits> edits = {{.mask = {1, 2}, .rows = {{1, {1, 0, 0, 2, 1}}}},
                                {},
                                {.mask = {8}, .rows = {{0, {0, 0, 0, 0, 0, 0, 1, 1, 1}}}, .uniform = true},
                                {.off = {Head{}}, .rows = {{2, {1, 3}}}},
                                {.rows = {{1, {0, 1, 0, 0, 0}, Head{}}, {2, {0, 0, 1, 0, 0}}}}};
    if (is_transformer(kind)) edits[3].off = {{HeadKind::kEncoder, 1, 0}, {HeadKind::kCross, 1, 1}};
    if (is_transformer(kind) && !is_student(kind)) edits[3].off.push_back({HeadKind::kDecoder, 0, 1});
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const Model m(kind, seed);
      Graph<float> g;
      std::vector<Request> requests;
      for (std::size_t i = 0; i < sources.size(); ++i) requests.push_back({.source = sources[i], .longest = 7, .edits = &edits[i]});
      for (const std::size_t beam : {1, 4}) {
        const auto together = decoding::search(g, *m.model, requests, {.beam = beam, .trace = true});
        for (std::size_t i = 0; i < sources.size(); ++i) {
          SCOPED_TRACE(kind + ", seed " + std::to_string(seed) + ", beam " + std::to_string(beam) + ", sentence " + std::to_string(i));
          const auto alone = decoding::search(g, *m.model, std::span(requests).subspan(i, 1), {.beam = beam, .trace = true}).front();
          ASSERT_EQ(together[i].size(), alone.size());
          for (std::size_t n = 0; n < alone.size(); ++n) {
            EXPECT_EQ(together[i][n].ids, alone[n].ids);
            EXPECT_NEAR(together[i][n].score, alone[n].score, 1e-5);
            expect_near(together[i][n].attention, alone[n].attention);
          }
        }
      }
    }
  }
}

TEST(Edits, NameWhatThereIsNot) {
  const Model rnn("additive"), transformer("transformer");
  const auto error = [](const Model& m, const Edits& edits) { return message_of<ArgumentError>([&] { m.force(edits); }); };
  for (const Model* m : {&rnn, &transformer}) {
    EXPECT_EQ(error(*m, {.mask = {2, 5}}), "edits: source word 5 is masked, expected one below 5");
    EXPECT_EQ(error(*m, {.mask = {0, 1, 2, 3, 4, 4}}), "edits: all 5 source words are masked, expected one that is not");
    EXPECT_EQ(error(*m, {.rows = {{0, {1, 2}}}}), "edits: a row has 2 weights, expected one for each of 5 source words");
    EXPECT_EQ(error(*m, {.rows = {{0, {0, 1, -1, 0, 0}}}}),
              "edits: weight 2 of a row is -1.000000, expected a number of at least 0");
    EXPECT_EQ(error(*m, {.rows = {{9, {0, 1, NAN, 0, 0}}}}), "edits: weight 2 of a row is nan, expected a number of at least 0");
    EXPECT_EQ(error(*m, {.rows = {{9, {0, INFINITY, 0, 0, 0}}}}), "edits: weight 1 of a row is inf, expected a number of at least 0");
    EXPECT_EQ(error(*m, {.mask = {1}, .rows = {{0, {0, 1, 0, 0, 0}}}}),
              "edits: the weights of a row sum to 0.000000 over the source words that are not masked, expected more than 0");
  }
  EXPECT_EQ(error(transformer, {.off = {{HeadKind::kCross, 2, 0}}}),
            "edits: head is 0 of layer 2, cross, expected a head below 2 and a layer below 2");
  EXPECT_EQ(error(transformer, {.rows = {{0, {1, 0, 0, 0, 0}, Head{HeadKind::kEncoder, 0, 0}}}}),
            "edits: a row is set for attention \"encoder\", expected \"cross\"");
  EXPECT_EQ(error(rnn, {.off = {{HeadKind::kCross, 0, 1}}}), "edits: head is 1 of layer 0, cross, expected a head below 1 and a layer below 1");
  EXPECT_EQ(error(rnn, {.off = {{HeadKind::kDecoder, 0, 0}}}),
            "edits: head is 0 of layer 0, decoder, expected another kind: the model has no such attention");
  EXPECT_EQ(error(Model("none"), {.uniform = true}), "edits: the model has no attention, expected one that can be edited");
  EXPECT_EQ(error(Model("student"), {.off = {{HeadKind::kDecoder, 0, 0}}}),
            "edits: head is 0 of layer 0, decoder, expected another kind: the model has no such attention");
  EXPECT_TRUE(Model("none").force({}).heads.empty());
  EXPECT_EQ(Model("student").force({}).heads.size(), 8u);
  EXPECT_EQ(Model("dot").force({}).heads.size(), 1u);
}

}  // namespace
}  // namespace softalign::decoding
