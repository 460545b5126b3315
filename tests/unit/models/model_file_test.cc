#include "models/model_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "models/seq2seq.h"

namespace softalign::models {
namespace {

using Bytes = std::vector<std::byte>;

Seq2SeqConfig tiny() {
  Seq2SeqConfig c;
  c.name = "tiny";
  c.vocabulary = 9;
  c.embedding = 6;
  c.encoder = 3;
  c.decoder = 4;
  c.alignment = 5;
  return c;
}

const Bytes kTokenizer(10, std::byte{7});

struct Model {
  explicit Model(const Seq2SeqConfig& config = tiny(), std::uint64_t seed = 1) : weights(seed), model(weights, config) {}
  Bytes save(Storage storage) const { return save_model(model.config().to_json(), weights, kTokenizer, storage); }
  std::vector<float> values() const {
    std::vector<float> all;
    for (const auto& p : weights.all()) all.insert(all.end(), p.value.begin(), p.value.end());
    return all;
  }
  Parameters<float> weights;
  Seq2Seq<float> model;
};

std::string error_of(const Bytes& bytes) {
  try {
    const ModelFile file(bytes);
    Model model(Seq2SeqConfig::from_json(file.config()));
    file.load(model.weights);
  } catch (const FormatError& e) {
    EXPECT_STREQ(e.code(), "format");
    return e.what();
  }
  return "no error";
}

// The same file with one of its tensors or facts changed.
template <class Change>
Bytes changed(const Bytes& bytes, Change change) {
  const auto file = Safetensors::parse(bytes);
  auto metadata = file.metadata();
  std::vector<TensorEntry> tensors = file.tensors();
  change(metadata, tensors);
  return serialize(metadata, tensors);
}

TensorEntry& named(std::vector<TensorEntry>& tensors, const std::string& name) {
  return *std::find_if(tensors.begin(), tensors.end(), [&](const auto& t) { return t.name == name; });
}

TEST(ModelFile, F32ComesBackExactly) {
  const Model saved(tiny(), 1);
  const Bytes bytes = saved.save(Storage::kF32);
  const ModelFile file(bytes);
  EXPECT_EQ(file.config(), tiny().to_json());
  EXPECT_TRUE(std::equal(file.tokenizer().begin(), file.tokenizer().end(), kTokenizer.begin(), kTokenizer.end()));
  Model loaded(Seq2SeqConfig::from_json(file.config()), 2);
  EXPECT_NE(loaded.values(), saved.values());
  file.load(loaded.weights);
  EXPECT_EQ(loaded.values(), saved.values());
  Parameters<float> unfilled(Parameters<float>::Unfilled{});
  const Seq2Seq<float> model(unfilled, Seq2SeqConfig::from_json(file.config()));
  EXPECT_TRUE(unfilled.all().front().value.empty());
  file.load(unfilled);
  EXPECT_EQ(unfilled.all().front().value, saved.weights.all().front().value);
  EXPECT_EQ(loaded.save(Storage::kF32), bytes);
}

TEST(ModelFile, F16IsWithinHalfAUnitInItsLastPlace) {
  Model saved;
  auto& w = saved.weights.find("embedding.weight")->value;
  const float special[] = {0.0f, -0.0f, 1.0f, -2.0f, 65504.0f, 7e4f, -1e9f, 6e-8f, 2e-8f, 3e-5f, 6.1e-5f, 1.0009765f};
  std::copy(std::begin(special), std::end(special), w.begin());
  const Bytes bytes = saved.save(Storage::kF16);
  Model loaded(tiny(), 2);
  ModelFile(bytes).load(loaded.weights);
  for (const auto& p : saved.weights.all()) {
    const auto& got = loaded.weights.find(p.name)->value;
    for (std::size_t i = 0; i < got.size(); ++i) {
      const float expected = std::clamp(p.value[i], -65504.0f, 65504.0f);
      const float bound = p.shape.rank() < 2 ? 0 : std::max(std::abs(expected) * 0x1p-11f, 0x1p-25f);
      ASSERT_NEAR(got[i], expected, bound) << p.name << "[" << i << "]";
    }
  }
  EXPECT_EQ(loaded.save(Storage::kF16), bytes);  // halves come back as they are
}

TEST(ModelFile, Int8IsWithinHalfAScale) {
  Model saved;
  auto& w = saved.weights.find("embedding.weight")->value;
  std::fill_n(w.begin(), 6, 0.0f);  // a row of zeros has no scale to divide by
  w[6] = -1e20f;
  const Bytes bytes = saved.save(Storage::kInt8);
  Model loaded(tiny(), 2);
  ModelFile(bytes).load(loaded.weights, ModelFile::Int8::kExpand);
  for (const auto& p : saved.weights.all()) {
    const auto& got = loaded.weights.find(p.name)->value;
    const std::size_t width = p.shape.width();
    for (std::size_t i = 0; i < got.size(); ++i) {
      const auto row = p.value.begin() + static_cast<std::ptrdiff_t>(i / width * width);
      float most = 0;
      std::for_each(row, row + static_cast<std::ptrdiff_t>(width), [&](float v) { most = std::max(most, std::abs(v)); });
      const float bound = p.shape.rank() < 2 ? 0 : most / 127 / 2 * 1.0001f;
      ASSERT_NEAR(got[i], p.value[i], bound) << p.name << "[" << i << "]";
    }
  }
}

TEST(ModelFile, BytesStayBytesUnlessAskedOtherwise) {
  const Model saved;
  const Bytes bytes = saved.save(Storage::kInt8);
  Model kept(tiny(), 2), expanded(tiny(), 2);
  ModelFile(bytes).load(kept.weights);
  ModelFile(bytes).load(expanded.weights, ModelFile::Int8::kExpand);
  for (const auto& p : kept.weights.all()) {
    EXPECT_EQ(p.value.empty(), p.shape.rank() == 2) << p.name;
    EXPECT_EQ(p.int8.bytes.size(), p.shape.rank() == 2 ? p.shape.size() : 0) << p.name;
    EXPECT_TRUE(expanded.weights.find(p.name)->int8.bytes.empty());
  }
  EXPECT_EQ(expanded.save(Storage::kInt8), bytes);

  // and both compute the same, up to what 14-bit activations lose
  const std::int32_t source[] = {4, 2, 8, 1}, words[] = {3}, length[] = {4};
  const auto logits = [&](const Model& m) {
    Graph<float> g;
    const auto encoded = m.model.encode(g, source, length);
    const auto step = m.model.step(g, encoded.memory, words, encoded.start);
    return std::vector<float>(step.logits.value, step.logits.value + step.logits.size());
  };
  const auto a = logits(kept), b = logits(expanded);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 2e-3f);
}

// Ops take bytes for matrices only: a bias that comes in bytes must not go missing.
TEST(ModelFile, VectorsInBytesBecomeNumbers) {
  const std::int8_t bytes[] = {1, 2, 3, 4, 5};
  const float scale[] = {0.5f};
  const Bytes odd = changed(Model().save(Storage::kInt8), [&](auto&, auto& tensors) {
    TensorEntry& score = named(tensors, "attention.score");
    score.type = DType::kI8;
    score.bytes = std::as_bytes(std::span(bytes));
    tensors.push_back({"attention.score.scale", DType::kF32, {1}, std::as_bytes(std::span(scale))});
  });
  Model model;
  ModelFile(odd).load(model.weights);
  EXPECT_EQ(model.weights.find("attention.score")->value, (AlignedVector<float>{0.5f, 1, 1.5f, 2, 2.5f}));
}

TEST(ModelFile, WhatIsStoredInBytesCannotBeTrained) {
  Model model;
  const Bytes bytes = Model().save(Storage::kInt8);
  ModelFile(bytes).load(model.weights);
  std::vector<float> gradients(model.weights.size());
  Graph<float> g(gradients.data(), 1);
  const std::int32_t source[] = {4, 1}, length[] = {2};
  EXPECT_THROW(model.model.encode(g, source, length), ArgumentError);
}

TEST(ModelFile, ErrorsNameTheCulprit) {
  const Bytes good = Model().save(Storage::kF32);
  EXPECT_EQ(error_of(good), "no error");
  EXPECT_EQ(error_of(changed(good, [](auto& facts, auto&) { facts.erase("format"); })),
            "model file: metadata \"format\" is missing, expected \"softalign\"");
  EXPECT_EQ(error_of(changed(good, [](auto& facts, auto&) { facts["version"] = "2"; })),
            "model file: version is \"2\", expected \"1\"; a newer file needs a newer softalign");
  EXPECT_EQ(error_of(changed(good, [](auto& facts, auto&) { facts.erase("config"); })),
            "model file: metadata \"config\" is missing");
  EXPECT_EQ(error_of(changed(good, [](auto&, auto& tensors) { named(tensors, kTokenizerTensor).name = "other"; })),
            "model file: tensor \"tokenizer.sentencepiece\" is missing, expected U8");
  EXPECT_EQ(error_of(changed(good, [](auto&, auto& tensors) { named(tensors, "output.bias").name = "output.bios"; })),
            "model file: tensor \"output.bias\" is missing, expected [9]");
  EXPECT_EQ(error_of(changed(good, [](auto&, auto& tensors) { named(tensors, "readout.state.weight").shape = {4, 6}; })),
            "model file: tensor \"readout.state.weight\" is [4, 6], expected [6, 4]");
  EXPECT_EQ(error_of(changed(good, [](auto&, auto& tensors) { named(tensors, "output.bias").type = DType::kU32; })),
            "model file: tensor \"output.bias\" is U32, expected F32, F16 or I8");
  const Bytes int8 = Model().save(Storage::kInt8);
  EXPECT_EQ(error_of(changed(int8, [](auto&, auto& tensors) { named(tensors, "embedding.weight.scale").name = "x"; })),
            "model file: tensor \"embedding.weight.scale\" is missing, expected F32 [9]");
  EXPECT_EQ(error_of(changed(int8, [](auto&, auto& tensors) { named(tensors, "embedding.weight.scale").shape = {3, 3}; })),
            "no error");  // nine scales are nine scales
}

TEST(ModelFile, NumbersThatAreNotFiniteAreRefused) {
  for (const float bad : {INFINITY, -INFINITY, NAN}) {
    Model model;
    model.weights.find("output.bias")->value[4] = bad;
    EXPECT_NE(error_of(model.save(Storage::kF32)).find("tensor \"output.bias\" has "), std::string::npos);
  }
}

TEST(ModelFile, AConfigLargerThanItsFileIsRefusedBeforeMemoryIsTaken) {
  const Bytes good = Model().save(Storage::kF32);
  const Bytes huge = changed(good, [](auto& facts, auto&) {
    Seq2SeqConfig c = tiny();
    c.vocabulary = 1 << 20;
    c.embedding = 1 << 13;
    facts["config"] = c.to_json();
  });
  const ModelFile file(huge);
  Parameters<float> weights(Parameters<float>::Unfilled{});
  const Seq2Seq<float> model(weights, Seq2SeqConfig::from_json(file.config()));  // would be 32 GB
  try {
    file.load(weights);
    FAIL();
  } catch (const FormatError& e) {
    EXPECT_STREQ(e.what(), "model file: tensor \"embedding.weight\" is [9, 6], expected [1048576, 8192]");
  }
}

TEST(ModelFile, EveryTruncationIsAFormatError) {
  const Bytes good = Model().save(Storage::kInt8);
  for (std::size_t size = 0; size < good.size(); size += 1 + size / 40) {
    EXPECT_NE(error_of(Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size))), "no error") << size;
  }
}

TEST(Storage, Names) {
  EXPECT_EQ(storage_by_name("f32"), Storage::kF32);
  EXPECT_EQ(storage_by_name("f16"), Storage::kF16);
  EXPECT_EQ(storage_by_name("int8"), Storage::kInt8);
  EXPECT_THROW(storage_by_name("int4"), ArgumentError);
}

}  // namespace
}  // namespace softalign::models
