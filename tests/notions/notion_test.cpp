// Outcome of claims about levels that are only known to lie between two bounds.

#include <doctest/doctest.h>

#include "verifier/exact/expression.h"
#include "verifier/notions/notion.h"

using namespace oddsbound;

namespace {

MeasuredLevel between(const std::string& lower, const std::string& upper) {
  MeasuredLevel level;
  level.at_least = parse_level(lower);
  level.unfinished = Unfinished{parse_level(upper), "stopped"};
  return level;
}

MeasuredLevel exactly(const std::string& value) {
  MeasuredLevel level;
  level.at_least = parse_level(value);
  return level;
}

constexpr Answer kYes = Answer::kYes, kNo = Answer::kNo, kOpen = Answer::kOpen;

}  // namespace

TEST_CASE("a claim outside of what is known of a level is decided, one within is open") {
  struct Row {
    const char* claimed;
    Answer holds, tight, tight_claim;
  };
  const MeasuredLevel level = between("1", "2");
  for (const Row& row : {Row{"1/2", kNo, kNo, kNo}, Row{"1", kOpen, kOpen, kOpen}, Row{"3/2", kOpen, kOpen, kOpen},
                         Row{"2", kYes, kOpen, kOpen}, Row{"5/2", kYes, kNo, kNo}, Row{"inf", kYes, kNo, kNo}}) {
    CAPTURE(row.claimed);
    const ClaimOutcome standing = standing_of(level, parse_level(row.claimed));
    CHECK(standing.holds == row.holds);
    CHECK(standing.tight == row.tight);
    CHECK(standing.claim(true) == row.tight_claim);
    CHECK(standing.claim(false) == row.holds);
    const Decision decision = decide_level(level, parse_level(row.claimed));
    CHECK(decision.holds == row.holds);
    CHECK(decision.witness.has_value() == (row.holds == kNo));
    CHECK(open_reason(decision.actual) == "stopped");
  }
  const ClaimOutcome endless = standing_of(between("1", "inf"), Level::infinite());
  CHECK(endless.holds == kYes);
  CHECK(endless.tight == kOpen);
}

TEST_CASE("levels by coordinate are refuted by one of them, and open if one is and none refutes") {
  const Domain domain({{"a", {"0", "1"}}, {"b", {"0", "1"}}, {"c", {"0", "1"}}});
  const std::vector<MeasuredLevel> levels{exactly("1"), between("1", "2"), exactly("3")};
  const auto decided = [&](const char* a, const char* b, const char* c) {
    CoordinateLevels claimed(3);
    if (*a != 0) claimed[0] = parse_level(a);
    if (*b != 0) claimed[1] = parse_level(b);
    if (*c != 0) claimed[2] = parse_level(c);
    return decide_coordinates(domain, levels, claimed);
  };
  CHECK(decided("1", "2", "3").holds == kYes);
  CHECK(decided("1", "2", "3").tight == kOpen);
  CHECK(decided("1", "3/2", "3").holds == kOpen);
  CHECK(decided("1", "3/2", "2").holds == kNo);
  CHECK(decided("1", "3/2", "2").witness.has_value());
  CHECK(decided("1/2", "3/2", "3").holds == kNo);
  CHECK(decided("1", "", "3").holds == kYes);
  CHECK(decided("1", "", "3").tight == kYes);
  CHECK(open_reason(decided("1", "", "3").actual).empty());
  CHECK(decided("2", "3/2", "").tight == kNo);
  const Decision loose = decided("1", "5/2", "4");
  REQUIRE(loose.slack);
  CHECK(loose.slack->bound == parse_level("5/2"));
  CHECK(loose.slack->level.at_most() == parse_level("2"));
  CHECK_FALSE(decided("1", "", "3").slack);
  CHECK_FALSE(decided("1/2", "5/2", "4").slack);  // a bound that fails is reported first
}
