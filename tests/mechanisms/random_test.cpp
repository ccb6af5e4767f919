#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "base/errors.h"
#include "mechanisms/random/distributions.h"
#include "mechanisms/sampler.h"
#include "tests/support/families.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/surd.h"

using namespace oddsbound;
using oddsbound::testing::read_example;

namespace {

// Returns the given words in order.
class Tape final : public RandomSource {
 public:
  Tape(unsigned width, std::vector<std::uint64_t> words) : RandomSource(width), words_(std::move(words)) {}

 protected:
  void refill() override {
    REQUIRE(next_word_ < words_.size());
    provide(&words_[next_word_++], 1);
  }

 private:
  std::vector<std::uint64_t> words_;
  std::size_t next_word_ = 0;
};

constexpr std::uint64_t kThird = 0x5555555555555555ULL;

}  // namespace

TEST_CASE("binary digits of rational and other numbers") {
  CHECK(binary_digits(Number::ratio(1, 3), 2) == std::vector<std::uint64_t>{kThird, kThird});
  CHECK(binary_digits(Number::ratio(1, 2), 1) == std::vector<std::uint64_t>{std::uint64_t{1} << 63});
  CHECK(binary_digits(Number(0), 2) == std::vector<std::uint64_t>{0, 0});
  // exp(-1) = 0.0101111000101101010110001101100010110011101111001101... in binary
  CHECK((binary_digits(Number::exp_of(Number(-1)), 1)[0] >> 16) == 0x5E2D58D8B3BCULL);
  CHECK(binary_length(Number::ratio(5, 8)) == 3);
  CHECK(binary_length(Number(0)) == 0);
  CHECK(binary_length(Number::ratio(1, 3)) == UINT32_MAX);
  CHECK(binary_length(Number::exp_of(Number(-1))) == UINT32_MAX);
  CHECK_THROWS_AS(binary_digits(Number(1), 1), NumberError);
  CHECK_THROWS_AS(binary_digits(Number(-1), 1), NumberError);
}

TEST_CASE("powers with rational exponents stay exact or fail") {
  CHECK(rational_power(Number::ratio(4, 9), Number::ratio(3, 2)) == Number::ratio(8, 27));
  CHECK(rational_power(Number::exp_of(Number(1)), Number::ratio(1, 2)) == Number::exp_of(Number::ratio(1, 2)));
  CHECK(rational_power(Number(9) * Number::exp_of(Number(2)), Number::ratio(-1, 2)) ==
        Number::exp_of(Number(-1)) / Number(3));
  CHECK_THROWS_AS(rational_power(Number(3), Number::ratio(1, 2)), NumberError);
  CHECK_THROWS_AS(rational_power(Number(1) + Number::exp_of(Number(1)), Number::ratio(1, 2)), NumberError);
}

TEST_CASE("a uniform choice looks at the next word only where it matters") {
  // 3 * 0x5555...5 = 2^64 - 1: floor(3u) is 0 or 1, depending on the next word. 3 * 0x5555...4 = 2^64 - 4 leaves
  // room for a remainder below 3.
  for (const auto& [words, outcome] :
       std::vector<std::pair<std::vector<std::uint64_t>, std::uint64_t>>{{{0}, 0},
                                                                         {{kThird - 1}, 0},
                                                                         {{kThird, 0}, 0},
                                                                         {{kThird, kThird + 1}, 1},
                                                                         {{kThird, kThird, kThird + 1}, 1},
                                                                         {{kThird + 1}, 1},
                                                                         {{~std::uint64_t{0}}, 2}}) {
    Tape tape(64, words);
    CHECK(UniformBelow(3).run(tape) == outcome);
    CHECK(tape.words_drawn() == words.size());
  }
}

TEST_CASE("a choice by steps refines where digits are equal, at full width") {
  const Categorical thirds({Number::ratio(1, 3), Number::ratio(1, 3), Number::ratio(1, 3)});
  for (const auto& [words, outcome] : std::vector<std::pair<std::vector<std::uint64_t>, std::uint64_t>>{
           {{0}, 0},
           {{kThird - 1}, 0},
           {{kThird, kThird - 1}, 0},
           {{kThird, kThird + 1}, 1},
           {{kThird, kThird, 0}, 0},
           {{2 * kThird, 2 * kThird, ~std::uint64_t{0}}, 2},
           {{~std::uint64_t{0}}, 2}}) {
    Tape tape(64, words);
    CHECK(thirds.run(tape) == outcome);
  }
  // A threshold with finitely many digits is decided by them: u >= 1/2 begins with the digits of 1/2.
  const Categorical halves({Number::ratio(1, 2), Number(0), Number::ratio(1, 2)});
  Tape below(64, {(std::uint64_t{1} << 63) - 1});
  CHECK(halves.run(below) == 0);
  Tape at(64, {std::uint64_t{1} << 63});
  CHECK(halves.run(at) == 2);
}

TEST_CASE("Threefry gives its published words") {
  // Known answer of Random123 for threefry4x64, 20 rounds, key and counter zero.
  SeededSource source(0, 0, 0);
  CHECK(source.word() == 0x09218ebde6c85537ULL);
  CHECK(source.word() == 0x55941f5266d86105ULL);
  CHECK(source.word() == 0x4bd25e16282434dcULL);
  CHECK(source.word() == 0xee29ec846bd2e40bULL);
}

TEST_CASE("sources with other seeds, purposes and streams differ, and the system's never repeats") {
  SeededSource a(1, 2, 3), b(1, 2, 4), c(1, 3, 3), d(2, 2, 3), again(1, 2, 3);
  SystemSource e, f;
  std::map<std::uint64_t, int> seen;
  for (RandomSource* source : std::initializer_list<RandomSource*>{&a, &b, &c, &d, &e, &f}) {
    for (int i = 0; i < 3000; ++i) ++seen[source->word()];
  }
  CHECK(seen.size() == 18000);
  SeededSource first(1, 2, 3);
  CHECK(again.word() == first.word());
}

TEST_CASE("what samplers draw follows the channel (a seeded chi-square beside the proof)") {
  for (const auto& example : oddsbound::testing::finite_examples()) {
    Budget budget;
    const Spec spec = read_example(example.domain, example.mechanism, budget);
    const Channel& channel = *spec.model.channel;
    const std::size_t words = output_words(channel);
    constexpr std::uint64_t kDraws = 40'000;
    std::vector<std::uint64_t> drawn(kDraws * words);
    const std::uint64_t x = channel.inputs() - 1;
    sample_batch(
        *spec.mechanism.sampler_or_rows(), channel,
        [x](std::uint64_t) {
          return InputRef{x, {}};
        },
        0, drawn, {17, 1}, 2);
    std::vector<double> counts(channel.outputs());
    for (std::uint64_t i = 0; i < kDraws; ++i) counts[join(channel, std::span(drawn).subspan(i * words, words))] += 1;
    double statistic = 0;
    double degrees = -1;
    for (std::uint64_t y = 0; y < counts.size(); ++y) {
      const double expected = channel.entry(x, y).approx() * kDraws;
      if (expected == 0) CHECK(counts[y] == 0);
      if (expected < 5) continue;
      degrees += 1;
      statistic += (counts[y] - expected) * (counts[y] - expected) / expected;
    }
    CHECK_MESSAGE(statistic < degrees + 6 * std::sqrt(2 * degrees + 1) + 6, example.mechanism);
  }
}
