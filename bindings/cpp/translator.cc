#include "decoding/token_edits.h"

#include <array>
#include <cmath>
#include <memory>
#include <numeric>

#include "tokens.h"

namespace softalign::js {
namespace {

constexpr std::array kHeadKinds = {models::HeadKind::kCross, models::HeadKind::kEncoder, models::HeadKind::kDecoder};

// { texts, parents, logProbability } of all that a search followed; null if that was not kept.
val tree_out(const std::vector<decoding::Continuation>& tree, const Tokenizer& tokenizer) {
  if (tree.empty()) return val::null();
  val texts = val::array();
  std::vector<std::int32_t> parents;
  std::vector<float> log_probability;
  for (const decoding::Continuation& word : tree) {
    texts.call<void>("push", word.id == tokenizer.eos() ? std::string() : std::string(tokenizer.piece(word.id)));
    parents.push_back(word.parent);
    log_probability.push_back(word.log_probability);
  }
  val result = val::object();
  result.set("texts", texts);
  result.set("parents", copy_out(parents));
  result.set("logProbability", copy_out(log_probability));
  return result;
}

val trace(const Translation& translation, const Translator& translator, bool words) {
  // The end of the sentence, which has no characters, comes last.
  const TokenLevel level = {words, true};
  const auto source = level.spans(translation.source, translator.source_tokenizer());
  const auto target = level.spans(translation.target, translator.target_tokenizer());
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
  result.set("sourceIds", ids(translation.source, translator.source_tokenizer(), words));
  result.set("targetIds", ids(translation.target, translator.target_tokenizer(), words));
  result.set("attention", translation.attention.empty()
                              ? val::null()
                              : copy_out(attention_by_word(translation.attention, translation.source.tokens.size() + 1,
                                                                   target, source)));
  val heads = val::array();
  for (const decoding::HeadWeights& from : translation.heads) {
    const auto& rows = from.kind == models::HeadKind::kEncoder ? source : target;
    const auto& columns = from.kind == models::HeadKind::kDecoder ? target : source;
    val head = val::object();
    head.set("kind", std::string(head_kind_name(from.kind)));
    head.set("layer", from.layer);
    head.set("head", from.head);
    head.set("weights", copy_out(attention_by_word(from.weights, from.columns, rows, columns)));
    heads.call<void>("push", head);
  }
  result.set("heads", heads);
  result.set("confidence", copy_out(confidence));
  result.set("logProbability", std::accumulate(log_probability.begin(), log_probability.end(), 0.0));
  result.set("predictions", log_probability.size());
  result.set("tree", tree_out(translation.tree, translator.target_tokenizer()));
  return result;
}

models::Head head_from(const val& from) {
  const auto name = from["kind"].as<std::string>();
  const auto kind = std::find_if(kHeadKinds.begin(), kHeadKinds.end(), [&](models::HeadKind k) { return name == head_kind_name(k); });
  return {kind == kHeadKinds.end() ? models::HeadKind::kCross : *kind, from["layer"].as<std::size_t>(), from["head"].as<std::size_t>()};
}

// The edits of a sentence of so many tokens, from those of the text that begins with it.
models::Edits edits_from(const val& from, std::size_t tokens) {
  models::Edits edits;
  for (const val& token : emscripten::vecFromJSArray<val>(from["mask"])) {
    const auto index = token.as<double>();
    if (index >= 0 && index < static_cast<double>(tokens)) edits.mask.push_back(static_cast<std::size_t>(index));
  }
  for (const val& head : emscripten::vecFromJSArray<val>(from["off"])) edits.off.push_back(head_from(head));
  for (const val& row : emscripten::vecFromJSArray<val>(from["rows"])) {
    auto weights = emscripten::convertJSArrayToNumberVector<float>(row["weights"]);
    weights.resize(tokens);
    auto& added = edits.rows.emplace_back(models::Edits::Row{row["target"].as<std::size_t>(), std::move(weights)});
    if (!row["head"].isUndefined()) added.head = head_from(row["head"]);
  }
  edits.uniform = from["uniform"].as<bool>();
  return edits;
}

// What JavaScript wants translated, with the texts that the sentences view.
struct Wishes {
  struct Texts {
    std::string text, beginning;
    std::vector<Sentence::Term> terms;
  };
  std::vector<Texts> texts;
  std::vector<Sentence> sentences;

  explicit Wishes(const std::vector<val>& from) {
    for (const val& s : from) {
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
      const Wishes wishes(emscripten::vecFromJSArray<val>(sentences));
      for (const auto& best : translator_.translate(wishes.sentences, options(beam, max_length_factor))) {
        texts.call<void>("push", best.front().target.text);
      }
      return texts;
    });
  }
  // The traces of the best translations of a sentence, edited if it has edits; `wishes` says how many and of what.
  val explain(const val& sentence, const val& wishes) {
    return guarded([&] {
      const Wishes sentences({sentence});
      const Sentence& wish = sentences.sentences.front();
      const auto words = wishes["words"].as<bool>();
      Options wanted = options(wishes["beam"].as<int>(), wishes["maxLengthFactor"].as<double>());
      wanted.trace = true;
      wanted.heads = wishes["heads"].as<bool>();
      wanted.tree = wishes["tree"].as<bool>();
      wanted.best = wishes["count"].as<int>();
      const val edits = sentence["edits"];
      std::vector<Translation> best;
      if (edits.isUndefined()) {
        best = std::move(translator_.translate({&wish, 1}, wanted).front());
      } else {
        const TokenLevel level = {words, edits["special"].as<bool>()};
        const std::size_t tokens = level.spans(translator_.encode_source(wish.text), translator_.source_tokenizer()).size();
        best = translate_edited(translator_, wish, wanted, edits_from(edits, tokens), level);
      }
      val traces = val::array();
      for (const Translation& t : best) traces.call<void>("push", trace(t, translator_, words));
      return traces;
    });
  }
  val align(const std::string& source, const std::string& target, bool words, bool heads) {
    return guarded([&] { return trace(translator_.align(source, target, heads), translator_, words); });
  }
  // Where each piece of a text begins, in JavaScript string offsets.
  val piece_starts(const std::string& text) {
    return guarded([&] {
      const Annotation annotation = translator_.encode_source(text);
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
