#include "models/config.h"

#include "models/architectures.h"

namespace softalign::models {
TranslationInfo& info(TranslationConfig& config) {
  return std::visit([](auto& c) -> TranslationInfo& { return c; }, config);
}

const TranslationInfo& info(const TranslationConfig& config) {
  return std::visit([](const auto& c) -> const TranslationInfo& { return c; }, config);
}

std::string to_json(const TranslationConfig& config) {
  return std::visit([](const auto& c) { return c.to_json(); }, config);
}

std::vector<std::string> architectures() { return Architectures<TranslationConfig>::names(); }

std::string architecture(const std::string& json) { return text(parse_config(json), "architecture"); }

TranslationConfig translation_config(const std::string& json) { return Architectures<TranslationConfig>::from_json(json); }

template <class T>
std::unique_ptr<TranslationModel<T>> make_model(Parameters<T>& p, const TranslationConfig& config) {
  return std::visit(
      [&]<class Config>(const Config& c) -> std::unique_ptr<TranslationModel<T>> {
        return std::make_unique<typename Config::template Model<T>>(p, c);
      },
      config);
}

template std::unique_ptr<TranslationModel<float>> make_model(Parameters<float>&, const TranslationConfig&);
template std::unique_ptr<TranslationModel<double>> make_model(Parameters<double>&, const TranslationConfig&);

}  // namespace softalign::models
