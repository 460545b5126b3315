#include "models/layers_config.h"

#include "core/error.h"
#include "models/config_json.h"

namespace softalign::models {
namespace {

using Json = nlohmann::json;

// A whole number below `end`.
std::size_t index(const Json& config, const char* member, std::size_t end) {
  const auto it = config.find(member);
  const std::string expected = "a whole number in 0.." + std::to_string(end - 1);
  if (it == config.end()) throw unexpected(member, "missing", expected);
  if (!it->is_number_unsigned() || *it >= end) throw unexpected(member, shown(*it), expected);
  return it->get<std::size_t>();
}

}  // namespace

Json write_layers(const LayersConfig& c, const char* architecture) {
  Json config = {{"architecture", architecture},
                 {"width", c.width},
                 {"heads", c.heads},
                 {"feed_forward", c.feed_forward},
                 {"encoder_layers", c.encoder_layers},
                 {"decoder_layers", c.decoder_layers},
                 {"alignment_layer", c.alignment.layer},
                 {"alignment_head", c.alignment.head},
                 {"alignment_shifted", c.alignment.shifted}};
  write_info(c, config);
  return config;
}

void read_layers(const Json& config, LayersConfig& c) {
  read_info(config, c);
  c.width = dimension(config, "width", kWidest);
  c.heads = dimension(config, "heads", kMostHeads);
  if (c.width % c.heads != 0) {
    throw unexpected("heads", std::to_string(c.heads), "a number that divides the width, " + std::to_string(c.width));
  }
  c.feed_forward = dimension(config, "feed_forward", kWidest);
  c.encoder_layers = dimension(config, "encoder_layers", kMostLayers);
  c.decoder_layers = dimension(config, "decoder_layers", kMostLayers);
  c.alignment.layer = index(config, "alignment_layer", c.decoder_layers);
  c.alignment.head = index(config, "alignment_head", c.heads);
  const auto shifted = config.find("alignment_shifted");
  if (shifted == config.end() || !shifted->is_boolean()) {
    throw unexpected("alignment_shifted", shifted == config.end() ? "missing" : shown(*shifted), "true or false");
  }
  c.alignment.shifted = shifted->get<bool>();
}

}  // namespace softalign::models
