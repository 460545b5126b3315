#include "evaluation/gold_corpus.h"

#include <algorithm>
#include <fstream>
#include <string_view>

#include "core/error.h"
#include "text/white_space.h"

namespace softalign {
namespace {

std::vector<std::string> read_lines(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw IoError("cannot read " + path.string());
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  for (const std::string_view word : split_white_space(line)) words.emplace_back(word);
  return words;
}

std::string where(const std::filesystem::path& path, std::size_t line) {
  return path.string() + ":" + std::to_string(line + 1) + ": ";
}

[[noreturn]] void fail(const std::filesystem::path& path, std::size_t line, const std::string& what) {
  throw FormatError(where(path, line) + what);
}

void check_length(const std::filesystem::path& path, std::size_t lines, std::size_t expected) {
  if (lines != expected) {
    throw FormatError(path.string() + " has " + std::to_string(lines) + " lines, expected " + std::to_string(expected));
  }
}

GoldPair make_pair(std::string_view english, std::string_view french, GoldAlignment gold,
                   const std::filesystem::path& path, std::size_t line) {
  GoldPair pair;
  pair.source = natural_text(words_of(english), Language::kEnglish);
  pair.target = natural_text(words_of(french), Language::kFrench);
  for (const Link& link : gold.possible) {
    if (link.source >= pair.source.words.size() || link.target >= pair.target.words.size()) {
      fail(path, line,
           "link " + to_pharaoh({link}) + " (from 0) is beyond " + std::to_string(pair.source.words.size()) +
               " English and " + std::to_string(pair.target.words.size()) + " French words");
    }
  }
  pair.gold = std::move(gold);
  return pair;
}

GoldAlignment read_links(std::string_view line, std::uint32_t first, const std::filesystem::path& path,
                         std::size_t number) {
  try {
    return parse_gold(line, first);
  } catch (const FormatError& error) {
    fail(path, number, error.what());
  }
}

void swap_sides(Alignment& alignment) {
  for (Link& link : alignment) std::swap(link.source, link.target);
  std::sort(alignment.begin(), alignment.end());
}

// "12\tText": the number must be the line's own.
std::string_view numbered(std::string_view line, const std::filesystem::path& path, std::size_t number) {
  const std::size_t tab = line.find('\t');
  if (tab == line.npos || line.substr(0, tab) != std::to_string(number)) {
    fail(path, number, "expected " + std::to_string(number) + " and a tab first");
  }
  return line.substr(tab + 1);
}

}  // namespace

std::vector<GoldPair> read_hansards(const std::filesystem::path& folder) {
  const std::filesystem::path text_path = folder / "enfr.src-tgt";
  const std::filesystem::path gold_path = folder / "enfr.gold";
  const std::vector<std::string> text = read_lines(text_path);
  const std::vector<std::string> gold = read_lines(gold_path);
  check_length(gold_path, gold.size(), text.size());
  std::vector<GoldPair> pairs;
  for (std::size_t i = 0; i < text.size(); ++i) {
    constexpr std::string_view kBar = "|||";
    const std::string_view line = text[i];
    const std::size_t bar = line.find(kBar);
    if (bar == line.npos) fail(text_path, i, "no \"|||\" between English and French");
    pairs.push_back(make_pair(line.substr(0, bar), line.substr(bar + kBar.size()), read_links(gold[i], 1, gold_path, i),
                              gold_path, i));
  }
  return pairs;
}

std::vector<GoldPair> read_alibi(const std::filesystem::path& folder) {
  const std::filesystem::path root = folder / "ali";
  std::error_code error;
  std::vector<std::filesystem::path> stories;
  for (const auto& entry : std::filesystem::directory_iterator(root, error)) {
    if (entry.is_directory(error)) stories.push_back(entry.path());
  }
  if (error || stories.empty()) throw IoError("cannot read " + root.string());
  std::sort(stories.begin(), stories.end());

  std::vector<GoldPair> pairs;
  for (const std::filesystem::path& story : stories) {
    const std::string name = story.filename().string();
    const std::size_t bar = name.find('_');
    if (bar == name.npos) throw FormatError(story.string() + " is not named FRENCH_ENGLISH");
    const std::filesystem::path french_path = story / (name.substr(0, bar) + "_sents.txt");
    const std::filesystem::path english_path = story / (name.substr(bar + 1) + "_sents.txt");
    const std::filesystem::path gold_path = story / ("ali_w2w_" + name + ".txt");
    const std::vector<std::string> french = read_lines(french_path);
    const std::vector<std::string> english = read_lines(english_path);
    const std::vector<std::string> links = read_lines(gold_path);
    check_length(english_path, english.size(), french.size());
    check_length(gold_path, links.size(), french.size());
    for (std::size_t i = 0; i < french.size(); ++i) {
      GoldAlignment gold = read_links(numbered(links[i], gold_path, i), 0, gold_path, i);
      swap_sides(gold.sure);
      swap_sides(gold.possible);
      pairs.push_back(make_pair(numbered(english[i], english_path, i), numbered(french[i], french_path, i),
                                std::move(gold), gold_path, i));
    }
  }
  return pairs;
}

}  // namespace softalign
