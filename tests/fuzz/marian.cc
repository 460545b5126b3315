// Any bytes are a model of Marian's that works, or a FormatError; and so are those of a shortlist.
#include <string>
#include <vector>

#include "core/error.h"
#include "decoding/translator.h"
#include "io/file.h"
#include "io/marian.h"
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
// The model as an archive of NumPy's, of members that are stored as they are.
static fuzz::Bytes archive(const MarianFile& file) {
  std::string all;
  const auto number = [&](std::size_t n, int bytes) {
    for (int i = 0; i < bytes; ++i) all += static_cast<char>(n >> 8 * i & 255);
  };
  const auto add = [&](const std::string& name, const std::string& type, const std::string& shape, std::span<const std::byte> values) {
    const std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }\n";
    const std::size_t size = 10 + header.size() + values.size();
    all += std::string("PK\x03\x04", 4) + std::string(14, '\0');
    for (const std::size_t n : {size, size}) number(n, 4);
    number(name.size(), 2);
    number(0, 2);
    all += name + std::string("\x93NUMPY\x01\0", 8);
    number(header.size(), 2);
    all += header + std::string(reinterpret_cast<const char*>(values.data()), values.size());
  };
  for (const auto& [name, tensor] : file.tensors()) {
    std::string shape;
    for (const std::size_t d : tensor.shape) shape += std::to_string(d) + ", ";
    add(name + ".npy", "<f4", shape, tensor.values);
  }
  add("special:model.yml.npy", "|i1", std::to_string(file.options().size()) + ",", std::as_bytes(std::span(file.options())));
  return fuzz::bytes_of(all);
}

int main(int argc, char** argv) {
  std::vector<fuzz::Bytes> seeds;
  for (const char* name : {"model.bin", "lex.bin"}) {
    fuzz::Bytes& seed = seeds.emplace_back();
    for (const std::byte byte : read_file(kFolder + name)) seed.push_back(std::to_integer<std::uint8_t>(byte));
  }
  seeds.push_back(archive(MarianFile::parse(std::as_bytes(std::span(seeds[0])))));
  MarianFile::parse(std::as_bytes(std::span(seeds.back())));  // throws unless it is one
  return fuzz::run(argc, argv, LLVMFuzzerTestOneInput, seeds,
                   {"type: transformer", "dim-emb: ", "dim-vocabs:", "transformer-heads: ", "enc-depth: ", "dec-depth: ", "tied-embeddings-all: ", "true",
                    "false", "  - ", "[]", "\"", "&", "*", "0", "1", "-1", "64", "8192", "1048576", "Wemb", "_W", "\x01\x41", "\x04\x04", "PK\x03\x04"});
}
#endif
