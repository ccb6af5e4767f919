// What a limit leaves out of a result leaves the verdicts in it.

#include "app/verify.h"

#include <doctest/doctest.h>
#include <string>
#include <vector>

#include "reports/report.h"
#include "specs/spec.h"
#include "tests/support/read_back.h"

using namespace oddsbound;

namespace {

SpecResult verified(const std::string& text, const VerifyOptions& options) {
  Budget budget;
  const Spec spec = read_spec_text("spec.json", ".", text, budget);
  return evaluate(spec, budget, options);
}

std::string unary_encoding(const std::string& size) {
  return R"j({"oddsbound": 1, "name": "unary", "symbols": {"t": {"gt": "1"}}, "domain": [{"name": "x", "size": )j" +
         size + R"j(}], "mechanism": {"type": "unary_encoding", "epsilon": "log(t)"},)j" +
         R"j("claims": [{"notion": "ldp", "epsilon": "log(t)"}]})j";
}

}  // namespace

TEST_CASE("entries of a channel with symbols that are too many to list leave the claims and name the limit") {
  VerifyOptions options;
  const SpecResult small = verified(unary_encoding("2"), options);
  REQUIRE(small.functions);
  CHECK(small.functions->entries.size() == 2);  // 1/(2(t + 1)) and t/(2(t + 1))
  CHECK(small.analysis.undecided.empty());

  const SpecResult large = verified(unary_encoding("1000"), options);
  REQUIRE(large.claims.size() == 1);
  CHECK(large.claims[0].undecided());
  REQUIRE(large.functions);
  CHECK(large.functions->entries.empty());
  CHECK(large.analysis.undecided.at("functions").find("--max-cells") != std::string::npos);
  CHECK(large.left_open == 0);  // nobody asked for the entries
  options.decide_claims = false;
  CHECK(verified(unary_encoding("1000"), options).left_open == 1);

  Report report = Report::of_this_program(Report::Kind::kSpecs);
  report.specs.push_back(large);
  const Report again = testing::read_back(report);
  REQUIRE(again.specs.size() == 1);
  CHECK(again.specs[0].analysis.undecided == large.analysis.undecided);
  CHECK(to_json(again) == to_json(report));
}

TEST_CASE("a prior over too many inputs to be written leaves the verdicts and is named") {
  VerifyOptions options;
  options.analysis = false;
  options.witness_specs = true;
  const Report report = evaluate_files(
      std::vector<std::string>{ODDSBOUND_SOURCE_DIR "/specs/large/house-votes-wrong-table.json"}, options);
  REQUIRE(report.specs.size() == 1);
  const SpecResult& result = report.specs[0];
  CHECK(result.claims.size() == 5);
  for (const ClaimResult& claim : result.claims) CHECK(claim.ok());
  CHECK(result.witness_specs.empty());
  CHECK(result.left_open == 5);
  REQUIRE(result.notes.size() == 5);
  CHECK(result.notes[0].find("claim 0") != std::string::npos);
  CHECK(report.exit_status() == 3);
}
