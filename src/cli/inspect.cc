#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <memory>

#include "cli/commands.h"
#include "io/file.h"
#include "io/marian.h"
#include "models/config.h"
#include "models/marian.h"
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
  std::string from, to, storage = "int8", alignment_head, vocabulary, target_vocabulary;
  models::TranslationInfo info;
  std::vector<std::string> facts;
};

bool ends_with_one_of(const std::string& path, std::initializer_list<const char*> ends) {
  return std::any_of(ends.begin(), ends.end(), [&](const char* end) { return path.ends_with(end); });
}

std::map<std::string, std::string> with_facts(std::map<std::string, std::string> facts, const std::vector<std::string>& more) {
  for (const std::string& fact : more) {
    const std::size_t at = fact.find('=');
    if (at == std::string::npos) throw ArgumentError("--fact is \"" + fact + "\", expected KEY=VALUE");
    facts[fact.substr(0, at)] = fact.substr(at + 1);
  }
  return facts;
}

// Bytes into numbers, to be written again.
void expand(Parameters<float>& weights) {
  for (Parameter<float>& p : weights.all()) {
    if (p.int8.bytes.empty()) continue;
    const std::size_t width = p.shape.width();
    p.value.resize(p.shape.size());
    for (std::size_t i = 0; i < p.value.size(); ++i) p.value[i] = static_cast<float>(p.int8.bytes[i]) * p.int8.scale[i / width];
    p.int8 = {};
  }
}

// Marian's files into one of ours.
void from_marian(const ConvertOptions& o) {
  if (o.vocabulary.empty()) throw ArgumentError("convert: " + o.from + " is Marian's, expected its SentencePiece model as --vocabulary");
  const auto bytes = read_file(o.from), vocabulary = read_file(o.vocabulary);
  const auto target = o.target_vocabulary.empty() ? std::vector<std::byte>() : read_file(o.target_vocabulary);
  const MarianFile file = MarianFile::parse(bytes);
  models::StudentConfig config = models::student_config(file);
  const std::size_t words = config.vocabulary;
  models::TranslationInfo& info = config;
  info = o.info;
  info.vocabulary = words;
  Parameters<float> weights{Parameters<float>::Unfilled{}};
  const models::Student<float> model(weights, config);
  models::load(file, config, weights);
  expand(weights);
  const bool two = !target.empty();
  write_file(o.to, models::save_model(config.to_json(), weights, two ? target : vocabulary, models::storage_by_name(o.storage),
                                      with_facts({}, o.facts), two ? vocabulary : target));
}

// One of ours into Marian's, its vocabulary beside it.
void to_marian(const ConvertOptions& o) {
  const auto bytes = read_file(o.from);
  const models::ModelFile file(bytes);
  const auto config = models::translation_config(file.config());
  const auto* student = std::get_if<models::StudentConfig>(&config);
  if (!student) throw ArgumentError("convert: " + o.from + " is a " + models::architecture(file.config()) + ", expected a student to write it as Marian's");
  if (o.storage == "f16") throw ArgumentError("convert: --storage is f16, expected f32 or int8 for Marian");
  Parameters<float> weights{Parameters<float>::Unfilled{}};
  const models::Student<float> model(weights, *student);
  file.load(weights, models::ModelFile::Int8::kExpand);
  write_file(o.to, models::save_marian(*student, weights, o.storage == "int8"));
  const std::string stem = o.to.substr(0, o.to.size() - 4);
  write_file(stem + ".spm", file.tokenizer());
  if (!file.source_tokenizer().empty()) write_file(stem + ".source.spm", file.source_tokenizer());
}

void convert(const ConvertOptions& o) {
  if (ends_with_one_of(o.from, {".bin", ".npz"})) return from_marian(o);
  if (ends_with_one_of(o.to, {".bin"})) return to_marian(o);
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
  write_file(o.to, models::save_model(config, weights, file.tokenizer(), models::storage_by_name(o.storage),
                                      with_facts(file.file().metadata(), o.facts), file.source_tokenizer()));
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
  CLI::App* c = app.add_subcommand("convert", "Write a model file with its weights stored another way, or from or for Marian");
  c->add_option("from", o->from, "Model file; or Marian's weights, .bin or .npz")->required()->check(CLI::ExistingFile);
  c->add_option("to", o->to, "New model file; a student as .bin for Marian, its vocabulary beside it as .spm")->required();
  c->add_option("--vocabulary", o->vocabulary, "Of Marian's weights: their SentencePiece model")->check(CLI::ExistingFile);
  c->add_option("--target-vocabulary", o->target_vocabulary, "If the target has one of its own")->check(CLI::ExistingFile)->needs("--vocabulary");
  c->add_option("--name", o->info.name, "Of Marian's weights: what the model is called")->capture_default_str();
  c->add_option("--source-language", o->info.source_language, "Of Marian's weights")->capture_default_str();
  c->add_option("--target-language", o->info.target_language, "Of Marian's weights")->capture_default_str();
  c->add_option("--storage", o->storage, "f32, f16 or int8")->capture_default_str();
  c->add_option("--alignment-head", o->alignment_head, "Show this cross-attention of a transformer as alignment, LAYER:HEAD[:shifted]");
  c->add_option("--fact", o->facts, "KEY=VALUE for its metadata, e.g. licence=...");
  c->callback([o] { convert(*o); });
}

}  // namespace softalign::cli
