// Runs that are composed are what a spec with `compose` and `repeat` states.
#include "app/compose.h"

#include <doctest/doctest.h>

#include "api/api.h"
#include "reports/publishable.h"
#include "tests/support/random_model.h"
#include "verifier/notions/approximate.h"
#include "verifier/notions/zcdp.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

const std::string kDomain = R"("domain": [{"name": "x", "values": ["0", "1"]}, {"name": "y", "size": 3}])";

std::string random_matrix(Random& random) {
  std::string rows;
  for (int x = 0; x < 6; ++x) {
    std::string row;
    for (const Number& entry : random_distribution(random, 3, Entries::kRational)) {
      row += (row.empty() ? "[\"" : ", \"") + entry.to_string() + "\"";
    }
    rows += (x == 0 ? "" : ", ") + row + "]";
  }
  return R"({"type": "matrix", "outputs": ["a", "b", "c"], "rows": [)" + rows + "]}";
}

Spec spec_of(const std::string& mechanism, const std::string& rest = "") {
  auto spec =
      api::read(Text{R"({"oddsbound": 1, "name": "s", )" + kDomain + R"(, "mechanism": )" + mechanism + rest + "}"});
  REQUIRE_MESSAGE(spec, spec.error().message);
  return *spec;
}

}  // namespace

TEST_CASE("runs of mechanisms together are the product that a spec states") {
  Random random(482);
  for (int round = 0; round < 30; ++round) {
    const std::string first = random_matrix(random), second = random_matrix(random);
    const std::string whole = R"({"type": "compose", "mechanisms": [{"type": "repeat", "times": 2, "mechanism": )" +
                              first + "}, " + second + "]}";
    ComposeOptions options;
    options.times = {2, 1};
    options.epsilon = parse_level("log(3/2)");
    options.delta = Number::ratio(1, 20);
    options.neighbors = round % 2 == 0 ? "all" : "coordinate";
    const std::vector<Spec> parts{spec_of(first), spec_of(second)};
    const auto composed = api::compose(parts, options);
    REQUIRE(composed);
    CHECK(composed->exit_status() == 0);

    const Spec stated = spec_of(whole);
    Budget budget;
    MeasuredModel subject(stated.model, budget);
    Arguments arguments;
    arguments.set("epsilon", *options.epsilon);
    arguments.set("delta", *options.delta);
    arguments.set("neighbors", options.neighbors);
    CHECK(composed->delta_at_epsilon.found->at_least == measured_delta(subject, arguments).at_least);
    const CoordinateGroups groups = neighborhoods(stated.model.domain, arguments);
    CHECK(composed->rho.found->at_least == measured_rho(subject, groups).at_least);
    // At the epsilon that was found, delta is the one that was asked for.
    const Level& epsilon = composed->epsilon_at_delta.found->at_least;
    if (epsilon.is_infinite()) {
      arguments.set("epsilon", Level::of_exponential(Number(10).pow(30)));
      CHECK(measured_delta(subject, arguments).at_least > *options.delta);
    } else {
      arguments.set("epsilon", epsilon);
      const Number delta = measured_delta(subject, arguments).at_least;
      CHECK((epsilon.is_zero() ? delta <= *options.delta : delta == *options.delta));
    }
    for (const DeltaPoint& point : composed->curve) {
      arguments.set("epsilon", Level::of_exponential(Number::exp_of(point.epsilon)));
      const Number delta = measured_delta(subject, arguments).at_least;
      CHECK(point.lower <= delta);
      CHECK(delta <= point.upper);
    }
  }
}

TEST_CASE("what cannot be composed is an error that says why") {
  Random random(483);
  const Spec spec = spec_of(random_matrix(random));
  const auto message = [](const std::vector<Spec>& specs, const ComposeOptions& options) {
    const auto result = api::compose(specs, options);
    return result ? std::string("no error") : result.error().message;
  };
  CHECK(message({}, {}) == "found no spec, expected at least one to compose");
  CHECK(message({spec}, {{1, 2}}) == "found 2 numbers of runs, expected 1: one for each file");
  CHECK(message({spec}, {{0}}) == "found 0 runs, expected 1 to 1000000");
  CHECK(message({spec, spec}, {{600'000, 600'000}}) == "the runs have more than 1000000 independent parts");
  ComposeOptions options;
  options.delta = Number(2);
  CHECK(message({spec}, options) == "found delta 2, expected 0 to 1");
  options = {};
  options.epsilon = Level::infinite();
  CHECK(message({spec}, options) == "found epsilon inf, expected a finite one: delta is 0 at an infinite epsilon");
  options = {};
  options.neighbors = "row";
  CHECK(message({spec}, options) == "found neighbors 'row', expected 'all', 'coordinate' or 'record'");
}

TEST_CASE("digests of the files of a confidential table are not published") {
  ComposedResult result;
  result.files = {{"a.json", "abc", true, ','}, {"people.csv", "def", false, ','}};
  CHECK(publishable(result).files[1].sha256 == "def");
  result.confidential = true;
  CHECK(publishable(result).files[0].sha256.empty());
  CHECK(publishable(result).files[1].sha256.empty());
}
