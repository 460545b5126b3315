#pragma once

#include <span>

#include "decoding/beam_search.h"

namespace softalign::testing {

// The search for the translation of one sentence, its request and its settings in one.
struct OneSearch {
  std::size_t beam = 1;
  double length_penalty = 1;
  std::size_t longest = 100;
  bool trace = false;
  bool tree = false;
  const decoding::Beginning* beginning = nullptr;
  const decoding::Terms* terms = nullptr;
  const models::Edits* edits = nullptr;
  std::int32_t eos = 1, unknown = 0;
};

inline std::vector<decoding::Hypothesis> search_all(Graph<float>& g, const models::TranslationModel<float>& model,
                                                    std::span<const std::int32_t> source, const OneSearch& s) {
  const decoding::Request request = {.source = source, .longest = s.longest, .beginning = s.beginning, .terms = s.terms, .edits = s.edits};
  return decoding::search(g, model, {&request, 1},
                          {.beam = s.beam, .length_penalty = s.length_penalty, .eos = s.eos, .unknown = s.unknown, .trace = s.trace,
                           .tree = s.tree})
      .front();
}

inline decoding::Hypothesis search(Graph<float>& g, const models::TranslationModel<float>& model,
                                   std::span<const std::int32_t> source, const OneSearch& s) {
  return search_all(g, model, source, s).front();
}

}  // namespace softalign::testing
