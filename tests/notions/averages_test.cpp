// Claims about averages: decided exactly at the boundary, and by Z3 where the claim is polynomial.
#include "verifier/notions/averages.h"

#include <doctest/doctest.h>

#include "tests/support/effort.h"
#include "tests/support/random_model.h"
#include "verifier/exact/expression.h"
#include "verifier/smt/decide.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

Number ratio(std::int64_t p, std::int64_t q) { return Number::ratio(p, q); }

Level level_of(const std::string& text) { return as_level(evaluate_expression(text)); }

Decision decide(const Notion& notion, const Model& model, const Level& claimed,
                std::optional<std::size_t> coordinate = {}) {
  Arguments arguments;
  arguments.set("epsilon", claimed);
  if (coordinate) arguments.set("coordinate", Coordinates{{*coordinate}});
  Budget budget;
  MeasuredModel subject(model, budget);
  return notion.decide(subject, arguments);
}

Model channel_under(const std::vector<std::vector<Number>>& rows, const std::vector<Number>& weights) {
  std::vector<std::string> values;
  for (std::size_t v = 0; v < rows.size(); ++v) values.push_back(std::to_string(v));
  const Domain domain({{"x", values}});
  Budget budget;
  return {domain, channel_of_rows(rows), Prior::from_weights(domain, weights, budget)};
}

}  // namespace

TEST_CASE("information that is a logarithm is that, and what is claimed beside it is told from it") {
  const Model copy = channel_under({{Number(1), Number(0)}, {Number(0), Number(1)}}, {Number(1), Number(1)});
  for (const auto& [claimed, holds] : {std::pair("log(2)", true), {"log(1999999/1000000)", false}, {"inf", true}}) {
    CAPTURE(claimed);
    const Decision decision = decide(information_notion(), copy, level_of(claimed));
    CHECK(decision.holds == answer_of(holds));
    CHECK(decision.tight == answer_of(std::string(claimed) == "log(2)"));
    CHECK(std::get<Average>(decision.actual).level.at_least == level_of("log(2)"));
    CHECK(!decision.witness);
  }
}

TEST_CASE("information that is no logarithm is rounded outward, as far as a claim needs") {
  const Model symmetric =
      channel_under({{ratio(3, 4), ratio(1, 4)}, {ratio(1, 4), ratio(3, 4)}}, {Number(1), Number(1)});
  // log 2 - H(1/4) = 3/4 log 3 - log 2; the next digits are 068.
  const std::string digits = "0.1308120359411369591292018062337177104101177840068";
  for (const auto& [claimed, holds] : {std::pair(digits + "1", true), {digits + "0", false}, {"0", false}}) {
    CAPTURE(claimed);
    const Decision decision = decide(information_notion(), symmetric, level_of(claimed));
    CHECK(decision.tight == Answer::kNo);
    const MeasuredLevel& level = std::get<Average>(decision.actual).level;
    REQUIRE(level.unfinished);
    CHECK(standing_of(level, level_of(claimed)).holds == decision.holds);
    CHECK(decision.holds == answer_of(holds));
  }
  // A claim that equals the upper bound is distinguished from the value as well.
  const Decision once = decide(information_notion(), symmetric, level_of("0"));
  const Decision again = decide(information_notion(), symmetric, std::get<Average>(once.actual).level.at_most());
  CHECK(again.holds == Answer::kYes);
  CHECK(again.tight == Answer::kNo);
}

TEST_CASE("information of numbers with exp is decided, or open where nothing says that it ends") {
  const Number e = Number::exp_of(Number(1));
  const std::vector<Number> row{e / (e + Number(1)), Number(1) / (e + Number(1))};
  const Model response = channel_under({row, {row[1], row[0]}}, {Number(1), Number(1)});
  CHECK(decide(information_notion(), response, level_of("log(2)")).holds == Answer::kYes);
  CHECK(decide(information_notion(), response, level_of("1/1000")).holds == Answer::kNo);
  const Model nothing = channel_under({row, row}, {Number(1), Number(2)});
  const Decision none = decide(information_notion(), nothing, Level());
  CHECK(none.holds == Answer::kYes);
  CHECK(none.tight == Answer::kYes);
}

TEST_CASE("Bayes leakage is decided alike by exact sums and by Z3, at the level and beside it") {
  Random random(2009);
  const Notion notion = bayes_leakage_notion();
  for (int round = 0; round < effort(60, 6); ++round) {
    CAPTURE(round);
    const Model model = random_model(random, Entries::kRational);
    const auto coordinate =
        round % 3 == 0 ? std::nullopt : std::optional(static_cast<std::size_t>(below(random, model.domain.size())));
    const Decision measured = decide(notion, model, Level::infinite(), coordinate);
    const Level level = std::get<Average>(measured.actual).level.at_least;
    CHECK(measured.holds == Answer::kYes);
    CHECK(measured.tight == Answer::kNo);
    const Number& at = level.exponential();
    for (const Number& exponential : {at, (at + Number(1)) / Number(2), at * ratio(1001, 1000)}) {
      Arguments arguments;
      arguments.set("epsilon", Level::of_exponential(exponential));
      if (coordinate) arguments.set("coordinate", Coordinates{{*coordinate}});
      const Decision exact = decide(notion, model, Level::of_exponential(exponential), coordinate);
      CHECK(exact.holds == answer_of(at <= exponential));
      CHECK(exact.tight == answer_of(at == exponential));
      for (const bool tight : {false, true}) {
        const auto question = [&](const auto& lines) { return notion.question(model, arguments, tight, lines); };
        const SmtVerdict verdict = decide_question(question, {"claim", {}}, {});
        const bool expected = tight ? at == exponential : at <= exponential;
        CHECK(verdict.holds == (expected ? Answer::kYes : Answer::kNo));
      }
    }
  }
}
