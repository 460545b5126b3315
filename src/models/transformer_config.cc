#include <charconv>
#include <string_view>

#include "models/config_json.h"
#include "models/transformer.h"

namespace softalign::models {
namespace {

using Json = nlohmann::json;

// A whole number below `end`.
std::size_t index(const Json& config, const char* member, std::size_t end) {
  const auto it = config.find(member);
  const std::string expected = "a whole number in 0.." + std::to_string(end - 1);
  if (it == config.end()) throw unexpected(member, "missing", expected);
  if (!it->is_number_unsigned() || *it >= end) throw unexpected(member, it->dump(), expected);
  return it->get<std::size_t>();
}

}  // namespace

AlignmentHead alignment_head(const std::string& text) {
  AlignmentHead head;
  const char *at = text.data(), *const end = at + text.size();
  auto read = std::from_chars(at, end, head.layer);
  bool good = read.ec == std::errc() && read.ptr != end && *read.ptr == ':';
  if (good) {
    read = std::from_chars(read.ptr + 1, end, head.head);
    const std::string_view rest(read.ptr, static_cast<std::size_t>(end - read.ptr));
    head.shifted = rest == ":shifted";
    good = read.ec == std::errc() && (head.shifted || rest.empty());
  }
  if (!good) throw ArgumentError("alignment head is \"" + text + "\", expected LAYER:HEAD or LAYER:HEAD:shifted");
  return head;
}

std::string TransformerConfig::to_json() const {
  Json config = {{"architecture", kArchitecture},
                 {"width", width},
                 {"heads", heads},
                 {"feed_forward", feed_forward},
                 {"encoder_layers", encoder_layers},
                 {"decoder_layers", decoder_layers},
                 {"alignment_layer", alignment.layer},
                 {"alignment_head", alignment.head},
                 {"alignment_shifted", alignment.shifted}};
  write_info(*this, config);
  return config.dump();
}

TransformerConfig TransformerConfig::from_json(const std::string& json) {
  const Json config = parse_config(json, kArchitecture);
  TransformerConfig c;
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
    throw unexpected("alignment_shifted", shifted == config.end() ? "missing" : shifted->dump(), "true or false");
  }
  c.alignment.shifted = shifted->get<bool>();
  return c;
}

}  // namespace softalign::models
