#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace softalign {

// Corpus BLEU (Papineni et al. 2002) as sacreBLEU computes it by default (Post 2018,
// arXiv:1804.08771; signature nrefs:*|case:mixed|eff:no|tok:13a|smooth:exp):
//
//   score = BP * exp(mean over n = 1..4 of log precision_n)
//   BP    = min(1, exp(1 - reference_length / hypothesis_length))
//
// An order without any match counts as 1/(2^k * its n-grams), k = 1, 2, ... ("exp"); if no order
// has a match, the score is 0. Of several references, counts are clipped by the largest, and the
// length is that of the nearest (the shorter of two as near).
struct BleuScore {
  double score = 0;                   // 0 .. 100
  std::array<double, 4> precision{};  // per cent, orders 1 to 4
  double brevity_penalty = 0;
  std::size_t hypothesis_length = 0;  // in tokens
  std::size_t reference_length = 0;
};

// Throws ArgumentError if the two are not of one length, or a sentence has no reference.
BleuScore corpus_bleu(std::span<const std::string> hypotheses, std::span<const std::string> references);
BleuScore corpus_bleu(std::span<const std::string> hypotheses,
                      std::span<const std::vector<std::string>> references_of_each);

// As sacreBLEU prints it: "BLEU = 48.53 82.4/50.0/45.5/37.5 (BP = 0.943 ratio = 0.944 hyp_len = 17
// ref_len = 18)".
std::string to_string(const BleuScore& bleu);

// mteval-v13a's tokens: punctuation apart, numbers whole, case kept.
std::vector<std::string> tokenize_13a(std::string_view line);

}  // namespace softalign
