#pragma once

#include <vector>

#include "decoding/translator.h"
#include "text/words.h"

namespace softalign {

// What tokens are to somebody who looks at a translation: pieces, or words, which are groups of them; and whether the
// end of a sentence is one, too.
struct TokenLevel {
  bool words = true, end = false;

  std::vector<TokenSpan> spans(const Annotation& text, const Tokenizer& tokenizer) const;
};

// Translates with edits whose positions are tokens of that level. A masked token is masked with all its pieces; the
// weight of a source token in a row is shared evenly by its pieces. Rows are in the order of their steps: each is that
// of a token of the translation as it is with those before it, which is why it is translated anew with each; all pieces
// of the token that then stands there have it. (Should that go on with the word before, its row is shown averaged with that word's.) Rows
// beyond the translation's end are left out.
//
// Returns the best translations, as Translator::translate. Throws ArgumentError like that, for rows in another order, and
// for a mask or a row's weights that are not of the source's tokens.
std::vector<Translation> translate_edited(Translator& translator, const Sentence& sentence, const Options& options,
                                          const models::Edits& edits, const TokenLevel& level);

}  // namespace softalign
