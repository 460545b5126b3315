#include "layer.h"

#include <algorithm>
#include <memory>

namespace softalign::js {
namespace {

const Kind& kind_by_name(const std::string& name) {
  for (const auto kinds : {recurrent_kinds(), looking_back_kinds(), attention_kinds(), transformer_kinds(), position_kinds(),
                           local_kinds(), image_kinds()}) {
    for (const Kind& kind : kinds) {
      if (name == kind.name) return kind;
    }
  }
  throw ArgumentError("there is no layer \"" + name + '"');
}

std::string quoted(const std::string& name) { return '"' + name + '"'; }

// bias, q_proj.bias, bias_ih_l0
bool is_bias(const std::string& name) { return name.compare(name.rfind('.') + 1, 4, "bias") == 0; }

// Fills a layer's weights from a state dict: an object of tensors by PyTorch's names, of which those that
// begin with `prefix` are this layer's and all must be wanted.
class StateDict {
 public:
  StateDict(const Kind& kind, const val& tensors, std::string prefix)
      : kind_(kind), tensors_(tensors), prefix_(std::move(prefix)) {
    const val names = val::global("Object").call<val>("keys", tensors_);
    const auto count = names["length"].as<std::size_t>();
    for (std::size_t i = 0; i < count; ++i) {
      auto name = names[i].as<std::string>();
      if (name.starts_with(prefix_)) left_.insert(std::move(name));
    }
    names_ = left_;
  }

  void fill(Parameter<float>& p) {
    const Sources sources = kind_.sources(p.name.substr(1));
    const auto at = std::find_if(sources.begin(), sources.end(), [&](const Source& s) { return names_.contains(prefix_ + s.name); });
    const Source& source = at == sources.end() ? sources.back() : *at;
    const std::string name = prefix_ + source.name;
    // The first dimension is that of all parts.
    std::string expected = p.shape.to_string();
    expected.replace(1, std::to_string(p.shape[0]).size(), std::to_string(p.shape[0] * source.parts));
    if (at == sources.end()) {
      throw ArgumentError(std::string(kind_.name) + ": weight " + quoted(name) + " is missing, expected " + expected);
    }
    const TensorIn tensor(kind_.name, "weight " + quoted(name), tensors_[name]);
    // A matrix may be that of a 1 x 1 convolution.
    const std::string convolution = expected.substr(0, expected.size() - 1) + ", 1, 1]";
    const bool fits = tensor.shape.to_string() == expected || (p.shape.rank() == 2 && tensor.shape.to_string() == convolution);
    if (!fits) {
      throw ShapeError(std::string(kind_.name) + ": weight " + quoted(name) + " is " + tensor.shape.to_string() +
                       ", expected " + expected);
    }
    const std::size_t count = p.shape.size();
    p.value.resize(count);
    tensor.copy(source.part * count, count, p.value.data());
    left_.erase(name);
  }

  void expect_nothing_left() const {
    if (left_.empty()) return;
    throw ArgumentError(std::string(kind_.name) + ": weight " + quoted(*left_.begin()) +
                        " has no place in this layer, expected a state dict without it");
  }

 private:
  const Kind& kind_;
  const val& tensors_;
  std::string prefix_;
  std::set<std::string> names_, left_;
};

}  // namespace

Sources in_proj(const std::string& ours) {
  Sources sources = {{ours}};
  const char* parts[] = {"q_proj.", "k_proj.", "v_proj."};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t at = ours.find(parts[i]);
    if (at == std::string::npos) continue;
    const std::string before = ours.substr(0, at), after = ours.substr(at + 7);
    // PyTorch keeps the three apart where queries and memory differ in width.
    sources.push_back({before + std::string(parts[i], 6) + '_' + after});
    sources.push_back({before + "in_proj_" + after, i, 3});
  }
  return sources;
}

void clear_padding(Var<float> states, std::span<const std::int32_t> lengths) {
  const std::size_t steps = states.shape[0], B = states.shape[1];
  for (std::size_t b = 0; b < lengths.size(); ++b) {
    for (std::size_t t = static_cast<std::size_t>(lengths[b]); t < steps; ++t) {
      std::fill_n(states.slice(t * B + b, 1).value, states.width(), 0.0f);
    }
  }
}

Var<float> Call::read(const TensorIn& tensor) {
  const Var<float> x = g_.make(tensor.shape);
  tensor.copy(0, x.size(), x.value);
  return x;
}

Var<float> Call::tensor(const char* name, std::initializer_list<Dim> dims) {
  const TensorIn tensor = tensor_in(name);
  bool fits = tensor.shape.rank() == dims.size();
  std::string expected;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const Dim& dim = dims.begin()[i];
    expected += (i ? ", " : "") + (dim.letter ? dim.letter : std::to_string(dim.size));
    fits = fits && (dim.letter || dim.size == tensor.shape[i]);
  }
  if (!fits) {
    throw ShapeError(std::string(who()) + ": " + name + " is " + tensor.shape.to_string() + ", expected [" + expected + ']');
  }
  return read(tensor);
}

Var<float> Call::rows(const char* name, std::size_t width) {
  const TensorIn tensor = tensor_in(name);
  if (tensor.shape.width() != width) {
    throw ShapeError(std::string(who()) + ": " + name + " is " + tensor.shape.to_string() + ", expected [.., " +
                     std::to_string(width) + ']');
  }
  return read(tensor);
}

std::span<const std::int32_t> Call::lengths(const Var<float>& x, const char* name) {
  const auto given = whole_numbers(name, 1, static_cast<double>(x.shape[0]));
  if (has(name)) expect_size(who(), (std::string("number of ") + name).c_str(), given.size(), x.shape[1]);
  return lengths_.emplace_back(given.begin(), given.end());
}

ops::Pattern Call::pattern(std::size_t queries, std::size_t keys) {
  if (!has("pattern") || is_text("pattern")) {
    return is_second("pattern", "dense", "causal") ? ops::Pattern::causal() : ops::Pattern();
  }
  Options o = part("pattern");
  const auto window = o.optional_size("window", 0);
  if (o.has("edges")) {
    const auto ends = o.whole_numbers("edges", 0, 0xffffffff);
    if (ends.size() % 2 != 0) throw ArgumentError(std::string(who()) + ": edges are pairs, expected an even number of them");
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::size_t i = 0; i < ends.size(); i += 2) edges.emplace_back(ends[i], ends[i + 1]);
    edges_.emplace(queries, keys, edges);
  } else if (const auto stride = o.optional_size("strided")) {
    edges_ = ops::EdgeList::strided(queries, *stride);
  } else if (const auto globals = o.optional_size("globals", 0)) {
    edges_ = ops::EdgeList::global_and_window(queries, *globals, window.value_or(0));
  }
  o.expect_no_others();
  if (edges_) return ops::Pattern::edges(*edges_);
  if (!window) throw ArgumentError(std::string(who()) + ": pattern names none of window, edges, strided and globals");
  return ops::Pattern::window(*window);
}

std::span<const float> Call::head_mask(std::size_t heads) {
  const auto given = numbers("headMask");
  if (has("headMask")) expect_size(who(), "number of factors in headMask", given.size(), heads);
  head_mask_.assign(given.begin(), given.end());
  return head_mask_;
}

void Call::give(const char* name, const Var<float>& x) {
  std::vector<std::size_t> dims;
  for (std::size_t i = 0; i < x.shape.rank(); ++i) dims.push_back(x.shape[i]);
  results_.set(name, tensor_out(x.value, dims));
}

// Any layer, with its weights and the memory it computes in.
class LayerCore : public Counted {
 public:
  LayerCore(const Kind& kind, const val& options, const val& weights)
      : who_(kind.name), parameters_(Parameters<float>::Unfilled{}) {
    Options o(who_, options);
    forward_ = kind.make(parameters_, o);
    const bool biases = o.flag("bias", true);
    Options(who_, weights, "the state dict");
    StateDict state(kind, weights, o.text("prefix", ""));
    o.expect_no_others();
    for (Parameter<float>& p : parameters_.all()) {
      if (!p.value.empty()) continue;
      if (!biases && is_bias(p.name)) {
        p.value.assign(p.shape.size(), 0);
      } else {
        state.fill(p);
      }
    }
    state.expect_nothing_left();
  }

  val forward(const val& inputs) {
    return guarded([&] {
      graph_.rewind();
      Call call(who_, graph_, inputs);
      forward_(call);
      call.expect_no_others();
      return call.results();
    });
  }

 private:
  const char* who_;
  Parameters<float> parameters_;
  Forward forward_;
  Graph<float> graph_;
};

// A factory, since constructors cannot answer with an error.
val create_layer(const std::string& kind, const val& options, const val& weights) {
  return guarded([&] { return val(std::make_shared<LayerCore>(kind_by_name(kind), options, weights)); });
}

EMSCRIPTEN_BINDINGS(layer) {
  emscripten::class_<LayerCore>("LayerCore")
      .smart_ptr<std::shared_ptr<LayerCore>>("LayerCorePtr")
      .function("forward", &LayerCore::forward);
  emscripten::function("createLayer", &create_layer);
}

}  // namespace softalign::js
