#include "evaluation/alignment.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "core/error.h"
#include "text/white_space.h"

namespace softalign {
namespace {

void sort_unique(Alignment& alignment) {
  std::sort(alignment.begin(), alignment.end());
  alignment.erase(std::unique(alignment.begin(), alignment.end()), alignment.end());
}

// Reads "3-4"; `kind` is the character between, and must be one of `kinds`.
Link parse_link(std::string_view piece, std::uint32_t first, std::string_view kinds, char& kind) {
  Link link;
  const char* const end = piece.data() + piece.size();
  const auto source = std::from_chars(piece.data(), end, link.source);
  if (source.ec == std::errc() && source.ptr != end && kinds.find(*source.ptr) != kinds.npos) {
    kind = *source.ptr;
    const auto target = std::from_chars(source.ptr + 1, end, link.target);
    if (target.ec == std::errc() && target.ptr == end && link.source >= first && link.target >= first) {
      return {link.source - first, link.target - first};
    }
  }
  throw FormatError("alignment: \"" + std::string(piece.substr(0, 40)) +
                    "\" is no pair of words, expected one like \"" + std::to_string(first) + "-" +
                    std::to_string(first + 1) + "\"");
}

std::size_t common(const Alignment& a, const Alignment& b) {
  std::size_t count = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i == *j) {
      ++count;
      ++i;
      ++j;
    } else if (*i < *j) {
      ++i;
    } else {
      ++j;
    }
  }
  return count;
}

double ratio(std::size_t part, std::size_t whole) {
  return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
}

// For each old word the new words that share bytes with it.
std::vector<std::vector<std::uint32_t>> overlaps(std::span<const ByteRange> from, std::span<const ByteRange> to) {
  std::vector<std::vector<std::uint32_t>> result(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    for (std::size_t j = 0; j < to.size(); ++j) {
      if (std::max(from[i].begin, to[j].begin) < std::min(from[i].end, to[j].end)) {
        result[i].push_back(static_cast<std::uint32_t>(j));
      }
    }
  }
  return result;
}

}  // namespace

Alignment parse_pharaoh(std::string_view line) {
  Alignment alignment;
  char kind = '-';
  for (const std::string_view piece : split_white_space(line)) {
    alignment.push_back(parse_link(piece, 0, "-", kind));
  }
  sort_unique(alignment);
  return alignment;
}

std::string to_pharaoh(const Alignment& alignment) {
  std::string line;
  for (const Link& link : alignment) {
    if (!line.empty()) line += ' ';
    line += std::to_string(link.source) + '-' + std::to_string(link.target);
  }
  return line;
}

GoldAlignment parse_gold(std::string_view line, std::uint32_t first) {
  GoldAlignment gold;
  for (const std::string_view piece : split_white_space(line)) {
    char kind = '-';
    const Link link = parse_link(piece, first, "-p", kind);
    if (kind == '-') gold.sure.push_back(link);
    gold.possible.push_back(link);
  }
  sort_unique(gold.sure);
  sort_unique(gold.possible);
  return gold;
}

AlignmentScore alignment_error_rate(std::span<const Alignment> found, std::span<const GoldAlignment> gold) {
  if (found.size() != gold.size()) {
    throw ArgumentError("alignment_error_rate: " + std::to_string(found.size()) + " alignments, but " +
                        std::to_string(gold.size()) + " in the gold");
  }
  AlignmentScore score;
  std::size_t in_sure = 0;
  std::size_t in_possible = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    score.found += found[i].size();
    score.sure += gold[i].sure.size();
    in_sure += common(found[i], gold[i].sure);
    in_possible += common(found[i], gold[i].possible);
  }
  score.precision = ratio(in_possible, score.found);
  score.recall = ratio(in_sure, score.sure);
  score.error = 1 - ratio(in_sure + in_possible, score.found + score.sure);
  return score;
}

Alignment strongest_links(std::span<const float> weights, std::size_t source_words) {
  if (source_words == 0 ? !weights.empty() : weights.size() % source_words != 0) {
    throw ArgumentError("strongest_links: " + std::to_string(weights.size()) + " weights, expected rows of " +
                        std::to_string(source_words));
  }
  Alignment alignment;
  for (std::size_t at = 0; at < weights.size(); at += source_words) {
    const auto row = weights.subspan(at, source_words);
    const auto best = std::max_element(row.begin(), row.end());
    if (*best > 0) {
      alignment.push_back(
          {static_cast<std::uint32_t>(best - row.begin()), static_cast<std::uint32_t>(at / source_words)});
    }
  }
  sort_unique(alignment);
  return alignment;
}

Alignment transfer_links(const Alignment& alignment, std::span<const ByteRange> old_source,
                         std::span<const ByteRange> old_target, std::span<const ByteRange> new_source,
                         std::span<const ByteRange> new_target) {
  const auto sources = overlaps(old_source, new_source);
  const auto targets = overlaps(old_target, new_target);
  Alignment result;
  for (const Link& link : alignment) {
    if (link.source >= sources.size() || link.target >= targets.size()) {
      throw ArgumentError("transfer_links: link " + to_pharaoh({link}) + " is beyond " +
                          std::to_string(sources.size()) + " and " + std::to_string(targets.size()) + " words");
    }
    for (const std::uint32_t source : sources[link.source]) {
      for (const std::uint32_t target : targets[link.target]) result.push_back({source, target});
    }
  }
  sort_unique(result);
  return result;
}

}  // namespace softalign
