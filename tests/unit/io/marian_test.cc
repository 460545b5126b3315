#include "io/marian.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "core/error.h"
#include "io/file.h"

namespace softalign {
namespace {

using File = std::vector<std::byte>;

const std::vector<float> kNumbers = {1, -2, 3, 0.5f, 0, 7};
const std::vector<std::int8_t> kBytes = {127, -127, 0, 5};

File small() {
  const auto bytes_of = [](const auto& values) { return std::as_bytes(std::span(values)); };
  const MarianTensor tensors[] = {
      {.name = "W", .type = MarianTensor::Type::kIntgemm8, .shape = {2, 2}, .values = bytes_of(kBytes), .multiplier = 63.5f},
      {.name = "b", .type = MarianTensor::Type::kFloat32, .shape = {2, 3}, .values = bytes_of(kNumbers)},
  };
  return serialize_marian("type: transformer\n", tensors);
}

// Where the numbers of such a file stand: the header, then three items of four, then their names.
constexpr std::size_t kItems = 16, kItem = 32, kNames = kItems + 3 * kItem, kDimensions = kNames + 2 + 2 + 18;

template <class U>
File with(std::size_t at, U value) {
  File file = small();
  std::memcpy(file.data() + at, &value, sizeof value);
  return file;
}

std::string error_of(const File& file) {
  try {
    MarianFile::parse(file);
  } catch (const FormatError& e) {
    return e.what();
  }
  return "no error";
}

void expect_error(const File& file, const std::string& part) {
  const std::string error = error_of(file);
  EXPECT_NE(error.find(part), std::string::npos) << error << "\nexpected: " << part;
}

TEST(MarianFile, ReadsWhatIsWritten) {
  const File file = small();
  const MarianFile read = MarianFile::parse(file);
  EXPECT_EQ(read.options(), "type: transformer\n");
  ASSERT_EQ(read.tensors().size(), 2);
  const MarianTensor& w = *read.find("W");
  EXPECT_EQ(w.type, MarianTensor::Type::kIntgemm8);
  EXPECT_EQ(w.shape, (std::vector<std::size_t>{2, 2}));
  EXPECT_EQ(w.multiplier, 63.5f);
  EXPECT_EQ(std::memcmp(w.values.data(), kBytes.data(), 4), 0);
  const MarianTensor& b = *read.find("b");
  EXPECT_EQ(b.elements(), 6);
  EXPECT_EQ(std::memcmp(b.values.data(), kNumbers.data(), b.values.size()), 0);
  for (const MarianTensor* tensor : {&w, &b}) EXPECT_EQ((tensor->values.data() - file.data()) % 256, 0) << tensor->name;
  EXPECT_EQ(read.find("x"), nullptr);
}

TEST(MarianFile, WhatLiesIsNamed) {
  expect_error(with<std::uint64_t>(0, 2), "the version is 2, expected 1");
  expect_error(with<std::uint64_t>(8, std::uint64_t{1} << 60), "the number of tensors is 1152921504606846976");
  expect_error(with<std::uint64_t>(kItems, 1 << 20), "name has 1048576 bytes");
  expect_error(with<std::uint64_t>(kItems + 8, 0x102), "\"W\" is of type 258");
  expect_error(with<std::uint64_t>(kItems + 16, 5), "\"W\" has 5 dimensions");
  expect_error(with<std::uint64_t>(kItems + 24, 7), "\"W\" has 7 bytes, which are too few");
  expect_error(with<std::uint64_t>(kItems + 24, ~std::uint64_t{0}), "\"W\" has 18446744073709551615 bytes");
  expect_error(with<std::int32_t>(kDimensions, 0), "\"W\" has a dimension of 0");
  expect_error(with<std::int32_t>(kDimensions, -2), "\"W\" has a dimension of -2");
  expect_error(with<std::int32_t>(kDimensions, std::numeric_limits<std::int32_t>::max()), "too few for its shape");
  expect_error(with<char>(kNames, '\xff'), "not UTF-8");
  expect_error(with<char>(kNames, 'b'), "\"b\" occurs twice");
  expect_error(with<std::uint64_t>(kItems + 2 * kItem + 8, 0x404), "options, \"special:model.yml\"");
  // A tensor that is named as the options are, and made text.
  const std::byte letter[] = {std::byte{'c'}};
  const MarianTensor options = {.name = "special:model.yml", .shape = {1}, .values = letter};
  File twice = serialize_marian("a: b\n", {&options, 1});
  const std::uint64_t text = 0x101;
  std::memcpy(twice.data() + kItems + 8, &text, sizeof text);
  expect_error(twice, "\"special:model.yml\", occur twice");
  const File file = small();
  const auto multiplier = static_cast<std::size_t>(MarianFile::parse(file).find("W")->values.data() - file.data()) + kBytes.size();
  for (const float bad : {0.0f, -1.0f, std::nanf(""), std::numeric_limits<float>::infinity()}) {
    expect_error(with<float>(multiplier, bad), "\"W\" has the multiplier");
  }
}

TEST(MarianFile, CutAnywhereIsAnError) {
  const File file = small();
  for (std::size_t size = 0; size < file.size(); ++size) {
    EXPECT_THROW(MarianFile::parse(std::span(file).first(size)), FormatError) << size;
  }
}

// An archive as numpy.savez writes it: no compression.
std::string member(const std::string& name, const std::string& header, const std::string& values, char method = 0) {
  std::string array = std::string("\x93NUMPY\x01\0", 8) + char(header.size()) + '\0' + header + values;
  const auto number = [](std::size_t n, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(n >> 8 * i & 255);
    return text;
  };
  return std::string("PK\x03\x04\x14\0\0\0", 8) + method + std::string(9, '\0') + number(array.size(), 4) + number(array.size(), 4) +
         number(name.size(), 2) + number(0, 2) + name + array;
}

File archive(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  return {bytes.begin(), bytes.end()};
}

std::string header(const std::string& shape, const std::string& type = "<f4", const std::string& order = "False") {
  return "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': (" + shape + "), }\n";
}

TEST(MarianFile, ReadsArchivesOfNumPy) {
  const std::string values(reinterpret_cast<const char*>(kNumbers.data()), 24);
  const std::string good = member("W.npy", header("2, 3"), values) + member("b.npy", header("6,"), values) +
                           member("special:model.yml.npy", header("4,", "|i1"), std::string("a: b\0", 5)) + "PK\x01\x02";
  const File file = archive(good);
  const MarianFile read = MarianFile::parse(file);
  EXPECT_EQ(read.options(), "a: b");
  EXPECT_EQ(read.find("W")->shape, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(std::memcmp(read.find("b")->values.data(), kNumbers.data(), 24), 0);
  expect_error(archive(member("W.npy", header("2, 3"), values, 8)), "\"W.npy\" is compressed");
  std::string changed = member("W.npy", header("2, 3"), values);
  changed[6] = 8;  // flags
  expect_error(archive(changed), "\"W.npy\" has its length behind it");
  changed = member("W.npy", header("2, 3"), values);
  changed[changed.find("NUMPY")] = 'M';
  expect_error(archive(changed), "\"W\" does not begin as NumPy's do");
  changed = member("W.npy", header("2, 3"), values);
  changed[18] = changed[19] = '\x7f';  // its size
  expect_error(archive(changed), "\"W\" has ");
  // A size of 64 bits stands in a field of its own, as NumPy writes it.
  const std::string plain = member("W.npy", header("2, 3"), values);
  const std::size_t name_end = 30 + 5;
  std::string extra = std::string("\x01\0\x10\0", 4) + std::string(16, '\0');
  for (const std::size_t at : {4, 12}) extra[at] = static_cast<char>(plain.size() - name_end);
  std::string large = plain.substr(0, name_end) + extra + plain.substr(name_end);
  for (std::size_t i = 18; i < 26; ++i) large[i] = '\xff';
  large[28] = static_cast<char>(extra.size());
  const File large_file = archive(large);
  EXPECT_EQ(MarianFile::parse(large_file).find("W")->elements(), 6);
  expect_error(archive(member("W.npy", header("2, 4"), values)), "\"W\" has too few bytes");
  expect_error(archive(member("W.npy", header("2, 0"), values)), "\"W\" has too few bytes");
  expect_error(archive(member("W.npy", header("2, x"), values)), "shape with \"x\"");
  expect_error(archive(member("W.npy", header("99999999999, 9"), values)), "2^31");
  expect_error(archive(member("W.npy", header("2, 3", "<f8"), values)), "type \"<f8\"");
  expect_error(archive(member("W.npy", header("2, 3", "<f4", "True"), values)), "Fortran");
  expect_error(archive(member("W.txt", header("2, 3"), values)), "\"W.txt\", expected arrays");
  expect_error(archive(member("W.npy", "{}", values)), "without 'descr'");
  for (std::size_t size = 4; size < good.size() - 4; ++size) {
    try {  // members that are whole are read
      MarianFile::parse(std::span(file).first(size));
    } catch (const FormatError&) {
    }
  }
}

TEST(MarianOptions, AreLinesListsAndNothingElse) {
  const MarianOptions o = MarianOptions::parse("# c\na: 1\nb: \"x y\"\nc:\n  - 2\n  - '3'\nd:\n  []\ne: [4, 5]\nf: \"\"\n");
  const auto is = [&](const char* name) { return *o.find(name); };
  using Values = std::vector<std::string>;
  EXPECT_EQ(is("a"), Values{"1"});
  EXPECT_EQ(is("b"), Values{"x y"});
  EXPECT_EQ(is("c"), (Values{"2", "3"}));
  EXPECT_EQ(is("d"), Values{});
  EXPECT_EQ(is("e"), (Values{"4", "5"}));
  EXPECT_EQ(is("f"), Values{""});
  EXPECT_EQ(o.find("g"), nullptr);
  for (const char* bad : {"a: &x 1", "a: *x", "a: !!str 1", "a: {b: 1}", "a: |\n  b", "  - 1", "a", ": 1", "a:1", "a: [1", "a: 1\na: 2", "a:\n  b: {c"}) {
    EXPECT_THROW(MarianOptions::parse(bad), FormatError) << bad;
  }
  EXPECT_THROW(MarianOptions::parse(std::string(1 << 17, '\n')), FormatError);
}

}  // namespace
}  // namespace softalign
