// Bounds from intervals: how narrow they may be, and how often they fail together.
#include "audits/intervals.h"

#include <doctest/doctest.h>

#include <cmath>

#include "audits/confidence.h"
#include "mechanisms/random/categorical.h"
#include "tests/support/effort.h"
#include "tests/support/families.h"
#include "tests/support/too_many.h"

using namespace oddsbound;
using oddsbound::testing::effort;
using oddsbound::testing::read_example;
using oddsbound::testing::too_many;

namespace {

Tally tally_of(const std::vector<std::vector<std::uint64_t>>& rows) {
  Tally tally(rows.size(), rows[0].size());
  for (std::size_t x = 0; x < rows.size(); ++x) {
    for (std::size_t y = 0; y < rows[x].size(); ++y) tally.row(x)[y] = rows[x][y];
  }
  return tally;
}

std::vector<Question> ldp_question(std::size_t inputs, Budget& budget) {
  const Spec spec = read_example(R"j([{"name": "x", "size": )j" + std::to_string(inputs) + "}]",
                                 R"j({"type": "k_randomized_response", "epsilon": "1"})j", budget);
  std::vector<Question> questions = questions_of(spec, false, budget);
  questions.erase(questions.begin() + 1, questions.end());
  return questions;
}

}  // namespace

TEST_CASE("both ends of every interval around every probability share the error evenly") {
  Budget budget;
  const double alpha = 0.05;
  const auto questions = ldp_question(2, budget);
  const Tally tally = tally_of({{9000, 1000}, {4000, 6000}});
  SUBCASE("of recorded runs, where the lower bound is of Clopper and Pearson's limits") {
    const auto bounds = bounds_from_intervals(questions, std::vector{tally}, alpha, budget);
    const double each = alpha / (2 * 4);
    CHECK(bounds[0].low ==
          doctest::Approx(std::log(lower_limit(10'000, 6000, each) / upper_limit(10'000, 1000, each))).epsilon(1e-12));
    CHECK(bounds[0].high == doctest::Approx(std::log(chernoff_interval(10'000, 6000, each).high /
                                                     chernoff_interval(10'000, 1000, each).low))
                                .epsilon(1e-12));
  }
  SUBCASE("of three stages, of which the narrowest ends count") {
    const Tally few = tally_of({{90, 10}, {40, 60}}), none(2, 2);
    const auto bounds = bounds_from_intervals(questions, std::vector{few, tally, none}, alpha, budget);
    const double each = alpha / (2 * 3 * 4);
    CHECK(bounds[0].high == doctest::Approx(std::log(chernoff_interval(10'000, 6000, each).high /
                                                     chernoff_interval(10'000, 1000, each).low))
                                .epsilon(1e-12));
  }
}

TEST_CASE("of inputs that are run alike, lower bounds from intervals are above 0 as seldom as stated") {
  Budget budget;
  const double alpha = 0.25;
  constexpr std::size_t kMany = 30;
  const auto questions = ldp_question(2, budget);
  const Categorical uniform(std::vector<Number>(kMany, Number::ratio(1, kMany)));
  std::uint64_t above = 0;
  constexpr std::uint64_t kAudits = effort(400, 20);
  for (std::uint64_t seed = 1; seed <= kAudits; ++seed) {
    const auto source = Randomness{seed, 9}.source(0);
    Tally tally(2, kMany);
    for (std::uint64_t x = 0; x < 2; ++x) {
      for (int i = 0; i < 3000; ++i) ++tally.row(x)[uniform.run(*source)];
    }
    above += bounds_from_intervals(questions, std::vector{tally}, alpha, budget)[0].low > 0 ? 1 : 0;
  }
  CHECK(above < too_many(kAudits, alpha));
}
