// Claims about all matrices that agree with a printed one.

#include <doctest/doctest.h>
#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "api/api.h"
#include "app/verify.h"
#include "reports/report.h"
#include "specs/spec.h"
#include "tests/support/read_back.h"

using namespace oddsbound;

namespace {

const RowTolerance kThousandth{Number::ratio(1, 1000), false};

std::string printed_spec(const std::string& rows, const std::string& claims) {
  return R"j({"oddsbound": 1, "name": "printed", "domain": [{"name": "a", "size": 2}, {"name": "b", "size": 1}],)j"
         R"j("prior": {"type": "counts", "counts": [3, 1]}, "mechanism": {"type": "matrix", "outputs": 2, "rows": )j" +
         rows + R"j(}, "claims": [)j" + claims + "]}";
}

Spec read_printed(const std::string& rows, const std::string& claims, const RowTolerance& tolerance = kThousandth) {
  Budget budget;
  return read_spec_text("printed.json", ".", printed_spec(rows, claims), budget, {}, tolerance);
}

SpecResult measured_printed(const std::string& rows, const std::string& claims,
                            const RowTolerance& tolerance = kThousandth, const VerifyOptions& options = {}) {
  Budget budget;
  return evaluate(read_printed(rows, claims, tolerance), budget, options);
}

std::string message_of(const std::string& rows, const RowTolerance& tolerance = kThousandth) {
  try {
    read_printed(rows, "", tolerance);
  } catch (const SpecError& error) {
    return file_error(error).text();
  }
  return "";
}

constexpr const char* kRows = R"j([["0.333", "0.666"], ["0.667", "0.333"]])j";

}  // namespace

TEST_CASE("a claim holds if it does for all matrices, and is refuted if it fails for all") {
  // The largest quotient is 0.667 / 0.333 and at most 0.668 / 0.332, in one column; 0.667 is forced by the sum of row
  // 0: its second entry is 0.666 to 0.667, its first one 0.333 to 0.334.
  const SpecResult result = measured_printed(
      kRows, R"j({"notion": "ldp", "epsilon": "log(2)"}, {"notion": "ldp", "epsilon": "log(199/100)", "tight": true},
                {"notion": "ldp", "epsilon": "log(201/100)"}, {"notion": "ldp", "epsilon": "log(203/100)", "tight": true})j");
  REQUIRE(result.row_tolerance);
  CHECK(result.row_tolerance->tolerance == Number::ratio(1, 1000));
  const auto& level = std::get<MeasuredLevel>(result.claims[0].decision.actual);
  CHECK(level.at_least == Level::of_exponential(Number::ratio(666, 334)));
  CHECK(level.at_most() == Level::of_exponential(Number::ratio(667, 332)));
  CHECK(result.claims[0].verdict == Verdict::kUndecided);
  CHECK(result.claims[0].reason.find("--row-tolerance") != std::string::npos);
  CHECK(result.claims[1].verdict == Verdict::kRefuted);
  CHECK(result.claims[2].verdict == Verdict::kHolds);
  CHECK(result.claims[3].verdict == Verdict::kRefuted);  // a smaller level holds
  const Witness witness = level.witness.get();
  CHECK(witness.p_from / witness.p_to == level.at_least.exponential());
  CHECK(result.left_open == 0);

  Report report = Report::of_this_program(Report::Kind::kSpecs);
  report.specs.push_back(result);
  const Report again = testing::read_back(report);
  CHECK(to_json(again) == to_json(report));
}

TEST_CASE("an entry that is printed as 0 may be positive, unless zeros are exact") {
  const std::string rows = R"j([["1", "0"], ["0.5", "0.5"]])j";
  const std::string claims = R"j({"notion": "ldp", "epsilon": "10"}, {"notion": "ldp", "epsilon": "6"},
                                {"notion": "ldp", "epsilon": "inf"})j";
  const SpecResult open = measured_printed(rows, claims);
  const auto& level = std::get<MeasuredLevel>(open.claims[0].decision.actual);
  CHECK(level.at_least == Level::of_exponential(Number(499)));
  CHECK(level.at_most().is_infinite());
  CHECK(open.claims[0].verdict == Verdict::kUndecided);
  CHECK(open.claims[1].verdict == Verdict::kRefuted);
  CHECK(open.claims[2].verdict == Verdict::kHolds);
  const SpecResult exact = measured_printed(rows, claims, {Number::ratio(1, 1000), true});
  CHECK(std::get<MeasuredLevel>(exact.claims[0].decision.actual).at_least.is_infinite());
  CHECK(!std::get<MeasuredLevel>(exact.claims[0].decision.actual).unfinished);
  CHECK(exact.claims[0].verdict == Verdict::kRefuted);
}

TEST_CASE("the delta of all matrices is between two bounds") {
  // At e^epsilon = 2 only the second column of row 0 exceeds: 0.667 - 2 * 0.332 at most, nothing at least.
  const std::string first = R"j({"notion": "approximate_dp", "epsilon": "log(2)", "delta" : ")j";
  const SpecResult result = measured_printed(
      kRows, first + R"j(0.01"}, )j" + first + R"j(0"}, {"notion": "approximate_dp", "epsilon": "0",)j" +
                 R"j("delta": "0.33"}, {"notion": "approximate_dp", "epsilon": "inf", "delta": "0"}, {"notion": )j" +
                 R"j("approximate_bcdp", "coordinate": "b", "epsilon": "0", "delta": "0", "tight": true})j");
  const auto& delta = std::get<MeasuredNumber>(result.claims[0].decision.actual);
  CHECK(delta.at_least == Number(0));
  CHECK(delta.at_most() == Number::ratio(3, 1000));
  CHECK(result.claims[0].verdict == Verdict::kHolds);
  CHECK(result.claims[1].verdict == Verdict::kUndecided);
  // Between total variations: 0.666 - 0.334 and 0.667 - 0.332 or more.
  const auto& distance = std::get<MeasuredNumber>(result.claims[2].decision.actual);
  CHECK(distance.at_least == Number::ratio(332, 1000));
  CHECK(distance.at_most() == Number::ratio(335, 1000));
  CHECK(distance.witness.p_from - distance.witness.p_to == distance.at_least);
  CHECK(result.claims[2].verdict == Verdict::kRefuted);
  CHECK(result.claims[3].verdict == Verdict::kUndecided);
  CHECK(result.claims[4].verdict == Verdict::kHolds);  // there is one value
  Report report = Report::of_this_program(Report::Kind::kSpecs);
  report.specs.push_back(result);
  CHECK(to_json(testing::read_back(report)) == to_json(report));
}

TEST_CASE("claims that are not bounded stay undecided and name the reason") {
  const SpecResult result = measured_printed(
      kRows, R"j({"notion": "probabilistic_dp", "epsilon": "1", "delta": "0"}, {"notion": "zcdp", "rho": "1"},
                {"notion": "bcdp", "epsilon": {"a": "1"}, "for_all": {"type": "all"}},
                {"notion": "bcdp", "epsilon": {"a": "1"}, "known": "any"})j");
  REQUIRE(result.claims.size() == 4);
  for (const ClaimResult& claim : result.claims) {
    CHECK(claim.verdict == Verdict::kUndecided);
    CHECK(claim.reason.find("not supported with --row-tolerance: ") == 0);
  }
  VerifyOptions by_z3;
  by_z3.engine = Engine::kBoth;
  const SpecResult asked = measured_printed(kRows, R"j({"notion": "ldp", "epsilon": "3"})j", kThousandth, by_z3);
  CHECK(asked.claims[0].verdict == Verdict::kUndecided);
  CHECK(asked.claims[0].reason.find("Z3") != std::string::npos);
  VerifyOptions more;
  more.figures = more.tradeoffs = more.effects = true;
  const SpecResult rest = measured_printed(kRows, "", kThousandth, more);
  CHECK(rest.left_open == 3);
  VerifyOptions certified;
  certified.claim_certificates = true;
  CHECK_THROWS_AS(measured_printed(kRows, "", kThousandth, certified), SpecError);
}

TEST_CASE("a printed matrix is read with a tolerance only") {
  CHECK(message_of(R"j([["0.33", "0.66"], ["0.667", "0.333"]])j").find("need --row-tolerance 0.005 or more") !=
        std::string::npos);
  CHECK(message_of(R"j([["0", "0"], ["0.667", "0.333"]])j", {Number::ratio(1, 1000), true})
            .find("--exact-zeros leaves no row with sum 1") != std::string::npos);
  CHECK(message_of(R"j([["exp(-1)", "1 - exp(-1)"], ["0.667", "0.333"]])j").find("expected a rational number") !=
        std::string::npos);
  CHECK(message_of(kRows, {Number(1), false}).find("above 0 and below 1") != std::string::npos);
  CHECK(message_of(kRows, {Number(0), false}).find("above 0 and below 1") != std::string::npos);
  CHECK(message_of(kRows).empty());
  Budget budget;
  CHECK_THROWS_AS(read_spec_text("s.json", ".", printed_spec(kRows, ""), budget), SpecError);
  const std::string titanic = ODDSBOUND_SOURCE_DIR "/specs/gallery/titanic.json";
  CHECK_THROWS_AS(read_spec(titanic, budget, kThousandth), SpecError);

  VerifyOptions options;
  options.row_tolerance = kThousandth;
  const Report found = api::verify_text(Text{printed_spec(kRows, R"j({"notion": "ldp", "epsilon": "1"})j")}, options);
  REQUIRE(found.specs.size() == 1);
  CHECK(found.specs[0].claims[0].verdict == Verdict::kHolds);
  CHECK(api::analyze_text(Text{printed_spec(kRows, "")}, options).specs.size() == 1);
  CHECK(api::verify_text(Text{printed_spec(kRows, "")}).errors.size() == 1);
  // A spec that was read without the tolerance cannot take it afterwards.
  const auto read = api::read(File{titanic});
  REQUIRE(read);
  CHECK(api::verify(*read, options).errors.size() == 1);
}

TEST_CASE("many rows: the extreme entries of every column give the levels of all pairs") {
  constexpr int kRowCount = 40;
  std::string rows, domain;
  std::vector<std::vector<Number>> printed;
  for (int x = 0; x < kRowCount; ++x) {
    const int first = 100 + (x * 37) % 211, second = 90 + (x * x * 53) % 307;
    const std::vector<int> entries{first, second, 1000 - first - second};
    rows += x > 0 ? ", [" : "[";
    printed.emplace_back();
    for (std::size_t y = 0; y < entries.size(); ++y) {
      rows += (y > 0 ? ", " : "") + std::string("\"") + std::to_string(entries[y]) + "/1000\"";
      printed.back().push_back(Number::ratio(entries[y], 1000));
    }
    rows += "]";
  }
  const std::string text = R"j({"oddsbound": 1, "name": "printed", "domain": [{"name": "a", "size": 40}],
      "mechanism": {"type": "matrix", "outputs": 3, "rows": [)j" +
                           rows + R"j(]}, "claims": [{"notion": "ldp", "epsilon": "2"}]})j";
  Budget budget;
  const Spec spec = read_spec_text("printed.json", ".", text, budget, {}, kThousandth);
  const SpecResult result = evaluate(spec, budget, {});
  const auto& found = std::get<MeasuredLevel>(result.claims[0].decision.actual);
  const Number t = Number::ratio(1, 1000);
  const auto within = [&](const std::vector<Number>& row, std::size_t y, bool most) {
    Number others(1);
    for (std::size_t z = 0; z < row.size(); ++z) {
      if (z != y) others -= most ? std::max(Number(0), row[z] - t) : std::min(Number(1), row[z] + t);
    }
    return most ? std::min({Number(1), row[y] + t, others}) : std::max({Number(0), row[y] - t, others});
  };
  Number smallest(0), largest(0);
  for (const auto& from : printed) {
    for (const auto& to : printed) {
      if (&from == &to) continue;
      for (std::size_t y = 0; y < 3; ++y) {
        smallest = std::max(smallest, within(from, y, false) / within(to, y, true));
        largest = std::max(largest, within(from, y, true) / within(to, y, false));
      }
    }
  }
  CHECK(found.at_least == Level::of_exponential(smallest));
  CHECK(found.at_most() == Level::of_exponential(largest));
}
