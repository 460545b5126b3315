#include "models/decoder_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/random.h"
#include "unit/support/allocations.h"

namespace softalign::models {
namespace {

constexpr std::size_t kMost = 5, kLongest = 40;

// What a state holds, told plainly: for each hypothesis the numbers it was given, one a word.
using Histories = std::vector<std::vector<double>>;

template <class T>
double at(const Var<T>& rows, std::size_t row, std::size_t column) {
  return static_cast<double>(rows.value[row * rows.width() + column]);
}

// Planes and columns hold different numbers of the same word.
double number(double word, std::size_t plane, std::size_t column) {
  return word + 1000 * static_cast<double>(plane) + 10000 * static_cast<double>(column);
}

template <class T>
void write_word(const DecoderState<T>& state, const StateShape& shape, const std::vector<double>& words) {
  for (std::size_t plane = 0; plane < shape.planes; ++plane) {
    const Var<T> rows = state.next(plane);
    ASSERT_EQ(rows.shape, (Shape{words.size(), shape.width}));
    for (std::size_t b = 0; b < words.size(); ++b) {
      for (std::size_t c = 0; c < shape.width; ++c) {
        rows.value[b * shape.width + c] = static_cast<T>(number(words[b], plane, c));
      }
    }
  }
}

template <class T>
void expect_histories(const DecoderState<T>& state, const StateShape& shape, const Histories& expected) {
  const std::size_t B = expected.size();
  ASSERT_EQ(state.hypotheses(), B);
  for (std::size_t plane = 0; plane < shape.planes; ++plane) {
    for (std::size_t b = 0; b < B; ++b) {
      ASSERT_EQ(expected[b].size(), state.words());
      for (std::size_t c = 0; c < shape.width; ++c) {
        ASSERT_EQ(at(state.last(plane), b, c), number(expected[b].back(), plane, c));
        if (!shape.grows) continue;
        ASSERT_EQ(state.all(plane).shape, (Shape{state.words() + 1, B, shape.width}));
        for (std::size_t t = 0; t < state.words(); ++t) {
          ASSERT_EQ(at(state.all(plane), t * B + b, c), number(expected[b][t], plane, c))
              << "hypothesis " << b << ", word " << t << ", plane " << plane;
        }
      }
    }
  }
}

template <class T>
class DecoderState_ : public ::testing::Test {};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(DecoderState_, Numbers);

TYPED_TEST(DecoderState_, HypothesesKeepTheirHistoriesHoweverTheyAreChosen) {
  Random random(7);
  for (const StateShape shape : {StateShape{1, 3, false}, StateShape{2, 4, false}, StateShape{1, 1, true}, StateShape{3, 5, true}}) {
    for (int run = 0; run < 50; ++run) {
      Graph<TypeParam> g;
      const std::size_t sentences = 1 + random.below(3);
      DecoderState<TypeParam> state(g, shape, sentences, kLongest, kMost);
      Histories histories(sentences);
      std::vector<std::int32_t> sentence = {0, 1, 2};
      sentence.resize(sentences);
      double word = 0;
      for (std::size_t t = 0; t < kLongest && !histories.empty(); ++t) {
        std::vector<double> words;
        for (auto& history : histories) history.push_back(words.emplace_back(++word));
        ASSERT_NO_FATAL_FAILURE(write_word(state, shape, words));
        state.advance();
        ASSERT_NO_FATAL_FAILURE(expect_histories(state, shape, histories));
        // more, fewer or as many hypotheses, in any order, some of them twice; in the end often none
        std::vector<std::size_t> kept(t < kLongest / 2 ? 1 + random.below(kMost) : random.below(kMost + 1));
        Histories chosen;
        std::vector<std::int32_t> chosen_sentence;
        for (std::size_t& k : kept) {
          chosen.push_back(histories[k = random.below(histories.size())]);
          chosen_sentence.push_back(sentence[k]);
        }
        state.select(kept);
        histories = chosen;
        sentence = chosen_sentence;
        ASSERT_TRUE(std::equal(sentence.begin(), sentence.end(), state.sentences().begin(), state.sentences().end()));
        ASSERT_NO_FATAL_FAILURE(expect_histories(state, shape, histories));
      }
    }
  }
}

TEST(DecoderState, StaysInsideItsMemory) {
  for (const bool grows : {false, true}) {
    Graph<float> g;
    const StateShape shape{2, 3, grows};
    float* before = g.scratch<float>(16);
    DecoderState<float> state(g, shape, 1, kLongest, kMost);
    float* after = g.scratch<float>(16);
    std::fill_n(before, 16, 7.0f);
    std::fill_n(after, 16, 7.0f);
    const std::vector<std::size_t> kept(kMost, 0);
    for (std::size_t t = 0; t < kLongest; ++t) {
      ASSERT_NO_FATAL_FAILURE(write_word(state, shape, std::vector<double>(state.hypotheses(), 1)));
      state.advance();
      state.select(kept);
    }
    for (std::size_t i = 0; i < 16; ++i) {
      EXPECT_EQ(before[i], 7.0f);
      EXPECT_EQ(after[i], 7.0f);
    }
  }
}

TEST(DecoderState, AStepAllocatesNothing) {
  if (!testing::kAllocationsAreCounted) GTEST_SKIP() << "allocations are not counted under AddressSanitizer";
  const std::vector<std::size_t> kept[] = {{0, 0, 0}, {2, 0}, {1, 0, 1}, {0}};
  for (const bool grows : {false, true}) {
    Graph<float> g;
    DecoderState<float> state(g, {2, 3, grows}, 1, kLongest, kMost);
    const std::size_t before = testing::allocations();
    for (const auto& k : kept) {
      state.advance();
      state.select(k);
    }
    EXPECT_EQ(testing::allocations() - before, 0u);
  }
}

template <class Body>
std::string error_of(Body body) {
  try {
    body();
  } catch (const ArgumentError& e) {
    return e.what();
  }
  return "no error";
}

TEST(DecoderState, ErrorsNameTheCulprit) {
  Graph<float> g;
  DecoderState<float> state(g, {2, 3, true}, 1, 4, 2);
  const std::vector<std::size_t> unknown = {0, 1}, many = {0, 0, 0};
  EXPECT_EQ(error_of([&] { state.select(unknown); }), "DecoderState: hypothesis 1 is selected, expected one of 1");
  EXPECT_EQ(error_of([&] { state.select(many); }), "DecoderState: 3 hypotheses are selected, expected at most 2");
  const std::size_t long_text = std::size_t{1} << (sizeof(std::size_t) * 8 - 12);
  EXPECT_EQ(error_of([&] { DecoderState<float>(g, {12, 256, true}, 1, long_text, 64); }),
            "DecoderState: 12 planes of [" + std::to_string(long_text) + ", 64, 256] are expected to fit into memory");
}

}  // namespace
}  // namespace softalign::models
