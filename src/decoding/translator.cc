#include "decoding/translator.h"

#include <algorithm>

#include "decoding/beam_search.h"
#include "models/config.h"
#include "models/model_file.h"

namespace softalign {

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

  std::vector<std::int32_t> ids_of(const Annotation& text, bool end) const {
    std::vector<std::int32_t> ids;
    for (const Token& token : text.tokens) ids.push_back(token.id);
    if (end) ids.push_back(tokenizer->eos());
    return ids;
  }

  static Translation translation(Annotation source, Annotation target, decoding::Hypothesis&& h) {
    return {std::move(source), std::move(target), std::move(h.attention), std::move(h.log_probability), h.score};
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

Translation Translator::translate(std::string_view sentence, const Options& options) {
  if (options.beam < 1 || options.beam > 64) {
    throw ArgumentError("translate: beam is " + std::to_string(options.beam) + ", expected 1..64");
  }
  Annotation source = tokenizer().encode(sentence);
  const auto ids = impl_->ids_of(source, true);
  if (ids.size() == 1 || sentence.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return {source, source, {}, std::vector<float>(ids.size(), 0.0f), 0};
  }
  auto best = decoding::search(impl_->graph, *impl_->model, ids,
                               {.beam = static_cast<std::size_t>(options.beam),
                                .length_penalty = options.length_penalty,
                                .longest = longest_target(source.tokens.size()),
                                .eos = tokenizer().eos(),
                                .unknown = tokenizer().unk(),
                                .trace = options.trace});
  Annotation target = tokenizer().decode(best.ids);
  return Impl::translation(std::move(source), std::move(target), std::move(best));
}

Translation Translator::align(std::string_view source_text, std::string_view target_text) {
  Annotation source = tokenizer().encode(source_text), target = tokenizer().encode(target_text);
  auto forced = decoding::force(impl_->graph, *impl_->model, impl_->ids_of(source, true),
                                impl_->ids_of(target, false), tokenizer().eos());
  return Impl::translation(std::move(source), std::move(target), std::move(forced));
}

}  // namespace softalign
