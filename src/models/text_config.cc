#include "models/text_config.h"

#include <algorithm>

#include "models/architectures.h"

namespace softalign::models {
namespace {

using Json = nlohmann::json;

void write_encoder(const EncoderChoices& c, Json& config) {
  config["encoder"] = encoder_name(c.kind);
  config["width"] = c.width;
  config["layers"] = c.layers;
  config["heads"] = c.heads;
  config["feed_forward"] = c.feed_forward;
  config["radius"] = c.radius;
}

EncoderChoices read_encoder(const Json& config) {
  EncoderChoices c;
  c.kind = choice(config, "encoder", encoder_by_name);
  c.width = dimension(config, "width", kWidest);
  c.layers = dimension(config, "layers", kMostLayers);
  c.heads = dimension(config, "heads", kMostHeads);
  c.feed_forward = dimension(config, "feed_forward", kWidest);
  c.radius = dimension(config, "radius", 64);
  const std::size_t parts = c.kind == EncoderKind::kSelfAttention ? c.heads : c.kind == EncoderKind::kBiLstm ? 2 : 1;
  if (c.width % parts != 0) throw unexpected("width", std::to_string(c.width), "a multiple of " + std::to_string(parts));
  return c;
}

std::vector<std::string> read_labels(const Json& config) {
  const auto it = config.find("labels");
  const std::string expected = "a list of at least two different strings";
  if (it == config.end()) throw unexpected("labels", "missing", expected);
  std::vector<std::string> labels;
  bool good = it->is_array() && it->size() >= 2 && it->size() <= kWidest;
  for (std::size_t i = 0; good && i < it->size(); ++i) {
    good = (*it)[i].is_string();
    if (good) labels.push_back((*it)[i].get<std::string>());
  }
  auto sorted = labels;
  std::sort(sorted.begin(), sorted.end());
  good = good && std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
  if (!good) throw unexpected("labels", shown(*it), expected);
  return labels;
}

template <class Config>
Json begin_json(const Config& config) {
  Json json = {{"architecture", Config::kArchitecture}};
  write_info(config, json);
  return json;
}

template <class Config>
Config begin_config(const Json& json) {
  Config config;
  read_info(json, config);
  return config;
}

}  // namespace

std::string LanguageModelConfig::to_json() const {
  Json json = begin_json(*this);
  json["reader"] = reader_name(reader);
  json["embedding"] = embedding;
  json["width"] = width;
  return json.dump();
}

LanguageModelConfig LanguageModelConfig::from_json(const std::string& text) {
  const Json json = parse_config(text, kArchitecture);
  auto c = begin_config<LanguageModelConfig>(json);
  c.reader = choice(json, "reader", reader_by_name);
  c.embedding = dimension(json, "embedding", kWidest);
  c.width = dimension(json, "width", kWidest);
  return c;
}

std::string TaggerConfig::to_json() const {
  Json json = begin_json(*this);
  write_encoder(encoder, json);
  json["labels"] = labels;
  return json.dump();
}

TaggerConfig TaggerConfig::from_json(const std::string& text) {
  const Json json = parse_config(text, kArchitecture);
  auto c = begin_config<TaggerConfig>(json);
  c.encoder = read_encoder(json);
  c.labels = read_labels(json);
  return c;
}

std::string ClassifierConfig::to_json() const {
  Json json = begin_json(*this);
  write_encoder(encoder, json);
  json["labels"] = labels;
  json["alignment"] = alignment;
  return json.dump();
}

ClassifierConfig ClassifierConfig::from_json(const std::string& text) {
  const Json json = parse_config(text, kArchitecture);
  auto c = begin_config<ClassifierConfig>(json);
  c.encoder = read_encoder(json);
  c.labels = read_labels(json);
  c.alignment = dimension(json, "alignment", kWidest);
  return c;
}

std::string MaskedLanguageModelConfig::to_json() const {
  Json json = begin_json(*this);
  write_encoder(encoder, json);
  return json.dump();
}

MaskedLanguageModelConfig MaskedLanguageModelConfig::from_json(const std::string& text) {
  const Json json = parse_config(text, kArchitecture);
  auto c = begin_config<MaskedLanguageModelConfig>(json);
  c.encoder = read_encoder(json);
  return c;
}

TextInfo& info(TextConfig& config) {
  return std::visit([](auto& c) -> TextInfo& { return c; }, config);
}

const TextInfo& info(const TextConfig& config) {
  return std::visit([](const auto& c) -> const TextInfo& { return c; }, config);
}

std::vector<std::string> text_architectures() { return Architectures<TextConfig>::names(); }

std::string to_json(const TextConfig& config) {
  return std::visit([](const auto& c) { return c.to_json(); }, config);
}

TextConfig text_config(const std::string& json) { return Architectures<TextConfig>::from_json(json); }

template <class T>
std::unique_ptr<TextModel<T>> make_model(Parameters<T>& p, const TextConfig& config) {
  return std::visit(
      [&]<class Config>(const Config& c) -> std::unique_ptr<TextModel<T>> {
        return std::make_unique<typename Config::template Model<T>>(p, c);
      },
      config);
}

template std::unique_ptr<TextModel<float>> make_model(Parameters<float>&, const TextConfig&);
template std::unique_ptr<TextModel<double>> make_model(Parameters<double>&, const TextConfig&);

}  // namespace softalign::models
