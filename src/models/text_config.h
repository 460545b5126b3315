#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "models/labellers.h"
#include "models/language_model.h"

namespace softalign::models {

// The config of a text model of any architecture; as with TranslationConfig (models/config.h), one more
// alternative here is all it takes to be known everywhere.
using TextConfig = std::variant<LanguageModelConfig, TaggerConfig, ClassifierConfig, MaskedLanguageModelConfig>;

TextInfo& info(TextConfig& config);
const TextInfo& info(const TextConfig& config);
std::vector<std::string> text_architectures();

std::string to_json(const TextConfig& config);
// By the member "architecture"; throws FormatError like the configs' own from_json.
TextConfig text_config(const std::string& json);

template <class T>
std::unique_ptr<TextModel<T>> make_model(Parameters<T>& p, const TextConfig& config);

extern template std::unique_ptr<TextModel<float>> make_model(Parameters<float>&, const TextConfig&);
extern template std::unique_ptr<TextModel<double>> make_model(Parameters<double>&, const TextConfig&);

}  // namespace softalign::models
