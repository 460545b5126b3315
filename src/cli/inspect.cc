#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>

#include "cli/commands.h"
#include "io/file.h"
#include "models/config.h"
#include "models/model_file.h"
#include "models/text_config.h"

namespace softalign::cli {
namespace {

void inspect(const std::string& path) {
  const auto bytes = read_file(path);
  const auto file = Safetensors::parse(bytes);
  for (const auto& [key, value] : file.metadata()) std::printf("%s: %s\n", key.c_str(), value.c_str());
  std::size_t weights = 0;
  for (const TensorEntry& t : file.tensors()) {
    std::string shape = "[";
    for (std::size_t i = 0; i < t.shape.size(); ++i) shape += (i ? ", " : "") + std::to_string(t.shape[i]);
    std::printf("%-32s %-4s %s]\n", t.name.c_str(), std::string(dtype_name(t.type)).c_str(), shape.c_str());
    if (t.type != DType::kU8) weights += t.elements();
  }
  std::printf("%zu weights, %zu bytes\n", weights, bytes.size());
}

struct ConvertOptions {
  std::string from, to, storage = "int8", alignment_head;
  std::vector<std::string> facts;
};

void convert(const ConvertOptions& o) {
  const auto bytes = read_file(o.from);
  const models::ModelFile file(bytes);
  Parameters<float> weights{Parameters<float>::Unfilled{}};
  std::string config = file.config();
  std::unique_ptr<models::TextModel<float>> text_model;  // the model says which weights there are
  std::unique_ptr<models::TranslationModel<float>> translation_model;
  const auto texts = models::text_architectures();
  if (std::find(texts.begin(), texts.end(), models::architecture(config)) != texts.end()) {
    text_model = models::make_model(weights, models::text_config(config));
  } else {
    auto translation = models::translation_config(config);
    if (auto* transformer = std::get_if<models::TransformerConfig>(&translation); !o.alignment_head.empty() && transformer) {
      transformer->alignment = models::alignment_head(o.alignment_head);
    }
    translation_model = models::make_model(weights, translation);
    config = models::to_json(translation);
  }
  if (!o.alignment_head.empty() && models::architecture(config) != models::TransformerConfig::kArchitecture) {
    throw ArgumentError("--alignment-head is for transformers, " + o.from + " is a " + models::architecture(config));
  }
  file.load(weights, models::ModelFile::Int8::kExpand);
  std::map<std::string, std::string> facts = file.file().metadata();
  for (const std::string& fact : o.facts) {
    const std::size_t at = fact.find('=');
    if (at == std::string::npos) throw ArgumentError("--fact is \"" + fact + "\", expected KEY=VALUE");
    facts[fact.substr(0, at)] = fact.substr(at + 1);
  }
  write_file(o.to, models::save_model(config, weights, file.tokenizer(), models::storage_by_name(o.storage), facts));
}

}  // namespace

void add_inspect(CLI::App& app) {
  auto path = std::make_shared<std::string>();
  CLI::App* c = app.add_subcommand("inspect", "Print what is in a model file");
  c->add_option("file", *path, "Model file, or any safetensors file")->required()->check(CLI::ExistingFile);
  c->callback([path] { inspect(*path); });
}

void add_convert(CLI::App& app) {
  auto o = std::make_shared<ConvertOptions>();
  CLI::App* c = app.add_subcommand("convert", "Write a model file with its weights stored another way");
  c->add_option("from", o->from, "Model file")->required()->check(CLI::ExistingFile);
  c->add_option("to", o->to, "New model file")->required();
  c->add_option("--storage", o->storage, "f32, f16 or int8")->capture_default_str();
  c->add_option("--alignment-head", o->alignment_head, "Show this cross-attention of a transformer as alignment, LAYER:HEAD[:shifted]");
  c->add_option("--fact", o->facts, "KEY=VALUE for its metadata, e.g. licence=...");
  c->callback([o] { convert(*o); });
}

}  // namespace softalign::cli
