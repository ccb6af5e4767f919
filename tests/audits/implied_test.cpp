// Comparisons that follow from claims: none fails if the claim holds, and runs contradict claims that are far from
// true.
#include <doctest/doctest.h>

#include <map>

#include "audits/exhaustive.h"
#include "audits/findings.h"
#include "audits/question.h"
#include "audits/replay.h"
#include "tests/support/audit_options.h"
#include "tests/support/effort.h"
#include "tests/support/families.h"
#include "tests/support/random_claim.h"
#include "verifier/notions/stated.h"
#include "verifier/notions/table.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

Spec spec_with(const Model& model, const Notion& notion, const Arguments& arguments) {
  Spec spec;
  spec.name = "example";
  spec.model = model;
  Claim claim;
  claim.notion = &notion;
  claim.arguments = arguments;
  spec.claims.push_back(std::move(claim));
  return spec;
}

Spec with_claims(const std::string& prior, const std::string& claims, Budget& budget) {
  const std::string text = R"j({"oddsbound": 1, "name": "example", "domain": [{"name": "x", "size": 3}],
      "mechanism": {"type": "k_randomized_response", "epsilon": "log(8)"},)j" +
                           prior + R"j("claims": [)j" + claims + "]}";
  return read_spec_text("example.json", ".", text, budget);
}

}  // namespace

TEST_CASE("no comparison fails that follows from a claim that holds") {
  Random random(4902);
  std::map<std::string, int> compared, attained;
  for (int round = 0; round < effort(100, 30); ++round) {
    const Model model = random_model(random, round % 4 == 3 ? Entries::kWithExp : Entries::kRational);
    if (model.domain.inputs() > 12) continue;
    for (const Notion& notion : notion_table()) {
      if (!notion.imply && notion.name != "posterior") continue;
      CAPTURE(notion.name);
      CAPTURE(round);
      Arguments arguments = random_claim(notion, model.domain, random);
      if (!is_complete(notion, model.domain, arguments) || !audits::is_audited(notion, arguments)) continue;
      Budget budget;
      MeasuredModel subject(model, budget);
      set_to_actual(arguments, notion, notion.decide(subject, arguments));
      const Spec spec = spec_with(model, notion, arguments);
      bool some_attained = false;
      for (const Question& question : audits::questions_of(spec, false, budget)) {
        const ExactAnswer exact = exact_answer(question, *model.channel, budget);
        REQUIRE(question.claims.size() == 1);
        const ClaimedLevel& claim = question.claims[0];
        CAPTURE(question.title());
        if (question.bounds_delta()) {
          CHECK(exact.delta.value() <= claim.delta);
          some_attained = some_attained || *exact.delta == claim.delta;
        } else {
          CHECK(exact.level.value() <= claim.level);
          some_attained = some_attained || *exact.level == claim.level;
        }
        ++compared[notion.name];
      }
      attained[notion.name] += some_attained ? 1 : 0;
    }
  }
  for (const Notion& notion : notion_table()) {
    if (notion.imply) CHECK_MESSAGE(compared[notion.name] >= effort(5, 1), notion.name);
  }
  // A level against everyone is the same as one against the others, and lines of a curve are the claim itself.
  for (const char* name : {"lower_lift", "posterior", "local_information_privacy", "f_dp"}) {
    CHECK_MESSAGE(attained[name] >= effort(5, 1), name);
  }
}

TEST_CASE("deltas of divergences lie above those of randomized response with the same divergence, and not by much") {
  // Two outputs, kept with 3/4: D_2 = log(7/3), and at epsilon 0 the delta is 1/2.
  const auto of_order = deltas_of_divergence(Level::of_exponential(Number::ratio(7, 3)), 2);
  REQUIRE(of_order.size() == 2);
  CHECK(of_order[0].epsilon.is_zero());
  CHECK(of_order[0].delta >= Number::ratio(1, 2));
  CHECK(of_order[0].delta <= Number::ratio(58, 100));  // sqrt(4/3) / 2
  for (const ImpliedDelta& point : of_order) {
    const Number delta = std::max(Number(0), Number::ratio(3, 4) - point.epsilon.exponential() * Number::ratio(1, 4));
    CHECK(point.delta >= delta);
    CHECK(point.delta < Number(1));
  }
  CHECK(deltas_of_divergence(Level(), 0).size() == 1);
  CHECK(deltas_of_divergence(Level(), 0)[0].delta.is_zero());
  CHECK(deltas_of_divergence(Level::of_exponential(Number(10).pow(40)), 0).empty());
  // rho = 1/2 follows from mu = 1, with delta Phi(1/2) - Phi(-1/2) = .38 at epsilon 0.
  const auto of_zcdp = deltas_of_divergence(Level::of_exponential(Number::exp_of(Number::ratio(1, 2))), 0);
  CHECK(of_zcdp[0].delta > Number::ratio(38, 100));
  CHECK(of_zcdp[0].delta <= Number::ratio(51, 100));  // Pinsker: sqrt(1/4)
}

TEST_CASE("runs contradict claims of every notion that are far from true, and none that are true") {
  // Keeps a value of three with 8/10. Between neighbors: level log(8), range 2 log(8), D_2 = log(261/80).
  const std::string prior = R"j("prior": {"type": "product", "marginals": {"x": ["1/2", "1/4", "1/4"]}},)j";
  struct Case {
    std::string notion, fields, wrong, right;
  };
  const std::vector<Case> cases{
      {"bounded_range", "", R"j("epsilon": "log(9)")j", R"j("epsilon": "log(64)")j"},
      {"kl_dp", "", R"j("epsilon": "log(5/4)")j", R"j("epsilon": "log(8)")j"},
      {"probabilistic_dp", R"j(, "epsilon": "log(4)")j", R"j("delta": "1/10")j", R"j("delta": "8/10")j"},
      {"f_dp", R"j(, "f": [[0, 1], ["1/4", "1/4"], [1, 0]])j", R"j("delta": 0)j", R"j("delta": "1/2")j"},
      {"gaussian_dp", "", R"j("mu": 1)j", R"j("mu": 3)j"},
      {"zcdp", "", R"j("rho": "1/10")j", R"j("rho": 2)j"},
      {"approximate_zcdp", R"j(, "delta": "1/10")j", R"j("rho": "1/10")j", R"j("rho": 2)j"},
      {"renyi_dp", R"j(, "order": 2)j", R"j("epsilon": "log(5/4)")j", R"j("epsilon": "log(8)")j"},
      {"renyi_bcdp", R"j(, "order": 2, "coordinate": "x")j", R"j("epsilon": "log(5/4)")j", R"j("epsilon": "log(8)")j"},
      {"maximal_leakage", "", R"j("epsilon": "log(3/2)")j", R"j("epsilon": "log(24/10)")j"},
      {"utility_optimized_ldp", R"j(, "sensitive": [["0"]])j", R"j("epsilon": "log(4)")j", R"j("epsilon": "log(8)")j"},
      {"pointwise_maximal_leakage", R"j(, "coordinate": "x")j", R"j("epsilon": "log(2)")j",
       R"j("epsilon": "log(32/11)")j"},
      {"pointwise_maximal_leakage", R"j(, "coordinate": "x", "delta": "1/100")j", R"j("epsilon": "log(2)")j",
       R"j("epsilon": "log(32/11)")j"},
      {"lower_lift", R"j(, "coordinate": "x")j", R"j("epsilon": "log(2)")j", R"j("epsilon": "log(9/2)")j"},
      {"local_information_privacy", R"j(, "coordinate": "x")j", R"j("epsilon": "log(2)")j",
       R"j("epsilon": "log(9/2)")j"},
      {"posterior", R"j(, "coordinate": "x", "values": ["1"])j", R"j("at_most": "1/2")j", R"j("at_most": "8/11")j"},
  };
  std::string claims;
  for (const Case& example : cases) {
    for (const std::string& bound : {example.wrong, example.right}) {
      claims += std::string(claims.empty() ? "" : ", ") + R"j({"notion": ")j" + example.notion + R"j(", )j" + bound +
                example.fields + "}";
    }
  }
  Budget budget;
  const Spec spec = with_claims(prior, claims, budget);
  // The claims on the right hold.
  MeasuredModel subject(spec.model, budget);
  for (std::size_t k = 0; k < spec.claims.size(); ++k) {
    CAPTURE(k);
    const Decision decision = spec.claims[k].notion->decide(subject, spec.claims[k].arguments);
    CHECK(decision.holds == answer_of(k % 2 == 1));
  }
  const AuditOptions options = options_of(4'000'000, 7, 0.01);
  const auto runner = built_in_runner(spec, 7);
  const AuditFindings findings = assess(spec, measure(spec, *runner, options, budget), options, budget);
  std::map<std::size_t, bool> contradicted;
  for (const LevelFinding& level : findings.levels) {
    for (const ClaimFinding& claim : level.claims) {
      contradicted[claim.claimed.claim] = contradicted[claim.claimed.claim] || claim.contradicted;
    }
  }
  for (std::size_t k = 0; k < spec.claims.size(); ++k) {
    CAPTURE(cases[k / 2].notion);
    const auto found = contradicted.find(k);
    if (k % 2 == 0) REQUIRE(found != contradicted.end());
    CHECK((found != contradicted.end() && found->second) == (k % 2 == 0));
  }
}

TEST_CASE("a confidential prior is not revealed by a level against the others") {
  Budget budget;
  Spec spec = with_claims(R"j("prior": {"type": "product", "marginals": {"x": ["1/2", "1/4", "1/4"]}},)j",
                          R"j({"notion": "lower_lift", "coordinate": "x", "epsilon": "log(2)"})j", budget);
  CHECK(audits::questions_of(spec, false, budget).size() == 3);
  spec.confidential_prior = true;
  CHECK(audits::questions_of(spec, false, budget).empty());
  const auto left_out = unasked_claims({}, spec);
  REQUIRE(left_out.size() == 1);
  CHECK(left_out[0].reason == "a comparison of outputs that follows from it would reveal the confidential prior");
}

TEST_CASE("levels that follow from claims are named by what is compared, apart from those of notions") {
  Budget budget;
  const std::string prior = R"j("prior": {"type": "product", "marginals": {"x": ["1/2", "1/4", "1/4"]}},)j";
  const Spec spec = with_claims(prior, R"j({"notion": "ldp", "epsilon": "log(8)"},
      {"notion": "utility_optimized_ldp", "sensitive": [["0"], ["1"], ["2"]], "epsilon": "log(8)"},
      {"notion": "pointwise_maximal_leakage", "coordinate": "x", "epsilon": "log(5/2)"},
      {"notion": "probabilistic_dp", "epsilon": "log(4)", "delta": "4/5"},
      {"notion": "f_dp", "f": [[0, "1/5"], ["1/5", 0], [1, 0]], "delta": "1/20"},
      {"notion": "approximate_dp", "epsilon": "log(4)", "delta": "4/5"})j",
                                budget);
  std::vector<std::string> titles;
  for (const Question& question : audits::questions_of(spec, false, budget)) titles.push_back(question.title());
  CHECK(titles == std::vector<std::string>{"ldp", "between sensitive inputs and all others, implied by claim 1",
                                           "between x = 1 and the others, implied by claim 2",
                                           "between x = 2 and the others, implied by claim 2",
                                           "between neighbors, implied by claim 3",
                                           "between neighbors, implied by claim 4", "approximate_dp"});
}

TEST_CASE("a claim with more comparisons than an audit has is left out, and the others are audited") {
  const auto spec_of_values = [](std::size_t values, const std::string& claims) {
    Budget budget;
    const std::string text = R"j({"oddsbound": 1, "name": "example", "domain": [{"name": "x", "size": )j" +
                             std::to_string(values) + R"j(}], "prior": {"type": "uniform"},
        "mechanism": {"type": "k_randomized_response", "epsilon": 1}, "claims": [)j" +
                             claims + "]}";
    return read_spec_text("example.json", ".", text, budget);
  };
  const std::string ldp = R"j({"notion": "ldp", "epsilon": 1})j";
  for (const std::string lift :
       {R"j("pointwise_maximal_leakage", "epsilon": 1)j",
        R"j("pointwise_maximal_leakage", "epsilon": 1, "delta": "1/1000")j", R"j("lower_lift", "epsilon": 1)j"}) {
    CAPTURE(lift);
    Budget budget;
    const Spec spec = spec_of_values(300, ldp + R"j(, {"coordinate": "x", "notion": )j" + lift + "}");
    const auto asked = audits::asked_claims(spec, false, budget);
    CHECK(asked.questions.size() == 1);
    REQUIRE(asked.unasked.contains(1));
    const auto left_out = unasked_claims(asked.questions, spec, asked.unasked);
    REQUIRE(left_out.size() == 1);
    CHECK(left_out[0].reason.find("300") != std::string::npos);
    CHECK(left_out[0].reason.find("an audit has at most 256") != std::string::npos);
  }
  // Each of these claims has room alone.
  Budget budget;
  const std::string lift = R"j({"notion": "pointwise_maximal_leakage", "coordinate": "x", "epsilon": )j";
  const Spec spec = spec_of_values(150, lift + "1}, " + lift + R"j(2, "expect": "refuted"}, )j" +
                                            R"j({"notion": "lower_lift", "coordinate": "x", "epsilon": 1})j");
  auto asked = audits::asked_claims(spec, false, budget);
  CHECK(asked.questions.size() == 150);
  CHECK(asked.unasked.size() == 1);
  CHECK(asked.unasked.contains(2));
}

TEST_CASE("a claim that should be refuted is left out once, however many comparisons follow from it") {
  Budget budget;
  const std::string prior = R"j("prior": {"type": "product", "marginals": {"x": ["1/2", "1/4", "1/4"]}},)j";
  const Spec spec = with_claims(prior, R"j({"notion": "ldp", "epsilon": "log(8)"},
      {"notion": "pointwise_maximal_leakage", "coordinate": "x", "epsilon": "log(2)", "expect": "refuted"})j",
                                budget);
  auto asked = audits::asked_claims(spec, false, budget);
  const auto left_out = leave_out(asked, spec);
  CHECK(asked.questions.size() == 1);
  REQUIRE(left_out.size() == 1);
  CHECK(left_out[0].what == "pointwise_maximal_leakage");
}
