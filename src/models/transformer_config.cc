#include "models/config_json.h"
#include "models/transformer.h"

namespace softalign::models {

std::string TransformerConfig::to_json() const { return write_layers(*this, kArchitecture).dump(); }

TransformerConfig TransformerConfig::from_json(const std::string& json) {
  TransformerConfig c;
  read_layers(parse_config(json, kArchitecture), c);
  return c;
}

}  // namespace softalign::models
