#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decoding/constraints.h"
#include "models/edits.h"

namespace softalign::decoding {

// What one head looked at, [rows, columns]. A row of kCross and kDecoder is that of the step that predicts the word;
// the last row and column are the end of the sentence. Of kDecoder, whose words see those before them, the last
// column is the beginning: the same word, which is read first.
struct HeadWeights : models::Head {
  std::size_t rows = 0, columns = 0;
  std::vector<float> weights;
};

// A word that a search continued a hypothesis with and followed.
struct Continuation {
  std::int32_t id;
  std::int32_t parent;  // index of the word before it among all that were followed; -1: none, it is the first
  float log_probability;
};

// One finished hypothesis.
struct Hypothesis {
  std::vector<std::int32_t> ids;  // without the end-of-sentence word
  std::vector<float> log_probability;  // of each id, then of the end of the sentence
  // [ids + 1, S] if traced: where each word was aligned to. Of a decoder whose alignment is shifted, a word's row
  // is that of the step that reads it; the end of the sentence is read by none and has that of the last word.
  std::vector<float> attention;
  std::vector<HeadWeights> heads;  // if asked for: every one there is, cross-attentions first, layer by layer
  double score = 0;               // sum of log_probability / (ids + 1)^length_penalty
  std::vector<Continuation> tree;  // of the best one, if asked for: all that the search followed, step by step, the best first
};

// A sentence to translate, and what its translation has to be like.
struct Request {
  std::span<const std::int32_t> source;  // ends with eos
  std::size_t longest = 100;             // ids; a hypothesis that reaches it is ended there
  const Beginning* beginning = nullptr;  // what it begins with, if not anything
  const Terms* terms = nullptr;          // what occurs in it
  std::size_t beam = 0;                  // hypotheses at least
  const models::Edits* edits = nullptr;  // what attentions are made to do meanwhile
};

struct SearchSettings {
  std::size_t beam = 1;
  double length_penalty = 1;
  std::int32_t eos = 1;
  std::int32_t unknown = 0;  // produced only where a beginning wants it
  bool never_empty = false;  // whether at least one word is said, where there is room for it
  bool trace = false;
  bool tree = false;  // whether to keep what was followed
  // The words that translations may have, in ascending order; eos, the unknown one and all that requests want among them.
  // Borrowed. Empty: all words of the model.
  std::span<const std::int32_t> words = {};
};

// Beam search (Sutskever et al. 2014) with scores divided by length^length_penalty (Wu et al. 2016
// without the constants), over all sentences at once: the weights are read once a step for all of
// them. A hypothesis that ends leaves its sentence's beam, which narrows by one; the search of a
// sentence is over when none is open. With beam 1 it is greedy.
//
// A sentence with terms has a wider beam (see beam_of), which its hypotheses share by
// how many pieces of terms they have (dynamic beam allocation: Post & Vilar 2018, arXiv:1804.06609), so that
// some always have more; they end only when they have all. Terms that do not fit into `longest` stay out.
// A word of no term costs more if its attention is mostly on what one translates, else those would win that say
// a thing in their own words and then the term (Hasler et al. 2018, arXiv:1805.03750, let attention decide when
// a term is due). That cost is not in `score`.
//
// Returns for each sentence what was finished, the best score first: at least one hypothesis and at most
// as many as the beam. Graph memory used is given back before returning.
std::vector<std::vector<Hypothesis>> search(Graph<float>& g, const models::TranslationModel<float>& model,
                                            std::span<const Request> requests, const SearchSettings& settings);

// How many hypotheses of a sentence the search follows: settings.beam, those that the request wants or, with terms, at least 4 more than these
// have pieces; but never for that reason more than 64.
std::size_t beam_of(const Request& request, const SearchSettings& settings);

}  // namespace softalign::decoding
