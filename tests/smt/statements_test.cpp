// Z3, from conditions on sums of probabilities, against the exact engine on random models, for every notion that states
// its claims so.
#include "verifier/smt/statement.h"

#include <doctest/doctest.h>

#include <map>

#include "specs/spec.h"
#include "tests/support/effort.h"
#include "tests/support/random_claim.h"
#include "tests/support/random_model.h"
#include "verifier/exact/expression.h"
#include "verifier/notions/table.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

Model few_inputs(Random& random, Entries entries) {
  for (;;) {
    Model model = random_model(random, entries);
    if (model.domain.inputs() <= 6) return model;
  }
}

SmtVerdict decide_stated(const Model& model, const Notion& notion, const Arguments& arguments, bool tight,
                         const SmtOptions& options = {}) {
  Budget budget;
  const auto state = [&] { return notion.state(model, arguments, budget); };
  return decide_statement(model, state, nullptr, tight, {"claim", {}}, budget, options);
}

void set_below(Arguments& arguments, const Notion& notion) {
  const std::string field = bounds_of(notion, arguments).at(0);
  const Number less = Number::ratio(999, 1000);
  if (const auto* number = arguments.find_if<Number>(field)) {
    arguments.set(field, *number * less);
    return;
  }
  const Level level = arguments.get<Level>(field);
  if (level.is_infinite()) {
    arguments.set(field, Level::of_exponential(Number(1000)));
  } else {
    arguments.set(field, Level::of_exponential(Number(1) + (level.exponential() - Number(1)) * less));
  }
}

}  // namespace

TEST_CASE("Z3 agrees with the exact engine on claims that are stated as conditions, at the level and beside it") {
  Random random(4901);
  std::map<std::string, std::map<std::string, int>> seen;
  for (int round = 0; round < effort(40, 12, 8); ++round) {
    const Model model = few_inputs(random, round % 4 == 3 ? Entries::kWithExp : Entries::kRational);
    for (const Notion& notion : notion_table()) {
      if (!notion.state) continue;
      CAPTURE(notion.name);
      CAPTURE(round);
      Arguments arguments = random_claim(notion, model.domain, random);
      if (!is_complete(notion, model.domain, arguments) || notion.defines(arguments)) continue;
      Budget budget;
      MeasuredModel subject(model, budget);
      for (const char* where : {"random", "at", "below"}) {
        CAPTURE(where);
        const Decision exact = notion.decide(subject, arguments);
        if (exact.holds != Answer::kOpen) {
          const SmtVerdict plain = decide_stated(model, notion, arguments, false);
          CHECK_MESSAGE(plain.holds == exact.holds, plain.reason);
          ++seen[notion.name][exact.holds == Answer::kYes ? "holds" : "refuted"];
        }
        if (exact.holds == Answer::kYes && exact.tight != Answer::kOpen && notion.never_tight.empty()) {
          const SmtVerdict tight = decide_stated(model, notion, arguments, true);
          CHECK_MESSAGE(tight.holds == exact.tight, tight.reason);
          CHECK(tight.not_tight == (exact.tight == Answer::kNo));
          ++seen[notion.name][exact.tight == Answer::kYes ? "tight" : "not tight"];
        }
        if (where == std::string("random") ? !set_to_actual(arguments, notion, exact) : where == std::string("below")) {
          break;
        }
        if (where == std::string("at")) set_below(arguments, notion);
      }
    }
  }
  for (const Notion& notion : notion_table()) {
    if (!notion.state) continue;
    for (const char* verdict : {"holds", "refuted", "tight", "not tight"}) {
      const int least = std::string(verdict) == "not tight" ? effort(1, 0, 0) : effort(3, 1, 1);
      CHECK_MESSAGE(seen[notion.name][verdict] >= least, notion.name << ", " << verdict);
    }
  }
}

TEST_CASE("levels by coordinate are tight if each of them is") {
  // The first coordinate has range 2 log(3), the second one none.
  const Number quarter = Number::ratio(1, 4), rest = Number::ratio(3, 4);
  const Model model{domain_of_sizes({2, 2}),
                    channel_of_rows({{rest, quarter}, {rest, quarter}, {quarter, rest}, {quarter, rest}}),
                    {}};
  const Notion& notion = *find_notion("bounded_range");
  const auto decide = [&](const char* first, const char* second, bool tight) {
    Arguments arguments;
    arguments.set("epsilon",
                  CoordinateLevels{as_level(evaluate_expression(first)), as_level(evaluate_expression(second))});
    return decide_stated(model, notion, arguments, tight).holds;
  };
  CHECK(decide("log(9)", "0", false) == Answer::kYes);
  CHECK(decide("log(9)", "0", true) == Answer::kYes);
  CHECK(decide("log(9)", "1", true) == Answer::kNo);
  CHECK(decide("log(10)", "0", true) == Answer::kNo);
  CHECK(decide("log(8)", "0", false) == Answer::kNo);
}

TEST_CASE("a solver that lies about a stated claim is not believed where it finds a counterexample") {
  const Number quarter = Number::ratio(1, 4), rest = Number::ratio(3, 4);
  const Model model{domain_of_sizes({2}), channel_of_rows({{rest, quarter}, {quarter, rest}}), {}};
  SmtOptions lying;
  lying.solver = [](const std::string&, const ChildLimits&) { return SolverAnswer{Answer::kYes, "", {}, 0}; };
  Arguments arguments;
  arguments.set("epsilon", Level::of_exponential(Number(9)));
  const SmtVerdict verdict = decide_stated(model, *find_notion("bounded_range"), arguments, false, lying);
  CHECK(verdict.holds == Answer::kOpen);
  CHECK(verdict.reason == "Z3's counterexample does not violate the claim");
}

TEST_CASE("statements that are too long for the solver are left undecided") {
  const std::size_t inputs = 40, outputs = 40;
  std::vector<std::vector<Number>> rows;
  for (std::size_t x = 0; x < inputs; ++x) {
    std::vector<Number>& row = rows.emplace_back(outputs, Number::ratio(1, static_cast<std::int64_t>(outputs) + 1));
    row[x] += row[x];
  }
  const Model model{domain_of_sizes({inputs}), channel_of_rows(rows), {}};
  Arguments arguments;
  arguments.set("epsilon", Level::of_exponential(Number(4)));
  const SmtVerdict verdict = decide_stated(model, *find_notion("bounded_range"), arguments, false);
  CHECK(verdict.holds == Answer::kOpen);
  CHECK(verdict.reason == "the claim is too large for Z3: it has more than 131072 terms");
}

TEST_CASE(
    "a level of inf is tight where an output is impossible on one side, at all values of the symbols or at some") {
  Budget budget;
  const auto decided = [&](const std::string& rows, const std::string& claim) {
    const std::string text = R"j({"oddsbound": 1, "name": "example", "symbols": {"t": {"ge": "0", "le": "1"}},
        "domain": [{"name": "a", "values": ["0", "1"]}], "prior": {"type": "uniform"},
        "mechanism": {"type": "matrix", "outputs": 3, "rows": )j" +
                             rows + R"j(}, "claims": [{"epsilon": "inf", "tight": true, )j" + claim + "}]}";
    const Spec spec = read_spec_text("example.json", ".", text, budget);
    const Claim& example = spec.claims[0];
    const auto state = [&] { return example.notion->state(spec.model, example.arguments, budget); };
    return decide_statement(spec.model, state, spec.symbols.get(), true, {"claim", {}}, budget, {}).holds;
  };
  for (const std::string claim :
       {R"j("notion": "renyi_dp", "order": 2)j", R"j("notion": "bounded_range")j",
        R"j("notion": "renyi_bcdp", "order": 2, "coordinate": "a", "from": ["0"], "to": ["1"])j"}) {
    CAPTURE(claim);
    // The first output shows it for t > 0, the second one for t < 1.
    CHECK(decided(R"j([["t/2", "(1-t)/2", "1/2"], ["0", "0", "1"]])j", claim) == Answer::kYes);
    CHECK(decided(R"j([["t/2", "0", "1-t/2"], ["0", "0", "1"]])j", claim) == Answer::kNo);
  }
  // q is 0 at t = 0 alone.
  CHECK(decided(R"j([["1/2", "0", "1/2"], ["t/2", "1-t", "t/2"]])j", R"j("notion": "renyi_dp", "order": 2)j") ==
        Answer::kNo);
}

TEST_CASE("claims about many inputs are too large for Z3 before they are written") {
  Budget budget;
  for (const std::size_t inputs : {170U, 2000U}) {
    const std::vector<std::vector<Number>> rows(inputs, {Number::ratio(1, 2), Number::ratio(1, 2)});
    const Model model{domain_of_sizes({inputs}), channel_of_rows(rows), {}};
    Arguments arguments;
    arguments.set("sensitive", Inputs{{0}});
    arguments.set("epsilon", Level::of_exponential(Number(4)));
    const SmtVerdict verdict = decide_stated(model, *find_notion("utility_optimized_ldp"), arguments, false);
    CHECK(verdict.holds == Answer::kOpen);
    CHECK(verdict.reason == (inputs == 170 ? "the claim is too large for Z3: it has more than 131072 terms"
                                           : "the model has more cells than are put to the solver (--smt-max-cells)"));
  }
}
