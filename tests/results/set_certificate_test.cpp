// A certificate over sets of priors names every claim that holds: with its proofs, or with the reason why there are
// none.
#include "results/set_certificate.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runs/verify.h"

using namespace oddsbound;

namespace {

using Json = nlohmann::ordered_json;

SpecResult certified(const std::string& file, const Limits& limits = {}) {
  EvaluateOptions options;
  options.limits = limits;
  options.set_certificates = true;
  Report report = evaluate_files(std::vector<std::string>{ODDSBOUND_SOURCE_DIR "/" + file}, options);
  REQUIRE(report.specs.size() == 1);
  return std::move(report.specs[0]);
}

std::vector<std::size_t> numbered(const Json& list) {
  std::vector<std::size_t> claims;
  for (const Json& entry : list) claims.push_back(entry["claim"].get<std::size_t>());
  return claims;
}

}  // namespace

TEST_CASE(
    "what holds over sets of priors is proved, what is refuted is not there, and that a claim is tight is left out") {
  const SpecResult result = certified("specs/sets-of-priors/two-groups.json");
  REQUIRE(result.set_certificate);
  CHECK(result.set_certificate->file_name == "two-groups-certificate.json");
  CHECK(result.left_open == 2);
  const Json document = Json::parse(to_json(*result.set_certificate));
  CHECK(document["certificate"] == "sets");
  CHECK(numbered(document["claims"]) == std::vector<std::size_t>{0, 1, 3, 4});
  CHECK(numbered(document["without"]) == std::vector<std::size_t>{1, 3});
  CHECK(document["claims"][0]["levels"] == Json::array({{{"coordinate", "first"}, {"proof", "recompute"}}}));
  const Json squares = Json::array({Json::array({0, 1})});
  CHECK(document["claims"][1]["levels"][0]["pairs"] ==
        Json::array({{{"output", "(0)"}, {"from", "0"}, {"to", "1"}, {"squares", squares}},
                     {{"output", "(1)"}, {"from", "1"}, {"to", "0"}, {"squares", squares}}}));
  const std::vector<std::string> told = missing_proofs(*result.set_certificate);
  REQUIRE(told.size() == 1);
  CHECK(told[0].find("two-groups.json: claims 1, 3: it is tight") != std::string::npos);
}

TEST_CASE(
    "where inputs and outputs are too many to go through, claims that a search decided are named without a proof") {
  Limits limits;
  limits.max_cells = 7;
  const SpecResult result = certified("specs/sets-of-priors/two-groups.json", limits);
  REQUIRE(result.set_certificate);
  const Json document = Json::parse(to_json(*result.set_certificate));
  CHECK(document["claims"].empty());
  CHECK(numbered(document["without"]) == std::vector<std::size_t>{0, 1, 3, 4});
  CHECK(document["without"][0]["reason"].get<std::string>().find("--max-cells") != std::string::npos);
}

TEST_CASE("a sample's certificate has bets or limits, that of tables has prices and what shows the masses of labels") {
  const SpecResult sample = certified("specs/sets-of-priors/berkeley-sample.json");
  CHECK(sample.left_open == 0);
  const Json samples = Json::parse(to_json(*sample.set_certificate));
  const Json& pairs = samples["claims"][0]["levels"][0]["pairs"];
  CHECK(!pairs.empty());
  for (const Json& pair : pairs) {
    CHECK(pair["limits"].size() == 2);
  }
  const Json tables =
      Json::parse(to_json(*certified("specs/sets-of-priors/titanic-public-tables.json").set_certificate));
  const Json& level = tables["claims"][0]["levels"][0];
  REQUIRE(level["masses"].size() == 2);
  CHECK(level["masses"][0]["label"] == "no");
  CHECK(level["masses"][0]["at_most"].size() == 10);
  CHECK(level["pairs"][0]["prices"].size() == 10);
}

TEST_CASE("a spec that claims nothing over sets of priors has no such certificate") {
  CHECK(!certified("specs/gallery/titanic.json").set_certificate);
}
