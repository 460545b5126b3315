#include "decoding/term_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "io/file.h"

namespace softalign::decoding {
namespace {

using Ids = std::vector<std::int32_t>;

const Tokenizer& tokenizer() {
  static const Tokenizer tokenizer(read_file(SOFTALIGN_SOURCE_DIR "/tests/golden/text/tiny.model"));
  return tokenizer;
}

Ids encode(std::string_view text) {
  Ids ids;
  for (const Token& token : tokenizer().encode(text).tokens) ids.push_back(token.id);
  return ids;
}

// Translates piece by piece: at step t it looks at source piece t and says the same again, unless it likes
// another one better after the last. Of what the source does not say, it says one piece rather than others.
class Copier : public models::TranslationModel<float> {
 public:
  bool looks = true;
  std::map<std::int32_t, std::int32_t> likes;  // after a piece another
  std::int32_t usual = 0;
  float usually = 6;
  Ids words;  // columns of its logits, if not all

  const models::TranslationInfo& info() const override { return info_; }
  std::unique_ptr<models::Decoder<float>> read(Graph<float>&, const models::Sources& sources) const override {
    return std::make_unique<Reader>(*this, sources);
  }
  Var<float> loss(Graph<float>&, const models::Batch&, double, double) const override { return {}; }

 private:
  struct Reader : models::Decoder<float> {
    Reader(const Copier& copier, const models::Sources& s) : model(copier), sources(s) {}
    models::StateShape state_shape() const override { return {1, 1, false}; }
    Step compute(Graph<float>& g, std::span<const std::int32_t> previous, const models::DecoderState<float>& state) const override {
      const std::size_t B = previous.size(), S = sources.longest, V = model.words.empty() ? tokenizer().size() : model.words.size();
      const auto column = [&](std::int32_t id) {
        if (model.words.empty()) return static_cast<std::size_t>(id);
        return static_cast<std::size_t>(std::lower_bound(model.words.begin(), model.words.end(), id) - model.words.begin());
      };
      const std::size_t sentences = sources.ids.size() / S;  // all the same
      Step step{g.zeros({B, V}), model.looks ? g.zeros({B, S}) : Var<float>{}};
      for (std::size_t b = 0; b < B; ++b) {
        state.next(0).value[b] = 0;
        const std::size_t at = std::min(state.words(), S - 1);
        if (model.looks) step.weights.value[b * S + at] = 1;
        const auto can = [&](std::int32_t id) { return model.words.empty() || std::binary_search(model.words.begin(), model.words.end(), id); };
        step.logits.value[b * V + column(sources.ids[at * sentences])] = 12;
        if (model.usual > 0 && can(model.usual)) step.logits.value[b * V + column(model.usual)] += model.usually;
        if (const auto liked = model.likes.find(previous[b]); liked != model.likes.end() && can(liked->second)) {
          step.logits.value[b * V + column(liked->second)] = 16;
        }
      }
      return step;
    }
    const Copier& model;
    models::Sources sources;
  };
  models::TranslationInfo info_;
};

struct Wanted {
  std::string text;
  std::string translates;  // of the source
};

std::vector<Hypothesis> translate(const Copier& model, const std::string& source, const std::vector<Wanted>& wanted,
                                  std::string_view beginning = {}, SearchSettings settings = {}, std::size_t longest = 60) {
  const Annotation annotation = tokenizer().encode(source);
  Ids ids = encode(source);
  std::vector<Term> terms;
  for (const auto& [text, translates] : wanted) {
    Term& term = terms.emplace_back(term_of(tokenizer(), text));
    const std::size_t begin = source.find(translates), end = begin + translates.size();
    while (annotation.tokens[term.first].range.end <= begin) ++term.first;
    term.last = term.first;
    while (term.last < ids.size() && annotation.tokens[term.last].range.begin < end) ++term.last;
  }
  const Spelling spelling = spelling_of(tokenizer());
  const Terms all(std::move(terms), &spelling);
  settings.eos = tokenizer().eos();
  settings.unknown = tokenizer().unk();
  ids.push_back(settings.eos);
  std::optional<Beginning> begun;
  if (!beginning.empty()) begun.emplace(tokenizer(), beginning);
  const Request request = {.source = ids, .longest = longest, .beginning = begun ? &*begun : nullptr, .terms = &all};
  Graph<float> g;
  return search_with_terms(g, model, {&request, 1}, settings, tokenizer()).front();
}

std::string said(const std::vector<Hypothesis>& found) { return tokenizer().decode(found.front().ids).text; }

TEST(TermSearch, PutsEachTermWhereWhatItTranslatesStood) {
  const Copier model;
  const std::string source = "the cat sees the dog near the house.";
  EXPECT_EQ(said(translate(model, source, {{"chat", "cat"}})), "the chat sees the dog near the house.");
  const std::vector<Wanted> all = {{"chat", "cat"}, {"jardin", "dog"}, {"maison", "house"}};
  std::vector<std::size_t> order = {0, 1, 2};
  do {
    std::vector<Wanted> wanted;
    for (const std::size_t i : order) wanted.push_back(all[i]);
    EXPECT_EQ(said(translate(model, source, wanted)), "the chat sees the jardin near the maison.");
  } while (std::next_permutation(order.begin(), order.end()));
  // Several words for one, and one for several: small ones only between others.
  EXPECT_EQ(said(translate(model, "the cat a sees.", {{"chat", "cat a"}})), "the chat a sees.");
  EXPECT_EQ(said(translate(model, source, {{"chat", "cat sees the dog"}})), "the chat near the house.");
  EXPECT_EQ(said(translate(model, source, {{"le petit chat", "the cat"}})), "le petit chat sees the dog near the house.");
}

TEST(TermSearch, LeavesWhatIsSaidAlready) {
  const Copier model;
  const std::string source = "the cat sees the dog.";
  EXPECT_EQ(said(translate(model, source, {{"cat", "cat"}, {"chien", "dog"}})), "the cat sees the chien.");
  EXPECT_EQ(said(translate(model, source, {{"dog", "cat"}, {"cat", "dog"}})), "the dog sees the cat.");
  // A beginning of a word is not the word.
  EXPECT_EQ(said(translate(model, "the petits sees.", {{"petit", "petits"}})), "the petit sees.");
}

TEST(TermSearch, LetsAShortWordBeforeATermChange) {
  Copier model;
  const std::int32_t la = encode("la").front(), maison = encode("maison").front(), garden = encode("garden").front();
  model.usual = la;
  model.likes[la] = maison;
  EXPECT_EQ(said(translate(model, "you see the cat.", {{"maison", "cat"}})), "you see la maison.");
  EXPECT_EQ(said(translate(model, "you see the cat.", {{"jardin", "cat"}})), "you see the jardin.");
  // Its own word, of which it is sure after "the", does not speak against "the".
  model.usually = 2;
  EXPECT_EQ(said(translate(model, "you see the cat.", {{"maison", "cat"}})), "you see the maison.");
  model.usually = 6;
  // A long one stays.
  EXPECT_EQ(said(translate(model, "you see montagne cat.", {{"maison", "cat"}})), "you see montagne maison.");
  model.likes[maison] = garden;
  EXPECT_EQ(said(translate(model, "you see the cat.", {{"maison", "cat"}})), "you see la maison.") << "what comes after stays, too";
}

TEST(TermSearch, ElidesBeforeVowelsOnly) {
  Copier model;
  model.usual = encode("la").front();
  model.likes[model.usual] = encode("maison").front();
  EXPECT_EQ(said(translate(model, "il voit l'eau.", {{"été", "eau"}})), "il voit l'\xC3\xA9t\xC3\xA9.");
  EXPECT_EQ(said(translate(model, "il voit l'eau.", {{"maison", "eau"}})), "il voit la maison.");
  Ids elided = encode("l'\xC3\xA9t\xC3\xA9.");
  elided.push_back(tokenizer().eos());
  model.usual = elided[0];
  for (std::size_t i = 0; i + 1 < elided.size(); ++i) model.likes[elided[i]] = elided[i + 1];
  EXPECT_EQ(said(translate(model, "il voit la maison.", {{"\xC3\xA9t\xC3\xA9", "maison"}})), "il voit l'\xC3\xA9t\xC3\xA9.");
  EXPECT_TRUE(term_of(tokenizer(), "maison").joined.empty());
  EXPECT_TRUE(term_of(tokenizer(), "Le").joined.empty());
  EXPECT_EQ(term_of(tokenizer(), "eau").joined.size(), encode("l'eau").size() - encode("l'").size());
}

TEST(TermSearch, AsAWholeWhereNothingLooksAtWhatATermTranslates) {
  Copier blind;
  blind.looks = false;
  for (const auto& wanted : {std::vector<Wanted>{{"chat", "cat"}}, {{"chat", "cat"}, {"jardin vert", "dog"}}}) {
    const std::string text = said(translate(blind, "the cat sees the dog.", wanted));
    for (const auto& term : wanted) EXPECT_NE((" " + text).find(" " + term.text), std::string::npos) << text;
  }
}

TEST(TermSearch, KeepsToTheBeginning) {
  const Copier model;
  const std::string source = "the cat sees the dog.";
  EXPECT_EQ(said(translate(model, source, {{"chien", "dog"}}, "the cat ")), "the cat sees the chien.");
  // The cat's place is in what has to stand: the term finds another, after it.
  const std::string text = said(translate(model, source, {{"chien", "cat"}}, "the cat sees"));
  EXPECT_TRUE(text.starts_with("the cat sees")) << text;
  EXPECT_NE(text.find(" chien"), std::string::npos) << text;
}

TEST(TermSearch, ATermMayMakeATranslationLongerThanItMayGetByItself) {
  const Copier model;
  const std::string source = "the cat sees the dog.", term = "le petit chat derri\xC3\xA8re la montagne sous la maison";
  for (const std::size_t longest : {2, 3, 6, 60}) {
    EXPECT_NE(said(translate(model, source, {{term, "cat"}}, {}, {}, longest)).find(term), std::string::npos) << longest;
  }
}

TEST(TermSearch, SaysOnlyWordsThatAreInTheShortlist) {
  Copier model;
  const std::int32_t la = encode("la").front(), maison = encode("maison").front();
  model.usual = la;
  model.likes[la] = maison;
  const auto among = [&](std::string_view all, const std::string& source, const Wanted& wanted) {
    Ids words = encode(all);
    words.push_back(tokenizer().eos());
    words.push_back(tokenizer().unk());
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    model.words = words;
    const auto found = translate(model, source, {wanted}, {}, {.words = words});
    for (const Hypothesis& h : found) {
      for (const std::int32_t id : h.ids) EXPECT_TRUE(std::binary_search(words.begin(), words.end(), id)) << id;
    }
    return said(found);
  };
  EXPECT_EQ(among("you see the cat. maison la", "you see the cat.", {"maison", "cat"}), "you see la maison.");
  EXPECT_EQ(among("you see the cat. maison", "you see the cat.", {"maison", "cat"}), "you see the maison.");
  EXPECT_EQ(among("derri\xC3\xA8re l'eau. montagne", "derri\xC3\xA8re l'eau.", {"montagne", "eau"}), "derri\xC3\xA8re l' montagne.") << "there is no other word";
  model.usual = encode("l").front(), model.usually = 11.5f;  // without an apostrophe it leads nowhere
  EXPECT_EQ(among("you see the maison. \xC3\xA9t\xC3\xA9 l", "you see the maison.", {"\xC3\xA9t\xC3\xA9", "maison"}), "you see the \xC3\xA9t\xC3\xA9.");
}

TEST(TermSearch, ItsResultFitsTogether) {
  const Copier model;
  const auto found = translate(model, "the cat sees the dog.", {{"jardin vert", "cat"}}, {}, {.trace = true});
  const std::size_t S = encode("the cat sees the dog.").size() + 1;
  ASSERT_GT(found.size(), 1u);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Hypothesis& h = found[i];
    EXPECT_EQ(h.attention.size(), (h.ids.size() + 1) * S);
    ASSERT_EQ(h.log_probability.size(), h.ids.size() + 1);
    double total = 0;
    for (const float p : h.log_probability) total += static_cast<double>(p);
    EXPECT_NEAR(h.score, total / static_cast<double>(h.ids.size() + 1), 1e-5);
    EXPECT_LE(h.score, found[i == 0 ? 0 : i - 1].score);
  }
  EXPECT_TRUE(translate(model, "the cat sees the dog.", {{"jardin vert", "cat"}}).front().attention.empty());
}

TEST(TermSearch, SentencesTogetherAreTranslatedAsAlone) {
  // Sentences with terms, with other terms, and without any.
  const Copier model;
  const Spelling spelling = spelling_of(tokenizer());
  Ids source = encode("the cat sees the dog.");
  source.push_back(tokenizer().eos());
  Term chat = term_of(tokenizer(), "chat"), chien = term_of(tokenizer(), "chien");
  chat.first = 1, chat.last = 2;
  chien.first = 4, chien.last = 5;
  const Terms one({chat}, &spelling), two({chien, chat}, &spelling);
  std::vector<Request> requests;
  for (const Terms* terms : {&two, static_cast<const Terms*>(nullptr), &one}) requests.push_back({.source = source, .longest = 60, .terms = terms});
  const SearchSettings settings = {.eos = tokenizer().eos(), .unknown = tokenizer().unk()};
  Graph<float> g;
  const auto together = search_with_terms(g, model, requests, settings, tokenizer());
  ASSERT_EQ(together.size(), 3u);
  EXPECT_EQ(said(together[0]), "the chat sees the chien.");
  EXPECT_EQ(said(together[1]), "the cat sees the dog.");
  EXPECT_EQ(said(together[2]), "the chat sees the dog.");
  EXPECT_EQ(together[1].size(), 1u);
}

}  // namespace
}  // namespace softalign::decoding
