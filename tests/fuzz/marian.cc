// Any bytes are a model of Marian's that works, or a FormatError; and so are those of a shortlist.
#include <string>
#include <vector>

#include "core/error.h"
#include "decoding/translator.h"
#include "io/file.h"
#include "support/mutator.h"

namespace {

using namespace softalign;

const std::string kFolder = SOFTALIGN_SOURCE_DIR "/tests/golden/marian/";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<std::byte> weights = read_file(kFolder + "model.bin"), vocabulary = read_file(kFolder + "vocab.spm"),
                                      shortlist = read_file(kFolder + "lex.bin");
  const auto bytes = std::as_bytes(std::span(data, size));
  const auto attempt = [&](const MarianFiles& files) {
    try {
      Translator translator(files, "en", "fr");
      translator.translate("I am", {.max_length_factor = 2.0});
    } catch (const FormatError&) {
    }
  };
  attempt({.weights = {bytes}, .source_vocabulary = {vocabulary}, .shortlist = {shortlist}});
  attempt({.weights = {weights}, .source_vocabulary = {vocabulary}, .shortlist = {bytes}});
  return 0;
}

#ifndef SOFTALIGN_LIBFUZZER
int main(int argc, char** argv) {
  std::vector<fuzz::Bytes> seeds;
  for (const char* name : {"model.bin", "lex.bin"}) {
    fuzz::Bytes& seed = seeds.emplace_back();
    for (const std::byte byte : read_file(kFolder + name)) seed.push_back(std::to_integer<std::uint8_t>(byte));
  }
  return fuzz::run(argc, argv, LLVMFuzzerTestOneInput, seeds,
                   {"type: transformer", "dim-emb: ", "dim-vocabs:", "transformer-heads: ", "enc-depth: ", "dec-depth: ", "tied-embeddings-all: ", "true",
                    "false", "  - ", "[]", "\"", "&", "*", "0", "1", "-1", "64", "8192", "1048576", "Wemb", "_W", "\x01\x41", "\x04\x04", "PK\x03\x04"});
}
#endif
