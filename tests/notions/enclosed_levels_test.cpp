// Levels that are too long to write are enclosed in decimals, and the verdict stays that of the exact levels.
#include "verifier/notions/enclosed_levels.h"

#include <doctest/doctest.h>

#include "verifier/exact/expression.h"

using namespace oddsbound;
using namespace oddsbound::notions;

namespace {

Level level_of_text(const std::string& text) { return as_level(evaluate_expression(text)); }

// log(2) and less than 2^-4000.
MeasuredLevel long_level() { return {Level::of_exponential(Number(2) + Number(2).pow(-4001)), {}}; }

Decision decided(const MeasuredLevel& level, const Level& claimed) {
  NamedLevels levels;
  levels.emplace_back("x", level);
  Decision decision;
  const ClaimOutcome outcome = standing_of(level, claimed);
  decision.holds = outcome.holds;
  decision.tight = outcome.tight;
  decision.actual = std::move(levels);
  return decision;
}

Claimed claim_of(const Level& level) {
  Claimed claimed;
  claimed.form = ClaimForm::kByCoordinate;
  claimed.values.emplace_back("x", ClaimedValue(level));
  return claimed;
}

}  // namespace

TEST_CASE("a long level is enclosed if decimals decide the claim") {
  for (const char* text : {"1", "1/2", "log(3)", "0.6931"}) {
    CAPTURE(text);
    const Level claimed = level_of_text(text);
    const Decision exact = decided(long_level(), claimed);
    const auto enclosed = with_enclosed_levels(exact, claim_of(claimed));
    REQUIRE(enclosed);
    CHECK(enclosed->holds == exact.holds);
    CHECK(enclosed->tight == exact.tight);
    const MeasuredLevel& level = std::get<NamedLevels>(enclosed->actual)[0].second;
    REQUIRE(level.unfinished);
    CHECK(level.at_least < long_level().at_least);
    CHECK(long_level().at_least < level.at_most());
    CHECK(level.at_least.text_size() < 100);
    CHECK(level.at_most().text_size() < 100);
  }
}

TEST_CASE("decimals that do not decide the claim do not replace the level") {
  const Level tight = long_level().at_least, close = level_of_text("log(2)");
  CHECK_FALSE(with_enclosed_levels(decided(long_level(), tight), claim_of(tight)));
  CHECK_FALSE(with_enclosed_levels(decided(long_level(), close), claim_of(close)));
}

TEST_CASE("short levels stay exact") {
  const MeasuredLevel level{level_of_text("log(3)"), {}};
  const Level claimed = level_of_text("2");
  CHECK_FALSE(with_enclosed_levels(decided(level, claimed), claim_of(claimed)));
}
