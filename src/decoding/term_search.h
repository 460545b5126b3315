#pragma once

#include <span>
#include <vector>

#include "decoding/beam_search.h"
#include "text/tokenizer.h"

namespace softalign::decoding {

// Searches for translations with terms, each in the place of what the translation without it has there.
//
// First the sentence is translated as if it had no terms. The word that looked most at what a term translates, with those
// beside it that did so above all, is the term's place, and the term is put there; of what stands before it a short word, as articles
// are, may change ("the house", "la maison" with "manoir": "le manoir"), as the model finds best when it does not think of its own word;
// an elided one does where a consonant follows. All else stays. So the sentence keeps its structure, which a search for all terms in any
// order does not: words that a model would not say are as improbable in one place as in the other, and what
// follows them is easily nonsense.
//
// Where nothing looked at what a term translates (or the model has no attention) the search is for all terms at once, as
// search() does it.
//
// Returns what search() returns, of requests without terms just that.
std::vector<std::vector<Hypothesis>> search_with_terms(Graph<float>& g, const models::TranslationModel<float>& model,
                                                       std::span<const Request> requests, const SearchSettings& settings,
                                                       const Tokenizer& target);

}  // namespace softalign::decoding
