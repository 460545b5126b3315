#include "io/lexical_shortlist.h"

#include <algorithm>
#include <limits>
#include <string>

#include "io/byte_reader.h"

namespace softalign {
namespace {

constexpr const char* kWhat = "shortlist";
constexpr std::uint64_t kMagic = 0xF11A48D5013417F5;
constexpr std::size_t kMultiple = 8;

[[noreturn]] void fail(const std::string& why) { throw FormatError(std::string(kWhat) + ": " + why); }

}  // namespace

LexicalShortlist::LexicalShortlist(std::span<const std::byte> file, std::size_t source_words, std::size_t target_words)
    : target_words_(target_words) {
  ByteReader reader(kWhat, file);
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
  if (entries > std::numeric_limits<std::uint32_t>::max()) fail("it has " + std::to_string(entries) + " entries, expected less than 2^32");
  first_ = static_cast<std::size_t>(std::min<std::uint64_t>(first, target_words));
  begins_.reserve(begins);
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < begins; ++i) {
    const auto begin = reader.number<std::uint64_t>("where a list begins");
    if (begin < before || begin > entries) {
      fail("list " + std::to_string(i) + " begins at " + std::to_string(begin) + ", expected " + std::to_string(before) + " to " + std::to_string(entries));
    }
    begins_.push_back(static_cast<std::uint32_t>(before = begin));
  }
  const auto bytes = reader.take(static_cast<std::size_t>(std::min<std::uint64_t>(entries * sizeof(std::uint32_t), std::numeric_limits<std::size_t>::max())), "the lists");
  lists_.resize(static_cast<std::size_t>(entries));
  std::memcpy(lists_.data(), bytes.data(), bytes.size());
  for (const std::uint32_t word : lists_) {
    if (word >= target_words) {
      fail("it lists word " + std::to_string(word) + ", expected 0 to " + std::to_string(target_words - 1) + " of the target vocabulary");
    }
  }
}

std::vector<std::int32_t> LexicalShortlist::words(std::span<const std::int32_t> source, bool shared,
                                                  std::span<const std::int32_t> more) const {
  std::vector<char> has(target_words_);
  std::fill_n(has.begin(), first_, 1);
  for (const std::int32_t id : more) has[static_cast<std::size_t>(id)] = 1;
  for (const std::int32_t id : source) {
    const auto s = static_cast<std::size_t>(id);
    if (shared) has[s] = 1;
    for (std::uint32_t i = begins_[s]; i < begins_[s + 1]; ++i) has[lists_[i]] = 1;
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
