#include "layers/recurrent/gru.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/layers/recurrent/golden_states.h"
#include "unit/support/gradients.h"

namespace softalign::layers {
namespace {

using testing::Golden;
using Lengths = std::vector<std::int32_t>;

template <class T>
class Gru_ : public ::testing::Test {};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Gru_, Numbers);

constexpr const char* kParts[] = {"weight_ih", "weight_hh", "bias_ih", "bias_hh"};

template <class T>
void load_gru(Parameters<T>& p, const Golden& golden, const std::string& name, const std::string& suffix) {
  for (const std::string part : kParts) testing::load(p, golden, name + "." + part, "weight." + part + suffix);
}

template <class T>
void expect_gru_gradients(const Golden& golden, const Parameters<T>& p, const std::string& name,
                          const std::string& suffix, const std::vector<T>& gradients) {
  for (const std::string part : kParts) {
    testing::expect_golden_gradient(golden, "grad." + part + suffix, p, name + "." + part, gradients);
  }
}

TYPED_TEST(Gru_, OneDirectionAgreesWithPyTorch) {
  using T = TypeParam;
  const Golden golden("gru_one_step");
  const Lengths lengths = golden.ints("input.lengths");
  Parameters<T> p;
  const auto& x = testing::add_input(p, golden, "input.x");
  const Gru<T> gru(p, "gru", 3, 4);
  load_gru(p, golden, "gru", "_l0");
  std::vector<T> gradients(p.size());
  Graph<T> g(gradients.data(), 1);
  const auto sequence = gru(g, g.use(x), lengths);
  testing::expect_states(golden, sequence.states, lengths);
  testing::expect_golden(golden, "output.last", sequence.last.value, sequence.last.size());
  g.backward(testing::weighed_sum<T>(g, {{sequence.states, testing::seed_of<T>(golden, "seed.states")},
                                         {sequence.last, testing::seed_of<T>(golden, "seed.last")}}));
  testing::expect_golden_gradient(golden, "grad.x", p, "input.x", gradients);
  expect_gru_gradients(golden, p, "gru", "_l0", gradients);
}

// Step by step from a given state, as a decoder uses it.
TYPED_TEST(Gru_, StepsFromAGivenStateAgreeWithPyTorch) {
  using T = TypeParam;
  const Golden golden("gru_padded");
  const Lengths lengths = golden.ints("input.lengths");
  const std::size_t steps = 7, B = 3, H = 4;
  Parameters<T> p;
  const auto& x = testing::add_input(p, golden, "input.x");
  const auto& initial = testing::add_input(p, golden, "input.initial");
  const Gru<T> gru(p, "gru", 5, H);
  load_gru(p, golden, "gru", "_l0");
  std::vector<T> gradients(p.size());
  Graph<T> g(gradients.data(), 1);
  const Var<T> gates = gru.gates(g, g.use(x)).reshape({steps * B, 3 * H});
  const Var<T> states = g.make({steps, B, H});
  Var<T> h = g.use(initial).reshape({B, H});
  for (std::size_t t = 0; t < steps; ++t) {
    unsigned char active[3];
    for (std::size_t b = 0; b < B; ++b) active[b] = static_cast<std::size_t>(lengths[b]) > t;
    h = gru.step(g, gates.slice(t * B, B), h, active, states.slice(t * B, B));
  }
  testing::expect_states(golden, states, lengths);
  testing::expect_golden(golden, "output.last", h.value, h.size());
  g.backward(testing::weighed_sum<T>(
      g, {{states, testing::seed_of<T>(golden, "seed.states")}, {h, testing::seed_of<T>(golden, "seed.last")}}));
  testing::expect_golden_gradient(golden, "grad.x", p, "input.x", gradients);
  testing::expect_golden_gradient(golden, "grad.initial", p, "input.initial", gradients);
  expect_gru_gradients(golden, p, "gru", "_l0", gradients);
}

}  // namespace
}  // namespace softalign::layers
