#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "models/seq2seq.h"
#include "models/student.h"
#include "models/transformer.h"

namespace softalign::models {

// The config of a translation model of any architecture. An architecture is a TranslationInfo with
//
//   static constexpr const char* kArchitecture   its name in model files
//   template <class T> using Model               a TranslationModel made from Parameters and the config
//   double dropout                               in training only, and in no file
//   std::string to_json() const
//   static from_json(const std::string&)         throws FormatError naming member, value and expectation
//
// and one more alternative here is all it takes to be known everywhere.
using TranslationConfig = std::variant<Seq2SeqConfig, TransformerConfig, StudentConfig>;

TranslationInfo& info(TranslationConfig& config);
const TranslationInfo& info(const TranslationConfig& config);

// The names of all architectures.
std::vector<std::string> architectures();

// The member "architecture" of any config; throws FormatError.
std::string architecture(const std::string& json);

std::string to_json(const TranslationConfig& config);
// By the member "architecture"; throws FormatError like the configs' own from_json.
TranslationConfig translation_config(const std::string& json);

template <class T>
std::unique_ptr<TranslationModel<T>> make_model(Parameters<T>& p, const TranslationConfig& config);

extern template std::unique_ptr<TranslationModel<float>> make_model(Parameters<float>&, const TranslationConfig&);
extern template std::unique_ptr<TranslationModel<double>> make_model(Parameters<double>&, const TranslationConfig&);

}  // namespace softalign::models
