#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/error.h"

// How configs read their JSON, which comes from outside. For the sources of configs only.
namespace softalign::models {

struct LayersConfig;
struct TranslationInfo;
struct TextInfo;

// "model config: <member> is <value>, expected <expected>"
FormatError unexpected(const char* member, const std::string& value, const std::string& expected);

// A value as messages show it; of what may be nested without end, only what it is.
std::string shown(const nlohmann::json& value);

// Throws FormatError unless it is an object.
nlohmann::json parse_config(const std::string& json);
// Likewise, unless it is of this architecture.
nlohmann::json parse_config(const std::string& json, const char* architecture);

// A string; throws FormatError if the member is missing or anything else.
std::string text(const nlohmann::json& config, const char* member);
// A whole number in 1..most; likewise.
std::size_t dimension(const nlohmann::json& config, const char* member, std::size_t most);
// One of the names that by_name takes, which throws ArgumentError for others; likewise.
template <class ByName>
auto choice(const nlohmann::json& config, const char* member, const ByName& by_name) {
  try {
    return by_name(text(config, member));
  } catch (const ArgumentError& e) {
    throw FormatError(std::string("model config: ") + e.what());
  }
}
// Widths. The limit keeps products of two of them far from overflow on 32 bits.
inline constexpr std::size_t kWidest = 1 << 13;
inline constexpr std::size_t kMostLayers = 64, kMostHeads = 256;

void write_info(const TranslationInfo& info, nlohmann::json& config);
void read_info(const nlohmann::json& config, TranslationInfo& info);
void write_info(const TextInfo& info, nlohmann::json& config);
void read_info(const nlohmann::json& config, TextInfo& info);

nlohmann::json write_layers(const LayersConfig& config, const char* architecture);
void read_layers(const nlohmann::json& config, LayersConfig& c);
// Words of a vocabulary.
std::size_t vocabulary_size(const nlohmann::json& config, const char* member);

}  // namespace softalign::models
