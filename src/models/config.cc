#include "models/config.h"

#include "models/config_json.h"

namespace softalign::models {
namespace {

template <class Config>
bool read_if_named(const std::string& name, const std::string& json, TranslationConfig& config) {
  if (name != Config::kArchitecture) return false;
  config = Config::from_json(json);
  return true;
}

template <class... Configs>
bool read_named(const std::string& name, const std::string& json, std::variant<Configs...>& config) {
  return (read_if_named<Configs>(name, json, config) || ...);
}

template <class... Configs>
std::vector<std::string> names(const std::variant<Configs...>&) {
  return {Configs::kArchitecture...};
}

}  // namespace

TranslationInfo& info(TranslationConfig& config) {
  return std::visit([](auto& c) -> TranslationInfo& { return c; }, config);
}

const TranslationInfo& info(const TranslationConfig& config) {
  return std::visit([](const auto& c) -> const TranslationInfo& { return c; }, config);
}

std::string to_json(const TranslationConfig& config) {
  return std::visit([](const auto& c) { return c.to_json(); }, config);
}

std::vector<std::string> architectures() { return names(TranslationConfig()); }

TranslationConfig translation_config(const std::string& json) {
  const std::string name = text(parse_config(json), "architecture");
  TranslationConfig config;
  if (read_named(name, json, config)) return config;
  std::string known;
  for (const std::string& a : architectures()) known += (known.empty() ? "\"" : " or \"") + a + '"';
  throw unexpected("architecture", '"' + name + '"', known);
}

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
