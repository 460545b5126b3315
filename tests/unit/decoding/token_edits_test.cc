#include "decoding/token_edits.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/random.h"
#include "io/file.h"
#include "models/seq2seq.h"
#include "models/transformer.h"
#include "unit/support/errors.h"

namespace softalign {
namespace {

using models::Edits;

const Tokenizer& tokenizer() {
  static const Tokenizer tokenizer(read_file(SOFTALIGN_SOURCE_DIR "/tests/golden/text/tiny.model"));
  return tokenizer;
}

// A small model with random weights over the tests' tokenizer.
template <class Config>
struct Model {
  explicit Model(Config config) : model(weights, sized(config)), translator(model, tokenizer()) {
    Random random(5);
    for (auto& p : weights.all()) {
      for (float& v : p.value) v = static_cast<float>(0.5 * random.normal());
    }
  }
  static Config sized(Config config) {
    config.vocabulary = tokenizer().size();
    return config;
  }
  Parameters<float> weights;
  typename Config::template Model<float> model;
  Translator translator;
};

models::Seq2SeqConfig recurrent() {
  models::Seq2SeqConfig c;
  c.embedding = c.encoder = c.decoder = c.alignment = 12;
  return c;
}
models::TransformerConfig transformer() {
  models::TransformerConfig c;
  c.width = 16;
  c.feed_forward = 16;
  return c;
}

const std::string kText = "the old houses don't see the river.";
const Options kTraced = {.trace = true};

std::vector<float> shown(const Translation& t, const TokenLevel& level) {
  return attention_by_word(t.attention, t.source.tokens.size() + 1, level.spans(t.target, tokenizer()), level.spans(t.source, tokenizer()));
}

void expect_same(const Translation& a, const Translation& b) {
  EXPECT_EQ(a.target.text, b.target.text);
  EXPECT_EQ(a.log_probability, b.log_probability);
  EXPECT_EQ(a.attention, b.attention);
}

void masks_and_rows(Translator& translator) {
  const Sentence sentence = {.text = kText};
  const auto translate = [&](const Edits& edits, const TokenLevel& level) {
    return translate_edited(translator, sentence, kTraced, edits, level).front();
  };
  const Translation plain = translator.translate(kText, kTraced);
  const auto words = TokenLevel{}.spans(plain.source, tokenizer());
  ASSERT_EQ(words.size(), 8u);
  ASSERT_GT(words[2].last, words[2].first + 1) << "a word of several pieces";
  for (const bool end : {false, true}) {
    expect_same(translate({}, {true, end}), plain);
    expect_same(translate({}, {false, end}), plain);
  }

  // A word is masked with its pieces, and so is the end where it is a token.
  Edits pieces;
  for (std::size_t i = words[2].first; i < words[2].last; ++i) pieces.mask.push_back(i);
  expect_same(translate({.mask = {2}}, {}), translate(pieces, {.words = false}));
  pieces.mask.push_back(plain.source.tokens.size());
  expect_same(translate({.mask = {2, 8}}, {.end = true}), translate(pieces, {.words = false, .end = true}));

  // A row is seen as it was given, whatever the pieces of the word that now stands there.
  for (const bool by_word : {true, false}) {
    for (const bool end : {false, true}) {
      const TokenLevel level = {by_word, end};
      const std::size_t columns = level.spans(plain.source, tokenizer()).size();
      const std::size_t count = level.spans(plain.target, tokenizer()).size();
      std::vector<float> row(columns);
      row[2] = 3;
      row[3] = 1;
      std::size_t seen = 0;
      for (std::size_t target = 0; target + 1 < count; ++target) {
        const Translation edited = translate({.rows = {{target, row}}}, level);
        const std::size_t first = level.spans(plain.target, tokenizer())[target].first;
        for (std::size_t t = 0; t < first; ++t) EXPECT_EQ(edited.target.tokens[t].id, plain.target.tokens[t].id);
        // Random as it is, the model may end here, or go on with the word before.
        const auto tokens = level.spans(edited.target, tokenizer());
        if (target >= tokens.size() || tokens[target].first != first) continue;
        ++seen;
        const auto attention = shown(edited, level);
        for (std::size_t s = 0; s < columns; ++s) {
          EXPECT_NEAR(attention[target * columns + s], row[s] / 4, 1e-5f) << by_word << end << ", row " << target << ", column " << s;
        }
      }
      EXPECT_GT(2 * seen, count);
    }
  }
  // Several, and one that is never reached.
  std::vector<float> first(8), second(8);
  first[0] = second[7] = 1;
  const auto both = translate({.rows = {{0, first}, {2, second}, {99, first}}}, {});
  const auto attention = shown(both, {});
  EXPECT_NEAR(attention[0 * 8 + 0], 1, 1e-5f);
  EXPECT_NEAR(attention[2 * 8 + 7], 1, 1e-5f);
  expect_same(translate({.rows = {{99, first}}}, {}), plain);

  const auto error = [&](const Edits& edits) { return testing::message_of<ArgumentError>([&] { translate(edits, {}); }); };
  EXPECT_EQ(error({.rows = {{2, first}, {1, second}}}),
            "edits: the row of token 1 follows that of 2, expected rows in the order of their tokens");
  EXPECT_EQ(error({.mask = {8}}), "edits: source token 8 is masked, expected one below 8");
  EXPECT_EQ(error({.rows = {{99, {1, 2}}}}), "edits: a row has 2 weights, expected one for each of 8 source tokens");
}

TEST(TokenEdits, OfARecurrentModel) {
  Model m(recurrent());
  ASSERT_NO_FATAL_FAILURE(masks_and_rows(m.translator));
}

TEST(TokenEdits, OfATransformer) {
  Model m(transformer());
  ASSERT_NO_FATAL_FAILURE(masks_and_rows(m.translator));
}

TEST(TokenEdits, HeadsAreKeptForSearchesAndAlignments) {
  Model m(transformer());
  const Edits edits = {.off = {{models::HeadKind::kEncoder, 2, 3}}};
  const Sentence sentence = {.text = kText};
  const auto t = translate_edited(m.translator, sentence, {.beam = 3, .trace = true, .heads = true, .best = 2}, edits, {});
  ASSERT_EQ(t.size(), 2u);
  for (const Translation& one : t) {
    ASSERT_EQ(one.heads.size(), (2u + 3 + 2) * 4);
    for (const auto& head : one.heads) {
      const bool of_source = head.kind == models::HeadKind::kEncoder;
      EXPECT_EQ(head.rows, (of_source ? one.source : one.target).tokens.size() + 1);
      const bool off = of_source && head.layer == 2 && head.head == 3;
      EXPECT_EQ(off, std::all_of(head.weights.begin(), head.weights.end(), [](float w) { return w == 0; }));
    }
  }
  EXPECT_TRUE(m.translator.translate(kText, kTraced).heads.empty());
  EXPECT_TRUE(m.translator.align(kText, "le fleuve.").heads.empty());
  EXPECT_EQ(m.translator.align(kText, "le fleuve.", true).heads.size(), 28u);
  EXPECT_EQ(translate_edited(m.translator, {.text = " "}, kTraced, edits, {}).front().target.text, " ");
}

}  // namespace
}  // namespace softalign
