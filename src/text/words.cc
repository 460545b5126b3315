#include "text/words.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "core/error.h"
#include "core/utf8.h"
#include "text/white_space.h"

namespace softalign {
namespace {

// Marks that stand alone. Not among them: apostrophes, hyphens, and what is read aloud as a word
// (% & $ + = @ # *).
bool is_mark(std::uint32_t code) {
  constexpr std::u32string_view kMarks =
      U"!\"(),.:;?[]{}/«»‹›“”„…‥–—―¿¡‘‚·"
      U"、。〈〉《》「」『』【】！（），．：；？؟،؛।";
  return kMarks.find(static_cast<char32_t>(code)) != std::u32string_view::npos;
}

bool is_digit(std::uint32_t code) { return code >= '0' && code <= '9'; }

// Good enough to tell "U.S." from "U . S": letters of any script, no ASCII or Latin-1 symbols.
bool is_letter(std::uint32_t code) {
  return (code >= 'A' && code <= 'Z') || (code >= 'a' && code <= 'z') ||
         (code >= 0xC0 && code < 0x2000 && code != 0xD7 && code != 0xF7);
}

std::string_view without_leading_space(std::string_view text) {
  while (!text.empty()) {
    const Utf8Char next = utf8_char(text);
    if (!is_white_space(next.code)) break;
    text.remove_prefix(next.length);
  }
  return text;
}

bool all_marks(std::string_view text) {
  while (!text.empty()) {
    const Utf8Char next = utf8_char(text);
    if (!is_mark(next.code)) return false;
    text.remove_prefix(next.length);
  }
  return true;
}

std::uint32_t first_char(std::string_view text) { return text.empty() ? 0 : utf8_char(text).code; }

std::uint32_t last_char(std::string_view text) {
  std::size_t at = text.size();
  while (at > 0 && (static_cast<unsigned char>(text[--at]) & 0xC0) == 0x80) {
  }
  return first_char(text.substr(at));
}

// Whether a mark between these two belongs to one word with them, after UAX #29's MidNum, MidLetter.
bool joins(std::string_view mark, std::uint32_t before, std::uint32_t after) {
  if (mark == ".") {
    return (is_digit(before) && is_digit(after)) || (is_letter(before) && is_letter(after));
  }
  return (mark == "," || mark == ":") && is_digit(before) && is_digit(after);
}

// share[w] lists the tokens of word w and how much of each.
struct Share {
  std::size_t token;
  double amount;
};
using Shares = std::vector<std::vector<Share>>;

Shares shares_of(std::span<const TokenSpan> words, std::size_t tokens) {
  Shares shares(words.size());
  for (std::size_t w = 0; w < words.size(); ++w) {
    if (words[w].first > words[w].last || words[w].last > tokens) {
      throw ArgumentError("attention_by_word: word " + std::to_string(w) + " is tokens " +
                          std::to_string(words[w].first) + " to " + std::to_string(words[w].last) +
                          ", expected within 0 to " + std::to_string(tokens));
    }
    for (std::size_t t = words[w].first; t < words[w].last; ++t) shares[w].push_back({t, 1});
  }
  return shares;
}

Shares shares_of(const Annotation& annotation, std::span<const ByteRange> words) {
  // Bytes that are not white space, counted up to each offset.
  std::vector<std::uint32_t> solid(annotation.text.size() + 1);
  for (std::size_t at = 0; at < annotation.text.size();) {
    const Utf8Char next = utf8_char(std::string_view(annotation.text).substr(at));
    const bool counts = !is_white_space(next.code);
    for (std::size_t i = 0; i < next.length; ++i, ++at) {
      solid[at + 1] = solid[at] + (counts ? 1 : 0);
    }
  }
  Shares shares(words.size());
  for (std::size_t w = 0; w < words.size(); ++w) {
    if (words[w].begin > words[w].end || words[w].end > annotation.text.size()) {
      throw ArgumentError("attention_by_range: word " + std::to_string(w) + " is bytes " +
                          std::to_string(words[w].begin) + " to " + std::to_string(words[w].end) +
                          ", expected within 0 to " + std::to_string(annotation.text.size()));
    }
    for (std::size_t t = 0; t < annotation.tokens.size(); ++t) {
      const std::uint32_t begin = std::max(annotation.tokens[t].range.begin, words[w].begin);
      const std::uint32_t end = std::min(annotation.tokens[t].range.end, words[w].end);
      if (begin < end && solid[end] > solid[begin]) {
        shares[w].push_back({t, static_cast<double>(solid[end] - solid[begin])});
      }
    }
  }
  return shares;
}

std::size_t rows_of(std::span<const float> attention, std::size_t columns) {
  if (columns == 0 ? !attention.empty() : attention.size() % columns != 0) {
    throw ArgumentError("attention has " + std::to_string(attention.size()) + " weights, expected rows of " +
                        std::to_string(columns));
  }
  return columns == 0 ? 0 : attention.size() / columns;
}

// Rows: mean over the word's tokens, weighted by their shares. Columns: sum of token times share.
std::vector<float> combine(std::span<const float> attention, std::size_t columns, const Shares& target,
                           const Shares& source) {
  std::vector<float> result(target.size() * source.size());
  std::vector<double> row(columns);
  for (std::size_t i = 0; i < target.size(); ++i) {
    double total = 0;
    for (const Share& share : target[i]) total += share.amount;
    if (total == 0) continue;
    std::fill(row.begin(), row.end(), 0.0);
    for (const Share& share : target[i]) {
      const auto from = attention.subspan(share.token * columns, columns);
      for (std::size_t c = 0; c < columns; ++c) {
        row[c] += share.amount / total * static_cast<double>(from[c]);
      }
    }
    for (std::size_t j = 0; j < source.size(); ++j) {
      double sum = 0;
      for (const Share& share : source[j]) sum += share.amount * row[share.token];
      result[i * source.size() + j] = static_cast<float>(sum);
    }
  }
  return result;
}

}  // namespace

std::vector<TokenSpan> word_spans(const Annotation& annotation, const Tokenizer& tokenizer) {
  const std::string_view text = annotation.text;
  const std::vector<Token>& tokens = annotation.tokens;
  const auto bare = [&](std::size_t i) {
    const ByteRange range = tokens[i].range;
    return without_leading_space(text.substr(range.begin, range.size()));
  };

  std::vector<TokenSpan> words;
  bool blank = false;   // the open word is white space so far
  bool closed = false;  // the open word is a mark that stands alone
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view own = bare(i);
    const bool spaced = tokenizer.begins_word(tokens[i].id);
    bool mark = !own.empty() && all_marks(own);
    if (mark && !spaced && i > 0 && i + 1 < tokens.size() && !tokenizer.begins_word(tokens[i + 1].id)) {
      mark = !joins(own, last_char(bare(i - 1)), first_char(bare(i + 1)));
    }
    const bool starts = words.empty() || (!blank && (spaced || mark || closed));
    if (starts) words.push_back({i, i});
    words.back().last = i + 1;
    blank = own.empty() && (starts || blank);
    closed = mark;
  }
  return words;
}

std::vector<ByteRange> word_ranges(const Annotation& annotation, std::span<const TokenSpan> words) {
  std::vector<ByteRange> ranges;
  ranges.reserve(words.size());
  for (const TokenSpan& word : words) {
    ByteRange range;
    if (word.first < word.last) {
      range = {annotation.tokens[word.first].range.begin, annotation.tokens[word.last - 1].range.end};
      const std::string_view text = std::string_view(annotation.text).substr(range.begin, range.size());
      range.begin = range.end - static_cast<std::uint32_t>(without_leading_space(text).size());
    }
    ranges.push_back(range);
  }
  return ranges;
}

std::vector<float> attention_by_word(std::span<const float> attention, std::size_t columns,
                                     std::span<const TokenSpan> target_words, std::span<const TokenSpan> source_words) {
  const std::size_t rows = rows_of(attention, columns);
  return combine(attention, columns, shares_of(target_words, rows), shares_of(source_words, columns));
}

std::vector<float> attention_by_range(std::span<const float> attention, std::size_t columns, const Annotation& target,
                                      std::span<const ByteRange> target_words, const Annotation& source,
                                      std::span<const ByteRange> source_words) {
  const std::size_t rows = rows_of(attention, columns);
  if (rows < target.tokens.size() || columns < source.tokens.size()) {
    throw ArgumentError("attention_by_range: attention is [" + std::to_string(rows) + ", " + std::to_string(columns) +
                        "], expected at least [" + std::to_string(target.tokens.size()) + ", " +
                        std::to_string(source.tokens.size()) + "]");
  }
  Shares source_shares = shares_of(source, source_words);
  std::vector<double> total(source.tokens.size());
  for (const auto& word : source_shares) {
    for (const Share& share : word) total[share.token] += share.amount;
  }
  for (auto& word : source_shares) {
    for (Share& share : word) share.amount /= total[share.token];
  }
  return combine(attention, columns, shares_of(target, target_words), source_shares);
}

}  // namespace softalign
