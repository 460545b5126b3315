#include "text/sentences.h"

#include <unicode/ubrk.h>
#include <unicode/utext.h>

#include <memory>
#include <string>

#include "core/error.h"

namespace softalign {
namespace {

struct CloseText {
  void operator()(UText* text) const { utext_close(text); }
};
struct CloseIterator {
  void operator()(UBreakIterator* iterator) const { ubrk_close(iterator); }
};

void check(UErrorCode code, const char* locale) {
  if (U_FAILURE(code)) {
    throw ArgumentError("split_sentences: ICU says " + std::string(u_errorName(code)) + " for locale " + locale);
  }
}

}  // namespace

std::vector<std::string_view> split_sentences(std::string_view utf8, const char* locale) {
  UErrorCode code = U_ZERO_ERROR;
  const std::unique_ptr<UText, CloseText> text(utext_openUTF8(nullptr, utf8.data() == nullptr ? "" : utf8.data(),
                                                              static_cast<std::int64_t>(utf8.size()), &code));
  check(code, locale);
  const std::unique_ptr<UBreakIterator, CloseIterator> iterator(ubrk_open(UBRK_SENTENCE, locale, nullptr, 0, &code));
  check(code, locale);
  ubrk_setUText(iterator.get(), text.get(), &code);
  check(code, locale);

  std::vector<std::string_view> sentences;
  std::size_t begin = 0;
  while (begin < utf8.size()) {
    const std::int32_t next = ubrk_next(iterator.get());
    // Positions are bytes. ICU counts them in 32 bits; what is beyond stays one sentence.
    const std::size_t end = next == UBRK_DONE ? utf8.size() : static_cast<std::size_t>(next);
    sentences.push_back(utf8.substr(begin, end - begin));
    begin = end;
  }
  return sentences;
}

}  // namespace softalign
