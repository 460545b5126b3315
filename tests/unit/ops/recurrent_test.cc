#include "ops/recurrent.h"

#include <gtest/gtest.h>

#include <vector>

#include "unit/support/gradients.h"

namespace softalign::ops {
namespace {

using testing::expect_gradients;
using testing::weighed_sum;

struct Inputs {
  Inputs() { testing::randomise(p); }
  Parameters<double> p;
  const Parameter<double>&x = p.add("x", {3, 12}, 0), &h = p.add("h", {3, 4}, 0);
  const Parameter<double>&hidden = p.add("hidden", {3, 12}, 0), &hidden_two = p.add("hidden_two", {3, 12}, 0);
};

TEST(GruStepOp, Gradients) {
  Inputs in;
  const unsigned char some[] = {1, 0, 1};
  expect_gradients(in.p, [&](Graph<double>& g) {
    const Var<double> x = g.use(in.x);
    const Var<double> one = gru_step(g, x, g.use(in.hidden), g.use(in.h));
    return weighed_sum(g, {one, gru_step(g, x, g.use(in.hidden_two), one, some)});
  });
}

TEST(GruStepOp, RowsThatAreNotActiveKeepTheirState) {
  Inputs in;
  Graph<double> g;
  unsigned char active[] = {1, 0, 1};
  const Var<double> all = gru_step(g, g.use(in.x), g.use(in.hidden), g.use(in.h));
  const Var<double> some = gru_step(g, g.use(in.x), g.use(in.hidden), g.use(in.h), active);
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_DOUBLE_EQ(some.value[i], i / 4 == 1 ? in.h.value[i] : all.value[i]);
  }
}

TEST(GruStepOp, TheCallerMayChangeItsMaskBeforeBackward) {
  Inputs in;
  unsigned char active[3];
  expect_gradients(in.p, [&](Graph<double>& g) {
    active[0] = active[2] = 1;
    active[1] = 0;
    const Var<double> one = gru_step(g, g.use(in.x), g.use(in.hidden), g.use(in.h), active);
    active[0] = 0;
    return weighed_sum(g, {gru_step(g, g.use(in.x), g.use(in.hidden_two), one, active)});
  });
}

TEST(GruStepOp, WritesIntoASliceOfASequence) {
  Inputs in;
  expect_gradients(in.p, [&](Graph<double>& g) {
    const Var<double> states = g.make({2, 3, 4});
    const Var<double> matrix = states.reshape({6, 4});
    const Var<double> one = gru_step(g, g.use(in.x), g.use(in.hidden), g.use(in.h), {}, matrix.slice(3, 3));
    gru_step(g, g.use(in.x), g.use(in.hidden_two), one, {}, matrix.slice(0, 3));
    return weighed_sum(g, {states});
  });
}

TEST(GruStepOp, ShapesThatDoNotFitAreNamed) {
  Inputs in;
  Graph<double> g;
  const Var<double> x = g.use(in.x), hidden = g.use(in.hidden), h = g.use(in.h);
  const unsigned char two[] = {1, 1};
  EXPECT_THROW(gru_step(g, h, hidden, h), ShapeError);
  EXPECT_THROW(gru_step(g, x, h, h), ShapeError);
  EXPECT_THROW(gru_step(g, x, hidden, x), ShapeError);
  EXPECT_THROW(gru_step(g, x, hidden, h, two), ShapeError);
  EXPECT_THROW(gru_step(g, x, hidden, h, {}, x), ShapeError);
}

// The layers' tests differentiate the other steps; here is what is the ops' own.
struct LstmInputs {
  LstmInputs() { testing::randomise(p); }
  Parameters<double> p;
  const Parameter<double>&x = p.add("x", {3, 8}, 0), &hidden = p.add("hidden", {3, 8}, 0);
  const Parameter<double>&h = p.add("h", {3, 2}, 0), &c = p.add("c", {3, 2}, 0);
};

TEST(LstmStepOp, GradientsFromAGivenState) {
  LstmInputs in;
  const unsigned char some[] = {1, 0, 1};
  expect_gradients(in.p, [&](Graph<double>& g) {
    const auto next = lstm_step(g, g.use(in.x), g.use(in.hidden), {g.use(in.h), g.use(in.c)}, some);
    return weighed_sum(g, {next.h, next.c});
  });
}

TEST(SsruStepOp, GradientsFromAGivenState) {
  LstmInputs in;
  const unsigned char some[] = {1, 0, 1};
  expect_gradients(in.p, [&](Graph<double>& g) {
    const auto next = ssru_step(g, g.use(in.x).reshape({6, 4}).slice(0, 3), {g.use(in.h), g.use(in.c)}, some);
    return weighed_sum(g, {next.h, next.c});
  });
}

TEST(RnnStepOp, GradientsFromAGivenState) {
  LstmInputs in;
  const unsigned char some[] = {1, 0, 1};
  expect_gradients(in.p, [&](Graph<double>& g) {
    const auto part = [&](const Parameter<double>& p) { return g.use(p).reshape({12, 2}).slice(0, 3); };
    return weighed_sum(g, {rnn_step(g, part(in.x), part(in.hidden), g.use(in.h), some)});
  });
}

TEST(LstmStepOp, ShapesThatDoNotFitAreNamed) {
  LstmInputs in;
  Graph<double> g;
  const Var<double> x = g.use(in.x), h = g.use(in.h);
  const unsigned char two[] = {1, 1};
  EXPECT_THROW(lstm_step(g, h, x, {h, h}), ShapeError);
  EXPECT_THROW(lstm_step(g, x, h, {h, h}), ShapeError);
  EXPECT_THROW(lstm_step(g, x, x, {x, h}), ShapeError);
  EXPECT_THROW(lstm_step(g, x, x, {h, h}, two), ShapeError);
  EXPECT_THROW(lstm_step(g, x, x, {h, h}, {}, x), ShapeError);
  EXPECT_THROW(ssru_step(g, x, {h, h}), ShapeError);
  EXPECT_THROW(rnn_step(g, x, h, h), ShapeError);
  EXPECT_THROW(rnn_step(g, h, x, h), ShapeError);
}

TEST(RecurrentOps, ChosenRows) {
  Parameters<double> p;
  const auto& fresh = p.add("fresh", {3, 2}, 1);
  const auto& kept = p.add("kept", {3, 2}, 1);
  const unsigned char active[] = {0, 1, 0}, two[] = {1, 1};
  Graph<double> g;
  const Var<double> y = choose_rows(g, active, g.use(fresh), g.use(kept));
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(y.value[i], (i / 2 == 1 ? fresh : kept).value[i]);
  EXPECT_EQ(choose_rows(g, {}, g.use(fresh), g.use(kept)).value, fresh.value.data());
  EXPECT_THROW(choose_rows(g, two, g.use(fresh), g.use(kept)), ShapeError);
  EXPECT_THROW(choose_rows(g, active, g.use(fresh), g.zeros({3, 1})), ShapeError);
  expect_gradients(p, [&](Graph<double>& h) {
    return weighed_sum(h, {choose_rows(h, active, h.use(fresh), h.use(kept)), choose_rows(h, {}, h.use(fresh), h.use(kept))});
  });
}

}  // namespace
}  // namespace softalign::ops
