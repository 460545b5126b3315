#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/bytes.h"
#include "decoding/beam_search.h"
#include "text/tokenizer.h"

namespace softalign {

// The files of a model of Marian's.
struct MarianFiles {
  Bytes weights;                 // .bin or .npz
  Bytes source_vocabulary;       // SentencePiece models; one for both languages unless the weights have two
  Bytes target_vocabulary = {};  // empty: as the source's
  Bytes shortlist = {};          // binary; may be left out
};

struct Options {
  int beam = 1;                  // hypotheses kept in beam search; 1 is greedy
  double length_penalty = 1.0;   // a finished hypothesis is ranked by log probability / length^this
  bool trace = false;            // whether to keep the attention
  bool heads = false;            // whether to keep what each head looked at, which costs a second reading
  // Longest translation, in tokens, as a multiple of the source's tokens, its end counted, 0.1..10; left out, longest_target().
  std::optional<double> max_length_factor = std::nullopt;
  bool tree = false;             // whether to keep what the search followed
  int best = 1;                  // how many translations of a sentence at most, of those that the search finished
};

// A sentence to translate, and what its translation is to contain.
struct Sentence {
  std::string_view text;
  // What the translation begins with. Its last word may be unfinished, unless white space follows it.
  std::string_view beginning = {};
  // Whole words that occur in the translation; see decoding::search.
  struct Term {
    std::string text;
    ByteRange source = {};  // what it translates, in `text` of the sentence; nothing in particular if that is empty
  };
  std::span<const Term> terms = {};
  const models::Edits* edits = nullptr;  // what attentions are made to do meanwhile: positions are tokens
};

// A translation of one sentence, or the alignment of two given ones.
struct Translation {
  Annotation source, target;
  // [target tokens + 1, source tokens + 1], row-major; the last row and column are the end of the
  // sentence. Each row sums to 1. Empty unless asked for, and for a model without attention.
  std::vector<float> attention;
  std::vector<float> log_probability;  // of each target token, then of the end of the sentence
  double score = 0;                    // their sum / length^length_penalty
  std::vector<decoding::HeadWeights> heads = {};  // if asked for; none for a model without attention
  std::vector<decoding::Continuation> tree = {};  // if asked for, of a sentence's best translation
};

// A model ready to translate sentences. Not for several threads at once: its working memory is kept
// from call to call, so that nothing is allocated for a step once warm.
class Translator {
 public:
  // Throws FormatError for bytes that are no model.
  explicit Translator(std::span<const std::byte> model_file);
  // The same of Marian's files, which do not say what languages they are for.
  Translator(const MarianFiles& files, const std::string& source_language, const std::string& target_language);
  // A model being trained: weights and tokenizer are borrowed.
  Translator(const models::TranslationModel<float>& model, const Tokenizer& tokenizer);
  ~Translator();
  Translator(Translator&&) noexcept;
  Translator& operator=(Translator&&) noexcept;

  const Tokenizer& source_tokenizer() const;
  // A sentence as the model reads it: what its tokenizer knows, or all as Marian does if the model is Marian's.
  Annotation encode_source(std::string_view text) const;
  const Tokenizer& target_tokenizer() const;
  const models::TranslationInfo& info() const;

  // Longest translation of a source of that many tokens, in tokens: 1.5 times and 10 more. Keeps a
  // decoder that repeats itself from running on.
  static std::size_t longest_target(std::size_t source_tokens) { return source_tokens * 3 / 2 + 10; }

  // Translates sentences (text is not split): for each what was asked for of the best translations, the
  // best first. Many at once take less time than one after the other, and give the same up to rounding.
  // Blank text comes back as it is, with certainty and without attention. Unknown words are never
  // produced. Throws ArgumentError if beam is outside 1..64, best outside 1..beam, max_length_factor outside
  // its range, terms are too many or blank, or edits are of what there is not.
  std::vector<std::vector<Translation>> translate(std::span<const Sentence> sentences, const Options& options = {});
  // The best translation of one.
  Translation translate(std::string_view sentence, const Options& options = {});

  // Forced decoding: the attention while the model is made to say `target`, and how likely it found
  // each word. Always traced, all heads on request.
  Translation align(std::string_view source, std::string_view target, bool heads = false);

 private:
  struct Impl;
  explicit Translator(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace softalign
