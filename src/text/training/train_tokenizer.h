#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace softalign {

struct TokenizerSettings {
  std::size_t vocabulary_size = 6000;
  double character_coverage = 0.99999;  // rarer characters become the unknown symbol,
  // but for these, which every text may have: letters, digits and signs of ASCII
  std::string required_characters = "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";
};

// Trains a unigram SentencePiece model (Kudo 2018, arXiv:1804.10959) on `sentences`, which for a
// joint vocabulary are those of both languages. Text is normalised by nmt_nfkc; id 0 is the unknown
// symbol, 1 the end of a sentence; there is no begin-of-sentence and no padding symbol. The same
// sentences in the same order give the same model.
//
// Returns the serialised model, for Tokenizer. Throws ArgumentError saying what SentencePiece
// objects to, most often a vocabulary too large or too small for the text.
std::vector<std::byte> train_tokenizer(std::span<const std::string> sentences, const TokenizerSettings& settings = {});

}  // namespace softalign
