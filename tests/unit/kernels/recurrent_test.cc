#include "kernels/recurrent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "unit/support/guarded.h"

namespace softalign::kernels {
namespace {

using testing::Guarded;
using testing::kLongestLength;
using testing::kMisalignments;

std::vector<double> twin(const Guarded<float>& g) { return {g.data(), g.data() + g.size()}; }

double largest(const Guarded<float>& g) {
  double most = 0;
  for (std::size_t i = 0; i < g.size(); ++i) most = std::max(most, std::abs(double(g[i])));
  return most;
}

void expect_near(const Guarded<float>& got, const std::vector<double>& expected, double bound, const char* what) {
  ASSERT_TRUE(got.untouched()) << what;
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_NEAR(got[i], expected[i], bound) << what << " at " << i << " of " << got.size();
  }
}

void expect_gru_step(std::size_t width, std::size_t misalignment, double deviation) {
  Random random(width * 31 + misalignment);
  const auto x = Guarded<float>::random(random, 3 * width, misalignment, deviation);
  const auto hidden = Guarded<float>::random(random, 3 * width, misalignment + 1, deviation);
  auto h = Guarded<float>::random(random, width, misalignment, 0.5);
  Guarded<float> out(width, misalignment), gates(3 * width, misalignment);
  std::vector<double> expected(width), expected_gates(3 * width);
  gru_step(twin(x).data(), twin(hidden).data(), twin(h).data(), expected.data(), expected_gates.data(), width);

  const double scale = 1 + std::max({largest(x), largest(hidden), largest(h)});
  const double bound = 1e-6 * scale;
  gru_step(x.data(), hidden.data(), h.data(), out.data(), gates.data(), width);
  expect_near(out, expected, bound, "out");
  expect_near(gates, expected_gates, bound, "gates");

  Guarded<float> alone(width, misalignment);
  gru_step(x.data(), hidden.data(), h.data(), alone.data(), nullptr, width);
  auto in_place = h;
  gru_step(x.data(), hidden.data(), in_place.data(), in_place.data(), nullptr, width);
  for (std::size_t i = 0; i < width; ++i) {
    ASSERT_EQ(alone[i], out[i]) << "without gates";
    ASSERT_EQ(in_place[i], out[i]) << "in place";
  }

  const auto d_out = Guarded<float>::random(random, width, misalignment);
  auto d_x = Guarded<float>::random(random, 3 * width, misalignment);
  Guarded<float> d_hidden(3 * width, misalignment), d_h(width, misalignment);
  auto expected_d_x = twin(d_x);
  std::vector<double> expected_d_hidden(3 * width), expected_d_h(width);
  gru_step_gradient(expected_gates.data(), twin(hidden).data(), twin(h).data(), twin(d_out).data(), expected_d_x.data(),
                    expected_d_hidden.data(), expected_d_h.data(), width);
  gru_step_gradient(gates.data(), hidden.data(), h.data(), d_out.data(), d_x.data(), d_hidden.data(), d_h.data(),
                    width);
  const double gradient_bound = 2e-6 * scale * scale * largest(d_out);
  expect_near(d_x, expected_d_x, gradient_bound, "d_x");
  expect_near(d_hidden, expected_d_hidden, gradient_bound, "d_hidden");
  expect_near(d_h, expected_d_h, gradient_bound, "d_h");
}

// Every width and misalignment, from nearly linear to saturated.
template <class Body>
void everywhere(Body body) {
  for (std::size_t width = 0; width <= kLongestLength; ++width) {
    for (const std::size_t misalignment : kMisalignments) {
      for (const double deviation : {0.1, 1.0, 20.0}) {
        SCOPED_TRACE(::testing::Message()
                     << "width " << width << ", misalignment " << misalignment << ", deviation " << deviation);
        body(width, misalignment, deviation);
      }
    }
  }
}

TEST(GruStep, EveryWidthAndMisalignment) { everywhere(expect_gru_step); }

TEST(GruStep, TwinFollowsItsEquation) {
  const double x[] = {0.3, -0.2, 0.5}, hidden[] = {0.1, 0.4, -0.6}, h[] = {0.25};
  double out[1], gates[3];
  gru_step(x, hidden, h, out, gates, 1);
  const double r = 1 / (1 + std::exp(-0.4)), z = 1 / (1 + std::exp(-0.2)), n = std::tanh(0.5 + r * -0.6);
  EXPECT_DOUBLE_EQ(gates[0], r);
  EXPECT_DOUBLE_EQ(gates[1], z);
  EXPECT_DOUBLE_EQ(gates[2], n);
  EXPECT_DOUBLE_EQ(out[0], (1 - z) * n + z * 0.25);
}

TEST(GruStep, TwinGradientAgreesWithFiniteDifferences) {
  constexpr std::size_t H = 3;
  Random random(11);
  std::vector<double> x(3 * H), hidden(3 * H), h(H), d_out(H);
  for (auto* v : {&x, &hidden, &h, &d_out})
    for (double& value : *v) value = random.normal();
  const auto loss = [&] {
    std::vector<double> out(H);
    gru_step(x.data(), hidden.data(), h.data(), out.data(), nullptr, H);
    double total = 0;
    for (std::size_t i = 0; i < H; ++i) total += d_out[i] * out[i];
    return total;
  };
  std::vector<double> out(H), gates(3 * H), d_x(3 * H), d_hidden(3 * H), d_h(H);
  gru_step(x.data(), hidden.data(), h.data(), out.data(), gates.data(), H);
  gru_step_gradient(gates.data(), hidden.data(), h.data(), d_out.data(), d_x.data(), d_hidden.data(), d_h.data(), H);
  const auto check = [&](std::vector<double>& at, const std::vector<double>& gradient) {
    for (std::size_t i = 0; i < at.size(); ++i) {
      const double was = at[i], step = 1e-5;
      at[i] = was + step;
      const double up = loss();
      at[i] = was - step;
      const double down = loss();
      at[i] = was;
      EXPECT_NEAR(gradient[i], (up - down) / (2 * step), 1e-8);
    }
  };
  check(x, d_x);
  check(hidden, d_hidden);
  check(h, d_h);
}

void expect_rnn_step(std::size_t width, std::size_t misalignment, double deviation) {
  Random random(width * 37 + misalignment);
  const auto x = Guarded<float>::random(random, width, misalignment, deviation);
  const auto hidden = Guarded<float>::random(random, width, misalignment + 1, deviation);
  const auto d_out = Guarded<float>::random(random, width, misalignment);
  auto d_x = Guarded<float>::random(random, width, misalignment);
  Guarded<float> out(width, misalignment), d_hidden(width, misalignment);
  auto expected_d_x = twin(d_x);
  std::vector<double> expected(width), expected_d_hidden(width);
  rnn_step(twin(x).data(), twin(hidden).data(), expected.data(), width);
  rnn_step_gradient(expected.data(), twin(d_out).data(), expected_d_x.data(), expected_d_hidden.data(), width);
  rnn_step(x.data(), hidden.data(), out.data(), width);
  rnn_step_gradient(out.data(), d_out.data(), d_x.data(), d_hidden.data(), width);
  const double bound = 1e-6 * (1 + std::max(largest(x), largest(hidden)));
  expect_near(out, expected, bound, "out");
  expect_near(d_x, expected_d_x, 4 * bound * largest(d_out), "d_x");
  expect_near(d_hidden, expected_d_hidden, 4 * bound * largest(d_out), "d_hidden");
}

TEST(RnnStep, EveryWidthAndMisalignment) { everywhere(expect_rnn_step); }

void expect_lstm_step(std::size_t width, std::size_t misalignment, double deviation) {
  Random random(width * 41 + misalignment);
  const auto x = Guarded<float>::random(random, 4 * width, misalignment, deviation);
  const auto hidden = Guarded<float>::random(random, 4 * width, misalignment + 1, deviation);
  const auto c = Guarded<float>::random(random, width, misalignment, 0.5);
  const auto d_out = Guarded<float>::random(random, width, misalignment);
  const auto d_c_out = Guarded<float>::random(random, width, misalignment + 1);
  auto d_x = Guarded<float>::random(random, 4 * width, misalignment);
  Guarded<float> out(width, misalignment), c_out(width, misalignment), gates(4 * width, misalignment);
  Guarded<float> d_hidden(4 * width, misalignment), d_c(width, misalignment);
  auto expected_d_x = twin(d_x);
  std::vector<double> expected(width), expected_c(width), expected_gates(4 * width), expected_d_hidden(4 * width),
      expected_d_c(width);
  lstm_step(twin(x).data(), twin(hidden).data(), twin(c).data(), expected.data(), expected_c.data(),
            expected_gates.data(), width);
  lstm_step_gradient(expected_gates.data(), twin(c).data(), expected_c.data(), twin(d_out).data(), twin(d_c_out).data(),
                     expected_d_x.data(), expected_d_hidden.data(), expected_d_c.data(), width);
  lstm_step(x.data(), hidden.data(), c.data(), out.data(), c_out.data(), gates.data(), width);
  lstm_step_gradient(gates.data(), c.data(), c_out.data(), d_out.data(), d_c_out.data(), d_x.data(), d_hidden.data(),
                     d_c.data(), width);
  const double scale = 1 + std::max({largest(x), largest(hidden), largest(c)});
  expect_near(out, expected, 1e-6 * scale, "out");
  expect_near(c_out, expected_c, 1e-6 * scale, "c_out");
  expect_near(gates, expected_gates, 1e-6 * scale, "gates");
  const double bound = 4e-6 * scale * scale * std::max(largest(d_out), largest(d_c_out));
  expect_near(d_x, expected_d_x, bound, "d_x");
  expect_near(d_hidden, expected_d_hidden, bound, "d_hidden");
  expect_near(d_c, expected_d_c, bound, "d_c");

  auto in_place = c;
  Guarded<float> alone(width, misalignment);
  lstm_step(x.data(), hidden.data(), in_place.data(), alone.data(), in_place.data(), nullptr, width);
  for (std::size_t i = 0; i < width; ++i) {
    ASSERT_EQ(in_place[i], c_out[i]) << "in place";
    ASSERT_EQ(alone[i], out[i]) << "without gates";
  }
}

TEST(LstmStep, EveryWidthAndMisalignment) { everywhere(expect_lstm_step); }

TEST(LstmStep, TwinFollowsItsEquation) {
  const double x[] = {0.3, -0.2, 0.5, 1.1}, hidden[] = {0.1, 0.4, -0.6, -0.3}, c[] = {0.25};
  double out[1], c_out[1];
  lstm_step(x, hidden, c, out, c_out, nullptr, 1);
  const auto sigma = [](double v) { return 1 / (1 + std::exp(-v)); };
  const double expected = sigma(0.2) * 0.25 + sigma(0.4) * std::tanh(-0.1);
  EXPECT_NEAR(c_out[0], expected, 1e-15);
  EXPECT_NEAR(out[0], sigma(0.8) * std::tanh(expected), 1e-15);
}

void expect_ssru_step(std::size_t width, std::size_t misalignment, double deviation) {
  Random random(width * 43 + misalignment);
  const auto x = Guarded<float>::random(random, 2 * width, misalignment, deviation);
  const auto c = Guarded<float>::random(random, width, misalignment, 0.5);
  const auto d_out = Guarded<float>::random(random, width, misalignment);
  const auto d_c_out = Guarded<float>::random(random, width, misalignment + 1);
  auto d_x = Guarded<float>::random(random, 2 * width, misalignment);
  Guarded<float> out(width, misalignment), c_out(width, misalignment), gates(width, misalignment),
      d_c(width, misalignment);
  auto expected_d_x = twin(d_x);
  std::vector<double> expected(width), expected_c(width), expected_gates(width), expected_d_c(width);
  ssru_step(twin(x).data(), twin(c).data(), expected.data(), expected_c.data(), expected_gates.data(), width);
  ssru_step(x.data(), c.data(), out.data(), c_out.data(), gates.data(), width);
  // the gradient jumps at c_out = 0: both are asked about the same point
  ssru_step_gradient(expected_gates.data(), twin(x).data(), twin(c).data(), twin(c_out).data(), twin(d_out).data(),
                     twin(d_c_out).data(), expected_d_x.data(), expected_d_c.data(), width);
  ssru_step_gradient(gates.data(), x.data(), c.data(), c_out.data(), d_out.data(), d_c_out.data(), d_x.data(),
                     d_c.data(), width);
  const double scale = 1 + std::max(largest(x), largest(c));
  expect_near(out, expected, 1e-6 * scale, "out");
  expect_near(c_out, expected_c, 1e-6 * scale, "c_out");
  expect_near(gates, expected_gates, 1e-6 * scale, "gates");
  const double bound = 4e-6 * scale * scale * std::max(largest(d_out), largest(d_c_out));
  expect_near(d_x, expected_d_x, bound, "d_x");
  expect_near(d_c, expected_d_c, bound, "d_c");
}

TEST(SsruStep, EveryWidthAndMisalignment) { everywhere(expect_ssru_step); }

TEST(SsruStep, TwinFollowsItsEquation) {
  const double x[] = {0.3, 2.0}, c[] = {0.5};
  double out[1], c_out[1];
  ssru_step(x, c, out, c_out, nullptr, 1);
  const double f = 1 / (1 + std::exp(-0.3)), expected = f * 0.5 + (1 - f) * 2;
  EXPECT_NEAR(c_out[0], expected, 1e-15);
  EXPECT_EQ(out[0], c_out[0]);
  const double negative[] = {0.3, -2.0};
  ssru_step(negative, c, out, c_out, nullptr, 1);
  EXPECT_LT(c_out[0], 0);
  EXPECT_EQ(out[0], 0);
}

}  // namespace
}  // namespace softalign::kernels
