#include "decoding/translator.h"

#include <algorithm>
#include <optional>

#include "models/config.h"
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
  // What a model read from a file brings; empty when everything is borrowed.
  struct Loaded {
    Parameters<float> weights{Parameters<float>::Unfilled{}};
    std::unique_ptr<models::TranslationModel<float>> model;
    Tokenizer tokenizer;
    explicit Loaded(const models::ModelFile& file)
        : model(make_model(weights, models::translation_config(file.config()))), tokenizer(file.tokenizer()) {
      file.load(weights);
      if (tokenizer.size() != model->info().vocabulary) {
        throw FormatError("model file: the tokenizer has " + std::to_string(tokenizer.size()) +
                          " pieces, expected the config's vocabulary of " +
                          std::to_string(model->info().vocabulary));
      }
    }
  };
  std::unique_ptr<Loaded> loaded;
  const models::TranslationModel<float>* model;
  const Tokenizer* tokenizer;
  Graph<float> graph;
  std::vector<std::int32_t> continuations;  // found when first needed

  // A sentence on its way through the search.
  struct Wish {
    std::size_t index;  // among those given
    Annotation source;
    std::vector<std::int32_t> ids;
    std::optional<decoding::Beginning> beginning;
    std::optional<decoding::Terms> terms;
    const models::Edits* edits;

    decoding::Request request() const {
      const std::size_t more = (beginning ? beginning->states() : 0) + (terms ? terms->pieces() : 0);
      return {.source = ids,
              .longest = longest_target(source.tokens.size()) + more,
              .beginning = beginning ? &*beginning : nullptr,
              .terms = terms ? &*terms : nullptr,
              .edits = edits};
    }
  };
  Wish wish(std::size_t index, Annotation source, std::vector<std::int32_t> ids, const Sentence& sentence) {
    Wish wish = {index, std::move(source), std::move(ids), std::nullopt, std::nullopt, sentence.edits};
    if (!is_blank(sentence.beginning)) wish.beginning.emplace(*tokenizer, sentence.beginning);
    if (sentence.terms.empty()) return wish;
    std::vector<decoding::Term> terms;
    for (const Sentence::Term& term : sentence.terms) {
      if (is_blank(term.text)) throw ArgumentError("translate: a term is \"" + term.text + "\", expected a word");
      auto& added = terms.emplace_back(ids_of(tokenizer->encode(term.text), false));
      // Tokens are in the order of the text: those that are not before or behind what is translated.
      const auto& tokens = wish.source.tokens;
      while (added.first < tokens.size() && tokens[added.first].range.end <= term.source.begin) ++added.first;
      added.last = added.first;
      while (added.last < tokens.size() && tokens[added.last].range.begin < term.source.end) ++added.last;
    }
    if (continuations.empty()) continuations = decoding::continuations(*tokenizer);
    wish.terms.emplace(std::move(terms), continuations);
    return wish;
  }

  std::vector<std::int32_t> ids_of(const Annotation& text, bool end) const {
    std::vector<std::int32_t> ids;
    for (const Token& token : text.tokens) ids.push_back(token.id);
    if (end) ids.push_back(tokenizer->eos());
    return ids;
  }

  static Translation translation(Annotation source, Annotation target, decoding::Hypothesis&& h) {
    return {std::move(source), std::move(target), std::move(h.attention), std::move(h.log_probability), h.score,
            std::move(h.heads)};
  }
};

Translator::Translator(std::span<const std::byte> model_file) : impl_(std::make_unique<Impl>()) {
  impl_->loaded = std::make_unique<Impl::Loaded>(models::ModelFile(model_file));
  impl_->model = impl_->loaded->model.get();
  impl_->tokenizer = &impl_->loaded->tokenizer;
}

Translator::Translator(const models::TranslationModel<float>& model, const Tokenizer& tokenizer)
    : impl_(std::make_unique<Impl>()) {
  impl_->model = &model;
  impl_->tokenizer = &tokenizer;
}

Translator::~Translator() = default;
Translator::Translator(Translator&&) noexcept = default;
Translator& Translator::operator=(Translator&&) noexcept = default;

const Tokenizer& Translator::tokenizer() const { return *impl_->tokenizer; }
const models::TranslationInfo& Translator::info() const { return impl_->model->info(); }

std::vector<std::vector<Translation>> Translator::translate(std::span<const Sentence> sentences, const Options& options) {
  if (options.beam < 1 || options.beam > 64) {
    throw ArgumentError("translate: beam is " + std::to_string(options.beam) + ", expected 1..64");
  }
  if (options.best < 1 || options.best > options.beam) {
    throw ArgumentError("translate: best is " + std::to_string(options.best) + ", expected 1 to the beam's width, " +
                        std::to_string(options.beam));
  }
  std::vector<std::vector<Translation>> result(sentences.size());
  std::vector<Impl::Wish> wishes;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    Annotation source = tokenizer().encode(sentences[i].text);
    auto ids = impl_->ids_of(source, true);
    if (ids.size() == 1 || is_blank(sentences[i].text)) {
      result[i].push_back({source, source, {}, std::vector<float>(ids.size(), 0.0f), 0});
    } else {
      wishes.push_back(impl_->wish(i, std::move(source), std::move(ids), sentences[i]));
    }
  }
  // Sentences of like length finish together.
  std::stable_sort(wishes.begin(), wishes.end(), [](const auto& a, const auto& b) { return a.ids.size() > b.ids.size(); });
  const decoding::SearchSettings settings = {.beam = static_cast<std::size_t>(options.beam),
                                             .length_penalty = options.length_penalty,
                                             .eos = tokenizer().eos(),
                                             .unknown = tokenizer().unk(),
                                             .trace = options.trace};
  std::vector<decoding::Request> requests;
  for (auto first = wishes.begin(), last = first; first != wishes.end(); first = last) {
    const double shortest = kShortest * static_cast<double>(first->ids.size());
    std::size_t rows = 0;
    requests.clear();
    for (; last != wishes.end() && static_cast<double>(last->ids.size()) >= shortest; ++last) {
      const decoding::Request request = last->request();
      rows += beam_of(request, settings);
      if (rows > kRows && last != first) break;
      requests.push_back(request);
    }
    const std::span group(first, last);
    auto found = decoding::search(impl_->graph, *impl_->model, requests, settings);
    for (std::size_t i = 0; i < group.size(); ++i) {
      found[i].resize(std::min(found[i].size(), static_cast<std::size_t>(options.best)));
      for (auto& hypothesis : found[i]) {
        if (options.heads) {
          hypothesis.heads = decoding::force(impl_->graph, *impl_->model, group[i].ids, hypothesis.ids, tokenizer().eos(),
                                             decoding::Heads::kKeep, group[i].edits).heads;
        }
        Annotation target = tokenizer().decode(hypothesis.ids);
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
  Annotation source = tokenizer().encode(source_text), target = tokenizer().encode(target_text);
  auto forced = decoding::force(impl_->graph, *impl_->model, impl_->ids_of(source, true),
                                impl_->ids_of(target, false), tokenizer().eos(),
                                heads ? decoding::Heads::kKeep : decoding::Heads::kLeaveOut);
  return Impl::translation(std::move(source), std::move(target), std::move(forced));
}

}  // namespace softalign
