#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "decoding/translator.h"
#include "evaluation/alignment.h"
#include "io/file.h"
#include "text/sentences.h"
#include "text/words.h"

namespace softalign::cli {
namespace {

struct TranslateOptions {
  std::string model, text;
  Options decoding;
};

struct AlignOptions {
  std::string model, source, target;
  bool matrix = false, json = false;
};

// What white space a sentence ends with.
std::string_view trailing_space(std::string_view sentence) {
  const std::size_t last = sentence.find_last_not_of(" \t\r\n");
  return last == std::string_view::npos ? sentence : sentence.substr(last + 1);
}

std::string translate_text(Translator& translator, std::string_view text, const Options& options) {
  std::string out;
  for (const std::string_view sentence : split_sentences(text, translator.info().source_language.c_str())) {
    const std::string_view space = trailing_space(sentence);
    out += translator.translate(sentence.substr(0, sentence.size() - space.size()), options).target.text;
    out += space;
  }
  return out;
}

void translate(const TranslateOptions& o) {
  const auto bytes = read_file(o.model);
  Translator translator(bytes);
  if (!o.text.empty()) {
    std::printf("%s\n", translate_text(translator, o.text, o.decoding).c_str());
    return;
  }
  for (std::string line; std::getline(std::cin, line);) {
    std::printf("%s\n", translate_text(translator, line, o.decoding).c_str());
    std::fflush(stdout);
  }
}

void align(const AlignOptions& o) {
  const auto bytes = read_file(o.model);
  Translator translator(bytes);
  const auto one = [&](const std::string& source, const std::string& target) {
    const Translation t = translator.align(source, target);
    if (t.attention.empty()) {
      throw ArgumentError("model " + translator.info().name + " has no attention, expected one that aligns");
    }
    const auto source_words = word_spans(t.source, translator.source_tokenizer());
    const auto target_words = word_spans(t.target, translator.target_tokenizer());
    const auto weights = attention_by_word(t.attention, t.source.tokens.size() + 1, target_words, source_words);
    const auto texts = [](const Annotation& a, std::span<const TokenSpan> words) {
      std::vector<std::string> out;
      for (const ByteRange r : word_ranges(a, words)) out.push_back(a.text.substr(r.begin, r.end - r.begin));
      return out;
    };
    const auto source_texts = texts(t.source, source_words), target_texts = texts(t.target, target_words);
    if (o.json) {
      std::printf("%s\n", nlohmann::json{{"source", source_texts},
                                         {"target", target_texts},
                                         {"attention", weights},
                                         {"log_probability", t.log_probability}}
                              .dump()
                              .c_str());
    } else if (o.matrix) {
      std::printf("\t");
      for (const auto& w : source_texts) std::printf("%s\t", w.c_str());
      std::printf("\n");
      for (std::size_t r = 0; r < target_texts.size(); ++r) {
        std::printf("%s\t", target_texts[r].c_str());
        for (std::size_t c = 0; c < source_texts.size(); ++c) {
          std::printf("%.3f\t", static_cast<double>(weights[r * source_texts.size() + c]));
        }
        std::printf("\n");
      }
    } else {
      std::printf("%s\n", to_pharaoh(strongest_links(weights, source_texts.size())).c_str());
    }
    std::fflush(stdout);
  };
  if (!o.source.empty()) {
    one(o.source, o.target);
    return;
  }
  std::size_t number = 0;
  for (std::string line; std::getline(std::cin, line);) {
    ++number;
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) {
      throw FormatError("standard input line " + std::to_string(number) + " has no tab, expected source<TAB>target");
    }
    one(line.substr(0, tab), line.substr(tab + 1));
  }
}

}  // namespace

void add_translate(CLI::App& app) {
  auto o = std::make_shared<TranslateOptions>();
  CLI::App* c = app.add_subcommand("translate", "Translate a text, or standard input line by line");
  c->add_option("text", o->text, "The text; without it, lines of standard input");
  c->add_option("--model", o->model, "Model file")->required()->check(CLI::ExistingFile);
  c->add_option("--beam", o->decoding.beam, "Hypotheses kept; 1 is greedy")->capture_default_str();
  c->add_option("--length-penalty", o->decoding.length_penalty, "Scores are divided by length^this")->capture_default_str();
  c->callback([o] { translate(*o); });
}

void add_align(CLI::App& app) {
  auto o = std::make_shared<AlignOptions>();
  CLI::App* c = app.add_subcommand(
      "align", "Align the words of a sentence and a given translation by forced decoding; prints Pharaoh pairs");
  c->add_option("source", o->source, "Source sentence; without it, standard input has lines of source<TAB>target");
  c->add_option("target", o->target, "Its translation")->needs("source");
  c->add_option("--model", o->model, "Model file")->required()->check(CLI::ExistingFile);
  c->add_flag("--matrix", o->matrix, "Print the weights, one row a target word");
  c->add_flag("--json", o->json, "Print words and weights as JSON");
  c->callback([o] { align(*o); });
}

}  // namespace softalign::cli
