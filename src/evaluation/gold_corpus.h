#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "evaluation/alignment.h"
#include "evaluation/natural_text.h"

namespace softalign {

// A sentence pair whose words people aligned. Links count the words of `source` (English) and
// `target` (French), which know their bytes: so attention between tokens becomes attention between
// the gold's own words by attention_by_range() (text/words.h), and links by strongest_links().
struct GoldPair {
  NaturalText source;
  NaturalText target;
  GoldAlignment gold;
};

// The word alignments of NAACL 2003 (447 pairs): enfr.src-tgt and enfr.gold in `folder`. English
// "|||" French; links count from 1.
std::vector<GoldPair> read_hansards(const std::filesystem::path& folder);

// The flat alignments of ALIBI: in each folder of `folder`/ali one file *_sents.txt a language
// and one ali_w2w_FRENCH_ENGLISH.txt that names them, French first; links count from 0. Stories in
// the order of their folders' names.
std::vector<GoldPair> read_alibi(const std::filesystem::path& folder);

// Both throw IoError if a file is missing, and FormatError naming file and line if one is not what
// it should be, or a link leaves its sentence.

}  // namespace softalign
