#include "decoding/translator.h"

#include <cmath>
#include <memory>
#include <numeric>

#include "tokens.h"

namespace softalign::js {
namespace {

// The end of the sentence, which has no characters, comes last.
std::vector<TokenSpan> group_and_end(const Annotation& text, const Tokenizer& tokenizer, bool words) {
  std::vector<TokenSpan> spans = group(text, tokenizer, words);
  spans.push_back({text.tokens.size(), text.tokens.size() + 1});
  return spans;
}

val trace(const Translation& translation, const Translator& translator, bool words) {
  const auto source = group_and_end(translation.source, translator.source_tokenizer(), words);
  const auto target = group_and_end(translation.target, translator.target_tokenizer(), words);
  const auto& log_probability = translation.log_probability;
  std::vector<float> confidence;
  for (const TokenSpan& span : target) {
    confidence.push_back(std::exp(std::accumulate(log_probability.begin() + span.first,
                                                  log_probability.begin() + span.last, 0.0f)));
  }
  val result = val::object();
  result.set("translation", translation.target.text);
  result.set("sourceRanges", ranges(translation.source, std::span(source).first(source.size() - 1)));
  result.set("targetRanges", ranges(translation.target, std::span(target).first(target.size() - 1)));
  result.set("attention", translation.attention.empty()
                              ? val::null()
                              : copy_out(attention_by_word(translation.attention, translation.source.tokens.size() + 1,
                                                                   target, source)));
  result.set("confidence", copy_out(confidence));
  result.set("logProbability", std::accumulate(log_probability.begin(), log_probability.end(), 0.0));
  result.set("predictions", log_probability.size());
  return result;
}

// What JavaScript wants translated, with the texts that the sentences view.
struct Wishes {
  struct Texts {
    std::string text, beginning;
    std::vector<Sentence::Term> terms;
  };
  std::vector<Texts> texts;
  std::vector<Sentence> sentences;

  explicit Wishes(const val& from) {
    for (const val& s : emscripten::vecFromJSArray<val>(from)) {
      Texts& t = texts.emplace_back(Texts{s["text"].as<std::string>(), s["beginning"].as<std::string>(), {}});
      for (const val& term : emscripten::vecFromJSArray<val>(s["terms"])) {
        t.terms.push_back({term["text"].as<std::string>(), {term["begin"].as<std::uint32_t>(), term["end"].as<std::uint32_t>()}});
      }
    }
    for (const Texts& t : texts) sentences.push_back({t.text, t.beginning, t.terms});
  }
};

}  // namespace

class TranslatorCore : public Counted {
 public:
  explicit TranslatorCore(Translator translator) : translator_(std::move(translator)) {}

  // Of { text, beginning, terms } each, several at once. A max_length_factor of 0 is the model's own.
  val translate(const val& sentences, int beam, double max_length_factor) {
    return guarded([&] {
      val texts = val::array();
      for (const auto& best : translator_.translate(Wishes(sentences).sentences, options(beam, max_length_factor))) {
        texts.call<void>("push", best.front().target.text);
      }
      return texts;
    });
  }
  // The traces of the `count` best translations of each.
  val explain(const val& sentences, int beam, double max_length_factor, int count, bool words) {
    return guarded([&] {
      val all = val::array();
      Options wanted = options(beam, max_length_factor);
      wanted.trace = true;
      wanted.best = count;
      for (const auto& best : translator_.translate(Wishes(sentences).sentences, wanted)) {
        val traces = val::array();
        for (const Translation& t : best) traces.call<void>("push", trace(t, translator_, words));
        all.call<void>("push", traces);
      }
      return all;
    });
  }
  val align(const std::string& source, const std::string& target, bool words) {
    return guarded([&] { return trace(translator_.align(source, target), translator_, words); });
  }
  // Where each piece of a text begins, in JavaScript string offsets.
  val piece_starts(const std::string& text) {
    return guarded([&] {
      const Annotation annotation = translator_.source_tokenizer().encode(text);
      std::vector<std::uint32_t> starts;
      for (const Token& token : annotation.tokens) starts.push_back(token.range.begin);
      return copy_out(utf16_offsets(annotation.text, starts));
    });
  }
  val source_language() {
    return guarded([&] { return val(translator_.info().source_language); });
  }
  val target_language() {
    return guarded([&] { return val(translator_.info().target_language); });
  }

 private:
  static Options options(int beam, double max_length_factor) {
    Options o = {.beam = beam};
    if (max_length_factor > 0) o.max_length_factor = max_length_factor;
    return o;
  }

  Translator translator_;
};

// The file is only needed until what is in it is unpacked.
val create_translator(const val& model) {
  return guarded([&] {
    return val(std::make_shared<TranslatorCore>(Translator(bytes_in(model).view)));
  });
}

// Of an empty array for each file that there is not. Weights and shortlist stay in use as they lie in their files.
val create_marian_translator(const val& weights, const val& source_vocabulary, const val& target_vocabulary, const val& shortlist,
                             const std::string& source_language, const std::string& target_language) {
  return guarded([&] {
    return val(std::make_shared<TranslatorCore>(Translator({.weights = bytes_in(weights),
                                                            .source_vocabulary = bytes_in(source_vocabulary),
                                                            .target_vocabulary = bytes_in(target_vocabulary),
                                                            .shortlist = bytes_in(shortlist)},
                                                           source_language, target_language)));
  });
}

EMSCRIPTEN_BINDINGS(translator) {
  emscripten::class_<TranslatorCore>("TranslatorCore")
      .smart_ptr<std::shared_ptr<TranslatorCore>>("TranslatorCorePtr")
      .function("translate", &TranslatorCore::translate)
      .function("explain", &TranslatorCore::explain)
      .function("align", &TranslatorCore::align)
      .function("pieceStarts", &TranslatorCore::piece_starts)
      .function("sourceLanguage", &TranslatorCore::source_language)
      .function("targetLanguage", &TranslatorCore::target_language);
  emscripten::function("createTranslator", &create_translator);
  emscripten::function("createMarianTranslator", &create_marian_translator);
}

}  // namespace softalign::js
