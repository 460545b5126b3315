#include "models/config_json.h"
#include "models/transformer.h"

namespace softalign::models {

std::string TransformerConfig::to_json() const {
  nlohmann::json config = {{"architecture", kArchitecture},
                           {"width", width},
                           {"heads", heads},
                           {"feed_forward", feed_forward},
                           {"encoder_layers", encoder_layers},
                           {"decoder_layers", decoder_layers}};
  write_head(alignment, config);
  write_info(*this, config);
  return config.dump();
}

TransformerConfig TransformerConfig::from_json(const std::string& json) {
  const nlohmann::json config = parse_config(json, kArchitecture);
  TransformerConfig c;
  read_info(config, c);
  c.width = dimension(config, "width", kWidest);
  c.heads = heads_of(config, c.width);
  c.feed_forward = dimension(config, "feed_forward", kWidest);
  c.encoder_layers = dimension(config, "encoder_layers", kMostLayers);
  c.decoder_layers = dimension(config, "decoder_layers", kMostLayers);
  c.alignment = read_head(config, c.heads, c.decoder_layers);
  return c;
}

}  // namespace softalign::models
