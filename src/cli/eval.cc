#include <CLI/CLI.hpp>
#include <array>
#include <chrono>
#include <cstdio>
#include <memory>
#include <sstream>

#include "cli/baseline.h"
#include "cli/commands.h"
#include "decoding/forced.h"
#include "decoding/translator.h"
#include "evaluation/alignment.h"
#include "evaluation/bleu.h"
#include "evaluation/chrf.h"
#include "evaluation/gold_corpus.h"
#include "io/file.h"
#include "models/model_file.h"
#include "text/words.h"
#include "training/translation.h"

namespace softalign::cli {
namespace {

struct EvalOptions {
  std::string model, test, hypotheses, alibi, hansards, baseline, links;
  int beam = 4;
  double length_penalty = 1;
  std::size_t threads = 2;
  bool heads = false;
};

// A model's weights and tokenizer for many threads.
struct LoadedModel {
  models::TranslationConfig config;
  Parameters<float> weights{Parameters<float>::Unfilled{}};
  std::unique_ptr<models::TranslationModel<float>> model;
  Tokenizer tokenizer;
  explicit LoadedModel(const models::ModelFile& file)
      : config(models::translation_config(file.config())), model(make_model(weights, config)), tokenizer(file.tokenizer()) {
    if (!file.source_tokenizer().empty()) {
      throw ArgumentError("the model has a vocabulary of its own for each language, expected one for both: evaluate what `translate` writes (--hypotheses)");
    }
    file.load(weights);
  }
};

std::size_t count_words(const std::string& sentence) {
  std::istringstream in(sentence);
  std::size_t n = 0;
  for (std::string word; in >> word;) ++n;
  return n;
}

// BLEU of all sentences, and by the number of source words (white space between them).
void print_scores(const std::vector<training::TextPair>& pairs, const std::vector<std::string>& hypotheses) {
  std::vector<std::string> references;
  for (const auto& p : pairs) references.push_back(p.target);
  std::printf("%s\n", to_string(corpus_bleu(hypotheses, references)).c_str());
  std::printf("chrF2 = %.1f\n", corpus_chrf(hypotheses, references));
  struct Bucket {
    const char* name;
    std::size_t below;
  };
  std::size_t from = 0;
  for (const Bucket bucket : {Bucket{"<6", 6}, {"6-8", 9}, {"9-11", 12}, {"12+", SIZE_MAX}}) {
    std::vector<std::string> h, r;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const std::size_t n = count_words(pairs[i].source);
      if (n >= from && n < bucket.below) {
        h.push_back(hypotheses[i]);
        r.push_back(references[i]);
      }
    }
    if (!h.empty()) {
      std::printf("  %-5s source words: %5zu sentences, BLEU %.1f\n", bucket.name, h.size(), corpus_bleu(h, r).score);
    }
    from = bucket.below;
  }
}

void print_alignment(const char* name, const std::vector<Alignment>& found, const std::vector<GoldPair>& corpus) {
  std::vector<GoldAlignment> gold;
  for (const GoldPair& pair : corpus) gold.push_back(pair.gold);
  const AlignmentScore score = alignment_error_rate(found, gold);
  std::printf("%s: AER %.1f  precision %.1f  recall %.1f  (%zu pairs, %zu links found, %zu sure)\n", name,
              100 * score.error, 100 * score.precision, 100 * score.recall, corpus.size(), score.found, score.sure);
}

// Each gold word of the target links to the source word it looked at most; one row of attention a target token.
Alignment links_of(std::span<const float> attention, const Annotation& source, const Annotation& target,
                   const GoldPair& pair) {
  return strongest_links(attention_by_range(attention, source.tokens.size() + 1, target, pair.target.words, source,
                                            pair.source.words),
                         pair.source.words.size());
}

// The gold target is forced.
void evaluate_attention(const char* name, const LoadedModel& loaded, const std::vector<GoldPair>& corpus) {
  Translator translator(*loaded.model, loaded.tokenizer);
  std::vector<Alignment> found;
  for (const GoldPair& pair : corpus) {
    const Translation t = translator.align(pair.source.text, pair.target.text);
    if (t.attention.empty()) throw ArgumentError("model " + loaded.model->info().name + " has no attention to measure");
    found.push_back(links_of(t.attention, t.source, t.target, pair));
  }
  print_alignment(name, found, corpus);
}

// Every cross-attention of a transformer, read at the step that predicts a word and at the one that reads it.
void evaluate_heads(const char* name, const LoadedModel& loaded, const std::vector<GoldPair>& corpus) {
  const auto* config = std::get_if<models::TransformerConfig>(&loaded.config);
  if (!config) throw ArgumentError("--heads is for transformers, " + loaded.model->info().name + " is another model");
  const std::size_t heads = config->decoder_layers * config->heads;
  std::vector<std::vector<Alignment>> predicted(heads), read(heads);
  Graph<float> g;
  const auto ids_of = [](const Annotation& text) {
    std::vector<std::int32_t> ids;
    for (const Token& token : text.tokens) ids.push_back(token.id);
    return ids;
  };
  for (const GoldPair& pair : corpus) {
    const Annotation source = loaded.tokenizer.encode(pair.source.text), target = loaded.tokenizer.encode(pair.target.text);
    auto source_ids = ids_of(source);
    source_ids.push_back(loaded.tokenizer.eos());
    const auto forced = decoding::force(g, *loaded.model, source_ids, ids_of(target), loaded.tokenizer.eos(),
                                        decoding::Heads::kKeep);
    for (std::size_t h = 0; h < heads; ++h) {
      const std::span<const float> of_head = forced.heads[h].weights;
      predicted[h].push_back(links_of(of_head, source, target, pair));
      read[h].push_back(links_of(of_head.subspan(source_ids.size()), source, target, pair));
    }
  }
  for (std::size_t h = 0; h < heads; ++h) {
    const std::string head = std::string(name) + ", head " + std::to_string(h / config->heads) + ":" + std::to_string(h % config->heads);
    print_alignment(head.c_str(), predicted[h], corpus);
    print_alignment((head + ":shifted").c_str(), read[h], corpus);
  }
}

void evaluate(const EvalOptions& o) {
  std::unique_ptr<LoadedModel> loaded;
  if (!o.model.empty()) {
    const auto bytes = read_file(o.model);
    loaded = std::make_unique<LoadedModel>(models::ModelFile(bytes));
  }
  if (!o.test.empty()) {
    const auto pairs = training::read_pairs(o.test);
    std::vector<std::string> hypotheses;
    if (!o.hypotheses.empty()) {
      hypotheses = training::read_lines(o.hypotheses);
    } else if (loaded) {
      std::vector<std::string> sources;
      for (const auto& p : pairs) sources.push_back(p.source);
      const auto start = std::chrono::steady_clock::now();
      hypotheses = training::translate_all(*loaded->model, loaded->tokenizer, sources, o.beam, o.length_penalty, o.threads);
      const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      std::fprintf(stderr, "%zu sentences in %.1f s, beam %d, %zu threads\n", sources.size(), s, o.beam, o.threads);
    } else {
      throw ArgumentError("eval --test needs --model or --hypotheses");
    }
    print_scores(pairs, hypotheses);
  }
  std::unique_ptr<Baselines> baselines;
  if (!o.baseline.empty()) baselines = std::make_unique<Baselines>(o.baseline);
  if (baselines && !o.links.empty()) baselines->write_links(o.links);
  const auto alignments = [&](const char* name, const std::vector<GoldPair>& corpus) {
    if (loaded) evaluate_attention(name, *loaded, corpus);
    if (loaded && o.heads) evaluate_heads(name, *loaded, corpus);
    if (!baselines) return;
    for (const auto& [row, found] : baselines->align(corpus)) {
      print_alignment((std::string(name) + ", " + row).c_str(), found, corpus);
    }
  };
  if (!o.alibi.empty()) alignments("ALIBI", read_alibi(o.alibi));
  if (!o.hansards.empty()) alignments("Hansards", read_hansards(o.hansards));
}

}  // namespace

void add_eval(CLI::App& app) {
  auto o = std::make_shared<EvalOptions>();
  CLI::App* c = app.add_subcommand("eval", "BLEU (13a) and chrF2 of translations, AER of attention against gold alignments");
  c->add_option("--model", o->model, "Model file")->check(CLI::ExistingFile);
  c->add_option("--test", o->test, "Lines of source<TAB>reference")->check(CLI::ExistingFile);
  c->add_option("--hypotheses", o->hypotheses, "Somebody's translations of them, instead of a model's")->check(CLI::ExistingFile);
  c->add_option("--beam", o->beam, "Hypotheses kept; 1 is greedy")->capture_default_str();
  c->add_option("--length-penalty", o->length_penalty, "Scores are divided by length^this")->capture_default_str();
  c->add_option("--threads", o->threads, "Threads")->capture_default_str();
  c->add_option("--alibi", o->alibi, "Folder of the ALIBI gold alignments")->check(CLI::ExistingDirectory);
  c->add_option("--hansards", o->hansards, "Folder of the NAACL 2003 gold alignments")->check(CLI::ExistingDirectory);
  auto* baseline = c->add_option("--baseline", o->baseline, "Also train IBM model 1 and HMM aligners on these pairs and measure them beside");
  baseline->check(CLI::ExistingFile);
  c->add_option("--links", o->links, "Write the HMM's links of the baseline's pairs here: links<TAB>source words<TAB>target words")->needs(baseline);
  c->add_flag("--heads", o->heads, "Also every cross-attention of a transformer, where it predicts a word and where it reads it (shifted)");
  c->callback([o] { evaluate(*o); });
}

}  // namespace softalign::cli
