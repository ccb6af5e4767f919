// Planned runs: the planned number finds the planned violations; far fewer runs do not.

#include <doctest/doctest.h>
#include <cmath>
#include <string>
#include <tuple>

#include "audits/confidence.h"
#include "audits/findings.h"
#include "audits/plan.h"
#include "base/errors.h"
#include "tests/support/audit_options.h"
#include "tests/support/effort.h"

using namespace oddsbound;
using oddsbound::testing::effort;
using oddsbound::testing::options_of;

namespace {

// A survey of two attributes; the mechanism asks for one.
Spec survey(const std::string& size, const std::string& mechanism, const std::string& epsilon,
            const std::string& claims, Budget& budget) {
  const std::string text = R"j({"oddsbound": 1, "name": "t", "domain": [{"name": "x", "size": )j" + size +
                           R"j(}, {"name": "z", "size": 2}], "prior": {"type": "uniform"}, "mechanism": {"type": "on",
                           "coordinates": ["x"], "mechanism": {"type": ")j" +
                           mechanism + R"j(", "epsilon": ")j" + epsilon + R"j("}}, "claims": [)j" + claims + "]}";
  return read_spec_text("t.json", ".", text, budget);
}

// Number of audits, out of `audits`, that contradict a claim when the sampler answers at another level.
int times_found(const Spec& claimed, const Spec& answered, std::uint64_t samples, int audits) {
  int found = 0;
  for (int seed = 1; seed <= audits; ++seed) {
    Budget budget;
    const AuditOptions options = options_of(samples, static_cast<std::uint64_t>(seed), 0.01);
    const auto runner = built_in_runner(answered, options.seed);
    found += assess(claimed, measure(claimed, *runner, options, budget), options, budget).contradicted() ? 1 : 0;
  }
  return found;
}

}  // namespace

TEST_CASE("as many runs as are planned find nine of ten violations, a quarter of them fewer") {
  const int audits = effort(100, 20);
  for (const auto& [mechanism, size, margin, more] : {std::tuple("k_randomized_response", "2", "1/5", 0.2),
                                                      {"k_randomized_response", "10", "1/5", 0.2},
                                                      {"k_randomized_response", "10", "1/2", 0.5},
                                                      {"unary_encoding", "5", "1/5", 0.2},
                                                      {"unary_encoding", "6", "1/2", 0.5}}) {
    const std::string what = std::string(mechanism) + " " + size + " " + margin;
    CAPTURE(what);
    Budget budget;
    const std::string claim = R"j({"notion": "cdp", "epsilon": {"x": "1"}})j";
    const Spec claimed = survey(size, mechanism, "1", claim, budget);
    const Spec answered = survey(size, mechanism, std::string("1+") + margin, claim, budget);
    const ClaimPlans plans = plan_runs(claimed, options_of(1000, 1, 0.01), more, budget);
    REQUIRE(plans.claims.size() == 1);
    REQUIRE(plans.claims[0].samples);
    const std::uint64_t planned = *plans.claims[0].samples;
    CAPTURE(planned);
    // With 20 audits, more are missed by chance.
    CHECK(times_found(claimed, answered, planned, audits) >= (audits > 20 ? 9 : 8) * audits / 10);
    CHECK(times_found(claimed, answered, planned / 4, audits) < 9 * audits / 10);
  }
}

TEST_CASE("plans of claims about delta, about what nothing is said of, and of what is claimed twice") {
  Budget budget;
  const Spec spec =
      survey("2", "k_randomized_response", "log(3)", R"j({"notion": "approximate_dp", "epsilon": "0", "delta": "1/2"},
      {"notion": "cdp", "epsilon": {"z": "0"}}, {"notion": "ldp", "epsilon": "log(4)"},
      {"notion": "ldp", "epsilon": "1/2", "expect": "refuted"}, {"notion": "ldp", "epsilon": "inf"})j",
             budget);
  const ClaimPlans plans = plan_runs(spec, options_of(1000, 1, 0.01), 0.1, budget);
  REQUIRE(plans.claims.size() == 3);
  CHECK(plans.claims[0].violated == doctest::Approx(0.8));
  CHECK(plans.claims[1].allowed == doctest::Approx(0.5));
  CHECK(plans.claims[1].guessed == 1);
  // The sampler leaks 0.1 more than the claim, however low the stated level is.
  CHECK(plans.claims[2].violated == doctest::Approx(share_of(std::log(4.0) + 0.1, 1)));
  for (const PlannedClaim& claim : plans.claims) CHECK(claim.samples);
  REQUIRE(plans.left_out.size() == 2);
  CHECK(plans.left_out[0].claim == 3);
  CHECK(plans.left_out[1].claim == 4);
  // A larger violation needs fewer runs.
  CHECK(*plan_runs(spec, options_of(1000, 1, 0.01), 0.2, budget).claims[2].samples < *plans.claims[2].samples);
  CHECK(plan_runs(spec, options_of(1000, 1, 0.01), 0.6, budget).claims[0].reason == "no delta is so large");
  const Spec large = survey("600", "k_randomized_response", "1", R"j({"notion": "ldp", "epsilon": "1"})j", budget);
  CHECK(plan_runs(large, options_of(1000, 1, 0.01), 0.1, budget).claims[0].reason ==
        "the stated channel has 1200 inputs x 600 outputs, more than the limit of 262144 (2^18)");
  CHECK(plan_runs(spec, options_of(1000, 1, 0.01), 1e-7, budget).claims[2].reason == "it takes more than 10^12 runs");
}
