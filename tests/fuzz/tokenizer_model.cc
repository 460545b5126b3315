// Any bytes are a tokenizer that works or a FormatError.
#include <string>

#include "core/error.h"
#include "io/file.h"
#include "support/mutator.h"
#include "text/tokenizer.h"
#include "text/words.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace softalign;
  try {
    const Tokenizer tokenizer(std::as_bytes(std::span(data, size)));
    for (const char* text : {"", "the cat, l'eau ?", "\xEF\xAC\x81 \xC2\xBD e\xCC\x81\xC2\xA0!",
                             "\xF0\x9F\x98\x80\xF0\x9F\x98\x80 \xFF\xE2\x96 <unk></s>"}) {
      const Annotation annotation = tokenizer.encode(text);
      word_spans(annotation, tokenizer);
      std::vector<std::int32_t> ids;
      for (const Token& token : annotation.tokens) ids.push_back(token.id);
      for (std::int32_t id = 0; id < static_cast<std::int32_t>(tokenizer.size()) && id < 300; ++id) {
        ids.push_back(id);
      }
      tokenizer.decode(ids);
    }
  } catch (const FormatError&) {
  }
  return 0;
}

#ifndef SOFTALIGN_LIBFUZZER
int main(int argc, char** argv) {
  using namespace softalign;
  fuzz::Bytes model;
  for (const std::byte byte : read_file(SOFTALIGN_SOURCE_DIR "/tests/golden/text/tiny.model")) {
    model.push_back(std::to_integer<std::uint8_t>(byte));
  }
  using namespace std::literals;
  // The smallest there is: <unk>, </s> and a piece.
  const auto smallest =
      "\x0a\x09\x0a\x05<unk>\x18\x02\x0a\x08\x0a\x04</s>\x18\x03\x0a\x03\x0a\x01"
      "a"sv;
  return fuzz::run(argc, argv, LLVMFuzzerTestOneInput, {model, fuzz::bytes_of(smallest)},
                   {"\x0a\x05\x0a\x01"
                    "a\x18\x04"sv,                       // a user-defined piece
                    "\x0a\x0a\x0a\x06<0x41>\x18\x06"sv,  // a byte piece
                    "\x12\x03\x98\x02\x01"sv,            // byte_fallback
                    "\x92\x80\x80\x80\x10"sv,            // a tag whose low 32 bits are another's
                    "\x12\x02\x18\x02"sv,                // BPE
                    "\x1a\x02\x20\x00"sv,                // no remove_extra_whitespaces
                    "\x1a\x02\x18\x00"sv,                // no add_dummy_prefix
                    "\x1a\x02\x28\x00"sv,                // no escape_whitespaces
                    "\x12\x03\xc0\x01\x01"sv,            // treat_whitespace_as_suffix
                    "\xe2\x96\x81", "\xff\xff\xff\xff\x0f", "\x18\x05", "\x00\x00\x80\x7f"sv, "\x00\x00\xc0\x7f"sv});
}
#endif
