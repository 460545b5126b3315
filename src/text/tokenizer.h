#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "text/annotation.h"

namespace softalign {

// Subwords by SentencePiece (Kudo & Richardson 2018, arXiv:1808.06226), which also normalises the
// text as its model says. Const methods are safe to call concurrently.
class Tokenizer {
 public:
  // A serialised SentencePiece model of type unigram or BPE, with an end-of-sentence symbol; copied.
  // Throws FormatError naming what is wrong. Hostile bytes are safe: SentencePiece trusts the
  // character map of its models, so it is checked here before SentencePiece sees it.
  explicit Tokenizer(std::span<const std::byte> sentencepiece_model);
  ~Tokenizer();
  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;

  // The text, kept as it is, with its tokens; no end-of-sentence token. Any bytes will do: each
  // maximal ill-formed subpart is read as one U+FFFD. Characters the model does not know become
  // one unk() token a run. Linear in the length, whatever the text: beyond 8 KB it is read in
  // parts, cut before white space (which changes no token) or, in a "word" of that length, anywhere
  // between two characters. Throws ArgumentError beyond 2^31 - 1 bytes.
  Annotation encode(std::string_view utf8) const;

  // The same, but signs that the model does not know are read as something that it knows: dashes, quotation marks and apostrophes
  // as the simplest of their kind, any other as white space. Only letters, digits and marks on them may be unknown then.
  Annotation encode_known(std::string_view utf8) const;

  // The text that `ids` stand for, and the range of each; control symbols are empty, unk() is
  // " ⁇ " (or what the model says), unless `unknown` has a text for it: for the first, the second and so on. Throws ArgumentError for an id outside 0 .. size() - 1.
  Annotation decode(std::span<const std::int32_t> ids, std::span<const std::string> unknown = {}) const;

  std::int32_t eos() const;
  std::int32_t unk() const;
  std::size_t size() const;
  // The piece as the model writes it: "▁" (U+2581) for a space. Throws ArgumentError like decode().
  std::string_view piece(std::int32_t id) const;
  // Whether it stands for one byte of a character that has no piece.
  bool is_byte(std::int32_t id) const;
  // Whether it stands for nothing in a text, as eos() does. Both throw ArgumentError like decode().
  bool is_control(std::int32_t id) const;
  // Whether the piece starts with white space, so with a new word.
  bool begins_word(std::int32_t id) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace softalign
