// Z3, from the bare definition, against the exact engine on random models, for every notion.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/effort.h"
#include "tests/support/random_model.h"
#include "verifier/exact/expression.h"
#include "verifier/notions/table.h"
#include "verifier/smt/decide.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

struct ClaimCase {
  std::string notion;
  Arguments arguments;
  bool holds;
};

Level somewhat_below(const Level& level) {
  return Level::of_exponential(level.exponential() - (level.exponential() - Number(1)) / Number(1000));
}

// Adds a claim at the true level, which holds, and one just below it, which does not.
void add_at_level(std::vector<ClaimCase>& cases, const std::string& notion, const Arguments& others,
                  const Level& level) {
  const bool infinite = level.is_infinite();
  Arguments arguments = others;
  arguments.set("epsilon", infinite ? Level::of_exponential(Number(1000)) : level);
  cases.push_back({notion, arguments, !infinite});
  if (infinite || level.is_zero()) return;
  arguments.set("epsilon", somewhat_below(level));
  cases.push_back({notion, arguments, false});
}

void add_at_coordinate(std::vector<ClaimCase>& cases, const std::string& notion, std::size_t coordinates, std::size_t i,
                       const Level& level) {
  CoordinateLevels levels(coordinates);
  levels[i] = level.is_infinite() ? Level::of_exponential(Number(1000)) : level;
  Arguments arguments;
  arguments.set("epsilon", levels);
  cases.push_back({notion, arguments, !level.is_infinite()});
  if (level.is_infinite() || level.is_zero()) return;
  levels[i] = somewhat_below(level);
  arguments.set("epsilon", levels);
  cases.push_back({notion, arguments, false});
}

const Level& level_of(const Decision& decision) { return std::get<MeasuredLevel>(decision.actual).at_least; }

Level largest(const NamedLevels& levels) {
  Level most;
  for (const auto& [coordinate, level] : levels) most = std::max(most, level.at_least);
  return most;
}

// Claims about the model for every notion.
std::vector<ClaimCase> cases_of(const Model& model, Random& random) {
  std::vector<ClaimCase> cases;
  Budget budget;
  MeasuredModel subject(model, budget);
  const auto measure = [&](const std::string& notion, Arguments arguments) {
    arguments.set("epsilon", Level::infinite());
    return level_of(find_notion(notion)->decide(subject, arguments));
  };
  const std::size_t d = model.domain.size();
  const std::uint64_t n = model.domain.inputs();
  add_at_level(cases, "ldp", {}, measure("ldp", {}));
  add_at_level(cases, "bdp", {}, measure("bdp", {}));
  const std::size_t i = testing::below(random, d);
  for (const char* notion : {"cdp", "bcdp"}) {
    Arguments arguments;
    arguments.set("epsilon", CoordinateLevels(d, Level::infinite()));
    const Decision decision = find_notion(notion)->decide(subject, arguments);
    add_at_coordinate(cases, notion, d, i, std::get<NamedLevels>(decision.actual)[i].second.at_least);
  }
  Arguments secret;
  std::vector<std::uint32_t> label_of;
  for (std::uint64_t x = 0; x < n; ++x) label_of.push_back(static_cast<std::uint32_t>(testing::below(random, 2)));
  const Secret parity{{Label(std::string("even")), Label(std::string("odd"))},
                      Partition::by_label(model.domain, std::move(label_of), 2)};
  secret.set("secret", parity);
  add_at_level(cases, "secret", secret, measure("secret", secret));
  secret.set("known", Coordinates{{i}});
  add_at_level(cases, "secret", secret, measure("secret", secret));
  secret.set("from", Parties{{parity.labels[0]}});
  add_at_level(cases, "secret", secret, measure("secret", secret));
  Arguments lifted;
  add_at_level(cases, "lower_lift", lifted, measure("lower_lift", lifted));
  lifted.set("coordinate", Coordinates{{i}});
  add_at_level(cases, "pointwise_maximal_leakage", lifted, measure("pointwise_maximal_leakage", lifted));
  Arguments of_values;
  of_values.set("coordinate", Coordinates{{i}});
  of_values.set("values", Parties{{Label(model.domain.coordinate(i).values[0])}});
  of_values.set("at_most", Number(1));
  const Number posterior =
      std::get<MeasuredNumber>(find_notion("posterior")->decide(subject, of_values).actual).at_least;
  of_values.set("at_most", posterior);
  cases.push_back({"posterior", of_values, true});
  for (const Number& less : {posterior * Number::ratio(999, 1000), posterior / Number(100)}) {
    if (posterior.is_zero()) break;
    of_values.set("at_most", less);
    cases.push_back({"posterior", of_values, false});
  }
  of_values.set("values", Parties{{Label(model.domain.coordinate(i).values[model.domain.values(i) - 1])}});
  of_values.set("at_most", Number(1));
  of_values.set("at_most",
                std::get<MeasuredNumber>(find_notion("posterior")->decide(subject, of_values).actual).at_least.is_zero()
                    ? Number::ratio(1, 2)
                    : Number(1));
  cases.push_back({"posterior", of_values, true});
  Arguments of_secret;
  of_secret.set("secret", parity);
  add_at_level(cases, "local_information_privacy", of_secret, measure("local_information_privacy", of_secret));
  Arguments blocks;
  std::vector<std::uint32_t> block_of;
  for (std::uint64_t x = 0; x < n; ++x) block_of.push_back(static_cast<std::uint32_t>(x % 2));
  blocks.set("blocks", Partition::by_label(model.domain, std::move(block_of), std::min<std::size_t>(n, 2)));
  add_at_level(cases, "block_ldp", blocks, measure("block_ldp", blocks));
  Arguments high_low;
  high_low.set("sensitive", Inputs{{testing::below(random, n)}});
  add_at_level(cases, "high_low_ldp", high_low, measure("high_low_ldp", high_low));
  Arguments partial;
  partial.set("epsilon", CoordinateLevels(d, Level::infinite()));
  const Decision each = find_notion("partial_dp")->decide(subject, partial);
  const Level most = largest(std::get<NamedLevels>(each.actual));
  const Level claimed = most.is_infinite() ? Level::of_exponential(Number(1000)) : most;
  partial.set("epsilon", CoordinateLevels(d, claimed));
  cases.push_back({"partial_dp", partial, !most.is_infinite()});
  if (!claimed.is_zero()) {
    partial.set("epsilon", CoordinateLevels(d, somewhat_below(claimed)));
    cases.push_back({"partial_dp", partial, false});
  }
  // Every pair at its own level, then one pair below its level.
  LevelMatrix matrix;
  for (std::uint64_t k = 0; k < n * n; ++k) {
    LevelMatrix one{std::vector<Level>(n * n, Level::infinite())};
    one.levels[k] = Level();
    Arguments arguments;
    arguments.set("epsilon", one);
    const Decision decision = find_notion("context_ldp")->decide(subject, arguments);
    matrix.levels.push_back(k / n == k % n ? Level() : level_of(decision));
  }
  Arguments context;
  context.set("epsilon", matrix);
  cases.push_back({"context_ldp", context, true});
  const auto finite = std::find_if(matrix.levels.begin(), matrix.levels.end(),
                                   [](const Level& level) { return !level.is_infinite() && !level.is_zero(); });
  if (finite != matrix.levels.end()) {
    *finite = somewhat_below(*finite);
    context.set("epsilon", matrix);
    cases.push_back({"context_ldp", context, false});
  }
  Arguments approximate;
  approximate.set("epsilon", Level::of_exponential(Number::ratio(6, 5)));
  approximate.set("delta", Number(1));
  const Number delta =
      std::get<MeasuredNumber>(find_notion("approximate_dp")->decide(subject, approximate).actual).at_least;
  approximate.set("delta", delta);
  cases.push_back({"approximate_dp", approximate, true});
  if (!delta.is_zero()) {
    approximate.set("delta", delta * Number::ratio(999, 1000));
    cases.push_back({"approximate_dp", approximate, false});
  }
  approximate.set("coordinate", Coordinates{{i}});
  approximate.set("delta", Number(1));
  for (const bool scoped : {false, true}) {
    if (scoped && d == 1) break;
    if (scoped) approximate.set("known", Coordinates{{i == 0 ? d - 1 : 0}});
    const Number excess =
        std::get<MeasuredNumber>(find_notion("approximate_bcdp")->decide(subject, approximate).actual).at_least;
    Arguments at = approximate;
    at.set("delta", excess);
    cases.push_back({"approximate_bcdp", at, true});
    at.set("delta", excess * Number::ratio(999, 1000));
    if (!excess.is_zero()) cases.push_back({"approximate_bcdp", at, false});
  }
  return cases;
}

SmtVerdict decide(const Model& model, const ClaimCase& example, const SmtOptions& options, bool tight = false) {
  Budget budget;
  const auto define = [&] {
    return find_notion(example.notion)->define(model, example.arguments, InputSubset(model.domain));
  };
  return decide_by_definition(model, define, nullptr, tight, {"claim", {}}, budget, options);
}

Model small_model(Random& random, Entries entries) {
  for (;;) {
    Model model = random_model(random, entries);
    if (model.domain.inputs() <= 8) return model;
  }
}

}  // namespace

TEST_CASE("Z3 refutes every claim just below the true level and proves it at the level, for every notion") {
  Random random(4);
  std::map<std::string, std::pair<int, int>> seen;  // refuted, proved
  for (int round = 0; round < effort(24, 12, 12); ++round) {
    const Model model = small_model(random, round % 4 == 3 ? Entries::kWithExp : Entries::kRational);
    for (const ClaimCase& example : cases_of(model, random)) {
      const SmtVerdict verdict = decide(model, example, {});
      CHECK_MESSAGE(verdict.holds == (example.holds ? Answer::kYes : Answer::kNo),
                    example.notion << " in round " << round << ": " << verdict.reason);
      ++(example.holds ? seen[example.notion].second : seen[example.notion].first);
      if (verdict.holds != Answer::kNo) continue;
      // Below the prior probability no output is special.
      if (example.notion == "posterior" && !verdict.witness) continue;
      REQUIRE(verdict.witness.has_value());
      CHECK(verdict.witness->p_from > verdict.witness->p_to);
    }
  }
  CHECK(seen.size() == 15);
  for (const auto& [notion, counts] : seen)
    CHECK_MESSAGE((counts.first >= effort(5, 2, 2) && counts.second >= effort(5, 2, 2)), notion);
}

TEST_CASE("an encoder with a flipped inequality is found out") {
  Random random(5);
  SmtOptions flipped;
  flipped.solver = [](const std::string& script, const ChildLimits& limits) {
    std::string broken = script;
    const std::size_t last = broken.rfind("(assert (> ");
    broken[last + 9] = '<';
    return solve_with_z3(broken, limits);
  };
  int wrong = 0;
  for (int round = 0; round < 4; ++round) {
    const Model model = small_model(random, Entries::kRational);
    for (const ClaimCase& example : cases_of(model, random)) {
      const auto kind = decide(model, example, flipped).holds;
      wrong += kind != (example.holds ? Answer::kYes : Answer::kNo) ? 1 : 0;
    }
  }
  CHECK(wrong > 10);
}

TEST_CASE("a solver that lies about a counterexample is not believed") {
  Random random(6);
  const Model model = small_model(random, Entries::kRational);
  SmtOptions lying;
  lying.solver = [](const std::string&, const ChildLimits&) {
    return SolverAnswer{Answer::kYes,
                        "",
                        {{"in_0", {true, Number(0), Number(0)}},
                         {"from_0", {true, Number(0), Number(0)}},
                         {"to_0", {true, Number(0), Number(0)}}},
                        0};
  };
  Arguments arguments;
  arguments.set("epsilon", Level::of_exponential(Number(2)));
  const SmtVerdict verdict = decide(model, {"ldp", arguments, true}, lying);
  CHECK(verdict.holds == Answer::kOpen);
  CHECK(verdict.reason == "Z3's counterexample does not violate the claim");
}

TEST_CASE("a tight claim without symbols is tight exactly at the level") {
  Random random(7);
  for (int round = 0; round < 6; ++round) {
    const Model model = small_model(random, Entries::kRational);
    for (const ClaimCase& example : cases_of(model, random)) {
      if (!example.holds) continue;
      Budget budget;
      MeasuredModel subject(model, budget);
      const Decision exact = find_notion(example.notion)->decide(subject, example.arguments);
      const bool holds = both(exact.holds, exact.tight) == Answer::kYes;
      CHECK_MESSAGE((decide(model, example, {}, true).holds == Answer::kYes) == holds, example.notion);
    }
  }
}

namespace {

// A claim with level log(2) everywhere, with fields that every notion accepts.
Arguments arguments_at_two(const Notion& notion, const Domain& domain) {
  const Level two = Level::of_exponential(Number(2));
  Arguments arguments;
  for (const Field& field : notion.fields) {
    if (field.kind == FieldKind::kProbability && !field.required) continue;  // the claim is about no tail
    const std::vector<std::uint64_t> inputs = InputSubset(domain).places();
    switch (field.kind) {
      case FieldKind::kLevel: arguments.set(field.name, two); break;
      case FieldKind::kCoordinateLevels:
      case FieldKind::kAllCoordinateLevels: arguments.set(field.name, CoordinateLevels(domain.size(), two)); break;
      case FieldKind::kLevelMatrix: arguments.set(field.name, LevelMatrix{{inputs.size() * inputs.size(), two}}); break;
      case FieldKind::kProbability: arguments.set(field.name, Number::ratio(1, 2)); break;
      case FieldKind::kInputs: arguments.set(field.name, Inputs{{0}}); break;
      case FieldKind::kPartition:
        arguments.set(field.name, Partition::by_label(domain, std::vector<std::uint32_t>(inputs.size(), 0), 1));
        break;
      case FieldKind::kSecret:
        arguments.set(field.name, Secret{{Label(std::string("all"))},
                                         Partition::by_label(domain, std::vector<std::uint32_t>(inputs.size(), 0), 1)});
        break;
      case FieldKind::kCoordinate: arguments.set(field.name, Coordinates{{0}}); break;
      default: break;
    }
  }
  return arguments;
}

}  // namespace

TEST_CASE("a tight claim about what nothing is compared for is refuted, whatever the notion: the least level is 0") {
  const Number half = Number::ratio(1, 2);
  for (const std::vector<std::size_t>& sizes : {std::vector<std::size_t>{1}, {1, 1}, {1, 2}, {2, 1}}) {
    Model model;
    model.domain = domain_of_sizes(sizes);
    const std::uint64_t inputs = model.domain.inputs();
    model.channel = channel_of_rows(std::vector<std::vector<Number>>(inputs, {half, half}));
    Budget budget;
    model.prior = Prior::from_weights(model.domain, std::vector<Number>(inputs, Number(1)), budget);
    for (const Notion& notion : notion_table()) {
      // The least posterior probability is the prior one.
      if (!notion.define || notion.form == ClaimForm::kNumber) continue;
      CAPTURE(notion.name);
      CAPTURE(inputs);
      const Arguments arguments = arguments_at_two(notion, model.domain);
      MeasuredModel subject(model, budget);
      const Decision exact = notion.decide(subject, arguments);
      CHECK(exact.holds == Answer::kYes);
      // Bounds on pairs are claims about pairs: without pairs, nothing is claimed.
      const bool claims_something = !notion.locking.pairs || inputs > 1;
      CHECK(exact.tight == answer_of(!claims_something));
      const SmtVerdict verdict = decide(model, {notion.name, arguments, true}, {}, true);
      CHECK((verdict.holds == Answer::kNo) == claims_something);
    }
  }
}

TEST_CASE("a query past its deadline or its memory is undecided, and says so") {
  // Fermat's last theorem for the exponent 3 in reals, without a closed form to find quickly: takes long.
  std::string script = "(set-logic QF_NRA)\n";
  std::string sum = "(assert (= 0 (+ 1";
  for (int i = 0; i < 12; ++i) {
    const std::string name = "v" + std::to_string(i);
    script += fmt::format("(declare-const {0} Real)\n(assert (> {0} 1))\n", name);
    for (int j = 0; j < i; ++j) {
      script += fmt::format("(assert (> (* {0} {0} v{1}) (+ 3 (* v{1} v{1} v{1} {0}))))\n", name, j);
    }
    sum += fmt::format(" (* (- 1) {0} {0} v{1})", name, (i * 5 + 1) % 12);
  }
  const SolverAnswer slow = solve_with_z3(script + sum + ")))\n(check-sat)\n", {0.3, 1024});
  CHECK(slow.seconds < 2);
  if (slow.satisfiable == Answer::kOpen) CHECK(slow.reason.find("--smt-seconds") != std::string::npos);
  const SolverAnswer never =
      solve_with_z3("(set-logic QF_LRA)\n(declare-const x Real)\n(assert (> x 0))\n", {0.0001, 1024});
  CHECK(never.satisfiable == Answer::kOpen);
  CHECK(never.reason == "Z3 was stopped at its time limit (--smt-seconds)");
  const SolverAnswer garbage = solve_with_z3("(set-logic QF_LRA)\n(assert (> x 0))\n", {5, 1024});
  CHECK(garbage.satisfiable == Answer::kOpen);
  CHECK(garbage.reason.find("Z3 gave up") == 0);
}
