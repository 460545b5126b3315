#include <memory>
#include <numeric>

#include "decoding/text_reader.h"
#include "text/word_pieces.h"
#include "tokens.h"

namespace softalign::js {
namespace {

constexpr std::size_t kMostPieces = 2000;  // attention grows with the square

void expect_size(std::size_t pieces) {
  if (pieces > kMostPieces) {
    throw ArgumentError("text has " + std::to_string(pieces) + " pieces, expected at most " + std::to_string(kMostPieces));
  }
}

std::vector<std::string> strings(const val& list) {
  const auto count = list["length"].as<std::size_t>();
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(list[i].as<std::string>());
  return out;
}

val list(const std::vector<std::string>& values) {
  val out = val::array();
  for (const std::string& value : values) out.call<void>("push", value);
  return out;
}

// [{ data, shape [heads, n, n] }, ...] of each layer, between groups of tokens.
val attention_out(const SelfAttention& attention, std::size_t tokens, const std::vector<TokenSpan>* spans) {
  val layers = val::array();
  for (const std::vector<float>& layer : attention.layers) {
    std::vector<float> grouped;
    for (std::size_t h = 0; spans && h < attention.heads; ++h) {
      const auto head = attention_by_word(std::span(layer).subspan(h * tokens * tokens, tokens * tokens), tokens, *spans, *spans);
      grouped.insert(grouped.end(), head.begin(), head.end());
    }
    const std::size_t n = spans ? spans->size() : tokens;
    layers.call<void>("push", tensor_out((spans ? grouped : layer).data(), {attention.heads, n, n}));
  }
  return layers;
}

}  // namespace

class LanguageModelCore : public Counted {
 public:
  explicit LanguageModelCore(std::span<const std::byte> model) : reader_(model) {}

  val read(const std::string& text, bool words) {
    return guarded([&] {
      expect_size(reader_.tokenizer().encode(text).tokens.size());
      const Reading reading = reader_.read(text);
      const auto spans = group(reading.text, reader_.tokenizer(), words);
      const std::size_t n = reading.text.tokens.size();
      // Columns: the beginning of the text, then its tokens.
      std::vector<TokenSpan> columns = {{0, 1}};
      for (const TokenSpan& span : spans) columns.push_back({span.first + 1, span.last + 1});
      std::vector<float> log_probability;
      for (const TokenSpan& span : spans) {
        log_probability.push_back(std::accumulate(reading.log_probability.begin() + span.first,
                                                  reading.log_probability.begin() + span.last, 0.0f));
      }
      val result = val::object();
      result.set("ranges", ranges(reading.text, spans));
      const bool looks_back = reader_.config().reader == models::ReaderKind::kLstmn;
      result.set("attention", looks_back ? copy_out(attention_by_word(reading.attention, n + 1, spans, columns)) : val::null());
      result.set("logProbability", copy_out(log_probability));
      result.set("end", reading.log_probability.back());
      result.set("pieces", n);
      return result;
    });
  }

 private:
  LanguageReader reader_;
};

class TaggerCore : public Counted {
 public:
  explicit TaggerCore(std::span<const std::byte> model) : tagger_(model) {}

  val labels() {
    return guarded([&] { return list(tagger_.config().labels); });
  }
  val tag(const val& words) {
    return guarded([&] {
      const auto given = strings(words);
      expect_size(word_pieces(given, tagger_.tokenizer()).ids.size());
      const Tagging tagging = tagger_.tag(given);
      val result = val::object();
      result.set("probability", copy_out(tagging.probability));
      result.set("attention", attention_out(tagging.attention, given.size(), nullptr));
      return result;
    });
  }

 private:
  TextTagger tagger_;
};

class ClassifierCore : public Counted {
 public:
  explicit ClassifierCore(std::span<const std::byte> model) : classifier_(model) {}

  val labels() {
    return guarded([&] { return list(classifier_.config().labels); });
  }
  val classify(const std::string& text, bool words) {
    return guarded([&] {
      expect_size(classifier_.tokenizer().encode(text).tokens.size());
      const Classification c = classifier_.classify(text);
      const auto spans = group(c.text, classifier_.tokenizer(), words);
      std::vector<float> pooling;
      for (const TokenSpan& span : spans) {
        pooling.push_back(std::accumulate(c.pooling.begin() + span.first, c.pooling.begin() + span.last, 0.0f));
      }
      val result = val::object();
      result.set("ranges", ranges(c.text, spans));
      result.set("probability", copy_out(c.probability));
      result.set("weights", copy_out(pooling));
      result.set("attention", attention_out(c.attention, c.text.tokens.size(), &spans));
      return result;
    });
  }

 private:
  TextClassifier classifier_;
};

class MaskedLanguageModelCore : public Counted {
 public:
  explicit MaskedLanguageModelCore(std::span<const std::byte> model) : filler_(model) {}

  val look(const val& parts, bool words) {
    return guarded([&] {
      const MaskedText masked = filler_.look(checked(parts));
      const auto& tokens = masked.text.tokens;
      // What is masked is a word of its own.
      std::vector<TokenSpan> spans;
      std::size_t first = 0;
      const auto add_until = [&](std::size_t last) {
        const Annotation between = {masked.text.text, {tokens.begin() + static_cast<std::ptrdiff_t>(first), tokens.begin() + static_cast<std::ptrdiff_t>(last)}};
        for (const TokenSpan& span : group(between, filler_.tokenizer(), words)) spans.push_back({first + span.first, first + span.last});
      };
      for (const std::size_t mask : masked.masks) {
        add_until(mask);
        spans.push_back({mask, mask + 1});
        first = mask + 1;
      }
      add_until(tokens.size());
      val result = val::object();
      result.set("ranges", ranges(masked.text, spans));
      result.set("attention", attention_out(masked.attention, tokens.size(), &spans));
      return result;
    });
  }
  val fill(const val& parts, std::size_t count) {
    return guarded([&] {
      const auto given = checked(parts);
      val masks = val::array();
      for (const auto& guesses : filler_.fill(given, count)) {
        val mask = val::array();
        for (const Guess& guess : guesses) {
          val g = val::object();
          g.set("text", filler_.tokenizer().decode({&guess.id, 1}).text);
          g.set("beginsWord", filler_.tokenizer().begins_word(guess.id));
          g.set("probability", guess.probability);
          mask.call<void>("push", g);
        }
        masks.call<void>("push", mask);
      }
      return masks;
    });
  }

 private:
  std::vector<std::string> checked(const val& parts) const {
    auto given = strings(parts);
    std::size_t pieces = given.size();
    for (const std::string& part : given) pieces += filler_.tokenizer().encode(part).tokens.size();
    expect_size(pieces);
    return given;
  }

  MaskFiller filler_;
};

namespace {

template <class Core>
val create(const val& model) {
  return guarded([&] {
    return val(std::make_shared<Core>(bytes_in(model).view));
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(text_models) {
  emscripten::class_<LanguageModelCore>("LanguageModelCore")
      .smart_ptr<std::shared_ptr<LanguageModelCore>>("LanguageModelCorePtr")
      .function("read", &LanguageModelCore::read);
  emscripten::class_<TaggerCore>("TaggerCore")
      .smart_ptr<std::shared_ptr<TaggerCore>>("TaggerCorePtr")
      .function("labels", &TaggerCore::labels)
      .function("tag", &TaggerCore::tag);
  emscripten::class_<ClassifierCore>("ClassifierCore")
      .smart_ptr<std::shared_ptr<ClassifierCore>>("ClassifierCorePtr")
      .function("labels", &ClassifierCore::labels)
      .function("classify", &ClassifierCore::classify);
  emscripten::class_<MaskedLanguageModelCore>("MaskedLanguageModelCore")
      .smart_ptr<std::shared_ptr<MaskedLanguageModelCore>>("MaskedLanguageModelCorePtr")
      .function("look", &MaskedLanguageModelCore::look)
      .function("fill", &MaskedLanguageModelCore::fill);
  emscripten::function("createLanguageModel", &create<LanguageModelCore>);
  emscripten::function("createTagger", &create<TaggerCore>);
  emscripten::function("createClassifier", &create<ClassifierCore>);
  emscripten::function("createMaskedLanguageModel", &create<MaskedLanguageModelCore>);
}

}  // namespace softalign::js
