// The text about a claim shows the two numbers that decided it.

#include <doctest/doctest.h>

#include "reports/claim_words.h"
#include "verifier/exact/expression.h"

using namespace oddsbound;

namespace {

MeasuredLevel exactly(const std::string& level) {
  MeasuredLevel measured;
  measured.at_least = parse_level(level);
  return measured;
}

MeasuredLevel between(const std::string& lower, const std::string& upper) {
  MeasuredLevel measured = exactly(lower);
  measured.unfinished = Unfinished{parse_level(upper), "stopped"};
  return measured;
}

ClaimResult refuted_claim(const std::string& notion, Claimed claimed, Actual actual, bool tight) {
  ClaimResult claim;
  claim.notion = notion;
  claim.verdict = Verdict::kRefuted;
  claim.tight = tight;
  claim.decision.holds = tight ? Answer::kYes : Answer::kNo;
  claim.claimed = std::move(claimed);
  claim.decision.actual = std::move(actual);
  return claim;
}

Claimed level(const std::string& text) { return {ClaimForm::kLevel, {{"", ClaimedValue(parse_level(text))}}, {}}; }

std::string of_level(const std::string& claimed, const MeasuredLevel& actual, bool tight) {
  return claim_words(refuted_claim("ldp", level(claimed), actual, tight)).difference;
}

}  // namespace

TEST_CASE("two numbers are told apart by the fewest digits, six at least") {
  const auto told = [](const char* a, const char* b) {
    const auto texts = distinct_decimals(parse_number(a), parse_number(b));
    return texts ? texts->a + " " + texts->b : "";
  };
  CHECK(told("1/3", "1/2") == "0.333333 0.5");
  CHECK(told("1", "1.0000000003") == "1 1.0000000003");
  CHECK(told("1.0000000002", "1.0000000003") == "1.0000000002 1.0000000003");
  CHECK(told("0.99999999", "0.99999999999") == "0.99999999 0.99999999999");
  CHECK(told("0", "1e-30") == "0 1e-30");
  CHECK(told("123456789012345678901", "123456789012345678902") ==
        "1.23456789012345678901e20 1.23456789012345678902e20");
  CHECK(told("1/3", "1/3 + 1e-40") == "0." + std::string(40, '3') + " 0." + std::string(39, '3') + "4");
  CHECK(told("1/3", "1/3 + 1e-70").empty());
  CHECK(told("1/3", "1/3").empty());
  CHECK(told("-1/3", "1/3").empty());
  CHECK(comparison_text(parse_level("log(3)"), parse_level("log(3 - exp(-30))")) ==
        "1.09861228866811 > 1.09861228866808");
  CHECK(comparison_text(parse_level("1"), Level::infinite()) == "1 < inf");
  CHECK(comparison_text(parse_number("1/3"), parse_number("1/3 + 1e-70")) == "they differ after the first 60 digits");
  CHECK(texts_apart(parse_number("1/3"), parse_number("1/2")) == std::pair<std::string, std::string>("1/3", "1/2"));
  const auto close = texts_apart(parse_number("exp(-1)"), parse_number("exp(-1) + 1e-9"));
  CHECK(close == std::pair<std::string, std::string>("about 0.367879441", "about 0.367879442"));
}

TEST_CASE("decimals that are told apart are in the order of the numbers, and nearest to them") {
  for (int k = 0; k < 200; ++k) {
    const Number a = parse_number("exp(-1)") + Number(k) / Number(7), step = Number(10).pow(-(k % 50));
    const auto texts = distinct_decimals(a, a + step);
    REQUIRE(texts);
    const Number below = parse_number(texts->a), above = parse_number(texts->b);
    CHECK(below < above);
    const auto error = [](const Number& x, const Number& y) { return x < y ? y - x : x - y; };
    CHECK(error(below, a) < above - below);
    CHECK(error(above, a + step) < above - below);
  }
}

TEST_CASE("a level that is refuted is shown with digits that refute it, where six do not") {
  CHECK(of_level("1", exactly("log(3)"), false).empty());  // 1.09861 > 1
  CHECK(of_level("1", exactly("1.0000000003"), false) == "the claimed level is exceeded: 1.0000000003 > 1");
  CHECK(of_level("1", between("1.0000000003", "2"), false) == "the claimed level is exceeded: 1.0000000003 > 1");
  CHECK(of_level("log(3)", exactly("log(3.0000000001)"), false) ==
        "the claimed level is exceeded: 1.0986122887 > 1.09861228867");
}

TEST_CASE("a level that is not tight is said to be smaller, with digits where six do not show it") {
  CHECK(of_level("log(4)", exactly("log(3)"), true) == "a smaller level holds");
  CHECK(of_level("1", exactly("0.9999999998"), true) == "a smaller level holds: 0.9999999998 < 1");
  CHECK(of_level("1", between("1/2", "0.9999999998"), true) == "a smaller level holds: 0.9999999998 < 1");
  CHECK(of_level("inf", exactly("1"), true) == "a smaller level holds");
}

TEST_CASE("of levels by coordinate those that refute the claim are named") {
  const Claimed claimed{ClaimForm::kByCoordinate,
                        {{"a", ClaimedValue(parse_level("1"))},
                         {"b", ClaimedValue(parse_level("2"))},
                         {"c", ClaimedValue(parse_level("3"))}},
                        {}};
  const auto words = [&](const char* a, const char* b, const char* c, bool tight) {
    const NamedLevels levels{{"a", exactly(a)}, {"b", exactly(b)}, {"c", exactly(c)}};
    return claim_words(refuted_claim("cdp", claimed, levels, tight)).difference;
  };
  CHECK(words("1", "1", "3", true) == "a smaller level holds for b");
  CHECK(words("1", "1", "2.9999999", true) == "a smaller level holds for b, c: 2.9999999 < 3");
  CHECK(words("2", "2", "3.0000001", false) == "the claimed level is exceeded for c: 3.0000001 > 3");
  CHECK(words("2", "2", "3", false).empty());
}

TEST_CASE("of levels of pairs the pair's own level and bound are compared") {
  ClaimResult claim = refuted_claim("context_ldp", {ClaimForm::kMatrix, {}, {}}, exactly("log(3)"), true);
  claim.decision.pair_bound = parse_level("log(4)");
  CHECK(claim_words(claim).found == "a pair below its bound has exactly log(3) = 1.09861");
  CHECK(claim_words(claim).difference == "a smaller level holds for this pair: 1.09861 < 1.38629");
  CHECK(claim_words(claim).finding() ==
        "a pair below its bound has exactly log(3) = 1.09861; a smaller level holds for this pair: 1.09861 < 1.38629");
  claim.tight = false;
  claim.decision.holds = Answer::kNo;
  claim.decision.pair_bound = parse_level("log(2)");
  CHECK(claim_words(claim).found == "the tightest pair has exactly log(3) = 1.09861");
  CHECK(claim_words(claim).difference == "the claimed level is exceeded for this pair: 1.09861 > 0.693147");
}

TEST_CASE("a delta is compared with as many digits as it takes") {
  const Claimed claimed{ClaimForm::kLevelAndDelta,
                        {{"epsilon", ClaimedValue(parse_level("1"))}, {"delta", ClaimedValue(parse_number("1/4"))}},
                        {}};
  const auto words = [&](const char* delta, bool tight) {
    return claim_words(refuted_claim("approximate_dp", claimed, MeasuredNumber{parse_number(delta), {}}, tight))
        .difference;
  };
  CHECK(words("1/3", false).empty());
  CHECK(words("1/5", true) == "a smaller delta holds");
  CHECK(words("0.2500000001", false) == "the claimed delta is exceeded: 0.2500000001 > 0.25");
  const std::string near = "1/4 - exp(-40)";
  CHECK(words(near.c_str(), true) == "a smaller delta holds: 0.249999999999999996 < 0.25");
}

TEST_CASE("what is rounded for others is not told apart by digits") {
  MeasuredLevel rounded = exactly("1");
  rounded.rounded = true;
  CHECK(of_level("1.0000001", rounded, true) == "a smaller level holds");
  CHECK(of_level("0.9999999", rounded, false).empty());
  const Claimed claimed{ClaimForm::kByCoordinate,
                        {{"a", ClaimedValue(parse_level("0.9999"))}, {"b", ClaimedValue(parse_level("2"))}},
                        {}};
  const NamedLevels levels{{"a", rounded}, {"b", rounded}};
  CHECK(claim_words(refuted_claim("bcdp", claimed, levels, true)).difference == "a smaller level holds for b");
  CHECK(claim_words(refuted_claim("bcdp", claimed, levels, false)).difference.empty());
}

TEST_CASE("of many coordinates the largest levels are listed, in the order of the coordinates") {
  Claimed claimed{ClaimForm::kByCoordinate, {}, {}};
  NamedLevels levels;
  for (int i = 0; i < 40; ++i) {
    const std::string name = "x" + std::to_string(i);
    claimed.values.push_back({name, ClaimedValue(parse_level("9"))});
    levels.emplace_back(name, exactly(i == 3 || i == 39 ? "5" : i < 35 ? "2" : "1"));
  }
  ClaimResult claim = refuted_claim("cdp", claimed, levels, true);
  const std::string found = claim_words(claim).found;
  CHECK(found.find("x3 5, ") != std::string::npos);
  CHECK(found.find("x30 2, x39 5 and 8 more, none larger") != std::string::npos);
  CHECK(found.find("x31 ") == std::string::npos);
  CHECK(claim_words(claim).claim.find("x31 <= 9 and 8 more") != std::string::npos);
}

TEST_CASE("a quotient is shown as the decimal that is equal to it, if that is shorter") {
  CHECK(shorter_text("5493/5000") == "1.0986");
  CHECK(shorter_text("1/10") == "0.1");
  CHECK(shorter_text("3/4") == "3/4");
  CHECK(shorter_text("1/3") == "1/3");
  CHECK(shorter_text("log(3/10)") == "log(3/10)");
  CHECK(shorter_text("5000/1/2") == "5000/1/2");
  CHECK(shorter_text("7") == "7");
}
