#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/random.h"
#include "models/text_model.h"
#include "text/tokenizer.h"
#include "training/corpus.h"

// What text models learn from: texts, what is asked about each, and the answers.
namespace softalign::training {

struct TextExample {
  std::vector<std::int32_t> ids;
  std::vector<std::int32_t> places;   // in ids; none: the whole text is asked about
  std::vector<std::int32_t> answers;  // one a place, or one
};

// Pads and transposes.
models::TextBatch to_text_batch(std::span<const TextExample> examples);

// Each line as a text whose next word is asked for after each word. eos comes before the first word and after the
// last. Empty lines are left out.
std::vector<TextExample> next_words(const std::vector<std::string>& lines, const Tokenizer& tokenizer);

// Each line without anything that is asked.
std::vector<TextExample> plain_texts(const std::vector<std::string>& lines, const Tokenizer& tokenizer);
// The same with words to be found out (Devlin et al. 2019, 3.1): 15 % of the pieces, at least one, are asked for;
// of these 8 in 10 are masked, 1 becomes any other piece, 1 stays.
std::vector<TextExample> mask_words(const std::vector<TextExample>& texts, std::int32_t mask, Random& random);

struct TaggedSentence {
  std::vector<std::string> words, tags;
};
// The words and universal parts of speech (UPOS) of a CoNLL-U file; ranges of several words in one token ("1-2")
// and empty nodes ("1.1") are left out. Throws FormatError naming the line that is none.
std::vector<TaggedSentence> read_conllu(const std::filesystem::path& path);
// Lines "label<TAB>text", as pairs.
using LabelledText = TextPair;

// The distinct tags, or labels, in alphabetical order.
std::vector<std::string> labels_of(const std::vector<TaggedSentence>& sentences);
std::vector<std::string> labels_of(const std::vector<LabelledText>& texts);

// Answers are numbers of `labels`; throws ArgumentError for one that is not among them.
std::vector<TextExample> tagged(const std::vector<TaggedSentence>& sentences, const std::vector<std::string>& labels,
                                const Tokenizer& tokenizer);
std::vector<TextExample> classified(const std::vector<LabelledText>& texts, const std::vector<std::string>& labels,
                                    const Tokenizer& tokenizer);

}  // namespace softalign::training
