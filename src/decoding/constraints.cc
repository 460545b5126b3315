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

bool contains(const std::vector<std::int32_t>& ascending, std::int32_t id) {
  return std::binary_search(ascending.begin(), ascending.end(), id);
}

// Words are elided before these, and before letters beyond ASCII.
bool may_be_elided_before(char c) { return static_cast<unsigned char>(c) >= 0x80 || std::string_view("aeiouyhAEIOUYH").find(c) != std::string_view::npos; }

// Those that words are elided before are none.
bool is_consonant(char c) {
  return ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) && !may_be_elided_before(c);
}

// Beyond Latin's signs all are taken for letters but general and CJK punctuation.
bool is_letter(std::uint32_t c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= 0xC0 && (c < 0x2000 || c > 0x206F) && (c < 0x3000 || c > 0x303F));
}

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// Each unknown token of a text, as it stands there.
std::vector<std::string> unknown_in(const Tokenizer& tokenizer, std::string_view text, std::span<const Token> tokens) {
  std::vector<std::string> unknown;
  for (const Token& token : tokens) {
    if (token.id != tokenizer.unk()) continue;
    std::string_view written = text.substr(token.range.begin, token.range.size());
    while (!written.empty() && is_space(written.back())) written.remove_suffix(1);  // which the last token has, too
    unknown.emplace_back(written);
  }
  return unknown;
}

}  // namespace

Beginning::Beginning(const Tokenizer& tokenizer, std::string_view text) {
  const std::vector<Token> tokens = tokenizer.encode(text).tokens;
  unknown_ = unknown_in(tokenizer, text, tokens);
  const bool finished = !text.empty() && is_space(text.back());
  std::size_t word = tokens.size();
  if (!finished) {
    while (word > 0 && (word == tokens.size() || !tokenizer.begins_word(tokens[word].id))) --word;
  }
  std::string last;
  for (std::size_t i = word; i < tokens.size(); ++i) {
    // What no piece says is given to the model as it is read, and so is what pieces say byte by byte.
    if (tokens[i].id == tokenizer.unk() || tokenizer.is_byte(tokens[i].id)) word = tokens.size();
  }
  for (std::size_t i = word; i < tokens.size(); ++i) last += tokenizer.piece(tokens[i].id);

  for (std::size_t i = 0; i < word; ++i) states_.push_back({.choices = {{tokens[i].id, i + 1}}});
  const std::size_t first = states_.size(), complete = first + (finished ? 1 : last.size());
  states_.resize(complete + 1);
  if (first == complete) return;

  const auto size = static_cast<std::int32_t>(tokenizer.size());
  for (std::int32_t id = 0; id < size; ++id) {
    if (id == tokenizer.unk() || tokenizer.is_control(id) || tokenizer.is_byte(id)) continue;
    if (finished) {
      if (tokenizer.begins_word(id)) states_[first].choices.push_back({id, complete});
      continue;
    }
    const std::string_view piece = tokenizer.piece(id);
    for (std::size_t at = 0; at < last.size(); ++at) {
      const std::string_view rest = std::string_view(last).substr(at);
      if (rest.starts_with(piece)) {
        states_[first + at].choices.push_back({id, first + at + piece.size()});
      } else if (piece.starts_with(rest)) {
        states_[first + at].choices.push_back({id, complete});
      }
    }
  }
  // Nothing may lead to where nothing goes on.
  for (std::size_t at = complete; at-- > first;) {
    std::erase_if(states_[at].choices, [&](const Choice& c) { return c.next != complete && states_[c.next].choices.empty(); });
  }
}

void Beginning::add_ids(std::vector<std::int32_t>& ids) const {
  for (const State& state : states_) {
    for (const Choice& choice : state.choices) ids.push_back(choice.id);
  }
}

Term term_of(const Tokenizer& tokenizer, std::string_view text) {
  const auto ids_of = [](const std::vector<Token>& tokens) {
    std::vector<std::int32_t> ids;
    for (const Token& token : tokens) ids.push_back(token.id);
    return ids;
  };
  const std::vector<Token> alone = tokenizer.encode(text).tokens;
  Term term = {.ids = ids_of(alone), .unknown = unknown_in(tokenizer, text, alone)};
  if (text.empty() || !may_be_elided_before(text.front())) return term;
  constexpr std::string_view kElided = "l'";
  std::vector<Token> tokens = tokenizer.encode(std::string(kElided).append(text)).tokens;
  // Of a character that is said in bytes, all but the last stand before it, with nothing in them.
  std::erase_if(tokens, [&](const Token& token) { return token.range.begin < kElided.size(); });
  // Unless it goes into one piece with the apostrophe.
  if (!tokens.empty() && tokens.front().range.begin == kElided.size()) term.joined = ids_of(tokens);
  return term;
}

Terms::Terms(std::vector<Term> terms, const Spelling* spelling) : terms_(std::move(terms)), spelling_(spelling) {
  if (terms_.size() > kMost) {
    throw ArgumentError("terms: there are " + std::to_string(terms_.size()) + ", expected at most " + std::to_string(kMost));
  }
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const std::size_t pieces = std::max(terms_[i].ids.size(), terms_[i].joined.size());
    if (terms_[i].ids.empty() || pieces > kMostPieces) {
      throw ArgumentError("terms: term " + std::to_string(i) + " has " + std::to_string(pieces) + " pieces, expected 1 to " +
                          std::to_string(kMostPieces));
    }
    pieces_ += pieces;
    longest_ = std::max(longest_, pieces);
    all_ |= std::uint64_t{1} << i;
  }
}

// `ids` is one of the term's two ways.
bool Terms::begins(const Term& term, const std::vector<std::int32_t>& ids, std::size_t n, Ids words) const {
  if (!ends_with(words, Ids(ids).first(n))) return false;
  const bool elided = spelling_ && words.size() > n && contains(spelling_->elisions, words[words.size() - n - 1]);
  return elided == (&ids == &term.joined);
}

// How many pieces of a term, as it is said, stand around the first unknown one of them, which is id i.
std::size_t Terms::pieces_around(const std::vector<std::int32_t>& said, Ids ids, std::size_t i, std::int32_t unknown) {
  std::size_t before = 0;
  while (before < said.size() && said[before] != unknown) ++before;
  const bool fits = before < said.size() && before <= i && said.size() <= ids.size() - (i - before);
  return fits && std::equal(said.begin(), said.end(), ids.begin() + static_cast<std::ptrdiff_t>(i - before)) ? said.size() : 0;
}

std::vector<std::string> Terms::unknown_in(Ids ids, std::size_t from, std::int32_t unknown) const {
  std::uint64_t said = 0;  // a bit a term
  std::vector<std::string> written;
  for (std::size_t i = from; i < ids.size(); ++i) {
    if (ids[i] != unknown) continue;
    // Terms may be the same to the model: of those that are not yet said the one whose source comes first is.
    std::size_t best = terms_.size(), most = 0;
    for (std::size_t t = 0; t < terms_.size(); ++t) {
      const Term& term = terms_[t];
      const std::size_t pieces = std::max(pieces_around(term.ids, ids, i, unknown), pieces_around(term.joined, ids, i, unknown));
      const bool is_next = pieces > 0 && pieces == most && !(said >> t & 1) && ((said >> best & 1) || term.first < terms_[best].first);
      if (pieces > most || is_next) best = t, most = pieces;
    }
    if (best == terms_.size()) break;
    said |= std::uint64_t{1} << best;
    const std::vector<std::string>& texts = terms_[best].unknown;
    std::size_t after = i;
    for (std::size_t nth = 0; nth < texts.size() && after < ids.size(); ++after) {
      if (ids[after] == unknown) written.push_back(texts[nth++]);
    }
    i = std::max(after, i + 1) - 1;
  }
  return written;
}

Terms::Progress Terms::after(const Progress& before, Ids words) const {
  Progress p = before;
  std::size_t found = terms_.size(), length = 0;
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    if (p.met >> i & 1) continue;
    for (const auto* ids : {&terms_[i].ids, &terms_[i].joined}) {
      if (ids->size() > length && begins(terms_[i], *ids, ids->size(), words)) found = i, length = ids->size();
    }
  }
  if (found < terms_.size()) {
    p.met |= std::uint64_t{1} << found;
    p.pieces_met += length;
  }
  std::size_t begun = 0;
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    if (p.met >> i & 1) continue;
    for (const auto* ids : {&terms_[i].ids, &terms_[i].joined}) {
      for (std::size_t n = ids->size(); n > begun + 1; --n) {
        if (begins(terms_[i], *ids, n - 1, words)) begun = n - 1;
      }
    }
  }
  p.pieces = p.pieces_met + begun;
  return p;
}

void Terms::wanted(const Progress& p, Ids words, std::vector<std::int32_t>& wanted) const {
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    if (p.met >> i & 1) continue;
    for (const auto* ids : {&terms_[i].ids, &terms_[i].joined}) {
      for (std::size_t n = 0; n < ids->size(); ++n) {
        if (!begins(terms_[i], *ids, n, words)) continue;
        const std::int32_t next = (*ids)[n];
        if (std::find(wanted.begin(), wanted.end(), next) == wanted.end()) wanted.push_back(next);
      }
    }
  }
}

void Terms::add_ids(std::vector<std::int32_t>& ids) const {
  for (const Term& term : terms_) {
    ids.insert(ids.end(), term.ids.begin(), term.ids.end());
    ids.insert(ids.end(), term.joined.begin(), term.joined.end());
  }
}

std::size_t Terms::end_of(const Term& term, Ids ids, std::size_t first, std::size_t last) const {
  for (std::size_t i = first; i < last; ++i) {
    for (const auto* way : {&term.ids, &term.joined}) {
      const std::size_t end = i + way->size();
      if (way->empty() || end > ids.size() || !begins(term, *way, way->size(), ids.first(end))) continue;
      if (end == ids.size() || !spelling_ || !contains(spelling_->continuations, ids[end])) return end;
    }
  }
  return 0;
}

float Terms::attention_to_sources(std::span<const float> attention) const {
  float total = 0;
  for (const Term& term : terms_) {
    for (std::size_t s = term.first; s < std::min(term.last, attention.size()); ++s) total += attention[s];
  }
  return total;
}

Spelling spelling_of(const Tokenizer& tokenizer) {
  constexpr std::string_view kSpace = "\u2581";
  constexpr std::size_t kShort = 6;
  Spelling spelling;
  for (std::int32_t id = 0; id < static_cast<std::int32_t>(tokenizer.size()); ++id) {
    if (id == tokenizer.unk() || id == tokenizer.eos()) continue;
    std::string_view piece = tokenizer.piece(id);
    if (piece.ends_with('\'') || piece.ends_with("\u2019")) spelling.elisions.push_back(id);
    if (!tokenizer.begins_word(id)) {
      const std::uint32_t first = utf8_char(piece).code;
      if (is_letter(first) || (first >= '0' && first <= '9')) spelling.continuations.push_back(id);
      continue;
    }
    if (piece.starts_with(kSpace)) piece.remove_prefix(kSpace.size());
    const bool is_stem = piece.size() == 1 && is_consonant(piece[0]);
    std::size_t letters = 0;
    for (; !piece.empty() && is_letter(utf8_char(piece).code); ++letters) piece.remove_prefix(utf8_char(piece).length);
    if (piece.empty() && letters > 0 && letters <= kShort) (is_stem ? spelling.stems : spelling.short_words).push_back(id);
  }
  return spelling;
}

}  // namespace softalign::decoding
