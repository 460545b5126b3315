// Read before SentencePiece's sources where they are compiled for WebAssembly. It writes its messages through <iostream>, which
// brings locales, number formats and dates, an eighth of what a visitor would download; and nobody reads them, for the library
// never prints. What it builds with std::ostringstream are texts of words and whole numbers. C++11, as its sources are.
#pragma once

#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>

namespace std {  // since its sources say std::cerr

// Swallows everything.
struct quiet_ostream {
  template <class T>
  quiet_ostream& operator<<(const T&) {
    return *this;
  }
};
// A class of its own, since what others declare for std::ostream would be preferred to a template.
struct quiet_cerr_t : quiet_ostream {
  template <class T>
  quiet_cerr_t& operator<<(const T&) {
    return *this;
  }
};
static quiet_cerr_t quiet_cerr;
struct quiet_endl_t {};
static const quiet_endl_t quiet_endl = {};

class quiet_ostringstream {
 public:
  quiet_ostringstream& operator<<(int value) { return append(to_string(value)); }
  quiet_ostringstream& operator<<(unsigned long value) { return append(to_string(value)); }
  quiet_ostringstream& operator<<(char value) { return append(string(1, value)); }
  quiet_ostringstream& operator<<(const char* value) { return append(value); }
  // Strings and views of strings.
  template <class Text>
  auto operator<<(const Text& value) -> decltype(value.data(), value.size(), *this) {
    return append(string(value.data(), value.size()));
  }
  quiet_ostringstream& operator<<(ios_base& (*manipulator)(ios_base&));  // nowhere defined: a template names it that nobody uses
  const string& str() const { return text_; }

 private:
  quiet_ostringstream& append(const string& more) {
    text_ += more;
    return *this;
  }
  string text_;
};

// One whole number.
class quiet_stringstream {
 public:
  quiet_stringstream& operator<<(const char* text) {
    text_ = text;
    return *this;
  }
  quiet_stringstream& operator>>(int& value) {
    char* end = nullptr;
    value = static_cast<int>(strtol(text_, &end, 10));
    good_ = end != text_;
    return *this;
  }
  explicit operator bool() const { return good_; }

 private:
  const char* text_ = "";
  bool good_ = true;
};

}  // namespace std

#define cerr quiet_cerr
#define endl quiet_endl
#define ostream quiet_ostream
#define ostringstream quiet_ostringstream
#define stringstream quiet_stringstream
