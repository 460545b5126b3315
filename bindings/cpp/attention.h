#pragma once

#include <memory>

#include "boundary.h"
#include "layer.h"
#include "layers/attention/attention.h"

namespace softalign::js {

// One query against one source sentence, for any layer of the attention family.
template <class Layer>
class AttentionCore : public Counted {
 public:
  AttentionCore(const char* who, std::size_t query, std::size_t key, std::size_t alignment, Weights weights)
      : who_(who), query_(query), key_(key), layer_(parameters_, who, query, key, alignment) {
    weights.assign_to(parameters_);
  }

  // query [Q], keys [S, K], values [S, V] -> { context [V], alignment [S] }
  val attend(const val& query, const val& keys, const val& values) {
    return guarded([&] {
      const std::size_t length = count_rows(who_, "keys", keys, key_);
      const std::size_t width = values["length"].template as<std::size_t>() / length;
      const auto q = copy_in(who_, "query", query, 1, query_);
      const auto k = copy_in(who_, "keys", keys, length, key_);
      const auto v = copy_in(who_, "values", values, length, width);
      if (width == 0) throw ShapeError(std::string(who_) + ": values is empty, expected a row for each key");
      const auto positions = static_cast<std::int32_t>(length);
      graph_.rewind();
      auto memory = layer_.project(graph_, graph_.constant({length, 1, key_}, k.data()), {&positions, 1});
      memory.values = graph_.constant({length, 1, width}, v.data());
      const auto attended = layer_(graph_, graph_.constant({1, query_}, q.data()), memory);
      val result = val::object();
      result.set("context", copy(attended.context));
      result.set("alignment", copy(attended.weights));
      return result;
    });
  }

 private:
  static val copy(const Var<float>& x) { return copy_out(std::vector<float>(x.value, x.value + x.size())); }

  const char* who_;
  std::size_t query_, key_;
  Parameters<float> parameters_;
  Layer layer_;
  Graph<float> graph_;
};

template <class Layer>
void bind_attention(const char* name, const char* pointer_name) {
  using Core = AttentionCore<Layer>;
  emscripten::class_<Core>(name)
      .template smart_ptr<std::shared_ptr<Core>>(pointer_name)
      .function("attend", &Core::attend);
}

}  // namespace softalign::js
