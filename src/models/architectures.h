#pragma once

#include <string>
#include <variant>
#include <vector>

#include "models/config_json.h"

// Configs of several architectures as one std::variant. For the sources of configs only.
namespace softalign::models {

template <class Variant>
struct Architectures;

template <class... Configs>
struct Architectures<std::variant<Configs...>> {
  using Variant = std::variant<Configs...>;

  static std::vector<std::string> names() { return {Configs::kArchitecture...}; }

  // By the member "architecture"; throws FormatError like the configs' own from_json.
  static Variant from_json(const std::string& json) {
    const std::string name = text(parse_config(json), "architecture");
    Variant config;
    if ((read_if_named<Configs>(name, json, config) || ...)) return config;
    std::string known;
    for (const std::string& a : names()) known += (known.empty() ? "\"" : " or \"") + a + '"';
    throw unexpected("architecture", '"' + name + '"', known);
  }

 private:
  template <class Config>
  static bool read_if_named(const std::string& name, const std::string& json, Variant& config) {
    if (name != Config::kArchitecture) return false;
    config = Config::from_json(json);
    return true;
  }
};

}  // namespace softalign::models
