// Audits of samplers with known levels: findings are correct as often as reported, and close to the truth.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "audits/anytime.h"
#include "audits/confidence.h"
#include "audits/findings.h"
#include "mechanisms/random/distributions.h"
#include "tests/support/audit_options.h"
#include "tests/support/effort.h"
#include "tests/support/families.h"
#include "tests/support/too_many.h"
#include "verifier/engine/measured_model.h"
#include "verifier/notions/ldp.h"

using namespace oddsbound;
using oddsbound::testing::effort;
using oddsbound::testing::options_of;
using oddsbound::testing::read_example;
using oddsbound::testing::sized;
using oddsbound::testing::too_many;

namespace {

AuditFindings audit(const Spec& spec, std::uint64_t samples, std::uint64_t seed, double alpha = 0.01) {
  Budget budget;
  const AuditOptions options = options_of(samples, seed, alpha);
  const auto runner = built_in_runner(spec, seed);
  return assess(spec, measure(spec, *runner, options, budget), options, budget);
}

const LevelFinding& find(const AuditFindings& findings, const std::string& title) {
  return *std::find_if(findings.levels.begin(), findings.levels.end(),
                       [&](const LevelFinding& level) { return level.question.title() == title; });
}

double mean_bound(const Spec& spec, std::uint64_t samples) {
  const int seeds = effort(20, 5, 1);
  double sum = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    sum += find(audit(spec, samples, static_cast<std::uint64_t>(seed)), "ldp").bound;
  }
  return sum / seeds;
}

}  // namespace

TEST_CASE("no more lower bounds lie above the truth than the stated error allows") {
  struct Known {
    std::string domain, mechanism;
  };
  const std::vector<Known> mechanisms{
      {sized(2), R"j({"type": "k_randomized_response", "epsilon": "1"})j"},
      {sized(4), R"j({"type": "k_randomized_response", "epsilon": "1/2"})j"},
      {sized(3), R"j({"type": "unary_encoding", "epsilon": "1"})j"},
      {sized(4),
       R"j({"type": "matrix", "outputs": 2, "rows": [[1, 0], ["1/2", "1/2"], ["1/3", "2/3"], ["1/3", "2/3"]]})j"},
      {R"j([{"name": "a", "size": 2}, {"name": "b", "size": 2}])j",
       R"j({"type": "k_randomized_response", "epsilon": "1"})j"},
  };
  // A large error, so that failures are visible.
  const double alpha = 0.25;
  std::uint64_t audits = 0, above = 0, below = 0, alarms = 0, wrong_somewhere = 0;
  for (const Known& known : mechanisms) {
    Budget budget;
    const Spec spec = read_example(known.domain, known.mechanism, budget);
    MeasuredModel subject(spec.model, budget);
    const double truth = ldp_level(subject).at_least.approx();
    for (std::uint64_t seed = 1; seed <= std::uint64_t{effort(400, 20)}; ++seed) {
      const AuditFindings findings = audit(spec, 2000, seed, alpha);
      const LevelFinding& ldp = find(findings, "ldp");
      const bool low_fails = ldp.bound > truth;
      const bool high_fails = *ldp.upper < truth;
      ++audits;
      above += low_fails ? 1 : 0;
      below += high_fails ? 1 : 0;
      alarms += findings.deviates() ? 1 : 0;
      wrong_somewhere += low_fails || high_fails || findings.deviates() ? 1 : 0;
      CHECK(ldp.bound <= ldp.ceiling);
    }
  }
  CHECK(audits == std::uint64_t{effort(2000, 100)});
  CHECK(above < too_many(audits, 0.8 * alpha));
  CHECK(below < too_many(audits, 0.1 * alpha));
  CHECK(alarms < too_many(audits, 0.1 * alpha));
  CHECK(wrong_somewhere < too_many(audits, alpha));
  CHECK(above > 0);  // the bounds are not vacuously low
  MESSAGE(above << " of " << audits << " lower bounds above the truth, " << below << " upper bounds below it, "
                << alarms << " false alarms");
}

TEST_CASE("lower bounds for k-randomized response beat the published auditors'") {
  for (const auto& [k, least] : std::vector<std::pair<int, double>>{{2, 0.995}, {10, 0.994}, {100, 0.985}}) {
    Budget budget;
    const Spec spec = read_example(sized(k), R"j({"type": "k_randomized_response", "epsilon": "1"})j", budget);
    const double mean = mean_bound(spec, 2'000'000);
    CAPTURE(k);
    CHECK(mean >= least - effort(0, 1) * 0.01);
    MESSAGE("k = " << k << ": mean lower bound " << mean << " of 1");
  }
}

TEST_CASE("lower bounds for unary encodings and subset selection come close to the level") {
  for (const auto& [k, samples, mechanism] : std::vector<std::tuple<int, int, std::string>>{
           {8, 1'000'000, R"j({"type": "unary_encoding", "epsilon": "1"})j"},
           {8, 1'000'000, R"j({"type": "unary_encoding", "variant": "symmetric", "epsilon": "1"})j"},
           {60, 1'000'000, R"j({"type": "unary_encoding", "epsilon": "1"})j"},
           {40, 1'000'000, R"j({"type": "subset_selection", "epsilon": "1", "size": 10})j"}}) {
    if (oddsbound::testing::kInstrumented && k == 40) continue;
    Budget budget;
    const Spec spec = read_example(sized(k), mechanism, budget);
    const int runs = effort(samples, samples / 4, 100'000);
    const double bound = find(audit(spec, runs, 1), "ldp").bound;
    CAPTURE(mechanism);
    CHECK(bound >= (oddsbound::testing::kInstrumented ? 0.9 : runs == samples ? 0.98 : 0.96));
    CHECK(bound <= 1);
    MESSAGE(mechanism << ": " << bound);
  }
}

namespace {

Spec claiming(const std::string& domain, const std::string& mechanism, const std::string& claims, Budget& budget) {
  return read_spec_text("test.json", ".",
                        R"j({"oddsbound": 1, "name": "test", "domain": )j" + domain + R"j(, "mechanism": )j" +
                            mechanism + R"j(, "claims": )j" + claims + "}",
                        budget);
}

AnytimeResult until(const Spec& spec, std::uint64_t samples, std::uint64_t seed, double alpha = 0.01) {
  Budget budget;
  const AuditOptions options = options_of(samples, seed, alpha);
  const auto runner = built_in_runner(spec, seed);
  return audit_until(spec, *runner, options, budget);
}

}  // namespace

TEST_CASE("an audit that may stop at any time raises no more false alarms than it says") {
  const double alpha = 0.25;
  const auto seeds = static_cast<std::uint64_t>(effort(500, 150, 20));
  std::uint64_t audits = 0, alarms = 0, above = 0;
  for (const std::string mechanism :
       {R"j({"type": "k_randomized_response", "epsilon": "1"})j", R"j({"type": "unary_encoding", "epsilon": "1"})j"}) {
    for (const int k : {2, 5}) {
      Budget budget;
      const Spec spec = claiming(sized(k), mechanism, R"j([{"notion": "ldp", "epsilon": "1"}])j", budget);
      for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const AnytimeResult result = until(spec, 3000, seed, alpha);
        ++audits;
        alarms += result.findings.contradicted() ? 1 : 0;
        above += result.findings.levels[0].bound > 1 ? 1 : 0;
        CHECK_FALSE((result.findings.contradicted() && result.findings.levels[0].bound < 1 - 1e-9));
        CHECK(result.levels[0].threshold == doctest::Approx(-std::log(0.8 * alpha)));
      }
    }
  }
  CHECK(audits == 4 * seeds);
  CHECK(alarms < too_many(audits, 0.8 * alpha));
  CHECK(above < too_many(audits, 0.8 * alpha));
  CHECK((alarms > 0 || oddsbound::testing::kInstrumented));
  MESSAGE(alarms << " false alarms in " << audits << " audits");
}

TEST_CASE("an audit that may stop at any time stops early where a claim is wrong") {
  const auto median = [](const std::string& actual) {
    Budget budget;
    const Spec spec = claiming(sized(10), R"j({"type": "k_randomized_response", "epsilon": ")j" + actual + "\"}",
                               R"j([{"notion": "ldp", "epsilon": "1"}])j", budget);
    std::vector<std::uint64_t> runs;
    for (std::uint64_t seed = 1; seed <= std::uint64_t{effort(200, 11)}; ++seed) {
      const AnytimeResult result = until(spec, 100'000, seed);
      CHECK(result.findings.contradicted());
      runs.push_back(result.findings.runs);
    }
    std::sort(runs.begin(), runs.end());
    return runs[runs.size() / 2];
  };
  const std::uint64_t near = median("1.2"), far = median("2");
  CHECK(near < 3000);
  CHECK(far < 200);
  MESSAGE("claimed 1, k = 10: median " << near << " runs where it is 1.2, " << far << " where it is 2");
}

namespace {

const char* const kTwoBits = R"j([{"name": "a", "size": 2}, {"name": "b", "size": 3}])j";

}  // namespace

TEST_CASE("bounds of every notion are below its exact level as often as they say") {
  Budget budget;
  const Spec spec = read_spec_text("test.json", ".",
                                   R"j({"oddsbound": 1, "name": "test", "domain": )j" + std::string(kTwoBits) + R"j(,
      "prior": {"type": "counts", "counts": [5, 1, 2, 1, 0, 6]},
      "mechanism": {"type": "on", "coordinates": ["b"], "mechanism": {"type": "k_randomized_response", "epsilon": "2"}},
      "claims": [{"notion": "ldp", "epsilon": "2"}, {"notion": "cdp", "epsilon": {"a": "0", "b": "2"}},
                 {"notion": "bcdp", "epsilon": "2"}, {"notion": "bdp", "epsilon": "2"},
                 {"notion": "secret", "secret": {"low": [["0", "0"], ["1", "0"]],
                  "high": [["0", "1"], ["0", "2"], ["1", "1"], ["1", "2"]]}, "epsilon": "2"},
                 {"notion": "partial_dp", "epsilon": {"a": "0", "b": "2"}},
                 {"notion": "context_ldp", "epsilon": [[0, 3, 2, 2, 3, 2], [2, 0, 2, 2, 2, 3], [2, 2, 0, 2, 2, "inf"],
                  [2, 2, 2, 0, 2, 2], [2, 2, 2, 2, 0, 2], [2, 2, 2, 2, 2, 0]]},
                 {"notion": "high_low_ldp", "sensitive": [["0", "0"]], "epsilon": "2"},
                 {"notion": "approximate_dp", "epsilon": "1", "delta": "1/2"},
                 {"notion": "approximate_dp", "epsilon": "1", "delta": "1/3", "neighbors": "coordinate"}]})j",
                                   budget);
  // The true value by definition, in double.
  const auto truth_of = [&](const Question& question) {
    const Rates rates = stated_rates(question, rounded_rows(*spec.model.channel, budget));
    double most = 0;
    for (const auto& [from, to] : question.pairs) {
      double delta = 0;
      for (std::size_t y = 0; y < rates[from].size(); ++y) {
        most = question.bounds_delta() ? most : std::max(most, std::log(rates[from][y] / rates[to][y]));
        if (question.bounds_delta()) delta += std::max(0.0, rates[from][y] - std::exp(1.0) * rates[to][y]);
      }
      most = std::max(most, delta);
    }
    return most;
  };
  const double alpha = 0.5;
  std::uint64_t wrong = 0;
  constexpr std::uint64_t kAudits = effort(300, 10);
  std::vector<double> best;
  std::vector<double> truth;
  for (std::uint64_t seed = 1; seed <= kAudits; ++seed) {
    const AuditFindings findings = audit(spec, 40'000, seed, alpha);
    best.resize(findings.levels.size());
    truth.clear();
    bool fails = findings.deviates();
    for (std::size_t q = 0; q < findings.levels.size(); ++q) {
      truth.push_back(truth_of(findings.levels[q].question) * (1 + 1e-9) + 1e-9);
      fails = fails || findings.levels[q].bound > truth[q] || *findings.levels[q].upper < truth[q] - 2e-9;
      best[q] = std::max(best[q], findings.levels[q].bound);
      for (const ClaimFinding& claim : findings.levels[q].claims) {
        CHECK(claim.contradicted ==
              (findings.levels[q].bound > (findings.levels[q].question.bounds_delta() ? claim.claimed.delta.approx()
                                                                                      : claim.claimed.level.approx()) +
                                              1e-12));
      }
    }
    wrong += fails ? 1 : 0;
  }
  CHECK(wrong < too_many(kAudits, alpha));
  CHECK(wrong > 0);
  // Every level that is not 0 is approximately found.
  for (std::size_t q = 0; q < best.size(); ++q) CHECK(best[q] >= 0.8 * truth[q] - 0.02);
  MESSAGE(wrong << " of " << kAudits << " reports with something wrong in them, at an error of " << alpha);
}

TEST_CASE("a change in total variation by the stated power is found") {
  Budget budget;
  const Spec spec = read_example(sized(6), R"j({"type": "k_randomized_response", "epsilon": "1"})j", budget);
  const Channel& channel = *spec.model.channel;
  const auto source = Randomness{7, 7}.source(0);
  std::vector<Number> stated;
  for (std::uint64_t y = 0; y < 6; ++y) stated.push_back(channel.entry(0, y));
  const auto tally_of = [&](const std::vector<Number>& row, std::uint64_t runs) {
    Tally tally(6, 6);
    const Categorical choice(row);
    for (std::uint64_t i = 0; i < runs; ++i) ++tally.row(0)[choice.run(*source)];
    return tally;
  };
  const std::uint64_t runs = 3000;
  const double power = *check_agreement(channel, std::vector{tally_of(stated, runs)}, 0.001, budget).power;
  CHECK(power < 0.11);
  const Number change = Number::ratio(static_cast<std::int64_t>(std::ceil(power * 1e6)), 1'000'000);
  // Into one output, and evenly over half of them.
  std::vector<Number> one = stated, many = stated;
  one[0] -= change;
  one[3] += change;
  for (std::size_t y = 0; y < 3; ++y) {
    many[y] -= change / Number(3);
    many[y + 3] += change / Number(3);
  }
  std::uint64_t false_alarms = 0, missed = 0;
  constexpr int kTries = effort(400, 20);
  for (int i = 0; i < kTries; ++i) {
    const auto alarm = [&](const std::vector<Number>& row) {
      return !check_agreement(channel, std::vector{tally_of(row, runs)}, 0.001, budget).deviations.empty();
    };
    false_alarms += alarm(stated) ? 1 : 0;
    missed += alarm(one) && alarm(many) ? 0 : 1;
  }
  CHECK(false_alarms < too_many(kTries, 0.001));
  CHECK(missed < too_many(kTries, 0.02));
}
