// Bounds on levels when a limit is reached before the search finds anything.
#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <thread>

#include "specs/spec.h"
#include "verifier/notions/bcdp.h"
#include "verifier/notions/ldp.h"
#include "verifier/notions/notion.h"

using namespace oddsbound;

namespace {

// 512 rows, so that a time check interrupts them, and too many outputs to enumerate.
const std::string kWide = R"({"oddsbound": 1, "name": "wide",
  "domain": [{"name": "a", "size": 8}, {"name": "b", "size": 8}, {"name": "c", "size": 8}],
  "prior": {"type": "mixture", "weights": ["1/3", "2/3"], "components": [{"type": "uniform"},
    {"type": "diagonal", "marginal": ["1/8", "1/8", "1/8", "1/8", "1/8", "1/8", "1/8", "1/8"]}]},
  "mechanism": {"type": "per_coordinate", "mechanisms": {"a": {"type": "k_randomized_response", "epsilon": "1"},
    "b": {"type": "k_randomized_response", "epsilon": "2"}, "c": {"type": "k_randomized_response", "epsilon": "1/2"}}}})";

Limits few_cells(double seconds) {
  Limits limits;
  limits.max_cells = 1000;
  limits.max_seconds = seconds;
  return limits;
}

}  // namespace

TEST_CASE("a coordinate whose rows were not gathered in time has the LDP level as a bound, and no witness") {
  Budget ample;
  const Spec spec = read_spec_text("wide.json", ".", kWide, ample);
  Budget whole(few_cells(60));
  MeasuredModel in_time(spec.model, whole);
  const std::vector<MeasuredLevel> exact = measured_bcdp(in_time);

  Budget late(few_cells(1));
  MeasuredModel subject(spec.model, late);
  REQUIRE(ldp_level(subject).at_least == parse_level("7/2"));
  while (late.seconds_left() > 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const std::vector<MeasuredLevel> levels = measured_bcdp(subject);
  REQUIRE(levels.size() == 3);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    REQUIRE(levels[i].unfinished);
    CHECK(levels[i].at_least == Level());
    CHECK(levels[i].at_most() == parse_level("7/2"));
    CHECK(levels[i].unfinished->reason.find("--max-seconds") != std::string::npos);
    CHECK(levels[i].witness.get().outputs.empty());
    CHECK(!exact[i].unfinished);
    CHECK(exact[i].at_least <= levels[i].at_most());
  }
  const auto answer = [&](const std::string& epsilon) {
    const CoordinateLevels claimed(3, parse_level(epsilon));
    return decide_coordinates(spec.model.domain, measured_bcdp(subject), claimed).holds;
  };
  CHECK(answer("7/2") == Answer::kYes);
  CHECK(answer("3") == Answer::kOpen);
  CHECK(answer("0") == Answer::kOpen);
}
