#include "models/config_json.h"
#include "models/student.h"

namespace softalign::models {

std::string StudentConfig::to_json() const {
  nlohmann::json config = write_layers(*this, kArchitecture);
  if (source_vocabulary) config["source_vocabulary"] = *source_vocabulary;
  return config.dump();
}

StudentConfig StudentConfig::from_json(const std::string& json) {
  const nlohmann::json config = parse_config(json, kArchitecture);
  StudentConfig c;
  read_layers(config, c);
  if (config.contains("source_vocabulary")) c.source_vocabulary = vocabulary_size(config, "source_vocabulary");
  return c;
}

}  // namespace softalign::models
