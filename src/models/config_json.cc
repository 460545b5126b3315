#include "models/config_json.h"

#include <algorithm>

#include "models/text_model.h"
#include "models/translation_model.h"

namespace softalign::models {

using Json = nlohmann::json;

namespace {
constexpr std::size_t kLargestVocabulary = 1 << 20;
}

FormatError unexpected(const char* member, const std::string& value, const std::string& expected) {
  return FormatError(std::string("model config: ") + member + " is " + value + ", expected " + expected);
}

std::string shown(const Json& value) {
  if (value.is_object()) return "an object";
  if (std::any_of(value.begin(), value.end(), [](const Json& each) { return each.is_structured(); })) return "a list of lists or objects";
  return value.dump();
}

Json parse_config(const std::string& json) {
  Json config = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!config.is_object()) throw FormatError("model config is not a JSON object");
  return config;
}

Json parse_config(const std::string& json, const char* architecture) {
  Json config = parse_config(json);
  if (const std::string a = text(config, "architecture"); a != architecture) {
    throw unexpected("architecture", '"' + a + '"', std::string("\"") + architecture + '"');
  }
  return config;
}

std::string text(const Json& config, const char* member) {
  const auto it = config.find(member);
  if (it == config.end()) throw unexpected(member, "missing", "a string");
  if (!it->is_string()) throw unexpected(member, shown(*it), "a string");
  return it->get<std::string>();
}

std::size_t dimension(const Json& config, const char* member, std::size_t most) {
  const auto it = config.find(member);
  const std::string expected = "a whole number in 1.." + std::to_string(most);
  if (it == config.end()) throw unexpected(member, "missing", expected);
  if (!it->is_number_unsigned() || *it < 1u || *it > most) throw unexpected(member, shown(*it), expected);
  return it->get<std::size_t>();
}

std::size_t vocabulary_size(const Json& config, const char* member) { return dimension(config, member, kLargestVocabulary); }

void write_info(const TranslationInfo& info, Json& config) {
  config["name"] = info.name;
  config["source_language"] = info.source_language;
  config["target_language"] = info.target_language;
  config["vocabulary"] = info.vocabulary;
}

void read_info(const Json& config, TranslationInfo& info) {
  info.name = text(config, "name");
  info.source_language = text(config, "source_language");
  info.target_language = text(config, "target_language");
  info.vocabulary = vocabulary_size(config, "vocabulary");
}

void write_info(const TextInfo& info, Json& config) {
  config["name"] = info.name;
  config["language"] = info.language;
  config["vocabulary"] = info.vocabulary;
}

void read_info(const Json& config, TextInfo& info) {
  info.name = text(config, "name");
  info.language = text(config, "language");
  info.vocabulary = vocabulary_size(config, "vocabulary");
}

}  // namespace softalign::models
