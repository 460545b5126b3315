#include "io/safetensors.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "core/error.h"

namespace softalign {
namespace {

using namespace std::literals;

std::span<const std::byte> as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

std::string file_of(std::string_view header, std::string_view data) {
  std::string file;
  for (int i = 0; i < 8; ++i) file += static_cast<char>(std::uint64_t{header.size()} >> (8 * i) & 0xFF);
  return file.append(header).append(data);
}

std::string message_of(std::string_view file) {
  try {
    Safetensors::parse(as_bytes(file));
  } catch (const FormatError& error) {
    EXPECT_STREQ(error.code(), "format");
    return error.what();
  }
  return "no error";
}

std::string message_of(std::string_view header, std::string_view data) { return message_of(file_of(header, data)); }

// The example of the format's reference implementation (huggingface/safetensors, test_deserialization).
TEST(Safetensors, ReadsTheReferenceExample) {
  const auto file =
      "<\0\0\0\0\0\0\0{\"test\":{\"dtype\":\"I32\",\"shape\":[2,2],\"data_offsets\":[0,16]}}"
      "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"sv;
  const Safetensors read = Safetensors::parse(as_bytes(file));
  ASSERT_EQ(read.tensors().size(), 1U);
  const TensorEntry* tensor = read.find("test");
  ASSERT_NE(tensor, nullptr);
  EXPECT_EQ(tensor->type, DType::kI32);
  EXPECT_EQ(tensor->shape, (std::vector<std::size_t>{2, 2}));
  EXPECT_EQ(tensor->bytes.data(), as_bytes(file).data() + 68);
  EXPECT_EQ(tensor->bytes.size(), 16U);
  EXPECT_EQ(tensor->elements(), 4U);
  EXPECT_EQ(read.find("tes"), nullptr);
  EXPECT_TRUE(read.metadata().empty());
}

TEST(Safetensors, ReadsMetadataEscapesAndSpace) {
  const Safetensors read = Safetensors::parse(as_bytes(
      file_of(" {\n\"__metadata__\" : {\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\" : \"\\u00e9\\ud83d\\ude00\\u20AC\", \"b\":\"\"},"
              "\"s\":{\"shape\":[],\"data_offsets\":[0,8],\"dtype\":\"F64\"} , "
              "\"none\":{\"dtype\":\"U8\",\"shape\":[3,0],\"data_offsets\":[8,8]}} \t\r\n  ",
              "12345678")));
  EXPECT_EQ(read.metadata().at("a\"\\/\b\f\n\r\t"), "\u00e9\U0001f600\u20ac");
  EXPECT_EQ(read.metadata().at("b"), "");
  ASSERT_NE(read.find("s"), nullptr);
  EXPECT_EQ(read.find("s")->elements(), 1U);
  ASSERT_NE(read.find("none"), nullptr);
  EXPECT_EQ(read.find("none")->elements(), 0U);
}

TEST(Safetensors, AcceptsAFileWithoutTensors) {
  EXPECT_TRUE(Safetensors::parse(as_bytes(file_of("{}", ""))).tensors().empty());
}

struct Sample {
  std::vector<float> floats = {1.5F, -2, 0.25F, 1e-20F, 0, 7};
  std::string small = "\x01\x02";
  std::string text = "hello";
  std::vector<TensorEntry> tensors = {
      {"b.bytes", DType::kU8, {5}, as_bytes(text)},
      {"a \"quoted\"\n\u00e9", DType::kI8, {2, 1}, as_bytes(small)},
      {"weights", DType::kF32, {2, 3}, std::as_bytes(std::span(floats))},
      {"nothing", DType::kF16, {0}, {}},
  };
  std::map<std::string, std::string> metadata = {{"format", "test"}, {"config", "{\"a\": [1]}\x01"}};
};

TEST(Safetensors, ReadsBackWhatItWrites) {
  const Sample sample;
  const std::vector<std::byte> file = serialize(sample.metadata, sample.tensors);
  const Safetensors read = Safetensors::parse(file);
  EXPECT_EQ(read.metadata(), sample.metadata);
  ASSERT_EQ(read.tensors().size(), sample.tensors.size());
  for (const TensorEntry& wanted : sample.tensors) {
    const TensorEntry* found = read.find(wanted.name);
    ASSERT_NE(found, nullptr) << wanted.name;
    EXPECT_EQ(found->type, wanted.type);
    EXPECT_EQ(found->shape, wanted.shape);
    EXPECT_TRUE(std::equal(found->bytes.begin(), found->bytes.end(), wanted.bytes.begin(), wanted.bytes.end()));
    EXPECT_EQ((found->bytes.data() - file.data()) % static_cast<int>(element_size(wanted.type)), 0);
  }
  // Written again, by another order, it is the same to the byte.
  std::vector<TensorEntry> turned(read.tensors().rbegin(), read.tensors().rend());
  EXPECT_EQ(serialize(read.metadata(), turned), file);
}

TEST(Safetensors, WritesTheReferenceExample) {
  // The same bytes as the reference implementation's own test (test_serialization): one tensor of
  // two F32 triples, header padded with spaces to a multiple of 8.
  const std::vector<float> data = {0, 1, 2, 3, 4, 5};
  const TensorEntry entry{"attn.0", DType::kF32, {1, 2, 3}, std::as_bytes(std::span(data))};
  const std::vector<std::byte> file = serialize({}, std::span(&entry, 1));
  const auto wanted =
      "\x40\0\0\0\0\0\0\0{\"attn.0\":{\"dtype\":\"F32\",\"shape\":[1,2,3],\"data_offsets\":[0,24]}}"
      "\0\0\0\0\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40\0\0\x80\x40\0\0\xa0\x40"sv;
  EXPECT_EQ((std::string_view(reinterpret_cast<const char*>(file.data()), file.size())), wanted);
}

TEST(Safetensors, RefusesToWriteNonsense) {
  const std::string data = "12345678";
  const auto write = [&](std::vector<TensorEntry> tensors) { return serialize({}, tensors); };
  EXPECT_THROW(write({{"a", DType::kF32, {3}, as_bytes(data)}}), ArgumentError);
  EXPECT_THROW(write({{"", DType::kF32, {2}, as_bytes(data)}}), ArgumentError);
  EXPECT_THROW(write({{"__metadata__", DType::kF32, {2}, as_bytes(data)}}), ArgumentError);
  EXPECT_THROW(write({{"a\xff", DType::kF32, {2}, as_bytes(data)}}), ArgumentError);
  EXPECT_THROW(write({{"a", DType::kF32, {2}, as_bytes(data)}, {"a", DType::kF32, {2}, as_bytes(data)}}),
               ArgumentError);
  EXPECT_THROW(serialize({{"a", "\xc3"}}, {}), ArgumentError);
}

TEST(SafetensorsHostile, NamesTheCulpritTheValueAndWhatWasExpected) {
  EXPECT_EQ(message_of("1234567"), "safetensors: file has 7 bytes, expected at least 8");
  EXPECT_EQ(message_of("\xff\xff\xff\xff\xff\xff\xff\x7f{}"sv),
            "safetensors: header of 9223372036854775807 bytes, expected at most 2 (is this a "
            "safetensors file, and whole?)");
  EXPECT_EQ(message_of(R"({"w":{"dtype":"F32","shape":[2,2],"data_offsets":[0,12]}})", "123456789012"),
            "safetensors: tensor \"w\" has 12 bytes, expected 16 for F32 [2, 2]");
  EXPECT_EQ(message_of(R"({"w":{"dtype":"F31","shape":[2],"data_offsets":[0,8]}})", "12345678"),
            "safetensors: tensor \"w\" has dtype \"F31\", expected one like \"F32\", \"F16\", \"I8\" or \"U8\"");
  EXPECT_EQ(message_of(R"({"w":{"dtype":"U8","shape":[9],"data_offsets":[0,9]}})", "12345678"),
            "safetensors: tensor \"w\" has data_offsets [0, 9], expected [begin, end] within 8 bytes of data");
  EXPECT_EQ(message_of(R"({"w":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})", "12345678"),
            "safetensors: tensors cover 4 bytes of data, but the file has 8");
}

std::string two(std::string_view first, std::string_view second) {
  return "{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":" + std::string(first) +
         "},\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":" + std::string(second) + "}}";
}

TEST(SafetensorsHostile, TensorsMustTileTheData) {
  EXPECT_EQ(message_of(two("[0,4]", "[4,8]"), "12345678"), "no error");
  EXPECT_EQ(message_of(two("[4,8]", "[0,4]"), "12345678"), "no error");
  EXPECT_EQ(message_of(two("[0,4]", "[3,7]"), "12345678"),
            "safetensors: tensor \"b\" begins at byte 3 of the data, expected 4 (no gap, no overlap)");
  EXPECT_EQ(message_of(two("[0,4]", "[5,9]"), "123456789"),
            "safetensors: tensor \"b\" begins at byte 5 of the data, expected 4 (no gap, no overlap)");
  EXPECT_EQ(message_of(two("[0,4]", "[0,4]"), "1234"),
            "safetensors: tensor \"b\" begins at byte 0 of the data, expected 4 (no gap, no overlap)");
  EXPECT_NE(message_of(two("[1,5]", "[5,9]"), "123456789"), "no error");
  EXPECT_NE(message_of(two("[4,0]", "[4,8]"), "12345678"), "no error");
  EXPECT_NE(message_of(two("[0,4,8]", "[4,8]"), "12345678"), "no error");
  EXPECT_NE(message_of(two("[]", "[4,8]"), "12345678"), "no error");
}

TEST(SafetensorsHostile, HugeNumbersDoNotWrapAround) {
  const auto shape = [](std::string_view numbers) {
    return message_of("{\"w\":{\"dtype\":\"F64\",\"shape\":[" + std::string(numbers) + "],\"data_offsets\":[0,0]}}",
                      "");
  };
  EXPECT_EQ(shape("0," + std::to_string(SIZE_MAX)), "no error");
  // 2^61 * 8 and 2^32 * 2^32 are 0 in 64 bits.
  EXPECT_NE(shape("2305843009213693952"), "no error");
  EXPECT_NE(shape("4294967296,4294967296"), "no error");
  EXPECT_NE(shape("65536,65536,65536,65536"), "no error");
  EXPECT_NE(shape("18446744073709551616"), "no error");
  EXPECT_NE(shape("99999999999999999999999999"), "no error");
  EXPECT_NE(message_of(two("[0,18446744073709551615]", "[4,8]"), "12345678"), "no error");
}

TEST(SafetensorsHostile, NamesMustBeUnique) {
  EXPECT_EQ(
      message_of(
          R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},"\u0061":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})",
          ""),
      "safetensors: \"a\" is in the header twice");
  EXPECT_EQ(message_of(R"({"__metadata__":{"k":"1","k":"2"}})", ""), "safetensors: metadata \"k\" is there twice");
  EXPECT_NE(message_of(R"({"__metadata__":{},"__metadata__":{}})", ""), "no error");
  EXPECT_EQ(message_of(R"({"a":{"dtype":"U8","dtype":"U8","shape":[0],"data_offsets":[0,0]}})", ""),
            "safetensors: tensor \"a\" says dtype twice");
}

TEST(SafetensorsHostile, RefusesEverythingThatIsNotTheHeadersJson) {
  // Between `before` and `after`, `good` makes a file, and nothing else does.
  const auto all = [](std::string_view before, std::string_view good, std::string_view after) {
    const auto with = [&](std::string_view value) {
      return message_of(std::string(before) + std::string(value) + std::string(after), "");
    };
    EXPECT_EQ(with(good), "no error");
    for (const std::string_view bad : {"",
                                       "null",
                                       "1",
                                       "true",
                                       "[]",
                                       "{}",
                                       "-1",
                                       "1e3",
                                       "1.5",
                                       "'U8'",
                                       "{\"a\":1}",
                                       "[[0]]",
                                       "[0,]",
                                       "[,0]",
                                       "[0 0]",
                                       "[0",
                                       "[-0]",
                                       "[00]",
                                       "[0.0]",
                                       "[0,00]",
                                       "[\"0\"]",
                                       "[0,0}",
                                       "\"\\q\"",
                                       "\"\\u12\"",
                                       "\"\\ud800\"",
                                       "\"\\ud800\\u0041\"",
                                       "\"\\udc00\"",
                                       "\"\x01\"",
                                       "\"\xff\"",
                                       "\"\xed\xa0\x80\"",
                                       "\"",
                                       "\\"}) {
      EXPECT_NE(with(bad), "no error") << before << bad << after;
    }
  };
  const std::string good = R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})";
  ASSERT_EQ(message_of(good, ""), "no error");
  for (const char* bad : {"null",
                          "1",
                          "[]",
                          "[{}]",
                          "\"\"",
                          "",
                          " ",
                          "}",
                          "{",
                          "{}{}",
                          "{}x",
                          "{\"a\"}",
                          "{\"a\":}",
                          "{\"a\":{}}",
                          "{\"a\":{},}",
                          "{,}",
                          "\xEF\xBB\xBF{}",
                          "{\"__metadata__\":[]}",
                          "{\"__metadata__\":{\"k\":1}}",
                          "{\"__metadata__\":{\"k\":null}}"}) {
    EXPECT_NE(message_of(bad, ""), "no error") << bad;
  }
  all("{\"a\":", R"({"dtype":"U8","shape":[0],"data_offsets":[0,0]})", "}");
  all("{\"a\":{\"dtype\":", "\"U8\"", ",\"shape\":[0],\"data_offsets\":[0,0]}}");
  all("{\"a\":{\"dtype\":\"F32\",\"shape\":", "[0]", ",\"data_offsets\":[0,0]}}");
  all("{\"a\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":", "[0,0]", "}}");
  all("{\"__metadata__\":{\"k\":", "\"v\"", "}}");
  EXPECT_NE(message_of(R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0],"more":1}})", ""), "no error");
}

TEST(SafetensorsHostile, DepthCostsNothing) {
  for (const char open : {'[', '{'}) {
    const std::string deep(5'000'000, open);
    EXPECT_NE(message_of(deep, ""), "no error");
    EXPECT_NE(message_of("{\"a\":" + deep, ""), "no error");
    EXPECT_NE(message_of("{\"a\":{\"dtype\":\"U8\",\"shape\":" + deep, ""), "no error");
  }
  std::string many = "{\"a\":{\"dtype\":\"U8\",\"shape\":[1";
  for (int i = 0; i < 100'000; ++i) many += ",1";
  EXPECT_EQ(message_of(many + "],\"data_offsets\":[0,0]}}", ""),
            "safetensors: tensor \"a\" has more than 16 numbers in its shape");
}

TEST(SafetensorsHostile, LongNamesAreNotQuotedWhole) {
  const std::string name(1'000'000, 'x');
  const std::string message = message_of("{\"" + name + "\":{}}", "");
  EXPECT_NE(message.find("xxx...\""), std::string::npos);
  EXPECT_LT(message.size(), 300U);
}

TEST(SafetensorsHostile, EveryTruncationIsAnError) {
  const Sample sample;
  const std::vector<std::byte> file = serialize(sample.metadata, sample.tensors);
  for (std::size_t length = 0; length < file.size(); ++length) {
    // A copy of exactly that size, so that a sanitizer sees a read beyond its end.
    const std::vector<std::byte> cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_THROW(Safetensors::parse(cut), FormatError) << length;
  }
  std::vector<std::byte> longer = file;
  longer.push_back(std::byte{0});
  EXPECT_THROW(Safetensors::parse(longer), FormatError);
}

TEST(SafetensorsHostile, EveryFlippedBitIsAnErrorOrAnotherValidFile) {
  const Sample sample;
  std::vector<std::byte> file = serialize(sample.metadata, sample.tensors);
  std::size_t refused = 0;
  for (std::size_t bit = 0; bit < file.size() * 8; ++bit) {
    file[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
    try {
      const Safetensors read = Safetensors::parse(file);
      std::size_t covered = 0;
      for (const TensorEntry& tensor : read.tensors()) {
        EXPECT_GE(tensor.bytes.data(), file.data());
        EXPECT_LE(tensor.bytes.data() + tensor.bytes.size(), file.data() + file.size());
        std::size_t wanted = element_size(tensor.type);
        for (const std::size_t dimension : tensor.shape) wanted *= dimension;
        EXPECT_EQ(tensor.bytes.size(), wanted);
        covered += tensor.bytes.size();
      }
      EXPECT_EQ(covered, 4 * 6 + 2 + 5U);
    } catch (const FormatError&) {
      ++refused;
    }
    file[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
  }
  EXPECT_GT(refused, file.size());  // most of the header's bits matter
}

}  // namespace
}  // namespace softalign
