#pragma once

#include <optional>
#include <string>

#include "layers/dense.h"
#include "layers/recurrent/lstm.h"
#include "layers/recurrent/lstmn.h"
#include "models/text_model.h"

namespace softalign::models {

// What reads: an LSTM, or one that looks back at each word it has read (Cheng, Dong & Lapata 2016).
enum class ReaderKind { kLstm, kLstmn };
const char* reader_name(ReaderKind kind);            // "lstm", "lstmn"
ReaderKind reader_by_name(const std::string& name);  // throws ArgumentError

template <class T>
class LanguageModel;

struct LanguageModelConfig : TextInfo {
  static constexpr const char* kArchitecture = "language-model";
  template <class T>
  using Model = LanguageModel<T>;

  ReaderKind reader = ReaderKind::kLstmn;
  std::size_t embedding = 160;  // E
  std::size_t width = 256;      // H
  double dropout = 0.2;         // in training only

  std::string to_json() const;
  static LanguageModelConfig from_json(const std::string& json);
};

// The next word from those before it; each text begins and ends with eos:
//
//   x = embedding of the words    h = reader of x    logits[t] = embedding (W h[t] + b) + b_o      [N, V]
template <class T>
class LanguageModel : public TextModel<T> {
 public:
  LanguageModel(Parameters<T>& p, const LanguageModelConfig& config);

  const LanguageModelConfig& config() const { return config_; }
  const TextInfo& info() const override { return config_; }
  Var<T> logits(Graph<T>& g, const TextBatch& batch) const override { return logits(g, batch, {}); }
  // How much each word looks back at each one before it is written to `weights` [B, T, T], if that is a tensor:
  // an LSTMN's; an LSTM throws ArgumentError.
  Var<T> logits(Graph<T>& g, const TextBatch& batch, Var<T> weights) const;

 private:
  LanguageModelConfig config_;
  layers::Embedding<T> embedding_;
  std::optional<layers::Lstm<T>> lstm_;
  std::optional<layers::Lstmn<T>> lstmn_;
  layers::Dense<T> readout_;
  const Parameter<T>& output_bias_;
};

}  // namespace softalign::models
