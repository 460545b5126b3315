#include "training/corpus.h"

#include <algorithm>
#include <string_view>

#include "io/file.h"
#include "training/batches.h"

namespace softalign::training {

std::vector<std::string> read_lines(const std::filesystem::path& path) {
  const auto bytes = read_file(path);
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find('\n', at), all.size());
    std::string_view line = all.substr(at, end - at);
    at = end + 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
  }
  return lines;
}

std::vector<TextPair> read_pairs(const std::filesystem::path& path) {
  std::vector<TextPair> pairs;
  for (const std::string& line : read_lines(path)) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos || tab == 0 || tab + 1 == line.size() || line.find('\t', tab + 1) != std::string::npos) {
      throw FormatError(path.string() + " line " + std::to_string(pairs.size() + 1) + " is \"" + line.substr(0, 80) +
                        "\", expected source, one tab, target");
    }
    pairs.push_back({line.substr(0, tab), line.substr(tab + 1)});
  }
  return pairs;
}

std::vector<IdPair> encode_pairs(const std::vector<TextPair>& pairs, const Tokenizer& tokenizer,
                                 const WordAligner* aligner) {
  const auto ids = [](const Annotation& text) {
    std::vector<std::int32_t> out;
    for (const Token& token : text.tokens) out.push_back(token.id);
    return out;
  };
  std::vector<IdPair> out;
  for (const TextPair& pair : pairs) {
    const Annotation source = tokenizer.encode(pair.source), target = tokenizer.encode(pair.target);
    out.push_back({ids(source), ids(target), aligner ? aligner->align(source, target) : Alignment()});
  }
  return out;
}

std::vector<IdBatch> make_batches(const std::vector<IdPair>& pairs, const BatchSettings& settings, Random& random) {
  std::vector<IdPair> examples;
  for (const IdPair& pair : pairs) {
    IdPair example = pair;
    if (random.uniform() < settings.joined) {
      const IdPair& other = pairs[random.below(pairs.size())];
      const auto source = static_cast<std::uint32_t>(pair.source.size()), target = static_cast<std::uint32_t>(pair.target.size());
      for (const Link& link : other.links) example.links.push_back({link.source + source, link.target + target});
      example.source.insert(example.source.end(), other.source.begin(), other.source.end());
      example.target.insert(example.target.end(), other.target.begin(), other.target.end());
    }
    if (std::max(example.source.size(), example.target.size()) < settings.longest) {
      examples.push_back(std::move(example));
    }
  }
  std::vector<IdBatch> batches;
  const auto groups = draw_batches(
      examples.size(), settings.target_tokens, random, [&](std::size_t i) { return examples[i].target.size() + 1; },
      [&](std::size_t i) { return std::tuple(examples[i].target.size(), examples[i].source.size()); });
  for (const auto& group : groups) {
    IdBatch& batch = batches.emplace_back();
    for (const std::size_t i : group) batch.push_back(std::move(examples[i]));
  }
  return batches;
}

models::Batch to_model_batch(std::span<const IdPair> pairs, std::int32_t eos) {
  models::Batch batch;
  const std::size_t B = batch.size = pairs.size();
  std::size_t S = 0, T = 0;
  for (const IdPair& pair : pairs) {
    S = std::max(S, pair.source.size() + 1);
    T = std::max(T, pair.target.size() + 1);
  }
  batch.source.assign(S * B, eos);
  batch.previous.assign(T * B, eos);
  batch.target.assign(T * B, -1);
  for (std::size_t b = 0; b < B; ++b) {
    const auto &source = pairs[b].source, &target = pairs[b].target;
    batch.source_lengths.push_back(static_cast<std::int32_t>(source.size() + 1));
    for (std::size_t s = 0; s < source.size(); ++s) batch.source[s * B + b] = source[s];
    for (std::size_t t = 0; t < target.size(); ++t) {
      batch.target[t * B + b] = target[t];
      batch.previous[(t + 1) * B + b] = target[t];
    }
    batch.target[target.size() * B + b] = eos;
    std::vector<std::size_t> links(target.size());
    for (const Link& link : pairs[b].links) ++links[link.target];
    for (const Link& link : pairs[b].links) {
      batch.alignment.push_back(
          {static_cast<std::uint32_t>(b), link.target, link.source, 1 / static_cast<float>(links[link.target])});
    }
  }
  return batch;
}

}  // namespace softalign::training
