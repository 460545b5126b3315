#include "models/marian.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "kernels/int8.h"
#include "models/config_json.h"

namespace softalign::models {
namespace {

[[noreturn]] void fail(const std::string& why) { throw FormatError("Marian model: " + why); }

// --- Options --------------------------------------------------------------------------------------------------------

class Options {
 public:
  explicit Options(const std::string& yaml) : options_(MarianOptions::parse(yaml)) {}

  // The value of an option, of one that is a list the first; `otherwise` if it is not there.
  std::string text(std::string_view name, const char* otherwise = nullptr) const {
    const auto* values = options_.find(name);
    if (values && !values->empty()) return values->front();
    if (!otherwise) refuse(name, values ? "an empty list" : "missing", "a value");
    return otherwise;
  }
  std::size_t number(std::string_view name, std::size_t most, std::size_t which = 0) const {
    const auto* values = options_.find(name);
    const std::string is = values && which < values->size() ? (*values)[which] : "missing";
    std::size_t value = 0;
    const auto read = std::from_chars(is.data(), is.data() + is.size(), value);
    if (read.ec != std::errc() || read.ptr != is.data() + is.size() || value < 1 || value > most) {
      refuse(name, is, "a whole number in 1.." + std::to_string(most));
    }
    return value;
  }
  bool flag(std::string_view name) const {
    const std::string value = text(name, "false");
    if (value != "true" && value != "false") refuse(name, value, "true or false");
    return value == "true";
  }
  // The only value that is computed here; Marian's own default if the option is not there.
  void expect(std::string_view name, const char* value, const char* otherwise) const {
    if (const std::string is = text(name, otherwise); is != value) {
      refuse(name, '"' + is + '"', std::string("\"") + value + "\"; other models than these students are not supported");
    }
  }
  void expect_none(std::string_view name) const {
    if (const auto* values = options_.find(name); values && !values->empty()) refuse(name, values->front(), "an empty list");
  }
  [[noreturn]] static void refuse(std::string_view name, const std::string& is, const std::string& expected) {
    fail("option " + std::string(name) + " is " + is + ", expected " + expected);
  }

 private:
  MarianOptions options_;
};

// --- Names ----------------------------------------------------------------------------------------------------------

// Where a weight of ours lies in Marian's files: a matrix as [in, out], but for an embedding.
struct Place {
  std::string name;
  bool embedding = false;
};

struct Renamed {
  std::string_view ours, theirs;
};
// Within a layer, whose number comes before: ours below "layers.N.", theirs behind "_lN_".
constexpr Renamed kEncoder[] = {
    {"self_attn.q_proj.weight", "self_Wq"},     {"self_attn.q_proj.bias", "self_bq"},
    {"self_attn.k_proj.weight", "self_Wk"},     {"self_attn.k_proj.bias", "self_bk"},
    {"self_attn.v_proj.weight", "self_Wv"},     {"self_attn.v_proj.bias", "self_bv"},
    {"self_attn.out_proj.weight", "self_Wo"},   {"self_attn.out_proj.bias", "self_bo"},
    {"norm1.weight", "self_Wo_ln_scale"},       {"norm1.bias", "self_Wo_ln_bias"},
    {"linear1.weight", "ffn_W1"},               {"linear1.bias", "ffn_b1"},
    {"linear2.weight", "ffn_W2"},               {"linear2.bias", "ffn_b2"},
    {"norm2.weight", "ffn_ffn_ln_scale"},       {"norm2.bias", "ffn_ffn_ln_bias"},
};
constexpr Renamed kDecoder[] = {
    {"ssru.candidate.weight", "rnn_W"},              {"ssru.forget.weight", "rnn_Wf"},
    {"ssru.forget.bias", "rnn_bf"},                  {"norm1.weight", "rnn_ffn_ln_scale"},
    {"norm1.bias", "rnn_ffn_ln_bias"},               {"multihead_attn.q_proj.weight", "context_Wq"},
    {"multihead_attn.q_proj.bias", "context_bq"},    {"multihead_attn.k_proj.weight", "context_Wk"},
    {"multihead_attn.k_proj.bias", "context_bk"},    {"multihead_attn.v_proj.weight", "context_Wv"},
    {"multihead_attn.v_proj.bias", "context_bv"},    {"multihead_attn.out_proj.weight", "context_Wo"},
    {"multihead_attn.out_proj.bias", "context_bo"},  {"norm2.weight", "context_Wo_ln_scale"},
    {"norm2.bias", "context_Wo_ln_bias"},            {"linear1.weight", "ffn_W1"},
    {"linear1.bias", "ffn_b1"},                      {"linear2.weight", "ffn_W2"},
    {"linear2.bias", "ffn_b2"},                      {"norm3.weight", "ffn_ffn_ln_scale"},
    {"norm3.bias", "ffn_ffn_ln_bias"},
};

Place place_of(std::string_view name, const StudentConfig& config) {
  if (name == "embedding.weight") return {config.source_vocabulary ? "decoder_Wemb" : "Wemb", true};
  if (name == "source_embedding.weight") return {"encoder_Wemb", true};
  if (name == "output.bias") return {"decoder_ff_logit_out_b"};
  const bool encoder = name.starts_with("encoder");
  std::string_view rest = name.substr(std::string_view("encoder.layers.").size());
  const std::size_t dot = rest.find('.');
  std::size_t layer = 0;
  std::from_chars(rest.data(), rest.data() + dot, layer);
  rest.remove_prefix(dot + 1);
  const std::span<const Renamed> names = encoder ? std::span<const Renamed>(kEncoder) : kDecoder;
  const auto found = std::find_if(names.begin(), names.end(), [&](const Renamed& r) { return r.ours == rest; });
  return {std::string(encoder ? "encoder_l" : "decoder_l") + std::to_string(layer + 1) + "_" + std::string(found->theirs)};
}

// --- Weights --------------------------------------------------------------------------------------------------------

// Rows become columns: from [rows, columns].
template <class U>
void transpose(const U* from, std::size_t rows, std::size_t columns, U* to) {
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) to[c * rows + r] = from[r * columns + c];
  }
}

void fill(Parameter<float>& p, const Place& place, const MarianTensor& tensor, const std::shared_ptr<const void>& owner) {
  const std::string what = "tensor \"" + place.name + '"';
  const bool matrix = p.shape.rank() > 1;
  const std::size_t rows = p.shape.rows(), width = p.shape.width();
  const std::vector<std::size_t> shape = matrix ? place.embedding ? std::vector{rows, width} : std::vector{width, rows} : tensor.shape;
  if (tensor.shape != shape || tensor.elements() != p.shape.size()) {
    std::string is;
    for (const std::size_t d : tensor.shape) is += (is.empty() ? "" : ", ") + std::to_string(d);
    fail(what + " is [" + is + "], expected " + (matrix ? Shape{shape[0], shape[1]} : Shape{1, p.shape.size()}).to_string());
  }
  if (tensor.type == MarianTensor::Type::kIntgemm8) {
    if (!matrix) fail(what + " is of bytes, expected float32");
    if (width > kernels::kInt8Depth) {
      fail(what + " is of bytes and sums up " + std::to_string(width) + ", expected at most " + std::to_string(kernels::kInt8Depth));
    }
    const std::span bytes(reinterpret_cast<const std::int8_t*>(tensor.values.data()), tensor.values.size());
    AlignedVector<float> scale(rows, 1 / tensor.multiplier);
    if (owner && reinterpret_cast<std::uintptr_t>(bytes.data()) % kAlignment == 0) {
      p.int8 = Int8Matrix(bytes, std::move(scale), owner);
    } else {
      p.int8 = Int8Matrix::of({bytes.begin(), bytes.end()}, std::move(scale));
    }
    return;
  }
  p.value.resize(p.shape.size());
  if (matrix && !place.embedding) {
    AlignedVector<float> values(p.shape.size());
    std::memcpy(values.data(), tensor.values.data(), tensor.values.size());
    transpose(values.data(), width, rows, p.value.data());
  } else {
    std::memcpy(p.value.data(), tensor.values.data(), tensor.values.size());
  }
  const auto bad = std::find_if(p.value.begin(), p.value.end(), [](float v) { return !std::isfinite(v); });
  if (bad != p.value.end()) fail(what + " has " + std::to_string(*bad) + ", expected finite numbers");
}

}  // namespace

StudentConfig student_config(const MarianFile& file) {
  if (file.options().empty()) fail("it has no options, expected them in \"special:model.yml\"");
  const Options o(file.options());
  // What is not there has the value that Marian gives it.
  o.expect("type", "transformer", nullptr);
  o.expect("transformer-decoder-autoreg", "rnn", "self-attention");
  o.expect("dec-cell", "ssru", "gru");
  o.expect("transformer-preprocess", "", "");
  o.expect("transformer-postprocess-top", "", "");
  o.expect("transformer-ffn-activation", "relu", "swish");
  o.expect("transformer-ffn-depth", "2", "2");
  for (const char* depth : {"transformer-decoder-ffn-depth", "transformer-decoder-dim-ffn", "factors-dim-emb", "lemma-dim-emb"}) o.expect(depth, "0", "0");
  for (const char* off : {"transformer-no-projection", "transformer-no-affine", "transformer-no-bias", "transformer-rnn-projection",
                          "transformer-train-position-embeddings", "transformer-pool", "output-omit-bias", "ulr", "right-left"}) {
    o.expect(off, "false", "false");
  }
  o.expect_none("transformer-tied-layers");
  o.expect_none("input-types");
  // d: dropout, which is for training; a: the sum with what was read; n: its norm.
  std::string after = o.text("transformer-postprocess", "dan");
  std::erase(after, 'd');
  if (after != "an") Options::refuse("transformer-postprocess", '"' + after + '"', "\"dan\"; other models than these students are not supported");
  std::string embedded = o.text("transformer-postprocess-emb", "d");
  std::erase(embedded, 'd');
  if (!embedded.empty()) Options::refuse("transformer-postprocess-emb", '"' + embedded + '"', "\"d\"; other models than these students are not supported");
  const bool all_tied = o.flag("tied-embeddings-all");
  if (!all_tied && !o.flag("tied-embeddings")) Options::refuse("tied-embeddings", "false", "true, or tied-embeddings-all");
  if (!all_tied && o.flag("tied-embeddings-src")) Options::refuse("tied-embeddings-src", "true", "false, or tied-embeddings-all");

  StudentConfig c;
  constexpr std::size_t kLargestVocabulary = 1 << 20;
  c.width = o.number("dim-emb", kWidest);
  c.heads = o.number("transformer-heads", kMostHeads);
  if (c.width % c.heads != 0) Options::refuse("transformer-heads", std::to_string(c.heads), "a number that divides dim-emb, " + std::to_string(c.width));
  c.feed_forward = o.number("transformer-dim-ffn", kWidest);
  c.encoder_layers = o.number("enc-depth", kMostLayers);
  c.decoder_layers = o.number("dec-depth", kMostLayers);
  const std::size_t source = o.number("dim-vocabs", kLargestVocabulary), target = o.number("dim-vocabs", kLargestVocabulary, 1);
  c.vocabulary = target;
  if (!all_tied) c.source_vocabulary = source;
  if (all_tied && source != target) {
    Options::refuse("dim-vocabs", std::to_string(source) + " and " + std::to_string(target), "equal numbers, since tied-embeddings-all is true");
  }
  const std::string layer = o.text("transformer-guided-alignment-layer", "last");
  c.alignment = {c.decoder_layers - 1, 0, false};
  if (layer != "last") c.alignment.layer = o.number("transformer-guided-alignment-layer", c.decoder_layers) - 1;
  return c;
}

void load(const MarianFile& file, const StudentConfig& config, Parameters<float>& weights,
          const std::shared_ptr<const void>& owner) {
  for (Parameter<float>& p : weights.all()) {
    const Place place = place_of(p.name, config);
    const MarianTensor* tensor = file.find(place.name);
    if (!tensor) fail("tensor \"" + place.name + "\" is missing, expected " + p.shape.to_string());
    fill(p, place, *tensor, owner);
  }
}

std::vector<std::byte> save_marian(const StudentConfig& c, const Parameters<float>& weights, bool bytes) {
  if (c.alignment.shifted || c.alignment.head != 0 || c.alignment.layer + 1 != c.decoder_layers) {
    throw ArgumentError("save_marian: the alignment is head " + std::to_string(c.alignment.head) + " of layer " +
                        std::to_string(c.alignment.layer) + (c.alignment.shifted ? ", shifted" : "") +
                        ", expected head 0 of the last layer, where Marian looks");
  }
  std::deque<std::vector<std::byte>> kept;
  std::vector<MarianTensor> tensors;
  for (const Parameter<float>& p : weights.all()) {
    const Place place = place_of(p.name, c);
    const bool matrix = p.shape.rank() > 1;
    const std::size_t rows = p.shape.rows(), width = p.shape.width();
    MarianTensor tensor;
    tensor.name = place.name;
    tensor.shape = !matrix ? std::vector<std::size_t>{1, p.shape.size()} : place.embedding ? std::vector{rows, width} : std::vector{width, rows};
    auto& values = kept.emplace_back(p.shape.size() * (matrix && bytes ? 1 : sizeof(float)));
    if (matrix && bytes) {
      tensor.type = MarianTensor::Type::kIntgemm8;
      float most = 0;
      for (const float v : p.value) most = std::max(most, std::abs(v));
      tensor.multiplier = most > 0 ? 127 / most : 1;
      for (std::size_t i = 0; i < p.value.size(); ++i) {
        values[i] = static_cast<std::byte>(static_cast<std::int8_t>(std::clamp(std::nearbyint(p.value[i] * tensor.multiplier), -127.0f, 127.0f)));
      }
    } else if (matrix && !place.embedding) {
      AlignedVector<float> turned(p.value.size());
      transpose(p.value.data(), rows, width, turned.data());
      std::memcpy(values.data(), turned.data(), values.size());
    } else {
      std::memcpy(values.data(), p.value.data(), values.size());
    }
    tensor.values = values;
    tensors.push_back(std::move(tensor));
  }
  std::sort(tensors.begin(), tensors.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  const auto line = [](const char* name, const std::string& value) { return std::string(name) + ": " + value + "\n"; };
  const auto number = [](std::size_t n) { return std::to_string(n); };
  std::string options = line("type", "transformer") + line("dim-emb", number(c.width)) + line("enc-depth", number(c.encoder_layers)) +
                        line("dec-depth", number(c.decoder_layers)) + line("transformer-heads", number(c.heads)) +
                        line("transformer-dim-ffn", number(c.feed_forward)) + line("transformer-guided-alignment-layer", "last");
  options += "dim-vocabs:\n  - " + number(c.source_vocabulary.value_or(c.vocabulary)) + "\n  - " + number(c.vocabulary) + "\n";
  options += line("tied-embeddings-all", c.source_vocabulary ? "false" : "true") + line("tied-embeddings", c.source_vocabulary ? "true" : "false");
  // The rest is the same for all students; Marian insists on finding each.
  options +=
      "bert-train-type-embeddings: true\nbert-type-vocab-size: 2\ndec-cell: ssru\ndec-cell-base-depth: 2\ndec-cell-high-depth: 1\n"
      "dim-rnn: 1024\nenc-cell: gru\nenc-cell-depth: 1\nenc-type: bidirectional\nfactors-combine: sum\nfactors-dim-emb: 0\ninput-types:\n"
      "  []\nlayer-normalization: false\nlemma-dim-emb: 0\noutput-omit-bias: false\nright-left: false\nskip: false\n"
      "tied-embeddings-src: false\ntransformer-aan-activation: swish\ntransformer-aan-depth: 2\ntransformer-aan-nogate: false\n"
      "transformer-decoder-autoreg: rnn\ntransformer-depth-scaling: false\ntransformer-dim-aan: 2048\n"
      "transformer-ffn-activation: relu\ntransformer-ffn-depth: 2\ntransformer-no-projection: false\ntransformer-pool: false\n"
      "transformer-postprocess: dan\ntransformer-postprocess-emb: d\ntransformer-postprocess-top: \"\"\ntransformer-preprocess: \"\"\n"
      "transformer-tied-layers:\n  []\ntransformer-train-position-embeddings: false\nulr: false\nulr-dim-emb: 0\n"
      "ulr-trainable-transformation: false\nversion: v1.9.0\n";
  return serialize_marian(options, tensors);
}

}  // namespace softalign::models
