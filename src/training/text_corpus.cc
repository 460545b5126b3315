#include "training/text_corpus.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "text/word_pieces.h"

namespace softalign::training {
namespace {

std::vector<std::int32_t> ids_of(const std::string& text, const Tokenizer& tokenizer) {
  std::vector<std::int32_t> ids;
  for (const Token& token : tokenizer.encode(text).tokens) ids.push_back(token.id);
  return ids;
}

std::int32_t number_of(const std::string& label, const std::vector<std::string>& labels) {
  const auto it = std::find(labels.begin(), labels.end(), label);
  if (it == labels.end()) {
    std::string known;
    for (const std::string& l : labels) known += (known.empty() ? "" : ", ") + l;
    throw ArgumentError("label is \"" + label + "\", expected one of " + known);
  }
  return static_cast<std::int32_t>(it - labels.begin());
}

}  // namespace

models::TextBatch to_text_batch(std::span<const TextExample> examples) {
  models::TextBatch batch;
  const std::size_t B = examples.size();
  std::size_t T = 0;
  for (const TextExample& e : examples) T = std::max(T, e.ids.size());
  batch.ids.assign(T * B, 0);
  for (std::size_t b = 0; b < B; ++b) {
    const TextExample& e = examples[b];
    batch.lengths.push_back(static_cast<std::int32_t>(e.ids.size()));
    for (std::size_t t = 0; t < e.ids.size(); ++t) batch.ids[t * B + b] = e.ids[t];
    for (const std::int32_t t : e.places) batch.places.push_back(t * static_cast<std::int32_t>(B) + static_cast<std::int32_t>(b));
    batch.answers.insert(batch.answers.end(), e.answers.begin(), e.answers.end());
  }
  return batch;
}

std::vector<TextExample> next_words(const std::vector<std::string>& lines, const Tokenizer& tokenizer) {
  std::vector<TextExample> examples;
  for (const std::string& line : lines) {
    TextExample e;
    e.answers = ids_of(line, tokenizer);
    if (e.answers.empty()) continue;
    e.ids = {tokenizer.eos()};
    e.ids.insert(e.ids.end(), e.answers.begin(), e.answers.end());
    e.answers.push_back(tokenizer.eos());
    e.places.resize(e.ids.size());
    std::iota(e.places.begin(), e.places.end(), 0);
    examples.push_back(std::move(e));
  }
  return examples;
}

std::vector<TextExample> plain_texts(const std::vector<std::string>& lines, const Tokenizer& tokenizer) {
  std::vector<TextExample> examples;
  for (const std::string& line : lines) {
    auto ids = ids_of(line, tokenizer);
    if (!ids.empty()) examples.push_back({std::move(ids), {}, {}});
  }
  return examples;
}

std::vector<TextExample> mask_words(const std::vector<TextExample>& texts, std::int32_t mask, Random& random) {
  std::vector<TextExample> examples;
  for (const TextExample& text : texts) {
    TextExample e = text;
    const std::size_t sure = random.below(text.ids.size());
    for (std::size_t t = 0; t < text.ids.size(); ++t) {
      if (t != sure && random.uniform() >= 0.15) continue;
      e.places.push_back(static_cast<std::int32_t>(t));
      e.answers.push_back(text.ids[t]);
      const double how = random.uniform();
      if (how < 0.8) {
        e.ids[t] = mask;
      } else if (how < 0.9) {
        e.ids[t] = static_cast<std::int32_t>(random.below(static_cast<std::size_t>(mask)));
      }
    }
    examples.push_back(std::move(e));
  }
  return examples;
}

std::vector<TaggedSentence> read_conllu(const std::filesystem::path& path) {
  std::vector<TaggedSentence> sentences(1);
  std::size_t number = 0;
  for (const std::string& line : read_lines(path)) {
    ++number;
    if (line.empty()) {
      if (!sentences.back().words.empty()) sentences.emplace_back();
      continue;
    }
    if (line[0] == '#') continue;
    std::vector<std::string> columns;
    for (std::size_t at = 0; at <= line.size();) {
      const std::size_t end = std::min(line.find('\t', at), line.size());
      columns.push_back(line.substr(at, end - at));
      at = end + 1;
    }
    if (columns.size() != 10 || columns[0].empty() || columns[1].empty() || columns[3].empty()) {
      throw FormatError(path.string() + " line " + std::to_string(number) + " is \"" + line.substr(0, 80) +
                        "\", expected 10 columns with a number, a word and its part of speech");
    }
    if (columns[0].find_first_of("-.") != std::string::npos) continue;
    sentences.back().words.push_back(columns[1]);
    sentences.back().tags.push_back(columns[3]);
  }
  if (sentences.back().words.empty()) sentences.pop_back();
  return sentences;
}

std::vector<std::string> labels_of(const std::vector<TaggedSentence>& sentences) {
  std::set<std::string> labels;
  for (const auto& s : sentences) labels.insert(s.tags.begin(), s.tags.end());
  return {labels.begin(), labels.end()};
}

std::vector<std::string> labels_of(const std::vector<LabelledText>& texts) {
  std::set<std::string> labels;
  for (const auto& t : texts) labels.insert(t.source);
  return {labels.begin(), labels.end()};
}

std::vector<TextExample> tagged(const std::vector<TaggedSentence>& sentences, const std::vector<std::string>& labels,
                                const Tokenizer& tokenizer) {
  std::vector<TextExample> examples;
  for (const TaggedSentence& s : sentences) {
    WordPieces pieces = word_pieces(s.words, tokenizer);
    TextExample e = {std::move(pieces.ids), std::move(pieces.last), {}};
    for (const std::string& tag : s.tags) e.answers.push_back(number_of(tag, labels));
    examples.push_back(std::move(e));
  }
  return examples;
}

std::vector<TextExample> classified(const std::vector<LabelledText>& texts, const std::vector<std::string>& labels,
                                    const Tokenizer& tokenizer) {
  std::vector<TextExample> examples;
  for (const LabelledText& t : texts) {
    TextExample e = {ids_of(t.target, tokenizer), {}, {number_of(t.source, labels)}};
    if (e.ids.empty()) e.ids = {tokenizer.unk()};
    examples.push_back(std::move(e));
  }
  return examples;
}

}  // namespace softalign::training
