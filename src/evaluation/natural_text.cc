#include "evaluation/natural_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>

#include "core/utf8.h"
#include "text/white_space.h"

namespace softalign {
namespace {

bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Simple case mapping of Latin-1 and Latin Extended-A, where capitals are even but for two stretches.
std::uint32_t lower(std::uint32_t code) {
  if (code >= 'A' && code <= 'Z') return code + 32;
  if (code >= 0xC0 && code <= 0xDE && code != 0xD7) return code + 32;
  if (code == 0x178) return 0xFF;
  const bool odd = (code >= 0x139 && code <= 0x148) || (code >= 0x179 && code <= 0x17E);
  if (code >= 0x100 && code <= 0x17E && code != 0x130 && code != 0x138 && code != 0x149) {
    return odd ? (code % 2 == 1 ? code + 1 : code) : (code % 2 == 0 ? code + 1 : code);
  }
  return code;
}

std::uint32_t upper(std::uint32_t code) {
  if (code >= 'a' && code <= 'z') return code - 32;
  if (code == 0xFF) return 0x178;
  if (code >= 0xE0 && code <= 0xFE && code != 0xF7) return code - 32;
  if (code > 0x100 && code <= 0x17E && lower(code - 1) == code) return code - 1;
  return code;
}

std::string capitalised(std::string_view word) {
  if (word.empty()) return {};
  const Utf8Char first = utf8_char(word);
  if (!first.well_formed) return std::string(word);
  std::string result;
  append_utf8(result, upper(first.code));
  result += word.substr(first.length);
  return result;
}

bool is_capital(std::string_view word) { return !word.empty() && lower(utf8_char(word).code) != utf8_char(word).code; }

std::string with_plain_apostrophes(std::string_view word) {
  constexpr std::string_view kCurly = "\xE2\x80\x99";
  std::string result;
  for (;;) {
    const std::size_t at = word.find(kCurly);
    result += word.substr(0, at);
    if (at == word.npos) return result;
    result += '\'';
    word.remove_prefix(at + kCurly.size());
  }
}

// Whether French elides before this word.
bool starts_with_vowel(std::string_view word) {
  if (word.empty()) return false;
  constexpr std::u32string_view kVowels = U"aeiouàâäéèêëîïôöùûüœæ";
  const std::string lowered = lower_case(word);
  const std::uint32_t first = utf8_char(lowered).code;
  if (lowered == "y") return true;
  if (first == 'h') {
    if (is_capital(word)) return false;
    constexpr std::array kAspirate = {
        "hach",   "haie",    "hain",   "haï",    "hall",   "halt",   "hamac",  "hameau", "hanche",   "hand",
        "hang",   "hanter",  "happ",   "harass", "harc",   "hardi",  "harem",  "hareng", "hargn",    "haric",
        "harnai", "harpe",   "hasard", "hât",    "hauss",  "haut",   "havre",  "hérau",  "hérisson", "hernie",
        "héron",  "héros",   "hêtre",  "heurt",  "hibou",  "hideu",  "hiér",   "hiss",   "hochet",   "hockey",
        "hold",   "holl",    "homard", "hongr",  "honte",  "honteu", "hoquet", "hors",   "hotte",    "houbl",
        "houe",   "houille", "houle",  "housse", "hublot", "huche",  "huée",   "huit",   "hurl",     "hutte"};
    return std::none_of(kAspirate.begin(), kAspirate.end(),
                        [&](std::string_view stem) { return lowered.starts_with(stem); });
  }
  if (one_of(lowered, {"oui", "onze", "onzième", "ouistiti", "uhlan", "ululement"})) return false;
  return kVowels.find(static_cast<char32_t>(first)) != std::u32string_view::npos;
}

bool elides(std::string_view word, std::string_view next) {
  if (word == "si") return one_of(next, {"il", "ils"});
  if (word == "ce") return next.starts_with("e") || next.starts_with("é");
  return one_of(word,
                {"le", "la", "de", "je", "me", "te", "se", "ne", "que", "jusque", "lorsque", "puisque", "quoique"}) &&
         starts_with_vowel(next);
}

// Whether le or les before this word is a pronoun.
bool is_infinitive(std::string_view article, std::string_view next) {
  if (article == "les") return next != "quatre" && (next.ends_with("r") || next.ends_with("re"));
  return one_of(
      next, {"faire",   "dire",    "voir",   "savoir",     "prendre",   "mettre",     "rendre",    "lire",     "croire",
             "suivre",  "vendre",  "perdre", "écrire",     "recevoir",  "laisser",    "donner",    "garder",   "payer",
             "changer", "trouver", "tuer",   "comprendre", "remplacer", "convaincre", "permettre", "connaître"});
}

// du, des, au, aux, duquel, ...; empty if the two do not contract.
std::string contraction(std::string_view preposition, std::string_view article) {
  const bool with_de = preposition == "de";
  if (!with_de && preposition != "à") return {};
  if (article == "le") return with_de ? "du" : "au";
  if (article == "les") return with_de ? "des" : "aux";
  if (article == "lequel") return with_de ? "duquel" : "auquel";
  if (article == "lesquels") return with_de ? "desquels" : "auxquels";
  if (article == "lesquelles") return with_de ? "desquelles" : "auxquelles";
  return {};
}

bool joins_left(std::string_view token, Language language) {
  if (one_of(token, {".", ",", ")", "]", "...", "…", "..", "%"})) {
    return token != "%" || language == Language::kEnglish;
  }
  if (language == Language::kFrench) {
    return token.size() > 1 && token[0] == '-' && token[1] != '-';  // "-il"
  }
  return one_of(token, {";", ":", "?", "!", "n't"}) || (token.size() > 1 && token[0] == '\'') || token == "'";
}

bool joins_right(std::string_view token, Language language) {
  if (one_of(token, {"(", "["})) return true;
  if (language == Language::kEnglish) return token == "$";
  return token.size() > 1 && token.ends_with('\'');
}

// What is written for each token, and whether it is written onto the one before. A token with
// `shared` set has the bytes of the one before.
struct Written {
  std::string text;
  bool joined = false;
  bool shared = false;
};

void elide_and_contract(std::vector<Written>& tokens) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    // After a hyphen a pronoun stays whole: "puis-je avoir", "est-ce un".
    if (i > 0 && tokens[i - 1].text == "-") continue;
    const std::string word = lower_case(tokens[i].text);
    const std::string next = lower_case(tokens[i + 1].text);
    if (elides(word, tokens[i + 1].text)) {
      tokens[i].text.pop_back();
      tokens[i].text += '\'';
      continue;
    }
    if (i + 2 < tokens.size() && (next == "le" || next == "les") &&
        (is_infinitive(next, tokens[i + 2].text) || (next == "le" && elides(next, tokens[i + 2].text)))) {
      continue;
    }
    if (const std::string both = contraction(word, next); !both.empty()) {
      tokens[i].text = is_capital(tokens[i].text) ? capitalised(both) : both;
      tokens[i + 1].shared = true;
      ++i;
    }
  }
}

bool is_letter_or_digit(std::uint32_t code) {
  return (code >= '0' && code <= '9') || (code >= 'A' && code <= 'Z') || (code >= 'a' && code <= 'z') ||
         (code >= 0xC0 && code < 0x2000 && code != 0xD7 && code != 0xF7);
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Utf8Char next = utf8_char(text);
    if (next.well_formed) {
      append_utf8(result, lower(next.code));
    } else {
      result += text.substr(0, next.length);
    }
    text.remove_prefix(next.length);
  }
  return result;
}

std::vector<std::string> lower_words(std::string_view text, std::span<const ByteRange> ranges) {
  std::vector<std::string> words;
  words.reserve(ranges.size());
  for (const ByteRange range : ranges) words.push_back(lower_case(text.substr(range.begin, range.size())));
  return words;
}

NaturalText natural_text(std::span<const std::string> tokens, Language language) {
  std::vector<Written> written;
  written.reserve(tokens.size());
  for (const std::string& token : tokens) written.push_back({with_plain_apostrophes(token)});
  if (language == Language::kFrench) elide_and_contract(written);

  bool quoting = false;
  bool join_next = true;  // the first
  for (Written& token : written) {
    if (token.shared) continue;
    token.joined = join_next;
    join_next = false;
    if (token.text == "\"") {
      token.joined |= quoting;
      quoting = !quoting;
      join_next = quoting;
    } else if (token.text == "-") {
      token.joined = true;
      join_next = true;
    } else {
      token.joined |= joins_left(token.text, language);
      join_next = joins_right(token.text, language);
    }
  }

  NaturalText natural;
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (written[i].shared) {
      const ByteRange same = natural.words.back();
      natural.words.push_back(same);
      continue;
    }
    if (!written[i].joined) natural.text += ' ';
    const auto begin = static_cast<std::uint32_t>(natural.text.size());
    natural.text += i == 0 ? capitalised(written[i].text) : written[i].text;
    natural.words.push_back({begin, static_cast<std::uint32_t>(natural.text.size())});
  }
  return natural;
}

Language language_of(std::string_view tag) {
  return tag.substr(0, tag.find('-')) == "fr" ? Language::kFrench : Language::kEnglish;
}

std::vector<ByteRange> plain_words(std::string_view text, Language language) {
  std::vector<ByteRange> words;
  for (const std::string_view part : split_white_space(text)) {
    const auto base = static_cast<std::size_t>(part.data() - text.data());
    // One word goes on over letters and digits, and over what they enclose: 3.5, don't.
    std::size_t at = 0;
    bool open = false;
    while (at < part.size()) {
      const Utf8Char here = utf8_char(part.substr(at));
      const std::size_t after = at + here.length;
      const bool solid = is_letter_or_digit(here.code);
      const bool enclosed = open && after < part.size() && is_letter_or_digit(utf8_char(part.substr(after)).code);
      const auto extend = [&](bool onto_last) {
        const auto end = static_cast<std::uint32_t>(base + after);
        if (onto_last) {
          words.back().end = end;
        } else {
          words.push_back({static_cast<std::uint32_t>(base + at), end});
        }
      };
      const std::string_view rest = part.substr(at);
      if (solid) {
        // don't -> do n't
        const bool negated =
            language == Language::kEnglish && open && (rest.starts_with("n't") || rest.starts_with("n\xE2\x80\x99t"));
        extend(open && !negated);
        open = true;
      } else if (here.code == '\'' || here.code == 0x2019) {
        if (language == Language::kFrench) {
          extend(open);
          open = false;
        } else {
          // 's -> apart; the t of n't stays with its n.
          const bool after_n = open && part.substr(0, at).ends_with('n') && enclosed && part[after] == 't';
          extend(after_n);
          open = enclosed;
        }
      } else if ((here.code == '.' || here.code == ',') && enclosed) {
        extend(true);
      } else {
        extend(false);
        open = false;
      }
      at = after;
    }
  }
  return words;
}

}  // namespace softalign
