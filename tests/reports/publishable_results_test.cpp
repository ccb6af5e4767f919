// Published values of a comparison, a tuned parameter or a designed mechanism are rounded to the side on which
// they stay true. Decisions by exact values are unchanged.

#include <doctest/doctest.h>

#include "reports/publishable.h"
#include "verifier/exact/expression.h"

using namespace oddsbound;
using reports::publishable;
using reports::rounded_outward;

namespace {

ComparedCell confidential(const std::string& least, const std::string& most) {
  ComparedCell cell{Between<Level>{parse_level(least), parse_level(most)}, ""};
  cell.confidential = true;
  return cell;
}

TunedPoint point_at(const std::string& value, Verdict verdict, bool on_grid = false) {
  TunedPoint point{{parse_number(value)}, on_grid, {}, ""};
  ClaimResult& claim = point.claims.emplace_back();
  claim.notion = "bcdp";
  claim.verdict = verdict;
  claim.confidential = true;
  return point;
}

TuneResult tuned() {
  TuneResult result;
  result.range = {{Number(0)}, {Number(1)}};
  result.width = parse_number("0.000001");
  result.points = {point_at("0", Verdict::kHolds, true), point_at("0.523", Verdict::kHolds),
                   point_at("0.52341", Verdict::kHolds), point_at("0.5234105", Verdict::kRefuted),
                   point_at("0.524", Verdict::kRefuted), point_at("1", Verdict::kRefuted, true)};
  result.proven = TuneRange{{Number(0)}, {parse_number("0.52341")}};
  result.proven_to_fail = TuneRange{{parse_number("0.52341")}, {Number(1)}, true, false};
  return result;
}

}  // namespace

TEST_CASE("numbers are rounded outward, whatever their sign and size") {
  CHECK(rounded_outward(0.52341, true) == parse_number("0.524"));
  CHECK(rounded_outward(0.52341, false) == parse_number("0.523"));
  CHECK(rounded_outward(-0.52341, true) == parse_number("-0.523"));
  CHECK(rounded_outward(-0.52341, false) == parse_number("-0.524"));
  CHECK(rounded_outward(0.0, true).is_zero());
  CHECK(rounded_outward(1.23456e-9, true) == parse_number("0.00000000124"));
  CHECK(rounded_outward(parse_number("1/3"), true) == parse_number("0.334"));
  CHECK(rounded_outward(parse_number("-1/3"), true) == parse_number("-0.333"));
  CHECK(rounded_outward(parse_number("10787"), false) == parse_number("10700"));
  CHECK(rounded_outward(parse_number("0.25"), true) == parse_number("1/4"));
}

TEST_CASE("which design is lowest is decided by exact values that round to the same") {
  DesignComparison comparison;
  comparison.designs.resize(2);
  comparison.rows = {{ComparedRow::Kind::kLevel,
                      "bcdp",
                      "x",
                      {confidential("0.52341", "0.52341"), confidential("0.52342", "0.52342")},
                      ""}};
  const DesignComparison shown = publishable(comparison);
  CHECK(shown.rows[0].lowest() == std::vector<std::size_t>{0});
  CHECK(shown.dominates(0, 1));
  CHECK(cell_words(shown.rows[0].cells[0]) == "0.524 (rounded up)");
  CHECK(cell_words(shown.rows[0].cells[1]) == "0.524 (rounded up)");
  CHECK(cell_words(
            publishable({0, {}, {}, {{ComparedRow::Kind::kLevel, "bcdp", "x", {confidential("0", "0")}, ""}}, 0, {}})
                .rows[0]
                .cells[0]) == "0");
  CHECK(text_comparison(shown).find("5234") == std::string::npos);
}

TEST_CASE("a tuned value is shown between decided values of three digits") {
  const TuneResult exact = tuned();
  CHECK(exact.exit_status() == 0);
  const TuneResult shown = publishable(exact);
  REQUIRE(shown.points.size() == 4);
  CHECK(shown.points[*shown.holds_at()].value.number == parse_number("0.523"));
  CHECK(shown.points[*shown.fails_at()].value.number == parse_number("0.524"));
  CHECK(shown.exit_status() == exact.exit_status());
  REQUIRE(shown.proven);
  CHECK(shown.proven->to.number == parse_number("0.523"));
  REQUIRE(shown.proven_to_fail);
  CHECK(shown.proven_to_fail->from.number == parse_number("0.524"));
  CHECK_FALSE(shown.is_exact());
  CHECK(text_tune(shown).find("5234") == std::string::npos);
}

TEST_CASE("how many requests were compared is withheld with a confidential prior, and that is said") {
  AuditResult audit;
  StatisticalAudit found;
  found.levels.emplace_back().notion = "bcdp";
  found.requests = RequestsCompared{12, 5, 14, 3};
  found.dependence_power = DependencePower{19184, {}, {}, true};
  audit.found = found;
  const auto requests = [](const AuditResult& result) { return std::get<StatisticalAudit>(result.found).requests; };
  CHECK(requests(publishable(audit)));
  audit.confidential = true;
  CHECK(requests(publishable(audit)));
  std::get<StatisticalAudit>(audit.found).levels[0].confidential = true;
  const AuditResult shown = publishable(audit);
  CHECK_FALSE(requests(shown));
  CHECK(std::get<StatisticalAudit>(shown.found).dependence_power->runs == 0);
  CHECK(shown.note.find("how many runs and requests were compared") != std::string::npos);
}

TEST_CASE("the planned number of people is the largest of the rounded ones") {
  reports::EstimateResult result;
  result.confidential = true;
  result.outputs = 123456;
  for (const std::uint64_t people : {123456U, 7U}) {
    result.marginals.emplace_back().people_for = reports::PeopleFor{Number::ratio(1, 20), people - 1, people};
  }
  const reports::EstimateResult shown = publishable(result);
  CHECK(shown.outputs == 124000);
  CHECK(shown.marginals[0].people_for->enough == 124000);
  CHECK(shown.marginals[1].people_for->enough == 7);
  CHECK(shown.marginals[0].people_for->too_few == 0);
}
