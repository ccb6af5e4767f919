// Sums over outputs for several claims: one pass for all that were announced.
#include "verifier/measures/shared_sums.h"

#include <doctest/doctest.h>

#include "base/errors.h"
#include "tests/support/random_model.h"
#include "verifier/model/product_channel.h"

using namespace oddsbound;
using namespace oddsbound::testing;
using namespace oddsbound::measures;

namespace {

// Three answers that correlate.
Model three_answers() {
  const Domain domain({{"a", {"0", "1"}}, {"b", {"0", "1"}}, {"c", {"0", "1"}}});
  const Number keep = Number::ratio(3, 4), change = Number::ratio(1, 4);
  const ChannelPtr answer = channel_of_rows({{keep, change}, {change, keep}});
  Budget budget;
  return {
      domain,
      std::make_shared<const ProductChannel>(domain, std::vector<Factor>{{answer, {0}}, {answer, {1}}, {answer, {2}}}),
      Prior::from_rows(domain, {{{0, 0, 0}, Number(2)}, {{1, 1, 0}, Number(1)}, {{1, 1, 1}, Number(3)}}, budget)};
}

bool is_known(const MeasuredModel& subject, int number) {
  return subject.remembers("sums over outputs " + std::to_string(number));
}

void check_same(const engine::NumberBounds& shared, const engine::NumberBounds& alone) {
  CHECK(shared.lower <= alone.upper);
  CHECK(alone.lower <= shared.upper);
  CHECK((shared.upper - shared.lower).approx() < 1e-12);
}

}  // namespace

TEST_CASE("one pass computes all sums that were announced") {
  const Model model = three_answers();
  const std::vector<AskedSums> all{
      {0, true, false, {}},
      {0, false, true, {{0, 1, Number(2)}}},
      {0, false, false, {{1, 0, Number::ratio(3, 2)}, {0, 1, Number(1)}}},
      {2, false, false, {{1, 0, Number(1)}, {0, 1, Number(1)}}},
      {std::nullopt, true, true, {}},
  };
  Budget budget;
  MeasuredModel together(model, budget);
  for (const AskedSums& asked : all) expect_sums(together, asked);
  expect_sums(together, all[0]);  // again
  sums_over_outputs(together, all[1]);
  for (int number = 0; number < 5; ++number) CHECK(is_known(together, number));
  CHECK(!is_known(together, 5));
  for (const AskedSums& asked : all) {
    MeasuredModel subject(model, budget);
    const FoundSums shared = sums_over_outputs(together, asked), alone = sums_over_outputs(subject, asked);
    CHECK(shared.complete);
    check_same(shared.guess, alone.guess);
    check_same(shared.information, alone.information);
    REQUIRE(shared.excesses.size() == asked.excesses.size());
    REQUIRE(alone.excesses.size() == asked.excesses.size());
    for (std::size_t e = 0; e < asked.excesses.size(); ++e) check_same(shared.excesses[e], alone.excesses[e]);
    CHECK(shared.guess.upper.is_zero() != asked.guesses);
  }
}

TEST_CASE("an announced sum that cannot be computed does not fail the others") {
  const Model model = three_answers();
  Budget budget;
  MeasuredModel subject(model, budget);
  const AskedSums huge{1, false, false, {{0, 1, Number(2).pow(1000)}}}, own{0, true, false, {}};
  expect_sums(subject, huge);
  CHECK(sums_over_outputs(subject, own).guess.lower.sign() > 0);
  CHECK(is_known(subject, 1));
  CHECK(!is_known(subject, 0));
  CHECK_THROWS_AS(sums_over_outputs(subject, huge), LimitError);
}
