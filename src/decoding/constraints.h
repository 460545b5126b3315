#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

// What a translation can be made to contain.
namespace softalign::decoding {

// A text that a translation begins with: which pieces can say it. Words before its last one are said in
// the tokenizer's own pieces. The last one may be unfinished ("sui" of "suis"), so its characters are said by
// whatever pieces the model likes best, of which the last may go on beyond it.
class Beginning {
 public:
  struct Choice {
    std::int32_t id;
    std::size_t next;  // the state after it
  };

  Beginning(const Tokenizer& tokenizer, std::string_view text);
  struct State {
    std::vector<Choice> choices = {};
    // A piece that might be expected and is not meant: how probable others are is judged as if it were not there. Not in scores.
    std::int32_t instead_of = -1;
  };
  explicit Beginning(std::vector<State> states) : states_(std::move(states)) {}

  // How what no piece says is written, of each unknown one.
  const std::vector<std::string>& unknown() const { return unknown_; }

  // States are numbered from 0, the first. One without choices says nothing any more: the text is complete.
  std::span<const Choice> choices(std::size_t state) const { return states_[state].choices; }
  std::int32_t instead_of(std::size_t state) const { return states_[state].instead_of; }
  std::size_t states() const { return states_.size(); }
  // All pieces that may say it, added to `ids`.
  void add_ids(std::vector<std::int32_t>& ids) const;

 private:
  std::vector<State> states_;
  std::vector<std::string> unknown_;
};

// How pieces make words, in ascending order.
struct Spelling {
  std::vector<std::int32_t> continuations;  // go on with a word: they begin with a letter or a digit, without a space before it
  std::vector<std::int32_t> elisions;       // end in an apostrophe: the next word follows without a space
  std::vector<std::int32_t> short_words;    // have a space and at most six letters
  std::vector<std::int32_t> stems;          // have a space and a consonant: with an apostrophe they are an elided word
};
Spelling spelling_of(const Tokenizer& tokenizer);

// A sequence of pieces that occurs in a translation, and the pieces of the source that it translates: [first, last).
struct Term {
  std::vector<std::int32_t> ids;
  std::size_t first = 0, last = 0;
  std::vector<std::int32_t> joined = {};  // the same after an apostrophe; empty: it does not stand there
  std::vector<std::string> unknown = {};  // how what no piece says is written: of each unknown one of `ids`, and of `joined`
};

// A term as a tokenizer writes it. Only what begins with a vowel or h may stand after an apostrophe.
Term term_of(const Tokenizer& tokenizer, std::string_view text);

// Several, in any order; one that is listed twice occurs twice.
class Terms {
 public:
  static constexpr std::size_t kMost = 64;
  static constexpr std::size_t kMostPieces = 128;  // of one: the search looks at each beginning of each term in each step

  // `spelling` is borrowed; without one, every piece is a word and nothing elided. Throws ArgumentError for more than kMost terms, and for one that is
  // empty or has more than kMostPieces.
  explicit Terms(std::vector<Term> terms, const Spelling* spelling = nullptr);

  const std::vector<Term>& terms() const { return terms_; }
  std::size_t pieces() const { return pieces_; }  // of all

  // How far a hypothesis is, known by its words alone.
  struct Progress {
    std::uint64_t met = 0;       // a bit a term
    std::size_t pieces_met = 0;  // of these
    std::size_t pieces = 0;      // and of the one its last words begin
  };
  bool complete(const Progress& p) const { return p.met == all_; }
  // After one more word; `words` are the last ones, that one at the end: at least as many as the longest
  // term has, if there are.
  Progress after(const Progress& before, std::span<const std::int32_t> words) const;
  // The words that would bring a hypothesis further, added to `wanted`, each once.
  void wanted(const Progress& p, std::span<const std::int32_t> words, std::vector<std::int32_t>& wanted) const;
  std::size_t longest() const { return longest_; }  // pieces of one
  void add_ids(std::vector<std::int32_t>& ids) const;
  // How the unknown pieces of a translation from id `from` on are written, as far as they are those of terms.
  std::vector<std::string> unknown_in(std::span<const std::int32_t> ids, std::size_t from, std::int32_t unknown) const;
  const Spelling* spelling() const { return spelling_; }
  // Where the first occurrence of one of the terms, as whole words, that begins in [first, last) of a translation ends; 0 if there is none.
  std::size_t end_of(const Term& term, std::span<const std::int32_t> ids, std::size_t first, std::size_t last) const;
  // How much of a row of attention is on what the terms translate.
  float attention_to_sources(std::span<const float> attention) const;

 private:
  // Whether words end with the first n pieces of a term, in one of the ways to write it.
  bool begins(const Term& term, const std::vector<std::int32_t>& ids, std::size_t n, std::span<const std::int32_t> words) const;
  static std::size_t pieces_around(const std::vector<std::int32_t>& said, std::span<const std::int32_t> ids, std::size_t i, std::int32_t unknown);

  std::vector<Term> terms_;
  const Spelling* spelling_;
  std::size_t pieces_ = 0, longest_ = 0;
  std::uint64_t all_ = 0;
};

}  // namespace softalign::decoding
