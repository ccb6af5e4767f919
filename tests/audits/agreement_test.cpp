// What each of the two tests of a row finds, and how they share its error.

#include <doctest/doctest.h>
#include <array>
#include <cmath>
#include <functional>

#include "audits/agreement.h"
#include "audits/confidence.h"
#include "audits/exhaustive.h"
#include "base/errors.h"
#include "tests/support/families.h"
#include "verifier/engine/measured_model.h"
#include "verifier/exact/interval.h"

using namespace oddsbound;
using oddsbound::testing::read_example;

namespace {

// Two inputs with equal rows. Of 1000 outputs, the first is a thousand times rarer than each of the others.
constexpr std::uint64_t kOutputs = 1000;
constexpr std::uint64_t kUnit = 200;  // runs per output, except the first

std::string sparse_row() {
  std::string row = "\"1/" + std::to_string(kOutputs * 1000) + "\"";
  const std::string rest =
      "\"" + std::to_string(kOutputs * 1000 - 1) + "/" + std::to_string(kOutputs * 1000 * (kOutputs - 1)) + "\"";
  for (std::uint64_t y = 1; y < kOutputs; ++y) row += ", " + rest;
  return "[" + row + "]";
}

Spec sparse(Budget& budget) {
  return read_example(R"j([{"name": "x", "size": 2}])j",
                      R"j({"type": "matrix", "outputs": )j" + std::to_string(kOutputs) + R"j(, "rows": [)j" +
                          sparse_row() + ", " + sparse_row() + "]}",
                      budget);
}

double divergence_of(const Channel& channel, const Tally& tally, Budget& budget) {
  const auto row = rounded_rows(channel, budget)[0];
  const auto runs = static_cast<double>(tally.total(0));
  double sum = 0;
  for (std::uint64_t y = 0; y < kOutputs; ++y) {
    const auto count = static_cast<double>(tally.at(0, y));
    if (count > 0) sum += count * std::log(count / (runs * row[y]));
  }
  return sum;
}

}  // namespace

TEST_CASE("one output of many that deviates by itself is found, where the row as a whole does not deviate") {
  Budget budget;
  const Spec spec = sparse(budget);
  const Channel& channel = *spec.model.channel;
  const double alpha = 0.001;
  Tally tally(2, kOutputs);
  for (std::uint64_t y = 1; y < kOutputs; ++y) tally.row(0)[y] = kUnit;
  CHECK(check_agreement(channel, std::vector{tally}, alpha, budget).deviations.empty());
  std::uint64_t deviating = 0;
  SUBCASE("a rare output comes too often") { tally.row(0)[0] = 12; }
  SUBCASE("another one comes too seldom") {
    deviating = 700;
    tally.row(0)[deviating] = kUnit / 2;
  }
  // The test of the whole row needs ten times that divergence.
  CHECK(divergence_of(channel, tally, budget) < critical_divergence(alpha / 2, kOutputs) / 10);
  const Agreement agreement = check_agreement(channel, std::vector{tally}, alpha, budget);
  REQUIRE(agreement.deviations.size() == 1);
  CHECK(agreement.deviations[0].output == deviating);
  CHECK_FALSE(agreement.deviations[0].as_a_whole);
}

TEST_CASE("many outputs that deviate a little are found as a whole, where none does by itself") {
  Budget budget;
  const Spec spec = sparse(budget);
  Tally tally(2, kOutputs);
  for (std::uint64_t y = 1; y < kOutputs; ++y) tally.row(0)[y] = kUnit + (y % 2 == 0 ? 25 : 0) - (y % 2 == 1 ? 25 : 0);
  const Agreement agreement = check_agreement(*spec.model.channel, std::vector{tally}, 0.001, budget);
  REQUIRE(agreement.deviations.size() == 1);
  CHECK(agreement.deviations[0].as_a_whole);
}

TEST_CASE("the tests of all stages, inputs and outputs share the error of the agreement") {
  Budget budget;
  const Spec spec =
      read_example(R"j([{"name": "x", "size": 3}])j", R"j({"type": "k_randomized_response", "epsilon": "1"})j", budget);
  const Channel& channel = *spec.model.channel;
  const double alpha = 0.1;
  Tally tally(3, 3), other(3, 3);
  for (std::uint64_t y = 0; y < 3; ++y) tally.row(1)[y] = 1000;
  const Agreement agreement = check_agreement(channel, std::vector{tally, other}, alpha, budget);
  REQUIRE(agreement.deviations.size() == 1);
  REQUIRE(agreement.deviations[0].interval);
  // Half of each row's error is for the row as a whole, half for the two limits of each single output.
  const double row = alpha / (3 * 2), end = row / (2 * 2 * 3);
  CHECK(agreement.deviations[0].interval->first == lower_limit(3000, 1000, end));
  CHECK(agreement.deviations[0].interval->second == upper_limit(3000, 1000, end));
  CHECK(*agreement.power ==
        doctest::Approx(std::sqrt(std::log(100) / 6000) + std::sqrt(critical_divergence(row / 2, 3) / 6000)));
  // A count just beyond the error of its end is a deviation; one just within it is not.
  const double stated = exact::rounded_above(channel.entry(1, 0));
  std::uint64_t first = 1;
  while (tail_bound(3000, first, stated) > end) ++first;
  for (const std::uint64_t count : {first - 1, first}) {
    Tally near(3, 3);
    near.row(1)[0] = count;
    near.row(1)[1] =
        static_cast<std::uint64_t>(std::lround((3000 - static_cast<double>(count)) * std::exp(1) / (std::exp(1) + 1)));
    near.row(1)[2] = 3000 - count - near.row(1)[1];
    CHECK(check_agreement(channel, std::vector{near, other}, alpha, budget).deviations.size() == count - (first - 1));
  }
}

using oddsbound::testing::kPair;
using oddsbound::testing::read_example;

namespace {

// 2^24 entries: too many for a replay of the whole channel.
const std::string kEleven =
    R"j({"type": "repeat", "times": 11, "mechanism": {"type": "per_coordinate", "mechanisms": {
         "a": {"type": "k_randomized_response", "epsilon": "log(2)"},
         "b": {"type": "k_randomized_response", "epsilon": "log(3)"}}}})j";

// The parts of another sampler, drawn by the given function.
class Recomposed final : public Sampler {
 public:
  using Draw = std::function<void(std::span<const SamplerPart> parts, std::uint64_t x, RandomSource& source,
                                  std::span<std::uint64_t> output)>;
  Recomposed(const Sampler& sampler, Draw draw)
      : parts_(sampler.parts().begin(), sampler.parts().end()), draw_(std::move(draw)) {}
  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    draw_(parts_, x, source, output);
  }
  std::span<const SamplerPart> parts() const override { return parts_; }
  std::vector<SamplerPart>& parts() { return parts_; }

 private:
  std::vector<SamplerPart> parts_;
  Draw draw_;
};

void draw_one(const SamplerPart& part, std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output,
              std::size_t place) {
  draw_part(*part.channel, *part.sampler, x, source, output.subspan(2 * place, 2));
}

void draw_all(std::span<const SamplerPart> parts, std::uint64_t x, RandomSource& source,
              std::span<std::uint64_t> output) {
  for (std::size_t p = 0; p < parts.size(); ++p) draw_one(parts[p], x, source, output, p);
}

}  // namespace

TEST_CASE("parts whose answers are exchanged do not make up the product, whichever they are") {
  Budget budget;
  const Spec spec =
      read_example(R"j([{"name": "x", "size": 30}])j", R"j({"type": "unary_encoding", "epsilon": "log(3)"})j", budget);
  const auto sampler = spec.mechanism.sampler_or_rows();
  const std::vector<std::array<std::size_t, 2>> exchanged{{0, 1}, {0, 2}, {1, 3}, {0, 16}, {13, 29}};
  for (const auto& places : exchanged) {
    const Recomposed faulty(*sampler, [&](auto, std::uint64_t x, RandomSource& source, auto output) {
      sampler->draw(x, source, output);
      std::swap(output[places[0]], output[places[1]]);
    });
    CHECK_THROWS_WITH_AS(check_exhaustively(*spec.model.channel, faulty, {}, budget),
                         doctest::Contains("does not draw its parts"), LimitError);
  }
}

TEST_CASE("a product too large to be replayed as a whole is checked part by part, and that these make up the whole") {
  Budget budget;
  const Spec spec = read_example(kPair, kEleven, budget);
  const Sampler& sampler = *spec.mechanism.sampler;
  const auto check = [&](const Sampler& checked) {
    return check_exhaustively(*spec.model.channel, checked, ExhaustiveOptions{}, budget);
  };
  SUBCASE("without a fault") {
    const ExhaustiveResult result = check(sampler);
    CHECK(result.passed());
    CHECK(result.parts == 11);
    CHECK(result.composed == 4);
    CHECK(check(Recomposed(sampler, draw_all)).passed());
  }
  SUBCASE("a part for another input") {
    const Recomposed faulty(sampler, [](auto parts, std::uint64_t x, RandomSource& source, auto output) {
      for (std::size_t p = 0; p < parts.size(); ++p) draw_one(parts[p], p == 7 ? x ^ 1 : x, source, output, p);
    });
    CHECK_THROWS_WITH_AS(check(faulty), doctest::Contains("for input number 0 the sampler does not draw its parts"),
                         LimitError);
  }
  SUBCASE("a part for another input, of one input alone") {
    const Recomposed faulty(sampler, [](auto parts, std::uint64_t x, RandomSource& source, auto output) {
      draw_all(parts, x == 3 ? 2 : x, source, output);
    });
    CHECK_THROWS_WITH_AS(check(faulty), doctest::Contains("for input number 3"), LimitError);
  }
  SUBCASE("an answer used twice") {
    const Recomposed faulty(sampler, [](auto parts, std::uint64_t x, RandomSource& source, auto output) {
      draw_all(parts, x, source, output);
      output[20] = output[18];
      output[21] = output[19];
    });
    CHECK_THROWS_AS(check(faulty), LimitError);
  }
  SUBCASE("a part that is not drawn") {
    const Recomposed faulty(sampler, [](auto parts, std::uint64_t x, RandomSource& source, auto output) {
      std::fill(output.begin(), output.end(), 0);
      draw_all(parts.first(10), x, source, output);
    });
    CHECK_THROWS_AS(check(faulty), LimitError);
  }
  SUBCASE("a part that is drawn twice") {
    const Recomposed faulty(sampler, [](auto parts, std::uint64_t x, RandomSource& source, auto output) {
      draw_all(parts, x, source, output);
      draw_one(parts[10], x, source, output, 10);
    });
    CHECK_THROWS_AS(check(faulty), LimitError);
  }
  SUBCASE("answers in each other's places") {
    const Recomposed faulty(sampler, [](auto parts, std::uint64_t x, RandomSource& source, auto output) {
      draw_all(parts, x, source, output);
      std::swap(output[0], output[2]);
      std::swap(output[1], output[3]);
    });
    CHECK_THROWS_AS(check(faulty), LimitError);
  }
  SUBCASE("words drawn past the parts") {
    const Recomposed faulty(sampler, [](auto parts, std::uint64_t x, RandomSource& source, auto output) {
      draw_all(parts, x, source, output);
      output[0] ^= source.word() & 1;
    });
    CHECK_THROWS_AS(check(faulty), ModelError);
  }
  SUBCASE("parts on other coordinates than the channel's factors") {
    Recomposed faulty(sampler, draw_all);
    faulty.parts()[4].coordinates = {1, 0};
    CHECK_THROWS_WITH_AS(check(faulty), doctest::Contains("the sampler's parts are not the channel's factors"),
                         LimitError);
  }
}

TEST_CASE("the bits of an encoding too large to be replayed are drawn by the code that is checked bit by bit") {
  Budget budget;
  const Spec spec =
      read_example(R"j([{"name": "x", "size": 18}])j", R"j({"type": "unary_encoding", "epsilon": "log(3)"})j", budget);
  const ExhaustiveResult result =
      check_exhaustively(*spec.model.channel, *spec.mechanism.sampler, ExhaustiveOptions{}, budget);
  CHECK(result.passed());
  CHECK(result.parts == 18);
  CHECK(result.composed == 18);
}
