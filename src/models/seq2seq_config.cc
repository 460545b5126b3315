#include "models/config_json.h"
#include "models/seq2seq.h"

namespace softalign::models {
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
  nlohmann::json config = {{"architecture", kArchitecture},
                           {"attention", attention_name(attention)},
                           {"embedding", embedding},
                           {"encoder", encoder},
                           {"decoder", decoder},
                           {"alignment", alignment}};
  write_info(*this, config);
  return config.dump();
}

Seq2SeqConfig Seq2SeqConfig::from_json(const std::string& json) {
  const auto config = parse_config(json, kArchitecture);
  Seq2SeqConfig c;
  read_info(config, c);
  c.attention = choice(config, "attention", attention_by_name);
  c.embedding = dimension(config, "embedding", kWidest);
  c.encoder = dimension(config, "encoder", kWidest);
  c.decoder = dimension(config, "decoder", kWidest);
  c.alignment = dimension(config, "alignment", kWidest);
  return c;
}

}  // namespace softalign::models
