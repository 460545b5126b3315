#include "decoding/translator.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "decoding/forced.h"
#include "decoding/term_search.h"
#include "io/lexical_shortlist.h"
#include "models/config.h"
#include "models/marian.h"
#include "models/model_file.h"

namespace softalign {
namespace {

// Hypotheses of all sentences in one step: enough for the weights to be read seldom, few enough for what
// is computed of them to stay near.
constexpr std::size_t kRows = 32;
// Shorter sentences are read as if they had the length of the longest one beside them.
constexpr double kShortest = 0.8;  // of that length

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

}  // namespace

struct Translator::Impl {
  // What a model read from files brings; empty when everything is borrowed.
  struct Loaded {
    Parameters<float> weights{Parameters<float>::Unfilled{}};
    std::unique_ptr<models::TranslationModel<float>> model;
    Tokenizer tokenizer;
    std::optional<Tokenizer> source_tokenizer;  // if the source has one of its own
    std::optional<LexicalShortlist> shortlist;
    bool is_marian = false;

    explicit Loaded(const models::ModelFile& file)
        : model(make_model(weights, models::translation_config(file.config()))), tokenizer(file.tokenizer()) {
      file.load(weights);
      if (!file.source_tokenizer().empty()) source_tokenizer.emplace(file.source_tokenizer());
      expect_words("the tokenizer", tokenizer, model->info().vocabulary);
      expect_words("the source's tokenizer", source(), model->source_vocabulary());
    }
    Loaded(const MarianFiles& files, models::StudentConfig config, const MarianFile& file)
        : tokenizer((files.target_vocabulary.empty() ? files.source_vocabulary : files.target_vocabulary).view), is_marian(true) {
      if (!files.target_vocabulary.empty()) source_tokenizer.emplace(files.source_vocabulary.view);
      expect_words("the target's vocabulary", tokenizer, config.vocabulary);
      expect_words("the source's vocabulary", source(), config.source_vocabulary.value_or(config.vocabulary));
      model = std::make_unique<models::Student<float>>(weights, config);
      models::load(file, config, weights, files.weights.owner);
      if (!files.shortlist.empty()) shortlist.emplace(files.shortlist, source().size(), tokenizer.size());
    }
    const Tokenizer& source() const { return source_tokenizer ? *source_tokenizer : tokenizer; }

    static void expect_words(const char* which, const Tokenizer& tokenizer, std::size_t words) {
      if (tokenizer.size() == words) return;
      throw FormatError(std::string("model file: ") + which + " has " + std::to_string(tokenizer.size()) +
                        " pieces, expected the weights' " + std::to_string(words));
    }
  };
  std::unique_ptr<Loaded> loaded;
  const models::TranslationModel<float>* model;
  const Tokenizer *source_tokenizer, *tokenizer;
  Graph<float> graph;
  std::optional<decoding::Spelling> spelling;  // found when first needed

  // A sentence on its way through the search.
  struct Wish {
    std::size_t index;  // among those given
    Annotation source;
    std::vector<std::int32_t> ids;
    std::optional<decoding::Beginning> beginning;
    std::optional<decoding::Terms> terms;
    const models::Edits* edits;

    decoding::Request request(const Options& options) const {
      const std::size_t more = (beginning ? beginning->states() : 0) + (terms ? terms->pieces() : 0);
      const std::size_t longest = options.max_length_factor
                                      ? std::max<std::size_t>(1, static_cast<std::size_t>(*options.max_length_factor * static_cast<double>(ids.size())))
                                      : longest_target(source.tokens.size());
      return {.source = ids,
              .longest = longest + more,
              .beginning = beginning ? &*beginning : nullptr,
              .terms = terms ? &*terms : nullptr,
              .edits = edits};
    }
  };
  // The text of a hypothesis, where what a caller wants and no piece says stands as the caller wrote it: the search says nothing else
  // that is unknown, and what a translation begins with comes first.
  Annotation spelled(const Wish& wish, std::span<const std::int32_t> ids) const {
    std::vector<std::string> unknown;
    std::size_t rest = 0;
    if (wish.beginning) {
      unknown = wish.beginning->unknown();
      for (std::size_t left = unknown.size(); left > 0 && rest < ids.size(); ++rest) left -= ids[rest] == tokenizer->unk();
    }
    if (wish.terms) std::ranges::copy(wish.terms->unknown_in(ids, rest, tokenizer->unk()), std::back_inserter(unknown));
    return tokenizer->decode(ids, unknown);
  }

  Wish wish(std::size_t index, Annotation source, std::vector<std::int32_t> ids, const Sentence& sentence) {
    Wish wish = {index, std::move(source), std::move(ids), std::nullopt, std::nullopt, sentence.edits};
    if (!is_blank(sentence.beginning)) wish.beginning.emplace(*tokenizer, sentence.beginning);
    if (sentence.terms.empty()) return wish;
    std::vector<decoding::Term> terms;
    for (const Sentence::Term& term : sentence.terms) {
      if (is_blank(term.text)) throw ArgumentError("translate: a term is \"" + term.text + "\", expected a word");
      auto& added = terms.emplace_back(decoding::term_of(*tokenizer, term.text));
      // Tokens are in the order of the text: those that are not before or behind what is translated.
      const auto& tokens = wish.source.tokens;
      while (added.first < tokens.size() && tokens[added.first].range.end <= term.source.begin) ++added.first;
      added.last = added.first;
      while (added.last < tokens.size() && tokens[added.last].range.begin < term.source.end) ++added.last;
    }
    if (!spelling) spelling = decoding::spelling_of(*tokenizer);
    wish.terms.emplace(std::move(terms), &*spelling);
    return wish;
  }

  // The words that translations of these may have, by the model's shortlist; empty without one.
  std::vector<std::int32_t> words_for(std::span<const Wish> wishes) const {
    if (!loaded || !loaded->shortlist) return {};
    std::vector<std::int32_t> sources, wanted = {tokenizer->eos(), tokenizer->unk()};
    for (const Wish& wish : wishes) {
      sources.insert(sources.end(), wish.ids.begin(), wish.ids.end());
      if (wish.beginning) wish.beginning->add_ids(wanted);
      if (wish.terms) wish.terms->add_ids(wanted);
    }
    return loaded->shortlist->words(sources, source_tokenizer == tokenizer, wanted);
  }

  // With the end of the sentence, as its own vocabulary has it: for the source.
  std::vector<std::int32_t> source_ids(const Annotation& text) const { return ids_of(text, source_tokenizer->eos()); }
  static std::vector<std::int32_t> ids_of(const Annotation& text, std::optional<std::int32_t> end = {}) {
    std::vector<std::int32_t> ids;
    for (const Token& token : text.tokens) ids.push_back(token.id);
    if (end) ids.push_back(*end);
    return ids;
  }

  static std::unique_ptr<Impl> with(std::unique_ptr<Loaded> loaded) {
    auto impl = std::make_unique<Impl>();
    impl->loaded = std::move(loaded);
    return impl;
  }

  static Translation translation(Annotation source, Annotation target, decoding::Hypothesis&& h) {
    return {std::move(source), std::move(target), std::move(h.attention), std::move(h.log_probability), h.score,
            std::move(h.heads), std::move(h.tree)};
  }
};

Translator::Translator(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {
  impl_->model = impl_->loaded->model.get();
  impl_->tokenizer = &impl_->loaded->tokenizer;
  impl_->source_tokenizer = &impl_->loaded->source();
}

Translator::Translator(std::span<const std::byte> model_file)
    : Translator(Impl::with(std::make_unique<Impl::Loaded>(models::ModelFile(model_file)))) {}

Translator::Translator(const MarianFiles& files, const std::string& source_language, const std::string& target_language)
    : Translator(Impl::with([&] {
        const MarianFile file = MarianFile::parse(files.weights.view);
        models::StudentConfig config = models::student_config(file);
        config.source_language = source_language;
        config.target_language = target_language;
        return std::make_unique<Impl::Loaded>(files, config, file);
      }())) {}

Translator::Translator(const models::TranslationModel<float>& model, const Tokenizer& tokenizer)
    : impl_(std::make_unique<Impl>()) {
  impl_->model = &model;
  impl_->tokenizer = impl_->source_tokenizer = &tokenizer;
}

Translator::~Translator() = default;
Translator::Translator(Translator&&) noexcept = default;
Translator& Translator::operator=(Translator&&) noexcept = default;

const Tokenizer& Translator::source_tokenizer() const { return *impl_->source_tokenizer; }
const Tokenizer& Translator::target_tokenizer() const { return *impl_->tokenizer; }
const models::TranslationInfo& Translator::info() const { return impl_->model->info(); }

Annotation Translator::encode_source(std::string_view text) const {
  return impl_->loaded && impl_->loaded->is_marian ? source_tokenizer().encode(text) : source_tokenizer().encode_known(text);
}

std::vector<std::vector<Translation>> Translator::translate(std::span<const Sentence> sentences, const Options& options) {
  if (options.beam < 1 || options.beam > 64) {
    throw ArgumentError("translate: beam is " + std::to_string(options.beam) + ", expected 1..64");
  }
  if (options.best < 1 || options.best > options.beam) {
    throw ArgumentError("translate: best is " + std::to_string(options.best) + ", expected 1 to the beam's width, " +
                        std::to_string(options.beam));
  }
  // NaN is outside, too.
  if (const auto factor = options.max_length_factor; factor && !(*factor >= 0.1 && *factor <= 10)) {
    throw ArgumentError("translate: max_length_factor is " + std::to_string(*factor) + ", expected 0.1..10");
  }
  impl_->graph.rewind();  // a call before may have ended with an error
  std::vector<std::vector<Translation>> result(sentences.size());
  std::vector<Impl::Wish> wishes;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    Annotation source = encode_source(sentences[i].text);
    auto ids = impl_->source_ids(source);
    if (ids.size() == 1 || is_blank(sentences[i].text)) {
      result[i].push_back({source, source, {}, std::vector<float>(ids.size(), 0.0f), 0});
    } else {
      wishes.push_back(impl_->wish(i, std::move(source), std::move(ids), sentences[i]));
    }
  }
  // Sentences of like length finish together.
  std::stable_sort(wishes.begin(), wishes.end(), [](const auto& a, const auto& b) { return a.ids.size() > b.ids.size(); });
  decoding::SearchSettings settings = {.beam = static_cast<std::size_t>(options.beam),
                                       .length_penalty = options.length_penalty,
                                       .eos = target_tokenizer().eos(),
                                       .unknown = target_tokenizer().unk(),
                                       // Marian may say nothing, and then so do its models here.
                                       .never_empty = !(impl_->loaded && impl_->loaded->is_marian),
                                       .trace = options.trace,
                                       .tree = options.tree};
  std::vector<decoding::Request> requests;
  for (auto first = wishes.begin(), last = first; first != wishes.end(); first = last) {
    const double shortest = kShortest * static_cast<double>(first->ids.size());
    std::size_t rows = 0;
    requests.clear();
    for (; last != wishes.end() && static_cast<double>(last->ids.size()) >= shortest; ++last) {
      const decoding::Request request = last->request(options);
      rows += beam_of(request, settings);
      if (rows > kRows && last != first) break;
      requests.push_back(request);
    }
    const std::span group(first, last);
    const std::vector<std::int32_t> words = impl_->words_for(group);
    settings.words = words;
    auto found = decoding::search_with_terms(impl_->graph, *impl_->model, requests, settings, target_tokenizer());
    for (std::size_t i = 0; i < group.size(); ++i) {
      found[i].resize(std::min(found[i].size(), static_cast<std::size_t>(options.best)));
      for (auto& hypothesis : found[i]) {
        if (options.heads) {
          hypothesis.heads = decoding::force(impl_->graph, *impl_->model, group[i].ids, hypothesis.ids, target_tokenizer().eos(),
                                             decoding::Heads::kKeep, group[i].edits).heads;
        }
        Annotation target = impl_->spelled(group[i], hypothesis.ids);
        result[group[i].index].push_back(Impl::translation(group[i].source, std::move(target), std::move(hypothesis)));
      }
    }
  }
  return result;
}

Translation Translator::translate(std::string_view text, const Options& options) {
  const Sentence sentence = {.text = text};
  return std::move(translate({&sentence, 1}, options).front().front());
}

Translation Translator::align(std::string_view source_text, std::string_view target_text, bool heads) {
  impl_->graph.rewind();
  Annotation source = encode_source(source_text), target = target_tokenizer().encode(target_text);
  auto forced = decoding::force(impl_->graph, *impl_->model, impl_->source_ids(source), Impl::ids_of(target), target_tokenizer().eos(),
                                heads ? decoding::Heads::kKeep : decoding::Heads::kLeaveOut);
  return Impl::translation(std::move(source), std::move(target), std::move(forced));
}

}  // namespace softalign
