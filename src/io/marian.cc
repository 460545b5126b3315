#include "io/marian.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/utf8.h"
#include "io/byte_reader.h"

namespace softalign {
namespace {

constexpr const char* kWhat = "Marian model";
constexpr std::string_view kOptions = "special:model.yml";
constexpr std::uint64_t kVersion = 1;
constexpr std::size_t kBlock = 256;  // what data is aligned to
constexpr std::size_t kMaxRank = 4;
// Types: a class in the high byte, the size in the low one.
constexpr std::uint64_t kInt8 = 0x101, kFloat32 = 0x404, kIntgemm8 = 0x4101;

[[noreturn]] void fail(const std::string& why) { throw FormatError(std::string(kWhat) + ": " + why); }

std::string quoted(std::string_view name) { return "\"" + std::string(name) + '"'; }

std::string text_of(std::span<const std::byte> bytes) {
  std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text.substr(0, text.find('\0'));
}

// Elements of a shape, at most `most`.
std::optional<std::size_t> elements_of(const std::vector<std::size_t>& shape, std::size_t most) {
  std::size_t count = 1;
  for (const std::size_t d : shape) {
    if (d == 0 || d > most / count) return std::nullopt;
    count *= d;
  }
  return count;
}

// The array's header is a Python dictionary of three known members.
struct NumpyHeader {
  std::string type;
  bool fortran = false;
  std::vector<std::size_t> shape;
};

std::string_view after(std::string_view text, std::string_view key, const std::string& name) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) fail("array " + quoted(name) + " has a header without " + std::string(key));
  text.remove_prefix(at + key.size());
  text.remove_prefix(std::min(text.find_first_not_of(": "), text.size()));
  return text;
}

NumpyHeader numpy_header(std::string_view text, const std::string& name) {
  NumpyHeader header;
  const std::string_view type = after(text, "'descr'", name);
  if (!type.empty() && type[0] == '\'') header.type = type.substr(1, type.find('\'', 1) - 1);
  header.fortran = after(text, "'fortran_order'", name).starts_with("True");
  std::string_view shape = after(text, "'shape'", name);
  if (!shape.starts_with('(')) fail("array " + quoted(name) + " has a shape that is no tuple");
  shape = shape.substr(1, shape.find(')') - 1);
  while (!shape.empty()) {
    if (shape[0] >= '0' && shape[0] <= '9') {
      std::size_t d = 0;
      while (!shape.empty() && shape[0] >= '0' && shape[0] <= '9') {
        if (d > (std::size_t{1} << 31) / 10) fail("array " + quoted(name) + " has a dimension of 2^31 and more");
        d = 10 * d + static_cast<std::size_t>(shape[0] - '0');
        shape.remove_prefix(1);
      }
      header.shape.push_back(d);
    } else if (shape[0] == ',' || shape[0] == ' ') {
      shape.remove_prefix(1);
    } else {
      fail("array " + quoted(name) + " has a shape with " + quoted(shape.substr(0, 1)) + ", expected numbers");
    }
  }
  return header;
}

}  // namespace

std::size_t MarianTensor::elements() const { return elements_of(shape, values.size()).value_or(0); }

const MarianTensor* MarianFile::find(std::string_view name) const {
  const auto it = tensors_.find(name);
  return it == tensors_.end() ? nullptr : &it->second;
}

void MarianFile::add(MarianTensor tensor) {
  std::string name = tensor.name;
  if (!tensors_.emplace(name, std::move(tensor)).second) fail("tensor " + quoted(name) + " occurs twice");
}

void MarianFile::set_options(std::span<const std::byte> text) {
  if (!options_.empty()) fail("the options, " + quoted(kOptions) + ", occur twice");
  options_ = text_of(text);
}

MarianFile MarianFile::parse(std::span<const std::byte> file) {
  constexpr std::byte kZip[] = {std::byte{'P'}, std::byte{'K'}, std::byte{3}, std::byte{4}};
  MarianFile result;
  if (file.size() >= std::size(kZip) && std::equal(std::begin(kZip), std::end(kZip), file.begin())) {
    result.read_npz(file);
  } else {
    result.read_bin(file);
  }
  return result;
}

void MarianFile::read_bin(std::span<const std::byte> file) {
  ByteReader reader(kWhat, file);
  if (const auto version = reader.number<std::uint64_t>("the version"); version != kVersion) {
    fail("the version is " + std::to_string(version) + ", expected " + std::to_string(kVersion) + ": the file begins otherwise than Marian's do");
  }
  struct Item {
    std::uint64_t name, type, rank, bytes;
  };
  std::vector<Item> items(reader.count("the number of tensors", sizeof(Item)));
  for (Item& item : items) {
    const auto field = [&] { return reader.number<std::uint64_t>("a tensor's description"); };
    item.name = field(), item.type = field(), item.rank = field(), item.bytes = field();
  }
  std::vector<MarianTensor> tensors;
  for (const Item& item : items) {
    if (item.name > reader.left()) fail("a tensor's name has " + std::to_string(item.name) + " bytes, expected at most the " + std::to_string(reader.left()) + " that are left");
    auto& tensor = tensors.emplace_back();
    tensor.name = text_of(reader.take(static_cast<std::size_t>(item.name), "a tensor's name"));
    if (utf8_valid_up_to(tensor.name) != tensor.name.size()) fail("a tensor's name is not UTF-8");
  }
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].rank > kMaxRank) {
      fail("tensor " + quoted(tensors[i].name) + " has " + std::to_string(items[i].rank) + " dimensions, expected at most " + std::to_string(kMaxRank));
    }
    for (std::uint64_t d = 0; d < items[i].rank; ++d) {
      const auto dimension = reader.number<std::int32_t>("a dimension");
      if (dimension <= 0) fail("tensor " + quoted(tensors[i].name) + " has a dimension of " + std::to_string(dimension) + ", expected at least 1");
      tensors[i].shape.push_back(static_cast<std::size_t>(dimension));
    }
  }
  reader.take(reader.count("the padding", 1), "the padding");
  for (std::size_t i = 0; i < items.size(); ++i) {
    MarianTensor& tensor = tensors[i];
    if (items[i].bytes > reader.left()) {
      fail("tensor " + quoted(tensor.name) + " has " + std::to_string(items[i].bytes) + " bytes, expected at most the " + std::to_string(reader.left()) + " that are left");
    }
    const auto bytes = reader.take(static_cast<std::size_t>(items[i].bytes), "a tensor");
    if (tensor.name == kOptions) {
      if (items[i].type != kInt8) fail("the options, " + quoted(kOptions) + ", are of type " + std::to_string(items[i].type) + ", expected text");
      set_options(bytes);
      continue;
    }
    if (items[i].type != kFloat32 && items[i].type != kIntgemm8) {
      if (tensor.name.starts_with("special:")) continue;
      fail("tensor " + quoted(tensor.name) + " is of type " + std::to_string(items[i].type) + ", expected float32 (" +
           std::to_string(kFloat32) + ") or intgemm8 (" + std::to_string(kIntgemm8) + "); models packed for one kind of processor are not portable");
    }
    const bool byte_each = items[i].type == kIntgemm8;
    const std::size_t each = byte_each ? 1 : sizeof(float), extra = byte_each ? sizeof(float) : 0;
    const auto count = elements_of(tensor.shape, bytes.size() / each);
    if (!count || *count * each + extra > bytes.size()) {
      fail("tensor " + quoted(tensor.name) + " has " + std::to_string(bytes.size()) + " bytes, which are too few for its shape");
    }
    tensor.values = bytes.first(*count * each);
    if (byte_each) {
      tensor.type = MarianTensor::Type::kIntgemm8;
      std::memcpy(&tensor.multiplier, bytes.data() + *count, sizeof(float));
      if (!(tensor.multiplier > 0) || !std::isfinite(tensor.multiplier) || !std::isfinite(1 / tensor.multiplier)) {
        fail("tensor " + quoted(tensor.name) + " has the multiplier " + std::to_string(tensor.multiplier) + ", expected a finite number above 0");
      }
    }
    add(std::move(tensor));
  }
}

void MarianFile::read_npz(std::span<const std::byte> file) {
  // Archives begin with their members, one after the other, each behind a header of its own.
  constexpr std::uint32_t kMember = 0x04034b50;
  constexpr std::uint16_t kHasLengthsBehind = 1 << 3;
  constexpr std::uint32_t kSee64 = 0xFFFFFFFF;
  ByteReader reader(kWhat, file);
  while (reader.left() >= sizeof(std::uint32_t)) {
    if (reader.number<std::uint32_t>("a member") != kMember) break;  // the directory behind the last one
    reader.number<std::uint16_t>("a member");
    const auto flags = reader.number<std::uint16_t>("a member");
    const auto method = reader.number<std::uint16_t>("a member");
    reader.take(8, "a member");  // time, date and checksum
    std::uint64_t stored = reader.number<std::uint32_t>("a member");
    reader.number<std::uint32_t>("a member");
    const auto name_size = reader.number<std::uint16_t>("a member"), extra_size = reader.number<std::uint16_t>("a member");
    std::string name = text_of(reader.take(name_size, "a member's name"));
    const auto extra = reader.take(extra_size, "a member's header");
    if (stored == kSee64 && extra.size() >= 20) std::memcpy(&stored, extra.data() + 12, sizeof stored);
    if (method != 0) fail("array " + quoted(name) + " is compressed, expected an archive of numpy.savez, which stores arrays as they are");
    if (flags & kHasLengthsBehind) fail("array " + quoted(name) + " has its length behind it, expected it before");
    if (!name.ends_with(".npy")) fail("the archive holds " + quoted(name) + ", expected arrays, named .npy");
    name.resize(name.size() - 4);
    if (stored > reader.left()) fail("array " + quoted(name) + " has " + std::to_string(stored) + " bytes, expected at most the " + std::to_string(reader.left()) + " that are left");
    ByteReader array("array of a Marian model", reader.take(static_cast<std::size_t>(stored), "an array"));
    if (text_of(array.take(6, "the mark")) != "\x93NUMPY") fail("array " + quoted(name) + " does not begin as NumPy's do");
    const auto version = array.number<std::uint16_t>("the version") & 0xFF;
    const std::size_t length = version == 1 ? array.number<std::uint16_t>("the header") : array.number<std::uint32_t>("the header");
    const NumpyHeader header = numpy_header(text_of(array.take(length, "the header")), name);
    if (name == kOptions) {
      if (header.type != "|i1" && header.type != "|u1" && header.type != "|S1") fail("the options are of type " + quoted(header.type) + ", expected bytes");
      set_options(array.take(array.left(), "the options"));
      continue;
    }
    if (header.type != "<f4") {
      if (name.starts_with("special:")) continue;
      fail("array " + quoted(name) + " is of type " + quoted(header.type) + ", expected \"<f4\", float32");
    }
    if (header.fortran) fail("array " + quoted(name) + " is in Fortran's order, expected C's");
    const auto count = elements_of(header.shape, array.left() / sizeof(float));
    if (header.shape.size() > kMaxRank || !count) fail("array " + quoted(name) + " has too few bytes for its shape, or too many dimensions");
    add({.name = name, .type = MarianTensor::Type::kFloat32, .shape = header.shape, .values = array.take(*count * sizeof(float), "the values")});
  }
  if (tensors_.empty()) fail("the archive holds no arrays");
}

std::vector<std::byte> serialize_marian(const std::string& options, std::span<const MarianTensor> tensors) {
  std::vector<std::byte> file;
  const auto append = [&](const void* from, std::size_t count) {
    file.resize(file.size() + count);
    if (count > 0) std::memcpy(file.data() + (file.size() - count), from, count);
  };
  const auto number = [&](std::uint64_t value) { append(&value, sizeof value); };
  const auto size_of = [](const MarianTensor& t) {
    const std::size_t bytes = t.values.size() + (t.type == MarianTensor::Type::kIntgemm8 ? sizeof(float) : 0);
    return (bytes + kBlock - 1) / kBlock * kBlock;
  };
  number(kVersion);
  number(tensors.size() + 1);
  for (const MarianTensor& t : tensors) {
    number(t.name.size() + 1);
    number(t.type == MarianTensor::Type::kIntgemm8 ? kIntgemm8 : kFloat32);
    number(t.shape.size());
    number(size_of(t));
  }
  // The options come last, since Marian does not round their size up.
  number(kOptions.size() + 1);
  number(kInt8);
  number(1);
  number(options.size() + 1);
  for (const MarianTensor& t : tensors) append(t.name.c_str(), t.name.size() + 1);
  append(std::string(kOptions).c_str(), kOptions.size() + 1);
  const auto dimension = [&](std::size_t d) {
    const auto value = static_cast<std::int32_t>(d);
    append(&value, sizeof value);
  };
  for (const MarianTensor& t : tensors) {
    for (const std::size_t d : t.shape) dimension(d);
  }
  dimension(options.size() + 1);
  const std::size_t data = ((file.size() + sizeof(std::uint64_t)) / kBlock + 1) * kBlock;
  const std::size_t padding = data - file.size() - sizeof(std::uint64_t);
  number(padding);
  file.resize(file.size() + padding);
  for (const MarianTensor& t : tensors) {
    const std::size_t end = file.size() + size_of(t);
    append(t.values.data(), t.values.size());
    if (t.type == MarianTensor::Type::kIntgemm8) append(&t.multiplier, sizeof t.multiplier);
    file.resize(end);
  }
  append(options.c_str(), options.size() + 1);
  return file;
}

namespace {

constexpr std::size_t kLongestOptions = 1 << 16;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

}  // namespace

MarianOptions MarianOptions::parse(std::string_view yaml) {
  if (yaml.size() > kLongestOptions) {
    fail("the options have " + std::to_string(yaml.size()) + " bytes, expected at most " + std::to_string(kLongestOptions));
  }
  MarianOptions result;
  std::vector<std::string>* list = nullptr;  // of the option whose lines these are
  std::size_t number = 0;
  const auto refuse = [&](std::string_view line) {
    fail("line " + std::to_string(number) + " of the options is " + quoted(line) + ", expected \"name: value\" or \"- value\"");
  };
  const auto value = [&](std::string_view text) {
    if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front()) {
      return std::string(text.substr(1, text.size() - 2));
    }
    if (!text.empty() && std::string_view("&*!|>{}[]%@`\"'").find(text.front()) != std::string_view::npos) refuse(text);
    return std::string(text);
  };
  const auto values = [&](std::string_view text, std::vector<std::string>& to) {
    if (!text.starts_with('[')) return to.push_back(value(text));
    if (!text.ends_with(']')) refuse(text);
    text = trimmed(text.substr(1, text.size() - 2));
    while (!text.empty()) {
      const std::size_t comma = std::min(text.find(','), text.size());
      to.push_back(value(trimmed(text.substr(0, comma))));
      text = trimmed(text.substr(std::min(comma + 1, text.size())));
    }
  };
  while (!yaml.empty()) {
    ++number;
    const std::size_t end = std::min(yaml.find('\n'), yaml.size());
    const std::string_view line = yaml.substr(0, end), text = trimmed(line);
    yaml.remove_prefix(std::min(end + 1, yaml.size()));
    if (text.empty() || text.front() == '#' || text == "---" || text == "...") continue;
    const bool below = line.front() == ' ' || text.front() == '-';
    if (below) {
      if (!list) refuse(line);
      if (text == "-") {
        list->emplace_back();
      } else if (text.starts_with("- ")) {
        list->push_back(value(trimmed(text.substr(2))));
      } else if (text.starts_with('[')) {
        values(text, *list);
      } else {
        refuse(line);
      }
      continue;
    }
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos || colon == 0 || (colon + 1 < text.size() && text[colon + 1] != ' ')) refuse(line);
    const auto [it, fresh] = result.values_.try_emplace(std::string(text.substr(0, colon)));
    if (!fresh) fail("option " + quoted(it->first) + " occurs twice");
    const std::string_view rest = trimmed(text.substr(colon + 1));
    list = rest.empty() ? &it->second : nullptr;
    if (!rest.empty()) values(rest, it->second);
  }
  return result;
}

const std::vector<std::string>* MarianOptions::find(std::string_view name) const {
  const auto it = values_.find(name);
  return it == values_.end() ? nullptr : &it->second;
}

}  // namespace softalign
