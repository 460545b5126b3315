#include "models/student.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/marian.h"
#include "unit/support/golden.h"
#include "unit/support/gradients.h"

namespace softalign::models {
namespace {

StudentConfig tiny() {
  StudentConfig c;
  c.vocabulary = 19;
  c.width = 8;
  c.heads = 2;
  c.feed_forward = 10;
  c.encoder_layers = c.decoder_layers = 2;
  c.dropout = 0;
  return c;
}

double largest(const Parameters<float>& p, std::string_view name) {
  for (const auto& weight : p.all()) {
    if (weight.name != name) continue;
    double most = 0;
    for (std::size_t i = 0; i < weight.shape.size(); ++i) most = std::max(most, std::abs(static_cast<double>(weight.value[i])));
    return most;
  }
  ADD_FAILURE() << "no weight \"" << name << "\"";
  return 0;
}

// What sublayers add starts smaller the more of them there are: 4 in an encoder of two layers, 6 in a decoder of two.
TEST(StudentStart, ScalesWhatSublayersAdd) {
  Parameters<float> p;
  const Student<float> model(p, tiny());
  const double square = std::sqrt(6.0 / 16), feed_forward = std::sqrt(6.0 / 18);
  const std::pair<const char*, double> ranges[] = {{"encoder.layers.1.self_attn.v_proj.weight", square},
                                                   {"encoder.layers.1.self_attn.out_proj.weight", square / 2},
                                                   {"encoder.layers.0.linear2.weight", feed_forward / 2},
                                                   {"decoder.layers.0.multihead_attn.out_proj.weight", square / std::sqrt(6.0)},
                                                   {"decoder.layers.1.linear2.weight", feed_forward / std::sqrt(6.0)}};
  for (const auto& [name, range] : ranges) {
    EXPECT_LE(largest(p, name), range) << name;
    EXPECT_GE(largest(p, name), 0.8 * range) << name;
  }
}

template <class T>
class StudentModel : public ::testing::Test {};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(StudentModel, Numbers);

TYPED_TEST(StudentModel, LossGradientsAndWordsAgreeWithPyTorch) {
  using T = TypeParam;
  const testing::Golden golden("student");
  const Batch batch = {.size = 3,
                       .source = golden.ints("input.source"),
                       .source_lengths = golden.ints("input.lengths"),
                       .previous = golden.ints("input.previous"),
                       .target = golden.ints("input.target")};
  Parameters<T> p;
  const Student<T> model(p, tiny());
  for (const auto& weight : p.all()) testing::load(p, golden, weight.name, "weight." + weight.name);
  std::vector<T> gradients(p.size());
  Graph<T> g(gradients.data(), 1);
  const Var<T> loss = model.loss(g, batch, 0.1, 1);
  testing::expect_golden(golden, "output.loss", loss.value, 1);
  g.backward(loss);
  for (const auto& weight : p.all()) testing::expect_golden_gradient(golden, "grad." + weight.name, p, weight.name, gradients);

  // Each sentence alone, word by word.
  const auto logits = golden.floats("output.logits");    // [T, B, V]
  const auto weights = golden.floats("output.weights");  // [L, B, H, T, S]
  const std::size_t B = 3, H = 2, S = 7, steps = 6, V = 19;
  for (std::size_t b = 0; b < B; ++b) {
    std::vector<std::int32_t> source;
    const auto length = static_cast<std::size_t>(batch.source_lengths[b]);
    for (std::size_t s = 0; s < length; ++s) source.push_back(batch.source[s * B + b]);
    Graph<T> infer;
    const auto decoder = model.read(infer, Sources(source));
    DecoderState<T> state(infer, decoder->state_shape(), 1, steps, 1);
    for (std::size_t t = 0; t < steps; ++t) {
      const auto step = decoder->step(infer, {&batch.previous[t * B + b], 1}, state);
      for (std::size_t v = 0; v < V; ++v) {
        const double expected = logits[(t * B + b) * V + v];
        ASSERT_NEAR(step.logits.value[v], expected, 1e-4 * (1 + std::abs(expected)));
      }
      for (std::size_t layer = 0; layer < 2; ++layer) {
        for (std::size_t h = 0; h < H; ++h) {
          for (std::size_t s = 0; s < length; ++s) {
            EXPECT_NEAR(step.cross[layer].value[h * length + s], weights[(((layer * B + b) * H + h) * steps + t) * S + s], 1e-5);
          }
        }
      }
      const std::size_t kept[] = {0};
      state.select(kept);
    }
  }
}

// Two pairs of different lengths.
Batch pairs() {
  return {.size = 2,
          .source = {3, 7, 5, 2, 4, 2, 2, 2},
          .source_lengths = {4, 2},
          .previous = {2, 2, 6, 9, 8, 2},
          .target = {6, 9, 8, 2, 2, -1}};
}

TEST(Student, GradientsWithDropoutAndGuidance) {
  for (const bool two : {false, true}) {
    StudentConfig config = tiny();
    config.dropout = 0.2;
    config.guidance = 0.5;
    if (two) config.source_vocabulary = 11;
    Batch batch = pairs();
    batch.alignment = {{0, 1, 2, 0.5f}, {1, 0, 1, 1}};
    Parameters<double> p;
    const Student<double> model(p, config);
    EXPECT_EQ(model.source_vocabulary(), two ? 11 : 19);
    testing::randomise(p, 0.4);
    testing::expect_gradients(p, [&](Graph<double>& g) { return model.loss(g, batch, 0.1, 0.2); }, 1e-5);
  }
}

// The loss of a sentence is what its words cost one by one; Bergamot's own words, in the decoding tests, say that these are right.
TEST(Student, WordByWordIsTheWholeSentence) {
  Parameters<double> p;
  const Student<double> model(p, tiny());
  testing::randomise(p, 0.5);
  const std::vector<std::int32_t> source = {3, 5, 4, 2}, previous = {2, 6, 8, 1}, target = {6, 8, 1, 2};
  Graph<double> g;
  const auto decoder = model.read(g, Sources(source));
  DecoderState<double> state(g, decoder->state_shape(), 1, target.size(), 1);
  double loss = 0;
  for (std::size_t t = 0; t < target.size(); ++t) {
    const auto step = decoder->step(g, {&previous[t], 1}, state);
    double sum = 0;
    for (std::size_t v = 0; v < 19; ++v) sum += std::exp(step.logits.value[v]);
    loss += std::log(sum) - step.logits.value[target[t]];
    double weights = 0;
    for (std::size_t s = 0; s < source.size(); ++s) {
      weights += step.weights.value[s];
      EXPECT_EQ(step.weights.value[s], step.cross[1].value[s]);  // head 0 of the last layer
    }
    EXPECT_NEAR(weights, 1, 1e-12);
    const std::size_t kept[] = {0};
    state.select(kept);
  }
  const Batch batch = {.size = 1, .source = source, .source_lengths = {4}, .previous = previous, .target = target};
  EXPECT_NEAR(model.loss(g, batch, 0, 1).value[0], loss, 1e-10);
}

TEST(Student, ScoresOfSomeWordsAreThoseOfAll) {
  Parameters<double> p;
  const Student<double> model(p, tiny());
  testing::randomise(p, 0.5);
  const std::vector<std::int32_t> source = {3, 5, 4, 2}, words = {1, 2, 6, 18}, start = {2};
  Graph<double> g;
  Sources sources(source);
  const auto first_step = [&] {
    const auto decoder = model.read(g, sources);
    DecoderState<double> state(g, decoder->state_shape(), 1, 1, 1);
    return decoder->step(g, start, state).logits;
  };
  const Var<double> all = first_step();
  sources.words = words;
  const Var<double> some = first_step();
  ASSERT_EQ(some.width(), words.size());
  for (std::size_t i = 0; i < words.size(); ++i) EXPECT_NEAR(some.value[i], all.value[words[i]], 1e-12);
}

TEST(StudentConfig, SurvivesItsJson) {
  StudentConfig c = tiny();
  EXPECT_EQ(StudentConfig::from_json(c.to_json()).to_json(), c.to_json());
  EXPECT_FALSE(StudentConfig::from_json(c.to_json()).source_vocabulary);
  c.source_vocabulary = 7;
  EXPECT_EQ(StudentConfig::from_json(c.to_json()).source_vocabulary, 7);
  std::string bad = c.to_json();
  bad.replace(bad.find("\"heads\":2"), 9, "\"heads\":3");
  EXPECT_THROW(StudentConfig::from_json(bad), FormatError);
}

TEST(Marian, ReadsTheStudentsThatItWrites) {
  for (const bool bytes : {false, true}) {
    for (const bool two : {false, true}) {
      StudentConfig config = tiny();
      if (two) config.source_vocabulary = 11;
      Parameters<float> written;
      const Student<float> model(written, config);
      const auto file = save_marian(config, written, bytes);
      const MarianFile read = MarianFile::parse(file);
      const StudentConfig found = student_config(read);
      EXPECT_EQ(found.to_json(), config.to_json());
      Parameters<float> weights{Parameters<float>::Unfilled{}};
      const Student<float> again(weights, found);
      load(read, found, weights);
      for (const auto& p : written.all()) {
        const auto& q = *weights.find(p.name);
        const bool in_bytes = bytes && p.shape.rank() > 1;
        ASSERT_EQ(q.int8.bytes.empty(), !in_bytes) << p.name;
        for (std::size_t i = 0; i < p.value.size(); ++i) {
          if (in_bytes) {
            const float scale = q.int8.scale[i / p.shape.width()];
            ASSERT_NEAR(static_cast<float>(q.int8.bytes[i]) * scale, p.value[i], 0.501f * scale) << p.name;
          } else {
            ASSERT_EQ(q.value[i], p.value[i]) << p.name;
          }
        }
      }
    }
  }
}

TEST(Marian, WhatItCannotComputeIsNamed) {
  const StudentConfig config = tiny();
  Parameters<float> weights;
  const Student<float> model(weights, config);
  const auto bytes = save_marian(config, weights, false);
  const MarianFile good = MarianFile::parse(bytes);
  const auto error_of = [&](const std::string& from, const std::string& to) {
    std::string options = good.options();
    options.replace(options.find(from), from.size(), to);
    std::vector<MarianTensor> tensors;
    for (const auto& [name, tensor] : good.tensors()) tensors.push_back(tensor);
    const auto file = serialize_marian(options, tensors);
    const MarianFile changed = MarianFile::parse(file);
    try {
      Parameters<float> read{Parameters<float>::Unfilled{}};
      const StudentConfig found = student_config(changed);
      const Student<float> student(read, found);
      load(changed, found, read);
    } catch (const FormatError& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  const auto expect = [&](const char* from, const char* to, const char* part) {
    const std::string error = error_of(from, to);
    EXPECT_NE(error.find(part), std::string::npos) << error;
  };
  expect("type: transformer\n", "type: s2s\n", "option type is \"s2s\"");
  expect("autoreg: rnn", "autoreg: self-attention", "option transformer-decoder-autoreg is");
  expect("dec-cell: ssru", "dec-cell: gru", "option dec-cell is \"gru\"");
  expect("ffn-activation: relu", "ffn-activation: swish", "option transformer-ffn-activation is \"swish\"");
  expect("postprocess: dan", "postprocess: da", "option transformer-postprocess is");
  expect("preprocess: \"\"", "preprocess: n", "option transformer-preprocess is \"n\"");
  expect("postprocess-emb: d", "postprocess-emb: nd", "option transformer-postprocess-emb is \"n\"");
  expect("tied-embeddings-all: true\ntied-embeddings: false", "tied-embeddings-all: false\ntied-embeddings: true", "missing");
  expect("heads: 2", "heads: 3", "option transformer-heads is 3");
  expect("dim-emb: 8", "dim-emb: 0", "option dim-emb is 0");
  expect("dim-emb: 8", "dim-emb: 16", "is [");
  expect("enc-depth: 2", "enc-depth: 3", "\"encoder_l3_self_Wq\" is missing");
  expect("tied-embeddings-all: true", "tied-embeddings-all: false", "option tied-embeddings is false");
  expect("  - 19\n  - 19", "  - 19\n  - 20", "option dim-vocabs is 19 and 20");
  expect("alignment-layer: last", "alignment-layer: 3", "option transformer-guided-alignment-layer is 3");
  StudentConfig split = config;
  split.source_vocabulary = 11;
  Parameters<float> of_split;
  const Student<float> two(of_split, split);
  const auto split_file = save_marian(split, of_split, false);
  std::string options = MarianFile::parse(split_file).options();
  options.replace(options.find("tied-embeddings-src: false"), 26, "tied-embeddings-src: true");
  const auto src_tied = serialize_marian(options, {});
  EXPECT_THROW(student_config(MarianFile::parse(src_tied)), FormatError);
  Parameters<float> absurd;
  const Student<float> third(absurd, config);
  absurd.find("embedding.weight")->value[5] = std::nanf("");
  const auto nan_file = save_marian(config, absurd, false);
  Parameters<float> filled{Parameters<float>::Unfilled{}};
  const Student<float> fourth(filled, config);
  EXPECT_THROW(load(MarianFile::parse(nan_file), config, filled), FormatError);
  StudentConfig other = config;
  other.alignment.head = 1;
  EXPECT_THROW(save_marian(other, weights, false), ArgumentError);
}

}  // namespace
}  // namespace softalign::models
