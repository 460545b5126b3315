#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "core/error.h"
#include "decoding/translator.h"
#include "io/file.h"
#include "models/model_file.h"

namespace softalign {
namespace {

const std::string kFolder = SOFTALIGN_SOURCE_DIR "/tests/golden/marian/";

std::vector<std::string> lines(const char* name) {
  std::ifstream in(kFolder + name);
  std::vector<std::string> all;
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

struct Files {
  std::vector<std::byte> weights = read_file(kFolder + "model.bin"), vocabulary = read_file(kFolder + "vocab.spm"),
                         shortlist = read_file(kFolder + "lex.bin");
  Translator open(bool listed) const {
    return Translator({.weights = {weights}, .source_vocabulary = {vocabulary}, .shortlist = {listed ? shortlist : std::vector<std::byte>()}}, "en", "fr");
  }
};

TEST(MarianModel, SaysWhatBergamotSays) {
  const Files files;
  for (const bool listed : {true, false}) {
    Translator translator = files.open(listed);
    const auto expected = lines(listed ? "bergamot.txt" : "bergamot-without-shortlist.txt");
    const auto sources = lines("source.txt");
    ASSERT_EQ(sources.size(), expected.size());
    for (std::size_t i = 0; i < sources.size(); ++i) {
      EXPECT_EQ(translator.translate(sources[i], {.max_length_factor = 2.0}).target.text, expected[i]);
    }
  }
}

TEST(MarianModel, SaysWhatItIsMadeToSayWhateverTheShortlist) {
  Translator translator = Files().open(true);
  const Sentence begun = {.text = "I am cold.", .beginning = "know be "};
  EXPECT_TRUE(translator.translate({&begun, 1}).front().front().target.text.starts_with("know be"));
  const Sentence::Term term = {.text = "vous"};
  const Sentence with_term = {.text = "I am cold.", .terms = {&term, 1}};
  EXPECT_NE(translator.translate({&with_term, 1}, {.beam = 4}).front().front().target.text.find("vous"), std::string::npos);
}

TEST(MarianModel, SaysOnlyWhatIsInItsShortlist) {
  const Files files;
  // Of a file without lists but for all words as frequent ones, and for the first 20.
  const auto listing = [&](std::uint64_t first) {
    std::vector<std::byte> bytes;
    const auto append = [&](std::uint64_t number) {
      const auto more = std::as_bytes(std::span(&number, 1));
      bytes.insert(bytes.end(), more.begin(), more.end());
    };
    for (const std::uint64_t number : {std::uint64_t{0xF11A48D5013417F5}, std::uint64_t{0}, first, std::uint64_t{0}, std::uint64_t{241}, std::uint64_t{0}}) append(number);
    for (int i = 0; i < 241; ++i) append(0);
    return bytes;
  };
  const auto translated = [&](const std::vector<std::byte>& shortlist, const Files& f) {
    Translator t({.weights = {f.weights}, .source_vocabulary = {f.vocabulary}, .shortlist = {shortlist}}, "en", "fr");
    return t.translate("I am cold.", {.max_length_factor = 2.0});
  };
  EXPECT_EQ(translated(listing(240), files).target.text, translated({}, files).target.text);
  const auto few = listing(20);
  const Translation t = translated(few, files);
  ASSERT_FALSE(t.target.tokens.empty());
  for (const Token& token : t.target.tokens) {
    const bool of_source = std::any_of(t.source.tokens.begin(), t.source.tokens.end(), [&](const Token& s) { return s.id == token.id; });
    EXPECT_TRUE(token.id < 32 || of_source) << token.id;  // 20 and what makes their number a multiple of 8
  }
}

TEST(MarianModel, IsAsLongAsItMayBe) {
  Translator translator = Files().open(false);
  for (const double factor : {0.5, 1.0, 2.0}) {
    const Translation t = translator.translate("I do not know what you mean", {.max_length_factor = factor});
    EXPECT_LE(static_cast<double>(t.target.tokens.size()), factor * static_cast<double>(t.source.tokens.size() + 1));
  }
  for (const double factor : {0.0, -1.0, 11.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(translator.translate("I do", {.max_length_factor = factor}), ArgumentError) << factor;
  }
}

TEST(MarianModel, ThatDoesNotFitItsVocabularyIsRefused) {
  const Files files;
  const auto model = read_file(SOFTALIGN_SOURCE_DIR "/models/en-fr-dot/model.safetensors");
  try {
    Translator({.weights = {files.weights}, .source_vocabulary = {models::ModelFile(model).tokenizer()}}, "en", "fr");
    FAIL() << "no error";
  } catch (const FormatError& e) {
    EXPECT_STREQ(e.what(), "model file: the target's vocabulary has 4000 pieces, expected the weights' 240");
  }
  EXPECT_THROW(Translator({.weights = {files.vocabulary}, .source_vocabulary = {files.vocabulary}}, "en", "fr"), FormatError);
}

}  // namespace
}  // namespace softalign
