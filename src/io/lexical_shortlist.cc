#include "io/lexical_shortlist.h"

#include <algorithm>
#include <string>
#include <utility>

#include "io/byte_reader.h"

namespace softalign {
namespace {

constexpr const char* kWhat = "shortlist";
constexpr std::uint64_t kMagic = 0xF11A48D5013417F5;
constexpr std::size_t kMultiple = 8;

[[noreturn]] void fail(const std::string& why) { throw FormatError(std::string(kWhat) + ": " + why); }

// Number i of those that begin at `at`, wherever that is.
template <class U>
U number_at(const std::byte* at, std::size_t i) {
  U value;
  std::memcpy(&value, at + i * sizeof(U), sizeof(U));
  return value;
}

}  // namespace

LexicalShortlist::LexicalShortlist(Bytes file, std::size_t source_words, std::size_t target_words)
    : target_words_(target_words), owner_(std::move(file.owner)) {
  if (!owner_) {
    const auto copy = std::make_shared<const std::vector<std::byte>>(file.view.begin(), file.view.end());
    file.view = *copy;
    owner_ = copy;
  }
  ByteReader reader(kWhat, file.view);
  if (reader.number<std::uint64_t>("the mark") != kMagic) fail("it does not begin as Marian's binary ones do");
  reader.number<std::uint64_t>("the checksum");  // which writers may leave out
  const auto first = reader.number<std::uint64_t>("the number of frequent words");
  reader.number<std::uint64_t>("the number of likely words");
  const std::size_t begins = reader.count("the number of lists", sizeof(std::uint64_t));
  const auto entries = reader.number<std::uint64_t>("the number of entries");
  if (begins != source_words + 1) {
    fail("it has lists for " + std::to_string(begins == 0 ? 0 : begins - 1) + " words, expected the " + std::to_string(source_words) +
         " of the source vocabulary");
  }
  first_ = static_cast<std::size_t>(std::min<std::uint64_t>(first, target_words));
  begins_ = reader.take(begins * sizeof(std::uint64_t), "where the lists begin").data();
  if (entries > reader.left() / sizeof(std::uint32_t)) {
    fail("it has " + std::to_string(entries) + " entries, expected at most " + std::to_string(reader.left() / sizeof(std::uint32_t)) +
         ", for which there are bytes");
  }
  lists_ = reader.take(static_cast<std::size_t>(entries) * sizeof(std::uint32_t), "the lists").data();
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < begins; ++i) {
    const auto begin = number_at<std::uint64_t>(begins_, i);
    if (begin < before || begin > entries) {
      fail("list " + std::to_string(i) + " begins at " + std::to_string(begin) + ", expected " + std::to_string(before) + " to " + std::to_string(entries));
    }
    before = begin;
  }
  for (std::size_t i = 0; i < entries; ++i) {
    if (const auto word = number_at<std::uint32_t>(lists_, i); word >= target_words) {
      fail("it lists word " + std::to_string(word) + ", expected 0 to " + std::to_string(target_words - 1) + " of the target vocabulary");
    }
  }
}

std::vector<std::int32_t> LexicalShortlist::words(std::span<const std::int32_t> source, bool shared,
                                                  std::span<const std::int32_t> more) const {
  std::string has(target_words_, '\0');  // of bytes
  std::fill_n(has.begin(), first_, 1);
  for (const std::int32_t id : more) has[static_cast<std::size_t>(id)] = 1;
  for (const std::int32_t id : source) {
    const auto s = static_cast<std::size_t>(id);
    if (shared) has[s] = 1;
    const auto end = number_at<std::uint64_t>(begins_, s + 1);
    for (auto i = number_at<std::uint64_t>(begins_, s); i < end; ++i) has[number_at<std::uint32_t>(lists_, static_cast<std::size_t>(i))] = 1;
  }
  auto count = static_cast<std::size_t>(std::count(has.begin(), has.end(), 1));
  for (std::size_t w = first_; w < has.size() && count % kMultiple != 0; ++w) {
    count += !has[w];
    has[w] = 1;
  }
  std::vector<std::int32_t> words;
  words.reserve(count);
  for (std::size_t w = 0; w < has.size(); ++w) {
    if (has[w]) words.push_back(static_cast<std::int32_t>(w));
  }
  return words;
}

}  // namespace softalign
