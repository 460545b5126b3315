#include <nlohmann/json.hpp>

#include "models/seq2seq.h"

namespace softalign::models {
namespace {

using Json = nlohmann::json;
constexpr const char* kArchitecture = "seq2seq-gru";

FormatError unexpected(const char* member, const std::string& value, const std::string& expected) {
  return FormatError(std::string("model config: ") + member + " is " + value + ", expected " + expected);
}

std::string text(const Json& config, const char* member) {
  const auto it = config.find(member);
  if (it == config.end()) throw unexpected(member, "missing", "a string");
  if (!it->is_string()) throw unexpected(member, it->dump(), "a string");
  return it->get<std::string>();
}

// A dimension. The limit keeps products of two of them far from overflow on 32 bits.
std::size_t dimension(const Json& config, const char* member, std::size_t most) {
  const auto it = config.find(member);
  const std::string expected = "a whole number in 1.." + std::to_string(most);
  if (it == config.end()) throw unexpected(member, "missing", expected);
  if (!it->is_number_unsigned() || *it < 1u || *it > most) throw unexpected(member, it->dump(), expected);
  return it->get<std::size_t>();
}

}  // namespace

const char* attention_name(AttentionKind kind) {
  switch (kind) {
    case AttentionKind::kNone: return "none";
    case AttentionKind::kAdditive: return "additive";
    case AttentionKind::kDot: return "dot";
  }
  return "";
}

AttentionKind attention_by_name(const std::string& name) {
  for (const auto kind : {AttentionKind::kNone, AttentionKind::kAdditive, AttentionKind::kDot}) {
    if (name == attention_name(kind)) return kind;
  }
  throw ArgumentError("attention is \"" + name + "\", expected \"none\", \"additive\" or \"dot\"");
}

std::string Seq2SeqConfig::to_json() const {
  return Json{{"architecture", kArchitecture},
              {"name", name},
              {"source_language", source_language},
              {"target_language", target_language},
              {"attention", attention_name(attention)},
              {"vocabulary", vocabulary},
              {"embedding", embedding},
              {"encoder", encoder},
              {"decoder", decoder},
              {"alignment", alignment}}
      .dump();
}

Seq2SeqConfig Seq2SeqConfig::from_json(const std::string& json) {
  const Json config = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!config.is_object()) throw FormatError("model config is not a JSON object");
  if (const std::string a = text(config, "architecture"); a != kArchitecture) {
    throw unexpected("architecture", '"' + a + '"', std::string("\"") + kArchitecture + '"');
  }
  Seq2SeqConfig c;
  c.name = text(config, "name");
  c.source_language = text(config, "source_language");
  c.target_language = text(config, "target_language");
  try {
    c.attention = attention_by_name(text(config, "attention"));
  } catch (const ArgumentError& e) {
    throw FormatError(std::string("model config: ") + e.what());
  }
  c.vocabulary = dimension(config, "vocabulary", 1 << 20);
  c.embedding = dimension(config, "embedding", 1 << 13);
  c.encoder = dimension(config, "encoder", 1 << 13);
  c.decoder = dimension(config, "decoder", 1 << 13);
  c.alignment = dimension(config, "alignment", 1 << 13);
  return c;
}

}  // namespace softalign::models
