#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace softalign {

// chrF2 over a corpus (Popović 2015, 2016) as sacreBLEU computes it by default (signature
// case:mixed|eff:yes|nc:6|nw:0|space:no): F-score, beta = 2, of the precision and recall of
// character n-grams, n = 1..6, white space left out, averaged over the orders that both sides have.
// Of several references a sentence counts the one it scores best with. 0 .. 100.
//
// Throws ArgumentError if the two are not of one length, or a sentence has no reference.
double corpus_chrf(std::span<const std::string> hypotheses, std::span<const std::string> references);
double corpus_chrf(std::span<const std::string> hypotheses,
                   std::span<const std::vector<std::string>> references_of_each);

}  // namespace softalign
