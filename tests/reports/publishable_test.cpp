// A published level is never below the exact one, and has three significant digits.

#include <doctest/doctest.h>
#include <random>
#include <string>

#include "app/verify.h"
#include "reports/claim_words.h"
#include "reports/publishable.h"
#include "reports/words.h"
#include "verifier/exact/expression.h"

using namespace oddsbound;

namespace {

std::size_t significant_digits(const std::string& decimal) {
  std::string digits;
  for (const char c : decimal.substr(0, decimal.find('e'))) {
    if (c != '.' && (!digits.empty() || c != '0')) digits += c;
  }
  while (!digits.empty() && digits.back() == '0') digits.pop_back();
  return digits.size();
}

MeasuredLevel level_shown(const std::string& level) {
  MeasuredLevel measured;
  measured.at_least = parse_level(level);
  Witness witness;
  witness.outputs = {"y"};
  witness.from = std::string("a");
  witness.to = std::string("b");
  witness.p_from = Number::ratio(3762, 10787);
  witness.p_to = Number::ratio(1, 7);
  measured.witness = std::move(witness);
  return measured;
}

}  // namespace

TEST_CASE("decimals are rounded outward by hand-computed digits") {
  CHECK(rounded_decimal("0.929133", 3, true) == "0.93");
  CHECK(rounded_decimal("0.929133", 3, false) == "0.929");
  CHECK(rounded_decimal("0.93", 3, true) == "0.93");
  CHECK(rounded_decimal("0.9300000000000001", 3, true) == "0.931");
  CHECK(rounded_decimal("9.999", 3, true) == "10");
  CHECK(rounded_decimal("999.4", 3, true) == "1000");
  CHECK(rounded_decimal("999.4", 3, false) == "999");
  CHECK(rounded_decimal("123456", 3, true) == "124000");
  CHECK(rounded_decimal("0.00012345", 3, true) == "0.000124");
  CHECK(rounded_decimal("1.2345e-12", 3, true) == "1.24e-12");
  CHECK(rounded_decimal("9.9999e-12", 3, true) == "1e-11");
  CHECK(rounded_decimal("0", 3, true) == "0");
  CHECK(rounded_decimal("0.000", 3, true) == "0");
}

TEST_CASE("a level for others is at least the level, at most one step above it, and has three digits") {
  std::mt19937 random(5);
  std::uniform_int_distribution<int> term(1, 1'000'000);
  for (int round = 0; round < 300; ++round) {
    const int a = term(random), b = term(random);
    const std::string quotient = std::to_string(std::max(a, b)) + "/" + std::to_string(std::min(a, b));
    const std::string small = std::to_string(1'000'000'000 + a) + "/1000000000";
    for (const std::string& exact : {"log(" + quotient + ")", "log(" + small + ")", std::to_string(a) + "/7919",
                                     "log(" + quotient + " + 3*exp(1/3))"}) {
      CAPTURE(exact);
      const Level level = parse_level(exact);
      const Level up = rounded_up_for_others(level), down = rounded_down_for_others(level);
      CHECK(down <= level);
      CHECK(level <= up);
      CHECK(significant_digits(published_text(up)) <= 3);
      CHECK(parse_level(published_text(up)) == up);
      CHECK(rounded_up_for_others(up) == up);
      // One step is at most a hundredth of the level.
      CHECK(rounded_nats(up) <= rounded_nats(level) * 1.0100001);
      CHECK(parse_level(text_with_headroom(level, Number::ratio(1, 20))) >= level);
    }
  }
  CHECK(rounded_up_for_others(Level()).is_zero());
  CHECK(rounded_up_for_others(Level::infinite()).is_infinite());
  CHECK(published_text(rounded_up_for_others(parse_level("log(1 + sqrt(2))"))) == "0.882");
  CHECK(rounded_up_for_others(Number::ratio(1, 6)) == Number::ratio(167, 1000));
}

TEST_CASE("a witness for others keeps its output and sides, and loses its probabilities") {
  const MeasuredLevel shown = publishable(level_shown("log(26334/10787)"));
  CHECK(shown.rounded);
  const Witness witness = shown.witness.get();
  CHECK(witness.p_from.is_zero());
  CHECK(witness.p_to.is_zero());
  CHECK(witness_words(witness, {"x"}) == "output `y` is more likely from a than from b");
  CHECK(known_words(shown) == "0.893 (rounded up)");
  MeasuredLevel open = level_shown("log(26334/10787)");
  open.unfinished = Unfinished{parse_level("1.23456"), "--max-seconds"};
  CHECK(known_words(publishable(open)) == "between 0.892 and 1.24");
  CHECK(known_words(publishable(level_shown("0"))) == "exactly 0");
}

TEST_CASE("what needs no prior stays exact in a spec with a confidential table, and nothing changes in a public one") {
  const std::string text =
      R"j({"oddsbound": 1, "name": "s", "domain": [{"name": "a", "size": 2}, {"name": "b", "size": 2}],
      "prior": {"type": "counts", "counts": [3762, 6840, 10787, 4999]PUBLISHED}, "mechanism": {"type": "on",
      "coordinates": ["b"], "mechanism": {"type": "k_randomized_response", "epsilon": "log(3)"}},
      "claims": [{"notion": "bcdp", "epsilon": {"a": "1/4"}}, {"notion": "ldp", "epsilon": "log(3)"}]})j";
  const auto result_of = [&](const std::string& published) {
    std::string own = text;
    own.replace(own.find("PUBLISHED"), 9, published);
    Budget budget;
    const Spec spec = read_spec_text("s.json", ".", own, budget);
    VerifyOptions options;
    options.decide_claims = true;
    return evaluate(spec, budget, options);
  };
  const SpecResult exact = result_of("");
  REQUIRE(exact.confidential);
  const SpecResult shown = publishable(exact);
  CHECK(shown.analysis.level("ldp")->at_least == exact.analysis.level("ldp")->at_least);
  CHECK(shown.analysis.by_coordinate("cdp")->at(1).at_least == parse_level("log(3)"));
  CHECK(published_text(shown.analysis.by_coordinate("bcdp")->at(0).at_least) == "0.339");
  CHECK(claim_words(shown.claims[0]).found == "a 0.339 (rounded up)");
  CHECK(claim_words(shown.claims[1]).found == "exactly log(3) = 1.09861");
  CHECK(shown.claims[0].verdict == Verdict::kRefuted);
  CHECK(shown.files.at(0).sha256.empty());
  const SpecResult open = result_of(R"(, "published": true)");
  CHECK(!open.confidential);
  CHECK(publishable(open).analysis.by_coordinate("bcdp")->at(0).at_least ==
        exact.analysis.by_coordinate("bcdp")->at(0).at_least);
}
