#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/annotation.h"

namespace softalign {

// Whose apostrophes a text has: l'eau or don't. A language that has neither goes as English.
enum class Language { kEnglish, kFrench };
Language language_of(std::string_view tag);  // BCP 47: "fr", "fr-CA", "de"

// A text as people write it, made of somebody else's tokens, and where each of them went.
struct NaturalText {
  std::string text;
  std::vector<ByteRange> words;  // one a token, in order; two may share a range ("du" for "de le")
};

// Undoes the tokenisation and the rewriting of word alignment corpora, so that a model of natural
// language can read them and its attention be compared with their links:
//
//   both      no space before closing marks and after opening ones; hyphens standing alone join
//             what is left and right of them; a plain quotation mark opens and closes in turn; the
//             first letter is a capital; ’ becomes '
//   English   's, 't and the like join the word before them; $ the number after it
//   French    a space stays before ; : ? ! » and after «, as French prints it
//             words ending in an apostrophe, and hyphens beginning a word, join
//             elision: le la de je me te se ne que jusque lorsque puisque quoique before a vowel or
//               a mute h, ce before e and é, si before il and ils
//             contraction: de le -> du, de les -> des, à le -> au, à les -> aux, unless le or les
//               is a pronoun (before an infinitive); so too with lequel, lesquels, lesquelles
//
// A contraction's bytes belong to both of its tokens: both have the same attention, and are linked
// to the same words. The last two rules find the pronoun by its next word: one in -r or -re after
// les (a noun would be plural), a few frequent infinitives after le. h is mute but in a list of
// words and before capitals (names). Wrong in rare cases; the words' ranges are right in all.
NaturalText natural_text(std::span<const std::string> tokens, Language language);

// Words for a model without subwords (IBM model 1, HMM), as ranges of a natural text: cut at white
// space, every mark alone, French apart after an apostrophe ("l'" "eau") and hyphens, English
// before 's and n't.
std::vector<ByteRange> plain_words(std::string_view text, Language language);

// ASCII and Latin letters (to U+017F) in lower case; everything else as it is.
std::string lower_case(std::string_view text);

// The words at these ranges, in lower case.
std::vector<std::string> lower_words(std::string_view text, std::span<const ByteRange> ranges);

}  // namespace softalign
