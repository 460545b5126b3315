#include "options.h"

#include <cmath>

namespace softalign::js {
namespace {

bool is_list(const val& value) { return val::global("ArrayBuffer").call<bool>("isView", value); }
bool is_object(const val& value) { return value.typeOf().as<std::string>() == "object" && !value.isNull(); }

std::string describe(const val& value) {
  if (value.isString()) return '"' + value.as<std::string>() + '"';
  if (value.isNumber() || value.isTrue() || value.isFalse() || value.isUndefined() || value.isNull()) {
    return val::global("String")(value).as<std::string>();
  }
  return "of type " + value.typeOf().as<std::string>();
}

std::string range(double least, double most) {
  const auto whole = [](double x) { return std::to_string(static_cast<std::uint64_t>(x)); };
  return "a whole number from " + whole(least) + " to " + whole(most);
}

bool is_whole(double x, double least, double most) { return x == std::floor(x) && x >= least && x <= most; }

std::vector<double> as_numbers(const val& list) { return emscripten::convertJSArrayToNumberVector<double>(list); }

}  // namespace

Options::Options(const char* who, const val& object, const char* what) : who_(who), object_(object) {
  if (!is_object(object)) refuse(what, object, "an object");
}

val Options::get(const char* name) {
  asked_.insert(name);
  return object_[name];
}

void Options::refuse(const std::string& name, const val& value, const std::string& expected) const {
  throw ArgumentError(std::string(who_) + ": " + name + " is " + describe(value) + ", expected " + expected);
}

std::size_t Options::size(const char* name, std::size_t least, std::size_t most) {
  const val value = get(name);
  const double l = static_cast<double>(least), m = static_cast<double>(most);
  if (!value.isNumber() || !is_whole(value.as<double>(), l, m)) refuse(name, value, range(l, m));
  return static_cast<std::size_t>(value.as<double>());
}

std::optional<std::size_t> Options::optional_size(const char* name, std::size_t least, std::size_t most) {
  if (!has(name)) return std::nullopt;
  return size(name, least, most);
}

bool Options::flag(const char* name, bool otherwise) {
  const val value = get(name);
  if (value.isUndefined()) return otherwise;
  if (!value.isTrue() && !value.isFalse()) refuse(name, value, "true or false");
  return value.isTrue();
}

std::string Options::text(const char* name, const char* otherwise) {
  const val value = get(name);
  if (value.isUndefined()) return otherwise;
  if (!value.isString()) refuse(name, value, "a string");
  return value.as<std::string>();
}

bool Options::is_second(const char* name, const char* first, const char* second) {
  const std::string given = text(name, first);
  if (given != first && given != second) {
    refuse(name, get(name), std::string("\"") + first + "\" or \"" + second + '"');
  }
  return given == second;
}

std::vector<double> Options::numbers(const char* name) {
  const val value = get(name);
  if (value.isUndefined()) return {};
  if (!is_list(value)) refuse(name, value, "an array of numbers");
  return as_numbers(value);
}

std::vector<std::uint32_t> Options::whole_numbers(const char* name, double least, double most) {
  std::vector<std::uint32_t> whole;
  for (const double x : numbers(name)) {
    if (!is_whole(x, least, most)) {
      refuse(std::string(name) + '[' + std::to_string(whole.size()) + ']', val(x), range(least, most));
    }
    whole.push_back(static_cast<std::uint32_t>(x));
  }
  return whole;
}

void Options::expect_no_others() const {
  const val names = val::global("Object").call<val>("keys", object_);
  const auto count = names["length"].as<std::size_t>();
  for (std::size_t i = 0; i < count; ++i) {
    const auto name = names[i].as<std::string>();
    if (asked_.contains(name)) continue;
    std::string known;
    for (const std::string& each : asked_) known += (known.empty() ? "" : ", ") + each;
    throw ArgumentError(std::string(who_) + ": there is no option \"" + name + "\", expected one of " + known);
  }
}

TensorIn::TensorIn(const char* who, const std::string& name, const val& tensor) : data(val::undefined()) {
  const std::string culprit = std::string(who) + ": " + name;
  if (!is_object(tensor) || !tensor["data"].instanceof(val::global("Float32Array")) ||
      !is_list(tensor["shape"])) {
    throw ArgumentError(culprit + " is " + (is_object(tensor) ? "something else" : describe(tensor)) +
                        ", expected a Float32Array with its shape");
  }
  const std::vector<double> dims = as_numbers(tensor["shape"]);
  double elements = 1;
  std::size_t sizes[Shape::kMaxRank] = {};
  if (dims.empty() || dims.size() > Shape::kMaxRank) {
    throw ShapeError(culprit + " has " + std::to_string(dims.size()) + " dimensions, expected 1 to 4");
  }
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (!is_whole(dims[i], 1, 0x7fffffff)) {
      throw ShapeError(culprit + " has a dimension of " + describe(val(dims[i])) + ", expected " + range(1, 0x7fffffff));
    }
    sizes[i] = static_cast<std::size_t>(dims[i]);
    elements *= dims[i];
  }
  switch (dims.size()) {
    case 1: shape = {sizes[0]}; break;
    case 2: shape = {sizes[0], sizes[1]}; break;
    case 3: shape = {sizes[0], sizes[1], sizes[2]}; break;
    default: shape = {sizes[0], sizes[1], sizes[2], sizes[3]};
  }
  data = tensor["data"];
  const double length = data["length"].as<double>();
  if (length != elements) {
    throw ShapeError(culprit + " has " + describe(data["length"]) + " floats, expected " + shape.to_string());
  }
}

void TensorIn::copy(std::size_t first, std::size_t count, float* to) const {
  const val from = data.call<val>("subarray", static_cast<double>(first), static_cast<double>(first + count));
  val(emscripten::typed_memory_view(count, to)).call<void>("set", from);
}

std::vector<float> TensorIn::numbers() const {
  std::vector<float> all(shape.size());
  copy(0, all.size(), all.data());
  return all;
}

}  // namespace softalign::js
