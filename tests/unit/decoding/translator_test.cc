#include "decoding/translator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "core/random.h"
#include "decoding/constraints.h"
#include "io/file.h"
#include "models/model_file.h"
#include "models/seq2seq.h"

namespace softalign {
namespace {

using models::AttentionKind;
using models::Storage;
using Bytes = std::vector<std::byte>;

constexpr const char* kSentences[] = {
    "the cat sees the dog.",
    "I don't   love the old house , but it's near the river .  ",
    "x",
    "Où est le chat ? Il est sous la maison, peut-être.",
    "tab\tand\nnew line",
    "日本語 and 😀😁",
    "\xFF\xC3 broken \xE2\x82",
};

const Bytes& tokenizer_bytes() {
  static const Bytes bytes = read_file(SOFTALIGN_SOURCE_DIR "/tests/golden/text/tiny.model");
  return bytes;
}

// A small model with random weights over the tests' tokenizer.
struct Model {
  explicit Model(AttentionKind kind = AttentionKind::kAdditive)
      : tokenizer(tokenizer_bytes()), model(weights, config(kind, tokenizer.size())) {
    Random random(3);
    for (auto& p : weights.all())
      for (float& v : p.value) v = static_cast<float>(0.4 * random.normal());
  }
  static models::Seq2SeqConfig config(AttentionKind kind, std::size_t vocabulary) {
    models::Seq2SeqConfig c;
    c.attention = kind;
    c.vocabulary = vocabulary;
    c.embedding = 16;
    c.encoder = 8;
    c.decoder = 12;
    c.alignment = 8;
    return c;
  }
  Bytes save(Storage storage) const { return save_model(model.config().to_json(), weights, tokenizer_bytes(), storage); }

  Tokenizer tokenizer;
  Parameters<float> weights;
  models::Seq2Seq<float> model;
};

void expect_tiling(const Annotation& a) {
  std::uint32_t at = 0;
  for (const Token& token : a.tokens) {
    EXPECT_EQ(token.range.begin, at);
    at = token.range.end;
  }
  EXPECT_EQ(at, a.tokens.empty() ? 0 : a.text.size());
}

void expect_equal(const Translation& a, const Translation& b) {
  EXPECT_EQ(a.target.text, b.target.text);
  EXPECT_EQ(a.attention, b.attention);
  EXPECT_EQ(a.log_probability, b.log_probability);
  EXPECT_EQ(a.score, b.score);
}

TEST(Translator, ItsResultFitsTogether) {
  for (const AttentionKind kind : {AttentionKind::kAdditive, AttentionKind::kDot, AttentionKind::kNone}) {
    Model m(kind);
    Translator translator(m.model, m.tokenizer);
    for (const char* sentence : kSentences) {
      for (const int beam : {1, 4}) {
        const Translation t = translator.translate(sentence, {.beam = beam, .trace = true});
        EXPECT_EQ(t.source.text, sentence);
        expect_tiling(t.source);
        expect_tiling(t.target);
        const std::size_t rows = t.target.tokens.size() + 1, columns = t.source.tokens.size() + 1;
        EXPECT_LE(t.target.tokens.size(), Translator::longest_target(t.source.tokens.size()));
        EXPECT_EQ(t.log_probability.size(), rows);
        EXPECT_EQ(t.attention.size(), kind == AttentionKind::kNone ? 0 : rows * columns);
        for (std::size_t r = 0; r * columns < t.attention.size(); ++r) {
          float total = 0;
          for (std::size_t c = 0; c < columns; ++c) total += t.attention[r * columns + c];
          EXPECT_NEAR(total, 1.0f, 1e-5f);
        }
        EXPECT_TRUE(translator.translate(sentence, {.beam = beam}).attention.empty());
      }
    }
  }
}

TEST(Translator, SaveLoadTranslateIsTheSame) {
  Model m;
  Translator direct(m.model, m.tokenizer);
  const Bytes bytes = m.save(Storage::kF32);
  Translator loaded(bytes);
  for (const char* sentence : kSentences) {
    for (const int beam : {1, 3}) {
      expect_equal(loaded.translate(sentence, {.beam = beam, .trace = true}),
                   direct.translate(sentence, {.beam = beam, .trace = true}));
    }
    expect_equal(loaded.align(sentence, "le chat voit"), direct.align(sentence, "le chat voit"));
  }
}

TEST(Translator, StoredInFewerBytesItTranslatesAlikeEachTime) {
  for (const Storage storage : {Storage::kF16, Storage::kInt8}) {
    Model m;
    const Bytes bytes = m.save(storage);
    EXPECT_LT(bytes.size(), m.save(Storage::kF32).size());
    Translator one(bytes);
    Translator two(std::span<const std::byte>{bytes});
    for (const char* sentence : kSentences) expect_equal(one.translate(sentence), two.translate(sentence));
  }
}

TEST(Translator, EarlierSentencesLeaveNoTrace) {
  Model m;
  Translator translator(m.model, m.tokenizer);
  const Translation first = translator.translate(kSentences[0], {.beam = 2, .trace = true});
  for (const char* sentence : kSentences) translator.translate(sentence, {.beam = 4});
  expect_equal(translator.translate(kSentences[0], {.beam = 2, .trace = true}), first);
}

TEST(Translator, ForcedDecodingOfItsOwnTranslationFindsItAsLikely) {
  // Ids, not text: a random model's output need not be cut into the same pieces again, so the
  // sentence is taken where it is.
  Model m;
  Translator translator(m.model, m.tokenizer);
  int compared = 0;
  for (const char* sentence : kSentences) {
    const Translation t = translator.translate(sentence, {.trace = true});
    const Translation a = translator.align(sentence, t.target.text);
    if (a.target.tokens.size() != t.target.tokens.size()) continue;
    bool same = true;
    for (std::size_t i = 0; i < a.target.tokens.size(); ++i) same &= a.target.tokens[i].id == t.target.tokens[i].id;
    if (!same) continue;
    ++compared;
    for (std::size_t i = 0; i < t.attention.size(); ++i) EXPECT_NEAR(a.attention[i], t.attention[i], 1e-5f);
  }
  RecordProperty("compared", compared);
}

TEST(Translator, BlankTextComesBackAsItIs) {
  Model m;
  Translator translator(m.model, m.tokenizer);
  for (const char* blank : {"", " ", "\n\t \r\n"}) {
    const Translation t = translator.translate(blank, {.beam = 2, .trace = true});
    EXPECT_EQ(t.target.text, blank);
    EXPECT_EQ(t.log_probability, std::vector<float>(t.target.tokens.size() + 1, 0.0f));
    EXPECT_TRUE(t.attention.empty());
  }
}

TEST(Translator, AlignsWithAnEmptyTargetAndSource) {
  Model m;
  Translator translator(m.model, m.tokenizer);
  const Translation t = translator.align("the cat", "");
  EXPECT_EQ(t.log_probability.size(), 1u);
  EXPECT_EQ(t.attention.size(), t.source.tokens.size() + 1);
  EXPECT_EQ(translator.align("", "le").attention.size(), (translator.align("", "le").target.tokens.size() + 1));
}

TEST(Translator, OptionsOutOfRangeAreNamed) {
  Model m;
  Translator translator(m.model, m.tokenizer);
  for (const int beam : {0, -1, 65}) {
    try {
      translator.translate("the cat", {.beam = beam});
      FAIL();
    } catch (const ArgumentError& e) {
      EXPECT_EQ(std::string(e.what()), "translate: beam is " + std::to_string(beam) + ", expected 1..64");
    }
  }
}

TEST(Translator, ATokenizerOfAnotherSizeIsRefused) {
  Parameters<float> weights;
  const models::Seq2Seq<float> model(weights, Model::config(AttentionKind::kDot, 50));
  const Bytes bytes = save_model(model.config().to_json(), weights, tokenizer_bytes(), Storage::kF32);
  EXPECT_THROW(Translator{bytes}, FormatError);
}

// Any byte may be wrong: what comes of it is a typed error or a model that answers, never a crash.
TEST(Translator, FlippedBitsNeverCrash) {
  const Bytes good = Model().save(Storage::kInt8);
  Random random(12);
  int refused = 0;
  for (int i = 0; i < 300; ++i) {
    Bytes bad = good;
    // Half of the flips hit the header, which is a small part of the file.
    const std::size_t range = i % 2 ? bad.size() : std::min<std::size_t>(bad.size(), 3000);
    bad[random.below(range)] ^= static_cast<std::byte>(1u << random.below(8));
    try {
      Translator translator(bad);
      const auto t = translator.translate("the cat sees the dog.", {.beam = 1 + i % 3, .trace = true});
      EXPECT_LE(t.target.tokens.size(), Translator::longest_target(t.source.tokens.size()));
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 50);
}

TEST(Translator, ManySentencesAtOnceAreTranslatedAsOneByOne) {
  Model m;
  Translator translator(m.save(Storage::kInt8));
  std::vector<Sentence> sentences;
  for (int round = 0; round < 20; ++round) {
    for (const char* text : kSentences) sentences.push_back({.text = text});
    sentences.push_back({.text = " \t "});
  }
  for (const int beam : {1, 4}) {
    const auto all = translator.translate(sentences, {.beam = beam, .trace = true, .best = beam});
    ASSERT_EQ(all.size(), sentences.size());
    for (std::size_t i = 0; i < sentences.size(); ++i) {
      const Translation alone = translator.translate(sentences[i].text, {.beam = beam, .trace = true});
      EXPECT_EQ(all[i].front().source.text, sentences[i].text);
      EXPECT_EQ(all[i].front().target.text, alone.target.text);
      EXPECT_NEAR(all[i].front().score, alone.score, 1e-5);
      ASSERT_EQ(all[i].front().attention.size(), alone.attention.size());
      EXPECT_LE(all[i].size(), static_cast<std::size_t>(beam));
      for (std::size_t n = 1; n < all[i].size(); ++n) EXPECT_LE(all[i][n].score, all[i][n - 1].score);
    }
  }
  EXPECT_TRUE(translator.translate(std::span<const Sentence>()).empty());
}

TEST(Translator, BeginsAsItIsTold) {
  for (const AttentionKind kind : {AttentionKind::kAdditive, AttentionKind::kNone}) {
    Model m(kind);
    Translator translator(m.model, m.tokenizer);
    for (const char* beginning : {"l", "le", "le ch", "le chat ", "le chat voit", "la maison, ", "the old house", "x", "", "  "}) {
      for (const int beam : {1, 3}) {
        const Sentence sentence = {.text = kSentences[0], .beginning = beginning};
        const auto found = translator.translate({&sentence, 1}, {.beam = beam, .trace = true, .best = beam});
        for (const Translation& t : found.front()) {
          const std::string_view expected = beginning[0] == ' ' ? "" : beginning;
          EXPECT_TRUE(t.target.text.starts_with(expected)) << "\"" << t.target.text << "\", expected \"" << expected << "\"";
          EXPECT_EQ(t.log_probability.size(), t.target.tokens.size() + 1);
          expect_tiling(t.target);
        }
      }
    }
    // Characters that no piece has are the unknown word to the model, and stand as they were given.
    const Sentence unknown = {.text = kSentences[0], .beginning = "le \u65E5\u672C chat"};
    const Translation t = translator.translate({&unknown, 1}).front().front();
    EXPECT_TRUE(t.target.text.starts_with("le \u65E5\u672C chat")) << t.target.text;
    EXPECT_EQ(std::count_if(t.target.tokens.begin(), t.target.tokens.end(),
                            [&](const Token& token) { return token.id == m.tokenizer.unk(); }),
              1);
    expect_tiling(t.target);
  }
}

TEST(Translator, AnUnfinishedWordIsFinishedByWhatThePiecesAllow) {
  Model m;
  const decoding::Beginning whole(m.tokenizer, "the"), with_space(m.tokenizer, "the ");
  const auto says = [&](const decoding::Beginning& b, std::string_view piece) {
    const auto choices = b.choices(0);
    return std::any_of(choices.begin(), choices.end(), [&](const auto& c) { return m.tokenizer.piece(c.id) == piece; });
  };
  EXPECT_TRUE(says(whole, "\xE2\x96\x81the"));
  EXPECT_TRUE(says(with_space, "\xE2\x96\x81the"));
  EXPECT_EQ(with_space.choices(0).size(), 1u);
  for (const auto& choice : with_space.choices(1)) EXPECT_TRUE(m.tokenizer.begins_word(choice.id));
  EXPECT_FALSE(with_space.choices(1).empty());
  EXPECT_GT(whole.choices(0).size(), 1u);
  // Every way through it ends.
  for (std::size_t state = 0; state < whole.states(); ++state) {
    for (const auto& choice : whole.choices(state)) {
      EXPECT_LT(choice.next, whole.states());
      EXPECT_TRUE(choice.next + 1 == whole.states() || !whole.choices(choice.next).empty());
    }
  }
}

// SentencePiece's --byte_fallback: what no other piece says is said byte by byte.
TEST(Translator, WhatIsSaidInBytesStandsAsItIsGiven) {
  Bytes bytes = tokenizer_bytes();
  const auto add = [&](std::string_view text) {
    for (const char c : text) bytes.push_back(static_cast<std::byte>(c));
  };
  const char* digits = "0123456789ABCDEF";
  for (int i = 0; i < 256; ++i) {
    add(std::string("\x0a\x0a\x0a\x06<0x") + digits[i / 16] + digits[i % 16] + ">\x18\x06");
  }
  add("\x12\x03\x98\x02\x01");
  const Tokenizer tokenizer(bytes);
  Parameters<float> weights;
  const models::Seq2Seq<float> model(weights, Model::config(AttentionKind::kAdditive, tokenizer.size()));
  Random random(5);
  for (auto& p : weights.all())
    for (float& v : p.value) v = static_cast<float>(0.4 * random.normal());
  Translator translator(model, tokenizer);
  const std::vector<Sentence::Term> terms = {{"\u65E5\u672C", {8, 12}}, {"\u0148ame", {20, 23}}};
  for (const char* beginning : {"le \u65E5\u672C", "Dvo\u0159\u00E1k", "l'\u65E5\u672C "}) {
    for (const int beam : {1, 3}) {
      const Sentence begun = {.text = kSentences[0], .beginning = beginning};
      const std::string text = translator.translate({&begun, 1}, {.beam = beam}).front().front().target.text;
      EXPECT_TRUE(text.starts_with(beginning)) << text;
      const Sentence with_terms = {.text = kSentences[0], .terms = terms};
      const std::string said = translator.translate({&with_terms, 1}, {.beam = beam}).front().front().target.text;
      for (const auto& term : terms) EXPECT_NE(said.find(term.text), std::string::npos) << said;
    }
  }
  const decoding::Term joined = decoding::term_of(tokenizer, "\u65E5\u672C");
  EXPECT_EQ(tokenizer.decode(joined.joined).text, "\u65E5\u672C");
}

TEST(Translator, TermsHaveALimitAndAlwaysAnEnd) {
  Model m;
  Translator translator(m.model, m.tokenizer);
  std::string endless;
  for (int i = 0; i < 200; ++i) endless += "le ";
  const std::vector<Sentence::Term> terms = {{endless, {8, 12}}};
  const Sentence sentence = {.text = kSentences[0], .terms = terms};
  EXPECT_THROW((void)translator.translate({&sentence, 1}), ArgumentError);
  // Written alone it is known, after an apostrophe it is not.
  const decoding::Terms odd({{.ids = {5, 6}, .joined = {m.tokenizer.unk(), 6}}});
  EXPECT_TRUE(odd.unknown_in(std::vector<std::int32_t>{4, m.tokenizer.unk(), 6}, 0, m.tokenizer.unk()).empty());
}

TEST(Translator, SaysItsTerms) {
  for (const AttentionKind kind : {AttentionKind::kAdditive, AttentionKind::kNone}) {
    Model m(kind);
    Translator translator(m.model, m.tokenizer);
    const std::vector<Sentence::Term> terms = {{"la maison", {8, 12}}, {"chien"}};
    const Sentence sentences[] = {{.text = kSentences[0], .terms = terms},
                                  {.text = kSentences[1], .beginning = "le ", .terms = terms},
                                  {.text = kSentences[2]}};
    for (const int beam : {1, 4}) {
      const auto all = translator.translate(sentences, {.beam = beam});
      for (int i = 0; i < 2; ++i) {
        for (const auto& term : terms) EXPECT_NE((" " + all[i].front().target.text).find(" " + term.text), std::string::npos);
        for (const auto& term : terms) {
          const std::string& text = all[i].front().target.text;
          const std::size_t end = text.find(term.text) + term.text.size();
          EXPECT_TRUE(end == text.size() || !std::isalnum(static_cast<unsigned char>(text[end]))) << text;
        }
      }
      EXPECT_EQ(all[2].front().target.text, translator.translate(kSentences[2], {.beam = beam}).target.text);
    }
    // What no piece says stands as it was given.
    // To the model the first two are the same: the one whose source comes first is said first.
    const std::vector<Sentence::Term> strange = {{"\u0141\u00F3", {8, 12}}, {"\u4EAC", {2, 5}}, {"x\u00C6r"}};
    const Sentence with_strange = {.text = kSentences[0], .terms = strange};
    for (const int beam : {1, 4}) {
      const Annotation target = translator.translate({&with_strange, 1}, {.beam = beam}).front().front().target;
      for (const auto& term : strange) EXPECT_NE(target.text.find(term.text), std::string::npos) << target.text;
      EXPECT_LT(target.text.find("\u4EAC"), target.text.find("\u0141\u00F3")) << target.text;
      EXPECT_EQ(target.text.find("\u2047"), std::string::npos) << target.text;
      expect_tiling(target);
    }
    // As many as there may be, in as many sentences as go together: the beam, and so the memory, stays bounded.
    const std::vector<Sentence::Term> many(decoding::Terms::kMost, {"le chat"});
    const std::vector<Sentence> crowd(40, {.text = kSentences[0], .terms = many});
    for (const auto& best : translator.translate(crowd)) {
      std::size_t times = 0;
      for (std::size_t at = 0; (at = best.front().target.text.find("le chat", at)) != std::string::npos; ++at) ++times;
      EXPECT_GE(times, many.size());
    }
    const std::vector<Sentence::Term> blank = {{" "}};
    const Sentence wrong = {.text = "x", .terms = blank};
    EXPECT_THROW(translator.translate({&wrong, 1}), ArgumentError);
  }
  Model m;
  Translator translator(m.model, m.tokenizer);
  EXPECT_THROW(translator.translate("x", {.beam = 2, .best = 3}), ArgumentError);
  EXPECT_THROW(translator.translate("x", {.best = 0}), ArgumentError);
}

}  // namespace
}  // namespace softalign
