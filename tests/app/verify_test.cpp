// A result keeps its verdicts if a limit leaves out other parts of it; and claims over sets.

#include "app/verify.h"

#include <doctest/doctest.h>
#include <chrono>
#include <string>
#include <tuple>
#include <variant>
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

// The support of these sets times all outputs is within the limit, all inputs times all outputs are not.
TEST_CASE("an adaptive composition over a set has the same witness whether or not it is enumerated") {
  const auto found = [](const std::string& set, const std::string& second, std::uint64_t max_cells) {
    const std::string text =
        R"j({"oddsbound": 1, "name": "asked-twice", "domain": [{"name": "a", "values": ["0", "1"]},
        {"name": "b", "values": ["0", "1"]}], "prior": {"type": "counts", "counts": [1, 0, 2, 4]}, "mechanism": {
        "type": "adaptive", "first": {"type": "on", "coordinates": ["a"], "mechanism": {"type": "matrix", "outputs": 2,
        "rows": [["1/3", "2/3"], ["3/5", "2/5"]]}}, "then": {"0": {"type": "on", "coordinates": ["b"], "mechanism":
        {"type": "matrix", "outputs": 2, "rows": [["1/2", "1/2"], ["99/100", "1/100"]]}}, "1": {"type": "on",
        "coordinates": ["b"], "mechanism": {"type": "matrix", )j" +
        second + R"j(}}}}, "claims": [{"notion": "bcdp", "epsilon": {"b": "1"}, "for_all": )j" + set + "}]}";
    Limits limits;
    limits.max_cells = max_cells;
    Budget budget(limits);
    VerifyOptions options;
    options.analysis = false;
    const SpecResult result = evaluate(read_spec_text("spec.json", ".", text, budget), budget, options);
    const auto& levels = std::get<NamedLevels>(result.claims.at(0).decision.actual);
    const Witness witness = levels.at(0).second.witness.get();
    return std::tuple(levels[0].second.at_least.to_string(), witness.outputs, witness.p_from.to_string(),
                      witness.p_to.to_string());
  };
  for (const char* set :
       {R"({"type": "any_of", "priors": [{"type": "counts", "counts": [1, 0, 2, 4]}]})",
        R"({"type": "contaminated", "share": "1/20", "support": "prior"})", R"({"type": "weights", "factor": "2"})"}) {
    for (const char* second : {R"("outputs": 2, "rows": [["1/2", "1/2"], ["1/2", "1/2"]])",
                               R"("outputs": 3, "rows": [["1/2", "1/4", "1/4"], ["1/100", "98/100", "1/100"]])"}) {
      CAPTURE(set);
      CAPTURE(second);
      CHECK(found(set, second, 15) == found(set, second, 1000));
    }
  }
}

TEST_CASE("Z3 decides claims over sets from their definition as the exact engine does") {
  VerifyOptions options;
  options.analysis = false;
  options.engine = Engine::kBoth;
  const Report report =
      evaluate_files(std::vector<std::string>{ODDSBOUND_SOURCE_DIR "/specs/sets-of-priors/two-groups.json"}, options);
  REQUIRE(report.specs.size() == 1);
  CHECK(report.errors.empty());
  int both = 0;
  for (const ClaimResult& claim : report.specs[0].claims) {
    CHECK(claim.verdict != Verdict::kUndecided);  // one is about a square root, which is not put to Z3
    both += claim.decided_by == std::vector<std::string>{"exact", "smt"} ? 1 : 0;
  }
  CHECK(both > 0);
}

TEST_CASE("an expensive claim leaves time to later ones, and gets the time that these leave over") {
  Limits limits;
  limits.max_seconds = 2;
  Budget budget(limits);
  Spec spec = read_spec_text("spec.json", ".",
                             R"j({"oddsbound": 1, "name": "bit", "domain": [{"name": "x", "size": 2}],
    "mechanism": {"type": "k_randomized_response", "epsilon": "log(3)"},
    "claims": [{"notion": "ldp", "epsilon": "log(3)"}]})j",
                             budget);
  const Notion& ldp = *spec.claims[0].notion;
  const auto spin = [&](double seconds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (std::chrono::steady_clock::now() < end) budget.check();
  };
  // Work of this kind needs `seconds`. It has no measure, so all claims are of one cost, in the order of the spec.
  const auto needs = [&](const std::string& name, double seconds) {
    Notion notion = ldp;
    notion.name = name;
    notion.measure = nullptr;
    notion.expect = nullptr;
    notion.decide = [&, seconds, decide = ldp.decide](MeasuredModel& subject, const Arguments& arguments) {
      spin(seconds);
      return decide(subject, arguments);
    };
    return notion;
  };
  const Notion endless = needs("endless", 1e9), long_one = needs("long", 0.9), quick = needs("quick", 0);
  const auto decided = [&](const std::vector<const Notion*>& notions) {
    const Claim claim = spec.claims[0];
    spec.claims.assign(notions.size(), claim);
    for (std::size_t i = 0; i < notions.size(); ++i) spec.claims[i].notion = notions[i];
    MeasuredModel subject(spec.model, budget);
    std::vector<Disagreement> disagreements;
    return decide_claims(spec, all_claims(spec), subject, Engine::kExact, {}, disagreements);
  };
  SUBCASE("a claim that never ends") {
    const auto results = decided({&endless, &quick, &quick});
    CHECK(results[0].verdict == Verdict::kUndecided);
    CHECK(results[0].reason.find("--max-seconds 2") != std::string::npos);
    CHECK(results[1].verdict == Verdict::kHolds);
    CHECK(results[2].verdict == Verdict::kHolds);
  }
  SUBCASE("a claim that takes longer than its part") {
    const auto results = decided({&long_one, &quick, &quick, &quick});  // half a second, then what is left of two
    for (const ClaimResult& result : results) CHECK(result.verdict == Verdict::kHolds);
  }
  SUBCASE("equal claims have their parts together") {
    const auto results = decided({&long_one, &long_one, &quick});
    CHECK(results[0].verdict == Verdict::kHolds);
    CHECK(results[2].verdict == Verdict::kHolds);
  }
}
