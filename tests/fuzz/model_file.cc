// Any bytes are a model of some architecture that works, or a FormatError.
#include <string>
#include <vector>

#include "decoding/text_reader.h"
#include "decoding/translator.h"
#include "io/file.h"
#include "models/config.h"
#include "models/text_config.h"
#include "support/mutator.h"

namespace {

using namespace softalign;

// Makes a model and lets it work, if the bytes are one.
template <class Model, class Work>
void attempt(std::span<const std::byte> bytes, const Work& work) {
  try {
    Model model(bytes);
    work(model);
  } catch (const FormatError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  attempt<Translator>(bytes, [](Translator& t) { t.translate("the cat", {.trace = true}); });
  attempt<LanguageReader>(bytes, [](LanguageReader& r) { r.read("the cat"); });
  attempt<TextTagger>(bytes, [](TextTagger& t) { t.tag(std::vector<std::string>{"the", "cat"}); });
  attempt<TextClassifier>(bytes, [](TextClassifier& c) { c.classify("the cat"); });
  attempt<MaskFiller>(bytes, [](MaskFiller& m) { m.fill(std::vector<std::string>{"the ", ""}, 3); });
  return 0;
}

#ifndef SOFTALIGN_LIBFUZZER
namespace {

std::vector<fuzz::Bytes> seeds;

template <class Config>
void add(Config config, models::Storage storage) {
  static const std::vector<std::byte> tokenizer = read_file(SOFTALIGN_SOURCE_DIR "/tests/golden/text/tiny.model");
  config.vocabulary = Tokenizer(tokenizer).size();
  Parameters<float> weights;
  const typename Config::template Model<float> model(weights, config);
  fuzz::Bytes bytes;
  for (const std::byte byte : save_model(config.to_json(), weights, tokenizer, storage)) {
    bytes.push_back(std::to_integer<std::uint8_t>(byte));
  }
  seeds.push_back(bytes);
}

models::EncoderChoices tiny(models::EncoderKind kind) {
  return {.kind = kind, .width = 4, .layers = 1, .heads = 2, .feed_forward = 4, .radius = 1};
}

}  // namespace

int main(int argc, char** argv) {
  models::Seq2SeqConfig seq2seq;
  seq2seq.embedding = seq2seq.encoder = seq2seq.decoder = seq2seq.alignment = 4;
  add(seq2seq, models::Storage::kInt8);
  models::TransformerConfig transformer;
  transformer.width = transformer.feed_forward = 4;
  transformer.heads = 2;
  transformer.encoder_layers = transformer.decoder_layers = 1;
  add(transformer, models::Storage::kF32);
  models::LanguageModelConfig language_model;
  language_model.embedding = language_model.width = 4;
  add(language_model, models::Storage::kF16);
  models::TaggerConfig tagger;
  tagger.encoder = tiny(models::EncoderKind::kBiLstm);
  tagger.labels = {"A", "B"};
  add(tagger, models::Storage::kInt8);
  models::ClassifierConfig classifier;
  classifier.encoder = tiny(models::EncoderKind::kSelfAttention);
  classifier.labels = {"A", "B"};
  classifier.alignment = 4;
  add(classifier, models::Storage::kInt8);
  models::MaskedLanguageModelConfig masked;
  masked.encoder = tiny(models::EncoderKind::kWindow);
  add(masked, models::Storage::kF32);
  return fuzz::run(argc, argv, LLVMFuzzerTestOneInput, seeds,
                   {"\\\"width\\\":", "\\\"heads\\\":", "\\\"layers\\\":", "\\\"radius\\\":", "\\\"labels\\\":[", "\\\"tagger\\\"", "\\\"classifier\\\"",
                    "\\\"language-model\\\"", "\\\"transformer\\\"", "\\\"self-attention\\\"", "\\\"bilstm\\\"", "\\\"window\\\"", "\\\"lstm\\\"",
                    "\\\"lstmn\\\"", "-1", "0", "1", "8192", "1048576", "18446744073709551616", "null", "[", "]", "\"I8\"", "\"F32\"", "\"F16\"",
                    "[4,4]", "[0]", "weight", ".scale"});
}
#endif
