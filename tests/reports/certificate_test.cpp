// A certificate lists every coordinate, with a proof or with the reason why there is none.

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/verify.h"
#include "reports/certificate.h"

using namespace oddsbound;

namespace {

using Json = nlohmann::ordered_json;

SpecResult analyzed(const std::string& file) {
  VerifyOptions options;
  options.decide_claims = false;
  options.certificate = true;
  Report report = evaluate_files(std::vector<std::string>{ODDSBOUND_SOURCE_DIR "/" + file}, options);
  REQUIRE(report.specs.size() == 1);
  REQUIRE(report.specs[0].certificate);
  return std::move(report.specs[0]);
}

}  // namespace

TEST_CASE("a certificate says what is proved, within which coordinates, and what shows the lower end") {
  const SpecResult result = analyzed("specs/gallery/independent-attributes.json");
  CHECK(result.left_open == 0);
  const Json document = Json::parse(to_json(*result.certificate));
  CHECK(document["certificate"] == "search");
  CHECK(document["spec"] == "independent-attributes");
  REQUIRE(document["coordinates"].size() == result.coordinates.size());
  for (std::size_t i = 0; i < result.coordinates.size(); ++i) {
    const Json& coordinate = document["coordinates"][i];
    CHECK(coordinate["coordinate"] == result.coordinates[i]);
    // Each is answered separately, and independent of the others.
    CHECK(coordinate["within"] == Json::array({result.coordinates[i]}));
    const double level = result.analysis.by_coordinate("bcdp")->at(i).at_least.approx();
    CHECK(std::stod(coordinate["lower"].get<std::string>()) == doctest::Approx(level).epsilon(3e-9));
    CHECK(std::stod(coordinate["upper"].get<std::string>()) == doctest::Approx(level).epsilon(3e-9));
    CHECK(std::stod(coordinate["lower"].get<std::string>()) <= level);
    CHECK(std::stod(coordinate["upper"].get<std::string>()) >= level);
    CHECK(coordinate["steps"].size() == 1);
    CHECK(coordinate["witness"]["output"].size() == 1);
    CHECK(coordinate["tree"] == Json{{"enumerate", true}});
  }
}

TEST_CASE("a network whose rows are too many to be listed has a certificate of sets of rays") {
  const SpecResult result = analyzed("specs/large/hundred-days.json");
  CHECK(result.left_open == 0);
  const Json document = Json::parse(to_json(*result.certificate));
  CHECK(document["certificate"] == "network");
  CHECK(document["without"].empty());
  REQUIRE(document["coordinates"].size() == 100);
  for (std::size_t i = 0; i < 100; ++i) {
    const Json& coordinate = document["coordinates"][i];
    const double level = result.analysis.by_coordinate("bcdp")->at(i).at_least.approx();
    CHECK(std::stod(coordinate["lower"].get<std::string>()) <= level);
    CHECK(std::stod(coordinate["upper"].get<std::string>()) >= level);
    CHECK(std::stod(coordinate["upper"].get<std::string>()) <= level + 1e-6);
    for (const Json& set : coordinate["sets"]) CHECK(set.get<std::size_t>() < document["sets"].size());
  }
}

TEST_CASE("where there is no proof, that leaves the analysis open, and the reason is told") {
  const auto without = [](const std::string& file) {
    const SpecResult result = analyzed(file);
    CHECK(result.left_open == result.certificate->without.size());
    CHECK(result.certificate->without.size() + result.certificate->coordinates.size() == result.coordinates.size());
    return missing_proofs(*result.certificate);
  };
  CHECK(without("specs/gallery/warner.json") ==
        std::vector<std::string>{"no certificate for answer: the spec has no prior"});
  CHECK(without("specs/gallery/coin-or-value-twice.json") ==
        std::vector<std::string>{"no certificate for x1: its level is infinite, or nothing finite is known above it"});
  CHECK(without("specs/parametric/warner.json").size() == 1);
  CHECK(without("specs/gallery/duchi-l2-ball.json").size() == 1);
}

TEST_CASE("reasons are told once for the coordinates after each other that share them, and names stay short") {
  Certificate certificate;
  for (int i = 0; i < 15; ++i) certificate.without.emplace_back("x" + std::to_string(i), "one");
  certificate.without.emplace_back("y", "two");
  CHECK(missing_proofs(certificate) ==
        std::vector<std::string>{"no certificate for x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11 and 3 more: one",
                                 "no certificate for y: two"});
}
