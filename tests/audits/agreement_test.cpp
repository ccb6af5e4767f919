// What each of the two tests of a row finds, and how its error is shared.
#include "audits/agreement.h"

#include <doctest/doctest.h>

#include <cmath>

#include "audits/confidence.h"
#include "tests/support/families.h"
#include "verifier/exact/rounding.h"
#include "verifier/ratios/rows.h"

using namespace oddsbound;
using oddsbound::testing::read_example;

namespace {

// Two inputs alike: of 1000 outputs the first is a thousand times rarer than each of the others.
constexpr std::uint64_t kOutputs = 1000;
constexpr std::uint64_t kUnit = 200;  // runs per output, but for the first

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
  // The test of the row needs ten times as much.
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
  // Half is for rows as a whole, half for single outputs, from above and from below.
  const double row = alpha / (3 * 2), end = row / (2 * 2 * 3);
  CHECK(agreement.deviations[0].interval->first == lower_limit(3000, 1000, end));
  CHECK(agreement.deviations[0].interval->second == upper_limit(3000, 1000, end));
  CHECK(*agreement.power ==
        doctest::Approx(std::sqrt(std::log(100) / 6000) + std::sqrt(critical_divergence(row / 2, 3) / 6000)));
  // A count just beyond the end's error is a deviation, one just within it is not.
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
