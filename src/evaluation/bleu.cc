#include "evaluation/bleu.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <unordered_map>

#include "core/error.h"
#include "text/white_space.h"

namespace softalign {
namespace {

constexpr std::size_t kOrders = 4;
using Counts = std::array<std::unordered_map<std::string, std::size_t>, kOrders>;

// How often each n-gram is in `tokens`, by order. Tokens hold no space, so joined by one they stay
// apart.
Counts count_ngrams(const std::vector<std::string>& tokens) {
  Counts counts;
  for (std::size_t begin = 0; begin < tokens.size(); ++begin) {
    std::string ngram;
    for (std::size_t n = 0; n < std::min(kOrders, tokens.size() - begin); ++n) {
      if (n > 0) ngram += ' ';
      ngram += tokens[begin + n];
      ++counts[n][ngram];
    }
  }
  return counts;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_point(char c) { return c == '.' || c == ','; }

// The ranges { to ~, [ to `, space to &, ( to +, : to @, and /.
bool is_apart(char c) {
  return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') ||
         (c >= ':' && c <= '@') || c == '/';
}

struct Totals {
  std::array<std::size_t, kOrders> matches{};
  std::array<std::size_t, kOrders> ngrams{};
  std::size_t hypothesis_length = 0;
  std::size_t reference_length = 0;

  void add(const std::string& hypothesis, std::span<const std::string> references) {
    const std::vector<std::string> tokens = tokenize_13a(hypothesis);
    Counts most;
    std::size_t nearest = 0;
    for (std::size_t r = 0; r < references.size(); ++r) {
      const std::vector<std::string> reference = tokenize_13a(references[r]);
      const auto distance = [&](std::size_t length) {
        return std::max(length, tokens.size()) - std::min(length, tokens.size());
      };
      const std::size_t length = reference.size();
      if (r == 0 || distance(length) < distance(nearest) ||
          (distance(length) == distance(nearest) && length < nearest)) {
        nearest = length;
      }
      const Counts counts = count_ngrams(reference);
      for (std::size_t n = 0; n < kOrders; ++n) {
        for (const auto& [ngram, count] : counts[n]) {
          std::size_t& largest = most[n][ngram];
          largest = std::max(largest, count);
        }
      }
    }
    const Counts counts = count_ngrams(tokens);
    for (std::size_t n = 0; n < kOrders; ++n) {
      for (const auto& [ngram, count] : counts[n]) {
        ngrams[n] += count;
        const auto at = most[n].find(ngram);
        if (at != most[n].end()) matches[n] += std::min(count, at->second);
      }
    }
    hypothesis_length += tokens.size();
    reference_length += nearest;
  }

  BleuScore score() const {
    BleuScore bleu;
    bleu.hypothesis_length = hypothesis_length;
    bleu.reference_length = reference_length;
    const auto hypothesis = static_cast<double>(hypothesis_length);
    const auto reference = static_cast<double>(reference_length);
    bleu.brevity_penalty = hypothesis_length >= reference_length ? 1
                           : hypothesis_length == 0              ? 0
                                                                 : std::exp(1 - reference / hypothesis);
    double log_sum = 0;
    double smooth = 1;
    bool scored = matches[0] > 0;
    for (std::size_t n = 0; n < kOrders; ++n) {
      if (ngrams[n] == 0) {  // no sentence is that long, so its precision is 0 and the mean too
        scored = false;
        break;
      }
      const auto total = static_cast<double>(ngrams[n]);
      if (matches[n] == 0) {
        if (matches[0] > 0) bleu.precision[n] = 100 / ((smooth *= 2) * total);
      } else {
        bleu.precision[n] = 100 * static_cast<double>(matches[n]) / total;
      }
      log_sum += std::log(bleu.precision[n]);
    }
    if (scored) bleu.score = bleu.brevity_penalty * std::exp(log_sum / kOrders);
    return bleu;
  }
};

void check_lengths(std::size_t hypotheses, std::size_t references) {
  if (hypotheses != references) {
    throw ArgumentError("corpus_bleu: " + std::to_string(hypotheses) + " hypotheses, but " +
                        std::to_string(references) + " references");
  }
}

}  // namespace

std::vector<std::string> tokenize_13a(std::string_view line) {
  // What mteval-v13a.pl does by regular expressions, one pass each. They look at ASCII only, so
  // bytes do for characters.
  std::string text(line);
  replace_all(text, "<skipped>", "");
  replace_all(text, "-\n", "");
  replace_all(text, "\n", " ");
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");

  std::string spaced = " ";
  for (const char c : text) {
    if (is_apart(c)) {
      spaced += ' ';
      spaced += c;
      spaced += ' ';
    } else {
      spaced += c;
    }
  }
  spaced += ' ';

  // Each expression takes two characters, and neither is looked at again: hence the skips.
  const auto pass = [](const std::string& in, auto&& matches, std::string_view before, std::string_view between,
                       std::string_view after) {
    std::string out;
    std::size_t i = 0;
    while (i < in.size()) {
      if (i + 1 < in.size() && matches(in[i], in[i + 1])) {
        out += before;
        out += in[i];
        out += between;
        out += in[i + 1];
        out += after;
        i += 2;
      } else {
        out += in[i++];
      }
    }
    return out;
  };
  const auto point_after_other = [](char a, char b) { return !is_digit(a) && is_point(b); };
  const auto point_before_other = [](char a, char b) { return is_point(a) && !is_digit(b); };
  const auto dash_after_digit = [](char a, char b) { return is_digit(a) && b == '-'; };
  spaced = pass(spaced, point_after_other, "", " ", " ");
  spaced = pass(spaced, point_before_other, " ", " ", "");
  spaced = pass(spaced, dash_after_digit, "", " ", " ");

  std::vector<std::string> tokens;
  for (const std::string_view token : split_white_space(spaced)) tokens.emplace_back(token);
  return tokens;
}

BleuScore corpus_bleu(std::span<const std::string> hypotheses, std::span<const std::string> references) {
  check_lengths(hypotheses.size(), references.size());
  Totals totals;
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    totals.add(hypotheses[i], references.subspan(i, 1));
  }
  return totals.score();
}

BleuScore corpus_bleu(std::span<const std::string> hypotheses,
                      std::span<const std::vector<std::string>> references_of_each) {
  check_lengths(hypotheses.size(), references_of_each.size());
  Totals totals;
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    if (references_of_each[i].empty()) {
      throw ArgumentError("corpus_bleu: sentence " + std::to_string(i) + " has no reference");
    }
    totals.add(hypotheses[i], references_of_each[i]);
  }
  return totals.score();
}

std::string to_string(const BleuScore& bleu) {
  const double ratio = bleu.reference_length == 0
                           ? 0
                           : static_cast<double>(bleu.hypothesis_length) / static_cast<double>(bleu.reference_length);
  std::array<char, 200> line{};
  std::snprintf(line.data(), line.size(),
                "BLEU = %.2f %.1f/%.1f/%.1f/%.1f (BP = %.3f ratio = %.3f hyp_len = %zu ref_len = %zu)", bleu.score,
                bleu.precision[0], bleu.precision[1], bleu.precision[2], bleu.precision[3], bleu.brevity_penalty, ratio,
                bleu.hypothesis_length, bleu.reference_length);
  return line.data();
}

}  // namespace softalign
