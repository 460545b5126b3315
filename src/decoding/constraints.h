#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
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

  // States are numbered from 0, the first. One without choices says nothing any more: the text is complete.
  std::span<const Choice> choices(std::size_t state) const { return states_[state]; }
  std::size_t states() const { return states_.size(); }
  // All pieces that may say it, added to `ids`.
  void add_ids(std::vector<std::int32_t>& ids) const;

 private:
  std::vector<std::vector<Choice>> states_;
};

// A sequence of pieces that occurs in a translation, and the pieces of the source that it translates: [first, last).
struct Term {
  std::vector<std::int32_t> ids;
  std::size_t first = 0, last = 0;
};

// Several, in any order; one that is listed twice occurs twice.
class Terms {
 public:
  static constexpr std::size_t kMost = 64;

  // `continuations`, borrowed, are the pieces that would make another word of a term's last one.
  // Throws ArgumentError for more than kMost terms and for an empty one.
  explicit Terms(std::vector<Term> terms, std::span<const std::int32_t> continuations = {});

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
  std::span<const std::int32_t> continuations() const { return continuations_; }
  // How much of a row of attention is on what the terms translate.
  float attention_to_sources(std::span<const float> attention) const;

 private:
  std::vector<Term> terms_;
  std::span<const std::int32_t> continuations_;
  std::size_t pieces_ = 0, longest_ = 0;
  std::uint64_t all_ = 0;
};

// The pieces that go on with a word: those that begin with a letter or a digit, without a space before it.
std::vector<std::int32_t> continuations(const Tokenizer& tokenizer);

}  // namespace softalign::decoding
