#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/utf8.h"

namespace softalign {

// Just the JSON that a header may hold (objects, strings, lists of natural numbers), so its depth is
// three whatever the bytes say, and nothing needs to be built before it is checked.
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : text_(text) {}

  // Calls member(key) for each, with the cursor at the value.
  template <class Member>
  void object(Member&& member) {
    expect('{');
    if (accept('}')) return;
    do {
      std::string key = string();
      expect(':');
      member(std::move(key));
    } while (accept(','));
    expect('}');
  }

  template <class Element>
  void list(Element&& element) {
    expect('[');
    if (accept(']')) return;
    do element();
    while (accept(','));
    expect(']');
  }

  std::size_t natural() {
    skip_space();
    const std::size_t start = at_;
    std::uint64_t value = 0;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
      const auto digit = static_cast<std::uint64_t>(text_[at_] - '0');
      if (value > (std::numeric_limits<std::size_t>::max() - digit) / 10) {
        fail("a number beyond this machine's addresses");
      }
      value = value * 10 + digit;
      ++at_;
    }
    if (at_ == start) fail("no natural number");
    if (text_[start] == '0' && at_ - start > 1) fail("a number with a leading zero");
    return static_cast<std::size_t>(value);
  }

  std::string string() {
    expect('"');
    std::string value;
    for (;;) {
      if (at_ == text_.size()) fail("an unfinished string");
      const char c = text_[at_];
      if (c == '"') break;
      if (c == '\\') {
        ++at_;
        escape(value);
        continue;
      }
      if (static_cast<unsigned char>(c) < 0x20) fail("a control character in a string");
      const Utf8Char next = utf8_char(text_.substr(at_));
      if (!next.well_formed) fail("invalid UTF-8 in a string");
      value.append(text_, at_, next.length);
      at_ += next.length;
    }
    ++at_;
    return value;
  }

  void end() {
    skip_space();
    if (at_ != text_.size()) fail("something after the closing brace");
  }

 private:
  [[noreturn]] void fail(const std::string& found) const {
    throw FormatError("safetensors: header has " + found + " at byte " + std::to_string(at_) + " of " +
                      std::to_string(text_.size()));
  }

  void skip_space() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r')) {
      ++at_;
    }
  }

  bool accept(char c) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!accept(c)) fail(std::string("no '") + c + "' where one is expected,");
  }

  std::uint32_t hex4() {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = at_ < text_.size() ? text_[at_] : '\0';
      std::uint32_t digit = 0;
      if (c >= '0' && c <= '9') {
        digit = static_cast<std::uint32_t>(c - '0');
      } else if (c >= 'a' && c <= 'f') {
        digit = static_cast<std::uint32_t>(c - 'a') + 10;
      } else if (c >= 'A' && c <= 'F') {
        digit = static_cast<std::uint32_t>(c - 'A') + 10;
      } else {
        fail("a \\u without four hexadecimal digits");
      }
      value = value << 4 | digit;
    }
    return value;
  }

  // Reads what follows a backslash.
  void escape(std::string& value) {
    constexpr std::string_view kNames = "\"\\/bfnrt";
    constexpr std::string_view kValues = "\"\\/\b\f\n\r\t";
    const char c = at_ < text_.size() ? text_[at_] : '\0';
    if (c == 'u') {
      ++at_;
      std::uint32_t code = hex4();
      if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_, 2) == "\\u") {
        at_ += 2;
        const std::uint32_t low = hex4();
        if (low < 0xDC00 || low > 0xDFFF) fail("half a surrogate pair");
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      }
      if (code >= 0xD800 && code <= 0xDFFF) fail("half a surrogate pair");
      append_utf8(value, code);
      return;
    }
    const std::size_t which = kNames.find(c);
    if (c == '\0' || which == std::string_view::npos) fail("an unknown escape");
    value += kValues[which];
    ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace softalign
