#include "attention.h"

namespace softalign::js {

using DotAttentionCore = AttentionCore<layers::DotAttention<float>>;

val create_dot_attention(std::size_t query, std::size_t key, std::size_t alignment, const val& query_weight,
                         const val& key_weight) {
  return guarded([&] {
    const char* who = "DotAttention";
    Weights weights(who);
    weights.read("query.weight", "queryWeight", query_weight, alignment, query);
    weights.read("key.weight", "keyWeight", key_weight, alignment, key);
    return val(std::make_shared<DotAttentionCore>(who, query, key, alignment, std::move(weights)));
  });
}

EMSCRIPTEN_BINDINGS(dot_attention) {
  bind_attention<layers::DotAttention<float>>("DotAttentionCore", "DotAttentionCorePtr");
  emscripten::function("createDotAttention", &create_dot_attention);
}

}  // namespace softalign::js
