#include "attention.h"

namespace softalign::js {

using AdditiveAttentionCore = AttentionCore<layers::AdditiveAttention<float>>;

val create_additive_attention(std::size_t query, std::size_t key, std::size_t alignment, const val& query_weight,
                              const val& key_weight, const val& bias, const val& score) {
  return guarded([&] {
    const char* who = "AdditiveAttention";
    Weights weights(who);
    weights.read("query.weight", "queryWeight", query_weight, alignment, query);
    weights.read("key.weight", "keyWeight", key_weight, alignment, key);
    weights.read("key.bias", "bias", bias, 1, alignment);
    weights.read("score", "score", score, 1, alignment);
    return val(std::make_shared<AdditiveAttentionCore>(who, query, key, alignment, std::move(weights)));
  });
}

EMSCRIPTEN_BINDINGS(additive_attention) {
  bind_attention<layers::AdditiveAttention<float>>("AdditiveAttentionCore", "AdditiveAttentionCorePtr");
  emscripten::function("createAdditiveAttention", &create_additive_attention);
}

}  // namespace softalign::js
