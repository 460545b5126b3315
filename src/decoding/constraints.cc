#include "decoding/constraints.h"

#include <algorithm>
#include <string>

#include "core/error.h"
#include "core/utf8.h"

namespace softalign::decoding {
namespace {

using Ids = std::span<const std::int32_t>;

bool ends_with(Ids words, Ids end) {
  return words.size() >= end.size() && std::equal(end.begin(), end.end(), words.end() - static_cast<std::ptrdiff_t>(end.size()));
}

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

}  // namespace

Beginning::Beginning(const Tokenizer& tokenizer, std::string_view text) {
  const std::vector<Token> tokens = tokenizer.encode(text).tokens;
  const bool finished = !text.empty() && is_space(text.back());
  std::size_t word = tokens.size();
  if (!finished) {
    while (word > 0 && (word == tokens.size() || !tokenizer.begins_word(tokens[word].id))) --word;
  }
  std::string last;
  for (std::size_t i = word; i < tokens.size(); ++i) {
    // What no piece says is given to the model as it is read.
    if (tokens[i].id == tokenizer.unk()) word = tokens.size();
  }
  for (std::size_t i = word; i < tokens.size(); ++i) last += tokenizer.piece(tokens[i].id);

  for (std::size_t i = 0; i < word; ++i) states_.push_back({{tokens[i].id, i + 1}});
  const std::size_t first = states_.size(), complete = first + (finished ? 1 : last.size());
  states_.resize(complete + 1);
  if (first == complete) return;

  const auto size = static_cast<std::int32_t>(tokenizer.size());
  for (std::int32_t id = 0; id < size; ++id) {
    if (id == tokenizer.unk() || id == tokenizer.eos()) continue;
    if (tokenizer.decode({&id, 1}).text.empty() && !tokenizer.begins_word(id)) continue;  // a control symbol
    if (finished) {
      if (tokenizer.begins_word(id)) states_[first].push_back({id, complete});
      continue;
    }
    const std::string_view piece = tokenizer.piece(id);
    for (std::size_t at = 0; at < last.size(); ++at) {
      const std::string_view rest = std::string_view(last).substr(at);
      if (rest.starts_with(piece)) {
        states_[first + at].push_back({id, first + at + piece.size()});
      } else if (piece.starts_with(rest)) {
        states_[first + at].push_back({id, complete});
      }
    }
  }
  // Nothing may lead to where nothing goes on.
  for (std::size_t at = complete; at-- > first;) {
    std::erase_if(states_[at], [&](const Choice& c) { return c.next != complete && states_[c.next].empty(); });
  }
}

void Beginning::add_ids(std::vector<std::int32_t>& ids) const {
  for (const auto& state : states_) {
    for (const Choice& choice : state) ids.push_back(choice.id);
  }
}

Terms::Terms(std::vector<Term> terms, std::span<const std::int32_t> continuations)
    : terms_(std::move(terms)), continuations_(continuations) {
  if (terms_.size() > kMost) {
    throw ArgumentError("terms: there are " + std::to_string(terms_.size()) + ", expected at most " + std::to_string(kMost));
  }
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    if (terms_[i].ids.empty()) throw ArgumentError("terms: term " + std::to_string(i) + " has no pieces, expected at least one");
    pieces_ += terms_[i].ids.size();
    longest_ = std::max(longest_, terms_[i].ids.size());
    all_ |= std::uint64_t{1} << i;
  }
}

Terms::Progress Terms::after(const Progress& before, Ids words) const {
  Progress p = before;
  std::size_t found = terms_.size();
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    if ((p.met >> i & 1) || !ends_with(words, terms_[i].ids)) continue;
    if (found == terms_.size() || terms_[i].ids.size() > terms_[found].ids.size()) found = i;
  }
  if (found < terms_.size()) {
    p.met |= std::uint64_t{1} << found;
    p.pieces_met += terms_[found].ids.size();
  }
  std::size_t begun = 0;
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    if (p.met >> i & 1) continue;
    for (std::size_t n = terms_[i].ids.size() - 1; n > begun; --n) {
      if (ends_with(words, Ids(terms_[i].ids).first(n))) begun = n;
    }
  }
  p.pieces = p.pieces_met + begun;
  return p;
}

void Terms::wanted(const Progress& p, Ids words, std::vector<std::int32_t>& wanted) const {
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    if (p.met >> i & 1) continue;
    for (std::size_t n = 0; n < terms_[i].ids.size(); ++n) {
      if (!ends_with(words, Ids(terms_[i].ids).first(n))) continue;
      const std::int32_t next = terms_[i].ids[n];
      if (std::find(wanted.begin(), wanted.end(), next) == wanted.end()) wanted.push_back(next);
    }
  }
}

void Terms::add_ids(std::vector<std::int32_t>& ids) const {
  for (const Term& term : terms_) ids.insert(ids.end(), term.ids.begin(), term.ids.end());
}

float Terms::attention_to_sources(std::span<const float> attention) const {
  float total = 0;
  for (const Term& term : terms_) {
    for (std::size_t s = term.first; s < std::min(term.last, attention.size()); ++s) total += attention[s];
  }
  return total;
}

std::vector<std::int32_t> continuations(const Tokenizer& tokenizer) {
  std::vector<std::int32_t> ids;
  for (std::int32_t id = 0; id < static_cast<std::int32_t>(tokenizer.size()); ++id) {
    if (id == tokenizer.unk() || id == tokenizer.eos() || tokenizer.begins_word(id)) continue;
    const char32_t first = utf8_char(tokenizer.piece(id)).code;
    const bool ascii = (first >= '0' && first <= '9') || (first >= 'A' && first <= 'Z') || (first >= 'a' && first <= 'z');
    // Beyond Latin's signs all are taken for letters but general and CJK punctuation.
    const bool other = first >= 0xC0 && (first < 0x2000 || first > 0x206F) && (first < 0x3000 || first > 0x303F);
    if (ascii || other) ids.push_back(id);
  }
  return ids;
}

}  // namespace softalign::decoding
