#include "text/word_pieces.h"

namespace softalign {

WordPieces word_pieces(std::span<const std::string> words, const Tokenizer& tokenizer) {
  WordPieces pieces;
  for (const std::string& word : words) {
    const Annotation annotation = tokenizer.encode(word);
    for (const Token& token : annotation.tokens) pieces.ids.push_back(token.id);
    if (annotation.tokens.empty()) pieces.ids.push_back(tokenizer.unk());
    pieces.last.push_back(static_cast<std::int32_t>(pieces.ids.size() - 1));
  }
  return pieces;
}

}  // namespace softalign
