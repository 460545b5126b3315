#include "training/translation.h"

#include "decoding/translator.h"
#include "evaluation/bleu.h"
#include "training/parallel.h"

namespace softalign::training {

std::vector<std::string> translate_all(const models::TranslationModel<float>& model, const Tokenizer& tokenizer,
                                       const std::vector<std::string>& sentences, int beam, double length_penalty,
                                       std::size_t threads) {
  std::vector<std::string> out(sentences.size());
  std::atomic<std::size_t> next = 0;
  in_parallel(std::max<std::size_t>(threads, 1), [&](std::size_t) {
    Translator translator(model, tokenizer);
    for (std::size_t i; (i = next++) < sentences.size();) {
      out[i] = translator.translate(sentences[i], {.beam = beam, .length_penalty = length_penalty}).target.text;
    }
  });
  return out;
}

BatchSize size_of(const IdBatch& batch) {
  BatchSize size = {batch.size(), 0};
  for (const IdPair& pair : batch) size.units += pair.target.size() + 1;  // and eos
  return size;
}

TranslationTask::TranslationTask(const models::TranslationConfig& config, std::vector<std::byte> tokenizer,
                                 const std::vector<IdPair>& pairs, const std::vector<TextPair>& dev,
                                 const BatchSettings& batches, const FitSettings& settings)
    : config_(config),
      tokenizer_bytes_(std::move(tokenizer)),
      tokenizer_(tokenizer_bytes_),
      pairs_(pairs),
      batch_settings_(batches),
      smoothing_(settings.smoothing),
      threads_(settings.threads),
      weights_(settings.seed),
      averaged_(settings.seed),
      model_(make_model(weights_, config)),
      averaged_model_(make_model(averaged_, config)) {
  if (dev.empty()) throw ArgumentError("there are no pairs to evaluate on, expected at least one");
  for (const TextPair& pair : dev) {
    dev_source_.push_back(pair.source);
    dev_target_.push_back(pair.target);
  }
}

void TranslationTask::start_from(const models::ModelFile& file) {
  if (!file.source_tokenizer().empty()) {
    throw ArgumentError("the model to start from has a vocabulary of its own for each language, expected one for both");
  }
  file.load(weights_, models::ModelFile::Int8::kExpand);
}

std::size_t TranslationTask::shuffle(Random& random) {
  batches_ = make_batches(pairs_, batch_settings_, random);
  return batches_.size();
}

Var<float> TranslationTask::loss(Graph<float>& g, std::size_t batch, Share share, double scale) const {
  return model_->loss(g, to_model_batch(share.of(batches_[batch]), tokenizer_.eos()), smoothing_, scale);
}

double TranslationTask::evaluate() {
  return corpus_bleu(translate_all(*averaged_model_, tokenizer_, dev_source_, 1, 1, threads_), dev_target_).score;
}

}  // namespace softalign::training
