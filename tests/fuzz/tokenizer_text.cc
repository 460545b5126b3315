// Any bytes are a text: tokens tile it, words hold every token once, offsets for JavaScript ascend.
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/error.h"
#include "io/file.h"
#include "support/mutator.h"
#include "text/tokenizer.h"
#include "text/utf16.h"
#include "text/words.h"

namespace {

using namespace softalign;

const Tokenizer& tokenizer() {
  static const Tokenizer tokenizer(read_file(SOFTALIGN_SOURCE_DIR "/tests/golden/text/tiny.model"));
  return tokenizer;
}

void demand(bool condition, const char* what) {
  if (!condition) throw std::logic_error(what);
}

void check(const Annotation& annotation) {
  std::uint32_t covered = 0;
  std::vector<std::uint32_t> offsets;
  for (const Token& token : annotation.tokens) {
    demand(token.range.begin == covered && token.range.end >= covered, "tokens do not tile");
    covered = token.range.end;
    offsets.push_back(covered);
  }
  demand(annotation.tokens.empty() || covered == annotation.text.size(), "tokens end too early");
  utf16_offsets(annotation.text, offsets);
  std::size_t held = 0;
  for (const TokenSpan& word : word_spans(annotation, tokenizer())) {
    demand(word.first == held && word.last > held, "words do not tile");
    held = word.last;
  }
  demand(held == annotation.tokens.size(), "words end too early");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Annotation annotation = tokenizer().encode(text), known = tokenizer().encode_known(text);
  for (const Annotation* each : {&annotation, &known}) {
    demand(each->text == text, "text changed");
    check(*each);
  }
  std::vector<std::int32_t> ids;
  for (const Token& token : annotation.tokens) ids.push_back(token.id);
  check(tokenizer().decode(ids));
  // The bytes as ids, most of them good ones.
  ids.assign(data, data + size);
  try {
    check(tokenizer().decode(ids));
  } catch (const ArgumentError&) {
  }
  return 0;
}

#ifndef SOFTALIGN_LIBFUZZER
int main(int argc, char** argv) {
  std::vector<fuzz::Bytes> seeds;
  for (const char* text : {"", "the cat sees the dog.", "Où est le chat ? Il est sous la maison, peut-être.",
                           "the {cat} \u2014 \u201cthe \u2192 dog\u201d", "L'eau\u00a0: c'est l'été\u202f!", "\ufb01nd \u00bd of the bread e\u0301",
                           "日本語 \U0001f600 \U0001f468\u200d\U0001f469\u200d\U0001f467 \u05d0"}) {
    seeds.push_back(fuzz::bytes_of(text));
  }
  fuzz::Bytes longer;  // than the parts it is read in
  for (int i = 0; i < 900; ++i) {
    const fuzz::Bytes& part = seeds[static_cast<std::size_t>(1 + i % 5)];
    longer.insert(longer.end(), part.begin(), part.end());
  }
  seeds.push_back(longer);
  return fuzz::run(argc, argv, LLVMFuzzerTestOneInput, seeds,
                   {"\xe2\x96\x81", "\xff", "\xc3", "\xf0\x9f\x98", "\xed\xa0\x80", "\n", "  ", "\u00ad", "\u0301",
                    "<unk>", "</s>"});
}
#endif
