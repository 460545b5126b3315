#pragma once

#include <deque>
#include <functional>
#include <initializer_list>
#include <span>

#include "ops/pattern.h"
#include "options.h"

// How a layer of src/layers becomes a class of the package. An adapter makes it from options and says what
// one call computes:
//
//   Forward dense(Parameters<float>& p, Options& o) {
//     const std::size_t in = o.size("input");
//     const layers::Dense<float> layer(p, "", in, o.size("output"));
//     return [=](Call& c) { c.give("output", layer(c.graph(), c.rows("x", in))); };
//   }
//
// and stands in its family's table. All else is shared: reading, checking and copying what crosses, filling
// the weights from a state dict, errors, memory.
namespace softalign::js {

// A dimension that a tensor must have: a size, or a letter for any. {"T", "B", width} reads as it is printed.
struct Dim {
  Dim(std::size_t s) : size(s) {}
  Dim(const char* l) : letter(l) {}
  std::size_t size = 0;
  const char* letter = nullptr;
};

// One call of forward(): its inputs, and where its results go.
class Call : public Options {
 public:
  Call(const char* who, Graph<float>& g, const val& inputs) : Options(who, inputs), g_(g) {}

  Graph<float>& graph() { return g_; }

  // Throws ShapeError "Gru: x is [4, 1, 5], expected [T, B, 3]".
  Var<float> tensor(const char* name, std::initializer_list<Dim> dims);
  // Of any rank, `width` wide.
  Var<float> rows(const char* name, std::size_t width);
  // "lengths" of the sequences x [T, B, ..]: none, or B in 1..T.
  std::span<const std::int32_t> lengths(const Var<float>& x, const char* name = "lengths");
  // "pattern": "dense", "causal", { window }, { edges }, { strided } or { globals, window }.
  ops::Pattern pattern(std::size_t queries, std::size_t keys);
  // "headMask": none, or one factor a head.
  std::span<const float> head_mask(std::size_t heads);

  void give(const char* name, const Var<float>& x);
  val results() const { return results_; }

 private:
  Var<float> read(const TensorIn& tensor);

  Graph<float>& g_;
  val results_ = val::object();
  std::deque<std::vector<std::int32_t>> lengths_;
  std::vector<float> head_mask_;
  std::optional<ops::EdgeList> edges_;
};

using Forward = std::function<void(Call&)>;

// Where PyTorch's state dict has a weight: the part-th of so many blocks of rows of a tensor.
struct Source {
  std::string name;
  std::size_t part = 0, parts = 1;
};
// The places where a weight of ours may be, the usual one last.
using Sources = std::vector<Source>;

struct Kind {
  const char* name;
  // Makes the layer under the name "": its ".weight" is the state dict's "weight". What it gives values itself is not
  // looked for there.
  Forward (*make)(Parameters<float>& parameters, Options& options);
  Sources (*sources)(const std::string& ours) = [](const std::string& ours) { return Sources{{ours}}; };
};

// One table a family.
std::span<const Kind> recurrent_kinds();
std::span<const Kind> looking_back_kinds();
std::span<const Kind> attention_kinds();
std::span<const Kind> transformer_kinds();
std::span<const Kind> position_kinds();
std::span<const Kind> local_kinds();
std::span<const Kind> image_kinds();

// Beyond a sequence's end PyTorch has 0: states [T, B, H].
void clear_padding(Var<float> states, std::span<const std::int32_t> lengths);

// q_proj.weight, or a third of PyTorch's in_proj_weight.
Sources in_proj(const std::string& ours);

}  // namespace softalign::js
