#include "io/lexical_shortlist.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "core/error.h"

namespace softalign {
namespace {

using Ids = std::vector<std::int32_t>;

// Three source words, of which the second has no list, for 20 target words, of which the first two are frequent.
std::vector<std::byte> file(std::uint64_t first = 2, std::vector<std::uint64_t> begins = {0, 3, 3, 5},
                            std::vector<std::uint32_t> lists = {4, 9, 1, 18, 19}, std::uint64_t magic = 0xF11A48D5013417F5) {
  std::vector<std::byte> bytes;
  const auto append = [&](const auto& value) {
    const auto more = std::as_bytes(std::span(&value, 1));
    for (const std::byte b : more) bytes.push_back(b);
  };
  for (const std::uint64_t number : {magic, std::uint64_t{0}, first, std::uint64_t{3}, std::uint64_t{begins.size()}, std::uint64_t{lists.size()}}) append(number);
  for (const auto begin : begins) append(begin);
  for (const auto word : lists) append(word);
  return bytes;
}

std::string error_of(const std::vector<std::byte>& bytes, std::size_t source_words = 3, std::size_t target_words = 20) {
  try {
    LexicalShortlist({bytes}, source_words, target_words);
  } catch (const FormatError& e) {
    return e.what();
  }
  return "no error";
}

TEST(LexicalShortlist, HasTheFrequentTheLikelyAndTheWanted) {
  const LexicalShortlist list({file()}, 3, 20);
  const std::int32_t first[] = {0}, both[] = {2, 0, 2}, none[] = {1};
  const std::int32_t more[] = {15};
  // filled up to 8 with frequent words
  EXPECT_EQ(list.words(first, false, {}), (Ids{0, 1, 2, 3, 4, 5, 6, 9}));
  EXPECT_EQ(list.words(both, false, more), (Ids{0, 1, 2, 4, 9, 15, 18, 19}));
  EXPECT_EQ(list.words(both, true, more), (Ids{0, 1, 2, 4, 9, 15, 18, 19}));
  EXPECT_EQ(list.words(none, true, more), (Ids{0, 1, 2, 3, 4, 5, 6, 15}));
}

TEST(LexicalShortlist, HasTheSourcesOwnWordsOfOneVocabulary) {
  const LexicalShortlist list({file(2, std::vector<std::uint64_t>(21, 0), {})}, 20, 20);
  const std::int32_t source[] = {17};
  EXPECT_EQ(list.words(source, false, {}), (Ids{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(list.words(source, true, {}), (Ids{0, 1, 2, 3, 4, 5, 6, 17}));
}

TEST(LexicalShortlist, EndsWithTheVocabulary) {
  const LexicalShortlist list({file(100)}, 3, 20);
  const std::int32_t first[] = {0};
  EXPECT_EQ(list.words(first, false, {}).size(), 20);
}

TEST(LexicalShortlist, WhatLiesIsNamed) {
  const auto expect = [](const std::string& error, const std::string& part) { EXPECT_NE(error.find(part), std::string::npos) << error; };
  expect(error_of(file(2, {0, 3, 3, 5}, {4, 9, 1, 18, 19}, 1)), "does not begin as");
  expect(error_of(file(), 4), "lists for 3 words, expected the 4");
  expect(error_of(file(), 3, 19), "lists word 19, expected 0 to 18");
  expect(error_of(file(2, {0, 4, 3, 5})), "list 2 begins at 3, expected 4 to 5");
  expect(error_of(file(2, {0, 3, 3, 6})), "list 3 begins at 6, expected 3 to 5");
  auto many = file();
  const std::uint64_t entries = 1 << 30;
  std::memcpy(many.data() + 40, &entries, sizeof entries);
  expect(error_of(many), "1073741824 entries, expected at most 5");
  const auto whole = file();
  for (std::size_t size = 0; size < whole.size(); ++size) EXPECT_NE(error_of({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}), "no error") << size;
}

}  // namespace
}  // namespace softalign
