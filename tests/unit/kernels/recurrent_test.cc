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

void expect_step(std::size_t width, std::size_t misalignment, double deviation) {
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
  gru_step_gradient(expected_gates.data(), twin(hidden).data(), twin(h).data(), twin(d_out).data(),
                    expected_d_x.data(), expected_d_hidden.data(), expected_d_h.data(), width);
  gru_step_gradient(gates.data(), hidden.data(), h.data(), d_out.data(), d_x.data(), d_hidden.data(), d_h.data(),
                    width);
  const double gradient_bound = 2e-6 * scale * scale * largest(d_out);
  expect_near(d_x, expected_d_x, gradient_bound, "d_x");
  expect_near(d_hidden, expected_d_hidden, gradient_bound, "d_hidden");
  expect_near(d_h, expected_d_h, gradient_bound, "d_h");
}

TEST(GruStep, EveryWidthAndMisalignment) {
  for (std::size_t width = 0; width <= kLongestLength; ++width) {
    for (const std::size_t misalignment : kMisalignments) {
      for (const double deviation : {0.1, 1.0, 20.0}) {
        SCOPED_TRACE(::testing::Message() << "width " << width << ", misalignment " << misalignment << ", deviation "
                                          << deviation);
        expect_step(width, misalignment, deviation);
      }
    }
  }
}

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

}  // namespace
}  // namespace softalign::kernels
