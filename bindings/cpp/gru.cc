#include "layers/recurrent/gru.h"

#include <memory>

#include "boundary.h"
#include "layer.h"

namespace softalign::js {

class GruCore : public Counted {
 public:
  GruCore(std::size_t input, std::size_t hidden, Weights weights) : input_(input), layer_(parameters_, "Gru", input, hidden) {
    weights.assign_to(parameters_);
  }

  // inputs [T, input], initial [H] -> states [T, H]
  val run(const val& inputs, const val& initial) {
    return guarded([&] {
      const std::size_t steps = count_rows("Gru", "inputs", inputs, input_), width = layer_.width();
      const auto x = copy_in("Gru", "inputs", inputs, steps, input_);
      const auto h0 = copy_in("Gru", "initial", initial, 1, width);
      graph_.rewind();
      const Var<float> gates = layer_.gates(graph_, graph_.constant({steps, input_}, x.data()));
      Var<float> h = graph_.constant({1, width}, h0.data());
      const Var<float> states = graph_.make({steps, width});
      for (std::size_t t = 0; t < steps; ++t) {
        h = layer_.step(graph_, gates.slice(t, 1), h, {}, states.slice(t, 1));
      }
      return copy_out(std::vector<float>(states.value, states.value + states.size()));
    });
  }

 private:
  std::size_t input_;
  Parameters<float> parameters_;
  layers::Gru<float> layer_;
  Graph<float> graph_;
};

val create_gru(std::size_t input, std::size_t hidden, const val& input_weight, const val& hidden_weight,
               const val& input_bias, const val& hidden_bias) {
  return guarded([&] {
    Weights weights("Gru");
    weights.read("weight_ih", "inputWeight", input_weight, 3 * hidden, input);
    weights.read("weight_hh", "hiddenWeight", hidden_weight, 3 * hidden, hidden);
    weights.read("bias_ih", "inputBias", input_bias, 1, 3 * hidden);
    weights.read("bias_hh", "hiddenBias", hidden_bias, 1, 3 * hidden);
    return val(std::make_shared<GruCore>(input, hidden, std::move(weights)));
  });
}

EMSCRIPTEN_BINDINGS(gru) {
  emscripten::class_<GruCore>("GruCore")
      .smart_ptr<std::shared_ptr<GruCore>>("GruCorePtr")
      .function("run", &GruCore::run);
  // Factories, since constructors cannot answer with an error.
  emscripten::function("createGru", &create_gru);
}

}  // namespace softalign::js
