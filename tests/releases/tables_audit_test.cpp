// Releases from whole tables, whose outputs are not enumerated: their audits and their results.

#include <doctest/doctest.h>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "app/verify.h"
#include "audits/findings.h"
#include "reports/text.h"
#include "specs/spec.h"
#include "tests/support/audit_options.h"
#include "tests/support/effort.h"
#include "tests/support/read_back.h"

using namespace oddsbound;
using oddsbound::testing::effort;
using oddsbound::testing::options_of;
using oddsbound::testing::read_back;

namespace {

Spec tables_spec(const std::string& name, Budget& budget) {
  return read_spec(ODDSBOUND_SOURCE_DIR "/audits/specs/tables/" + name + ".json", budget);
}

AuditFindings audit(const Spec& spec, const AuditOptions& options) {
  Budget budget;
  const auto runner = built_in_runner(spec, options.seed);
  return assess(spec, measure(spec, *runner, options, budget), options, budget);
}

}  // namespace

TEST_CASE("of which table it was an audit shows nearly all that Laplace noise loses, and never more") {
  Budget budget;
  const Spec spec = tables_spec("counts-laplace", budget);  // two counts change by 1, scale 2: the level is 1
  const int seeds = effort(40, 12, 4);
  double sum = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    const AuditFindings findings = audit(spec, options_of(40'000, static_cast<std::uint64_t>(seed), 0.01));
    REQUIRE(findings.levels.size() == 1);
    CHECK(findings.levels[0].bound <= 1);
    CHECK_FALSE(findings.contradicted());
    sum += findings.levels[0].bound;
  }
  CHECK(sum / seeds > 0.75);
}

TEST_CASE("an audit of tables finds the same on one thread and on many") {
  Budget budget;
  const Spec spec = tables_spec("heavy-hitters", budget);
  AuditOptions options = options_of(150'000, 3, 0.01);
  const double alone = audit(spec, options).levels[0].bound;
  options.threads = 3;
  CHECK(audit(spec, options).levels[0].bound == alone);
  CHECK(alone > 0.2);
}

TEST_CASE("the delta that Gaussian noise loses between tables is found, and no more") {
  Budget budget;
  const Spec spec = tables_spec("counts-gaussian", budget);
  // Two counts change by 1 under variance 4: by 1/sqrt(2) standard deviations, nearly as for continuous noise.
  // Then delta at 0.94286 is Phi(0.35355 - 1.33341) - e^0.94286 Phi(-0.35355 - 1.33341) = 0.1636 - 2.5673 * 0.0458
  // = 0.0459.
  const AuditFindings findings = audit(spec, options_of(400'000, 1, 0.01));
  REQUIRE(findings.levels.size() == 2);
  CHECK(findings.levels[0].bound > 0.03);
  CHECK(findings.levels[0].bound < 0.047);
  CHECK_FALSE(findings.contradicted());
}

TEST_CASE("a result keeps that its outputs are not enumerated when it is read back") {
  setenv("SOURCE_DATE_EPOCH", "0", 1);  // otherwise reports contain the time of writing
  const Report run =
      evaluate_files(std::vector<std::string>{ODDSBOUND_SOURCE_DIR "/audits/specs/tables/counts-gaussian.json"}, {});
  const Report read = read_back(run);
  REQUIRE(read.specs.size() == 1);
  CHECK(read.specs[0].unlisted);
  CHECK(to_json(read) == to_json(run));
  CHECK(text_analysis(read, {}) == text_analysis(run, {}));
}
