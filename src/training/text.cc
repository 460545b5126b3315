#include "training/text.h"

#include <algorithm>
#include <cmath>

#include "kernels/vector.h"
#include "training/batches.h"
#include "training/parallel.h"

namespace softalign::training {
namespace {

// What is evaluated on has the same masks every time.
constexpr std::uint64_t kDevSeed = 1;

}  // namespace

TextScore score(const models::TextModel<float>& model, const std::vector<TextExample>& examples, std::size_t threads) {
  const std::size_t parts = std::max<std::size_t>(threads, 1);
  if (examples.empty()) throw ArgumentError("there is no text to measure on, expected at least one");
  std::vector<TextScore> scores(parts);
  in_parallel(parts, [&](std::size_t part) {
    Graph<float> g;
    for (std::size_t i = part; i < examples.size(); i += parts) {
      g.rewind();
      const TextExample& e = examples[i];
      const auto logits = model.logits(g, to_text_batch({&e, 1}));
      const std::size_t V = logits.width();
      for (std::size_t a = 0; a < e.answers.size(); ++a) {
        const float* x = logits.value + a * V;
        const auto answer = static_cast<std::size_t>(e.answers[a]);
        scores[part].cross_entropy += static_cast<double>(kernels::log_sum_exp(x, V)) - static_cast<double>(x[answer]);
        scores[part].right += static_cast<std::size_t>(std::max_element(x, x + V) - x) == answer;
        ++scores[part].answers;
      }
    }
  });
  TextScore sum;
  for (const TextScore& s : scores) {
    sum.answers += s.answers;
    sum.right += s.right;
    sum.cross_entropy += s.cross_entropy;
  }
  return sum;
}

TextTask::TextTask(const models::TextConfig& config, std::vector<std::byte> tokenizer, std::vector<TextExample> train,
                   std::vector<TextExample> dev, const TextSettings& text, const FitSettings& settings)
    : config_(config),
      tokenizer_(std::move(tokenizer)),
      train_(std::move(train)),
      dev_(std::move(dev)),
      text_(text),
      smoothing_(settings.smoothing),
      threads_(settings.threads),
      weights_(settings.seed),
      averaged_(settings.seed),
      model_(make_model(weights_, config)),
      averaged_model_(make_model(averaged_, config)) {
  if (dev_.empty()) throw ArgumentError("there is no text to measure on, expected at least one");
  std::erase_if(train_, [&](const TextExample& e) { return e.ids.size() > text_.longest; });
  if (const auto* masked = dynamic_cast<const models::MaskedLanguageModel<float>*>(model_.get())) {
    Random random(kDevSeed);
    dev_ = mask_words(dev_, masked->mask(), random);
  }
}

Task::Metric TextTask::metric() const {
  const bool labels = std::holds_alternative<models::TaggerConfig>(config_) ||
                      std::holds_alternative<models::ClassifierConfig>(config_);
  return labels ? Metric{"accuracy"} : Metric{"perplexity", false};
}

std::size_t TextTask::shuffle(Random& random) {
  if (const auto* masked = dynamic_cast<const models::MaskedLanguageModel<float>*>(model_.get())) {
    masked_ = mask_words(train_, masked->mask(), random);
  }
  const auto length = [&](std::size_t i) { return train_[i].ids.size(); };
  batches_ = draw_batches(train_.size(), text_.tokens, random, length, length);
  return batches_.size();
}

BatchSize TextTask::size(std::size_t batch) const {
  BatchSize size = {batches_[batch].size(), 0};
  for (const std::size_t i : batches_[batch]) size.units += example(i).answers.size();
  return size;
}

Var<float> TextTask::loss(Graph<float>& g, std::size_t batch, Share share, double scale) const {
  std::vector<TextExample> examples;
  for (const std::size_t i : share.of(batches_[batch])) examples.push_back(example(i));
  return model_->loss(g, to_text_batch(examples), smoothing_, scale);
}

double TextTask::evaluate() {
  const TextScore result = score(*averaged_model_, dev_, threads_);
  return metric().higher_is_better ? result.accuracy() : result.perplexity();
}

}  // namespace softalign::training
