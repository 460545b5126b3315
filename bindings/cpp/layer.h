#pragma once

#include <string>

#include "boundary.h"
#include "ops/graph.h"

namespace softalign::js {

// Gives a layer that was just made, with its weights at random, those that JavaScript brought.
class Weights {
 public:
  explicit Weights(const char* who) : who_(who) {}

  // Reads a [rows, width] weight before the layer is made: the sizes are only known to be sane
  // once an array of that length was seen.
  void read(const char* name, const char* argument, const val& array, std::size_t rows, std::size_t width) {
    values_.emplace_back(name, copy_in(who_, argument, array, rows, width));
  }
  void assign_to(Parameters<float>& parameters) {
    for (auto& [name, value] : values_) parameters.find(std::string(who_) + "." + name)->value = std::move(value);
  }

 private:
  const char* who_;
  std::vector<std::pair<const char*, std::vector<float>>> values_;
};

}  // namespace softalign::js
