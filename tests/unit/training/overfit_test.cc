#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "decoding/translator.h"
#include "io/file.h"
#include "models/model_file.h"
#include "unit/support/errors.h"
#include "training/translation.h"

// Training as a whole, on ten sentence pairs: what cannot learn these by heart cannot learn.
namespace softalign::training {
namespace {

using models::AttentionKind;
using models::Storage;

const std::vector<TextPair> kPairs = {
    {"the cat sees the dog.", "le chat voit le chien."},
    {"the dog sees the cat.", "le chien voit le chat."},
    {"I love the old house.", "j'aime la vieille maison."},
    {"I don't love the garden.", "je n'aime pas le jardin."},
    {"the small cat eats.", "le petit chat mange."},
    {"where is the bread ?", "où est le pain ?"},
    {"the bread is under the house.", "le pain est sous la maison."},
    {"it's not the river.", "ce n'est pas la rivière."},
    {"we find water near the mountain.", "nous trouvons de l'eau près de la montagne."},
    {"the young dog carries the bread and the water.", "le jeune chien porte le pain et l'eau."},
};

std::vector<std::byte> tokenizer_bytes() { return read_file(SOFTALIGN_SOURCE_DIR "/tests/golden/text/tiny.model"); }

models::Seq2SeqConfig config(AttentionKind kind, const Tokenizer& tokenizer) {
  models::Seq2SeqConfig c;
  c.attention = kind;
  c.vocabulary = tokenizer.size();
  c.embedding = 32;
  c.encoder = 24;
  c.decoder = 48;
  c.alignment = 24;
  c.dropout = 0;
  return c;
}

// One update on pairs as a batch; the mean loss of a target word.
double step(ParallelStep& update, const models::Seq2Seq<float>& model, std::int32_t eos, const IdBatch& pairs, double rate) {
  const BatchSize size = size_of(pairs);
  const auto loss = [&](Graph<float>& g, Share share, double scale) {
    return model.loss(g, to_model_batch(share.of(pairs), eos), 0, scale);
  };
  return update(size, loss, rate) / static_cast<double>(size.units);
}

TEST(Training, LearnsTenPairsByHeartAndTranslatesThem) {
  const auto bytes = tokenizer_bytes();
  const Tokenizer tokenizer(bytes);
  for (const AttentionKind kind : {AttentionKind::kAdditive, AttentionKind::kDot, AttentionKind::kNone}) {
    SCOPED_TRACE(attention_name(kind));
    Parameters<float> weights;
    const models::Seq2Seq<float> model(weights, config(kind, tokenizer));
    const FitSettings settings;
    Adam<float> adam(weights, settings.adam);
    ParallelStep update(adam, settings);
    const auto pairs = encode_pairs(kPairs, tokenizer);
    double loss = step(update, model, tokenizer.eos(), pairs, 0.01);
    EXPECT_GT(loss, 3.0);  // the logarithm of 240 pieces is 5.5
    for (int i = 0; i < 250 && loss > 0.01; ++i) loss = step(update, model, tokenizer.eos(), pairs, 0.01);
    EXPECT_LT(loss, 0.02);

    const auto saved = save_model(model.config().to_json(), weights, bytes, Storage::kInt8);
    Translator trained(model, tokenizer), loaded(saved);
    for (const TextPair& pair : kPairs) {
      for (const int beam : {1, 4}) EXPECT_EQ(trained.translate(pair.source, {.beam = beam}).target.text, pair.target);
      EXPECT_EQ(loaded.translate(pair.source).target.text, pair.target) << "stored as int8";
      // Each word is all but certain of itself.
      const Translation forced = trained.align(pair.source, pair.target);
      EXPECT_GT(forced.score, -0.1);
    }
  }
}

TEST(Training, ThreadsShareTheWorkNotTheResult) {
  const auto bytes = tokenizer_bytes();
  const Tokenizer tokenizer(bytes);
  const auto pairs = encode_pairs(kPairs, tokenizer);
  const auto run = [&](std::size_t threads) {
    Parameters<float> weights;
    const models::Seq2Seq<float> model(weights, config(AttentionKind::kAdditive, tokenizer));
    FitSettings settings;
    settings.threads = threads;
    Adam<float> adam(weights, settings.adam);
    ParallelStep update(adam, settings);
    std::vector<double> losses;
    for (int i = 0; i < 5; ++i) losses.push_back(step(update, model, tokenizer.eos(), pairs, 0.005));
    return losses;
  };
  const auto one = run(1), three = run(3);
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], three[i], 1e-4 * one[i]) << "step " << i;
}

TEST(Training, AStepThatWouldLoseTheWeightsIsRefused) {
  const auto bytes = tokenizer_bytes();
  const Tokenizer tokenizer(bytes);
  const auto pairs = encode_pairs(kPairs, tokenizer);
  Parameters<float> weights;
  const models::Seq2Seq<float> model(weights, config(AttentionKind::kAdditive, tokenizer));
  FitSettings settings;
  Adam<float> adam(weights, settings.adam);
  weights.all().front().value[0] = std::numeric_limits<float>::quiet_NaN();
  ParallelStep update(adam, settings);
  const auto before = weights.all().back().value;
  EXPECT_NE(testing::message_of<ArgumentError>([&] { (void)step(update, model, tokenizer.eos(), pairs, 0.01); }).find("is not finite"), std::string::npos);
  EXPECT_EQ(weights.all().back().value, before);
  EXPECT_EQ(adam.steps(), 0U);
  settings.threads = 0;
  EXPECT_EQ(testing::message_of<ArgumentError>([&] { ParallelStep(adam, settings); }), "threads is 0, expected at least 1");
}

class InterruptedRun {
 public:
  explicit InterruptedRun(const std::string& name) : folder(std::filesystem::path(::testing::TempDir()) / ("softalign_" + name)) {
    std::filesystem::remove_all(folder);
  }
  ~InterruptedRun() { std::filesystem::remove_all(folder); }

  // Trains for six small epochs; stops by itself after `evaluations`. How many steps were told of.
  int train(int evaluations, int patience = 100) {
    int told = 0;
    const auto bytes = tokenizer_bytes();
    const Tokenizer tokenizer(bytes);
    std::atomic<bool> stop = false;
    FitSettings settings;
    settings.epochs = 6;
    settings.warmup = 2;
    settings.patience = static_cast<std::size_t>(patience);
    settings.folder = folder;
    settings.stop = &stop;
    auto c = config(AttentionKind::kAdditive, tokenizer);
    c.dropout = 0.2;
    const auto pairs = encode_pairs(kPairs, tokenizer);
    TranslationTask task(c, bytes, pairs, kPairs, {.target_tokens = 60, .joined = 0.2}, settings);
    fit(task, settings, [&](const Progress& p) {
      ++told;
      if (p.event == Progress::Event::kEvaluated && --evaluations == 0) stop = true;
    });
    return told;
  }
  std::vector<std::byte> checkpoint() const { return read_file(folder / "checkpoint.safetensors"); }

  std::filesystem::path folder;
};

TEST(Training, AnInterruptedRunEndsWhereAnUninterruptedOneDoes) {
  InterruptedRun whole("whole"), cut("cut");
  whole.train(0);
  cut.train(2);
  EXPECT_NE(cut.checkpoint(), whole.checkpoint());
  cut.train(1);
  cut.train(0);
  EXPECT_EQ(cut.checkpoint(), whole.checkpoint());
  EXPECT_EQ(read_file(cut.folder / "best.safetensors"), read_file(whole.folder / "best.safetensors"));
}

TEST(Training, ARunThatRanOutOfPatienceIsOver) {
  InterruptedRun run("patience");
  EXPECT_GT(run.train(0, 1), 0);
  const auto checkpoint = run.checkpoint();
  EXPECT_EQ(run.train(0, 1), 0);
  EXPECT_EQ(run.checkpoint(), checkpoint);
}

TEST(Training, RefusesToMeasureOnNothing) {
  const auto bytes = tokenizer_bytes();
  const Tokenizer tokenizer(bytes);
  EXPECT_EQ(testing::message_of<ArgumentError>([&] {
              TranslationTask(config(AttentionKind::kAdditive, tokenizer), bytes, encode_pairs(kPairs, tokenizer), {}, {}, {});
            }),
            "there are no pairs to evaluate on, expected at least one");
}

TEST(Corpus, BatchesHoldEveryPairOnceAndKeepTheirSize) {
  std::vector<IdPair> pairs;
  Random random(4);
  for (std::int32_t i = 0; i < 500; ++i) {
    pairs.push_back({std::vector<std::int32_t>(1 + random.below(20), i), std::vector<std::int32_t>(1 + random.below(20), i)});
  }
  pairs.push_back({std::vector<std::int32_t>(101, 999), {999}});  // too long
  Random order(1), same_order(1);
  const BatchSettings settings{.target_tokens = 120, .longest = 100, .joined = 0};
  const auto batches = make_batches(pairs, settings, order);
  std::multiset<std::int32_t> seen;
  for (const IdBatch& batch : batches) {
    std::size_t longest = 0;
    for (const IdPair& pair : batch) {
      seen.insert(pair.source[0]);
      EXPECT_EQ(pair.source[0], pair.target[0]);
      longest = std::max(longest, pair.target.size() + 1);
    }
    EXPECT_LE(longest * batch.size(), 120u);
  }
  EXPECT_EQ(seen.size(), 500u);
  EXPECT_EQ(std::set<std::int32_t>(seen.begin(), seen.end()).size(), 500u);
  const auto again = make_batches(pairs, settings, same_order);
  ASSERT_EQ(again.size(), batches.size());
  EXPECT_EQ(again[3][0].source, batches[3][0].source);
}

TEST(Corpus, PadsAndTransposes) {
  const std::vector<IdPair> pairs = {{{5, 6, 7}, {8}}, {{9}, {10, 11}}};
  const models::Batch b = to_model_batch(pairs, 1);
  EXPECT_EQ(b.size, 2u);
  EXPECT_EQ(b.source_lengths, (std::vector<std::int32_t>{4, 2}));
  ASSERT_EQ(b.source.size(), 8u);
  const std::int32_t first[] = {5, 6, 7, 1};
  for (std::size_t s = 0; s < 4; ++s) EXPECT_EQ(b.source[s * 2], first[s]);
  EXPECT_EQ(b.source[1], 9);
  EXPECT_EQ(b.source[3], 1);
  EXPECT_EQ(b.target, (std::vector<std::int32_t>{8, 10, 1, 11, -1, 1}));
  EXPECT_EQ(b.previous[0], 1);
  EXPECT_EQ(b.previous[1], 1);
  EXPECT_EQ(b.previous[2], 8);
  EXPECT_EQ(b.previous[3], 10);
  EXPECT_EQ(b.previous[5], 11);
}

}  // namespace
}  // namespace softalign::training
