// A certificate of a spec's verdicts lists every claim, with the evidence for its verdict or the reason why there
// is none.

#include <doctest/doctest.h>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/verify.h"
#include "reports/claim_certificate.h"
#include "specs/spec.h"

using namespace oddsbound;

namespace {

using Json = nlohmann::ordered_json;

SpecResult certified(const std::string& file, const Limits& limits = {}, bool analysis = true) {
  VerifyOptions options;
  options.claim_certificates = true;
  options.analysis = analysis;
  Report report = evaluate_files(std::vector<std::string>{ODDSBOUND_SOURCE_DIR "/" + file}, options, {limits, {}});
  REQUIRE(report.specs.size() == 1);
  return std::move(report.specs[0]);
}

std::vector<std::size_t> numbered(const Json& list) {
  std::vector<std::size_t> claims;
  for (const Json& entry : list) claims.push_back(entry["claim"].get<std::size_t>());
  return claims;
}

}  // namespace

TEST_CASE("the checker recomputes a claim that holds, and a refuted one has its witness") {
  const SpecResult result = certified("specs/gallery/titanic.json");
  REQUIRE(result.claim_certificate);
  CHECK(result.claim_certificate->file_name == "titanic-certificate.json");
  CHECK(result.left_open == 0);
  const Json document = Json::parse(to_json(*result.claim_certificate));
  CHECK(document["certificate"] == "claims");
  CHECK(document["format"] == 1);
  CHECK(document["files"][0]["sha256"].get<std::string>().size() == 64);
  CHECK(document["files"].size() == 2);
  REQUIRE(document["claims"].size() == result.claims.size());
  const Json& holds = document["claims"][0];
  CHECK(holds["proof"] == "arithmetic");
  CHECK(!holds.contains("levels"));
  for (const ClaimResult& claim : result.claims) {
    const bool refuted = claim.verdict == Verdict::kRefuted;
    CHECK(document["claims"][claim.index]["verdict"] == (refuted ? "refuted" : "holds"));
    CHECK((document["claims"][claim.index]["proof"] == "witness") == refuted);
  }
}

TEST_CASE(
    "over sets of priors what holds is proved, and priors of the set attain what is tight or show what is refuted") {
  const SpecResult result = certified("specs/sets-of-priors/two-groups.json");
  REQUIRE(result.claim_certificate);
  CHECK(result.left_open == 0);
  const Json document = Json::parse(to_json(*result.claim_certificate));
  CHECK(numbered(document["claims"]) == std::vector<std::size_t>{0, 1, 2, 3, 4});
  CHECK(document["without"].empty());
  CHECK(document["claims"][0]["levels"] == Json::array({{{"coordinate", "first"}, {"proof", "recompute"}}}));
  const Json squares = Json::array({Json::array({0, 1})});
  CHECK(document["claims"][1]["levels"][0]["pairs"] ==
        Json::array({{{"output", "(0)"}, {"from", "0"}, {"to", "1"}, {"squares", squares}},
                     {{"output", "(1)"}, {"from", "1"}, {"to", "0"}, {"squares", squares}}}));
  CHECK(document["claims"][2]["witness"].contains("prior"));
  CHECK(document["claims"][3]["attained"].size() == 1);
  // The level is attained at irrational mixtures of the two groups.
  const Json& between = document["claims"][1]["attained"][0]["prior"];
  CHECK(between["attains"] == false);
  REQUIRE(between["line"].size() == 2);
  CHECK(between["line"][0].size() == 4);
  CHECK(missing_proofs(*result.claim_certificate).empty());
}

TEST_CASE(
    "where inputs and outputs are too many to go through, claims are proved in other ways, or named without a proof") {
  Limits limits;
  limits.max_cells = 7;
  const SpecResult result = certified("specs/sets-of-priors/two-groups.json", limits);
  REQUIRE(result.claim_certificate);
  const Json document = Json::parse(to_json(*result.claim_certificate));
  CHECK(numbered(document["claims"]) == std::vector<std::size_t>{2, 4});
  CHECK(numbered(document["without"]) == std::vector<std::size_t>{0, 1, 3});
  CHECK(document["without"][0]["reason"].get<std::string>().find("--max-cells") != std::string::npos);
}

TEST_CASE("a sample's certificate has bets or limits, that of tables has prices and what shows the masses of labels") {
  const SpecResult sample = certified("specs/sets-of-priors/berkeley-sample.json");
  CHECK(sample.left_open == 0);
  const Json samples = Json::parse(to_json(*sample.claim_certificate));
  const Json& pairs = samples["claims"][0]["levels"][0]["pairs"];
  CHECK(!pairs.empty());
  for (const Json& pair : pairs) {
    CHECK(pair["limits"].size() == 2);
  }
  CHECK(samples["claims"][0]["verdict"] == "holds with confidence");
  CHECK(samples["claims"][1]["witness"]["prior"]["attains"] == false);
  const Json tables =
      Json::parse(to_json(*certified("specs/sets-of-priors/titanic-public-tables.json").claim_certificate));
  const auto over_set = [](const Json& claim) { return claim.contains("for_all"); };
  const Json& proved = *std::find_if(tables["claims"].begin(), tables["claims"].end(), over_set);
  const Json& level = proved["levels"][0];
  REQUIRE(level["masses"].size() == 2);
  CHECK(level["masses"][0]["label"] == "no");
  CHECK(level["masses"][0]["at_most"].size() == 10);
  CHECK(level["pairs"][0]["prices"].size() == 10);
}

TEST_CASE("too many outputs to enumerate: the parts and the bounds of the search prove the claims") {
  for (const bool analysis : {true, false}) {  // false: `verify` measures only what its claims need
    CAPTURE(analysis);
    const SpecResult result = certified("specs/gallery/house-votes.json", {}, analysis);
    REQUIRE(result.claim_certificate);
    CHECK(result.left_open == 0);
    const Json document = Json::parse(to_json(*result.claim_certificate));
    REQUIRE(document["claims"].size() == result.claims.size());
    CHECK(document["claims"][0]["proof"] == "parts");
    CHECK(document["claims"][0]["levels"] == Json::array({{{"proof", "recompute"}}}));
    CHECK(document["claims"][0]["attained"].size() == 1);
    CHECK(document["claims"][3]["proof"] == "bounds");
    CHECK(document["bounds"]["certificate"] == "search");
  }
}

TEST_CASE("specs of one name have certificates of different ones, and a spec that decides nothing has none") {
  VerifyOptions options;
  options.claim_certificates = true;
  const std::string warner = ODDSBOUND_SOURCE_DIR "/specs/gallery/warner.json";
  const std::string continuous = ODDSBOUND_SOURCE_DIR "/specs/gallery/duchi-l2-ball.json";
  const Report report = evaluate_files(std::vector<std::string>{warner, warner, continuous}, options);
  REQUIRE(report.specs.size() == 3);
  CHECK(report.specs[0].claim_certificate->file_name == "warner-certificate.json");
  CHECK(report.specs[1].claim_certificate->file_name == "warner-2-certificate.json");
  CHECK(!report.specs[2].claim_certificate);
}

// The two parts leak most at different pairs of values, and too many pairs of inputs to go through remain.
TEST_CASE("parts whose levels together exceed the claim are no proof of it") {
  const std::string text = R"j({"oddsbound": 1, "name": "two", "domain": [{"name": "x", "values": ["a", "b", "c"]},
    {"name": "z", "size": 1000}], "mechanism": {"type": "compose", "mechanisms": [{"type": "on", "coordinates": ["x"],
    "mechanism": {"type": "matrix", "outputs": ["0", "1"], "rows": [["4/7", "3/7"], ["1/7", "6/7"], ["2/7", "5/7"]]}},
    {"type": "on", "coordinates": ["x"], "mechanism": {"type": "matrix", "outputs": ["0", "1"],
    "rows": [["2/7", "5/7"], ["4/7", "3/7"], ["1/7", "6/7"]]}}, {"type": "on", "coordinates": ["z"],
    "mechanism": {"type": "repeat", "times": 30, "mechanism": {"type": "cases", "outputs": ["0", "1"], "cases": [
      {"when": {"z": "0"}, "then": {"0": "1/2", "1": "1/2"}}, {"when": {}, "then": {"0": "9/19", "1": "10/19"}}]}}}]},
    "claims": [{"notion": "cdp", "epsilon": {"x": "log(20/3)"}}, {"notion": "cdp", "epsilon": {"x": "log(16)"}}]})j";
  VerifyOptions options;
  options.claim_certificates = true;
  Budget budget;
  const SpecResult result = evaluate(read_spec_text("two.json", ".", text, budget), budget, options);
  for (const ClaimResult& claim : result.claims) CHECK(claim.verdict == Verdict::kHolds);
  const Json document = Json::parse(to_json(*result.claim_certificate));
  CHECK(numbered(document["without"]) == std::vector<std::size_t>{0});
  CHECK(numbered(document["claims"]) == std::vector<std::size_t>{1});
}

TEST_CASE("a coordinate of one value has no inputs that attain its level, and needs none") {
  const std::string text = R"j({"oddsbound": 1, "name": "one", "domain": [{"name": "x", "values": ["0", "1"]},
    {"name": "y", "values": ["0"]}], "mechanism": {"type": "per_coordinate", "mechanisms": {
    "*": {"type": "k_randomized_response", "epsilon": "log(3)"}, "y": {"type": "matrix", "outputs": ["a", "b"],
    "rows": [["1/2", "1/2"]]}}}, "claims": [{"notion": "cdp", "epsilon": {"x": "log(3)", "y": "0"}, "tight": true}]})j";
  VerifyOptions options;
  options.claim_certificates = true;
  Limits limits;
  limits.max_cells = 4;  // the product has 2 x 4
  Budget budget(limits);
  const SpecResult result = evaluate(read_spec_text("one.json", ".", text, budget), budget, options);
  const Json document = Json::parse(to_json(*result.claim_certificate));
  CHECK(document["without"].empty());
  REQUIRE(document["claims"].size() == 1);
  const Json& attained = document["claims"][0]["attained"];
  REQUIRE(attained.size() == 1);
  CHECK(attained[0]["coordinate"] == "x");
}

TEST_CASE("too many outputs to enumerate: the losses of the parts prove deltas and divergences") {
  const SpecResult result = certified("tests/cli/specs/approximate-by-parts.json");
  const Json document = Json::parse(to_json(*result.claim_certificate));
  CHECK(numbered(document["claims"]) == std::vector<std::size_t>{0, 1, 2, 3, 4, 5});
  CHECK(missing_proofs(*result.claim_certificate).empty());
  for (const Json& claim : document["claims"]) {
    CHECK(claim["proof"] == "losses");
    CHECK(claim.contains("witness") == (claim["verdict"] == "refuted"));
  }
  // The checker computes the probabilities of the event.
  CHECK(document["claims"][1]["witness"] == Json{{"from", {"0", "1st"}}, {"to", {"1", "1st"}}});
  CHECK(document["claims"][5]["witness"] ==
        Json{{"coordinate", "bit"}, {"from", {"0", "1st"}}, {"to", {"1", "1st"}}, {"order", "1"}});
}

// The prior has two rows, so averages are sums over 2 x 16 entries; the checker would go through 16 x 16.
TEST_CASE("averages and divergences beyond what can be enumerated are listed without a proof") {
  const std::string text = R"j({"oddsbound": 1, "name": "averages", "domain": [{"name": "x", "size": 2},
    {"name": "y", "size": 2}, {"name": "z", "size": 2}, {"name": "u", "size": 2}], "prior": {"type": "diagonal",
    "marginal": ["1/2", "1/2"]},
    "mechanism": {"type": "per_coordinate", "mechanisms": {"*": {"type": "k_randomized_response", "epsilon": "1"}}},
    "claims": [{"notion": "bayes_leakage", "coordinate": "x", "epsilon": "1"},
    {"notion": "bayes_leakage", "coordinate": "x", "epsilon": "0", "expect": "refuted"}]})j";
  VerifyOptions options;
  options.claim_certificates = true;
  for (const std::uint64_t cells : {32u, 256u}) {
    Limits limits;
    limits.max_cells = cells;
    Budget budget(limits);
    const SpecResult result = evaluate(read_spec_text("averages.json", ".", text, budget), budget, options);
    for (const ClaimResult& claim : result.claims) CHECK(claim.ok());
    const Json document = Json::parse(to_json(*result.claim_certificate));
    CHECK(numbered(document[cells == 32 ? "without" : "claims"]) == std::vector<std::size_t>{0, 1});
  }
}
