// Claims about averages: decided exactly at the boundary, and by Z3 where the claim is polynomial.
#include "verifier/notions/averages.h"

#include <doctest/doctest.h>

#include "tests/support/effort.h"
#include "tests/support/random_model.h"
#include "tests/support/random_product.h"
#include "verifier/exact/expression.h"
#include "verifier/model/product_channel.h"
#include "verifier/notions/table.h"
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
        Budget budget;
        const auto state = [&] { return notion.state(model, arguments, budget); };
        const SmtVerdict verdict = decide_statement(model, state, nullptr, tight, {"claim", {}}, budget, {});
        const bool expected = tight ? at == exponential : at <= exponential;
        CHECK(verdict.holds == (expected ? Answer::kYes : Answer::kNo));
      }
    }
  }
}

namespace {

// The outcome of a claim about coordinate 0, with a limit of cells.
Decision decide_within(const std::string& notion, const Model& model, const Level& epsilon,
                       const std::optional<Number>& delta, std::uint64_t cells) {
  Arguments arguments;
  arguments.set("epsilon", epsilon);
  if (delta) arguments.set("delta", *delta);
  arguments.set("coordinate", Coordinates{{0}});
  Limits limits;
  limits.max_cells = cells;
  Budget budget(limits);
  MeasuredModel subject(model, budget);
  return find_notion(notion)->decide(subject, arguments);
}

}  // namespace

TEST_CASE("claims decided by bounds of sums over outputs agree with exact ones") {
  Random random(4801);
  int decided = 0, zeros = 0;
  for (const KindOfPrior& kind : kinds_of_priors()) {
    for (int round = 0; round < effort(12, 3); ++round) {
      CAPTURE(kind.name);
      CAPTURE(round);
      const Model model = random_product(random, kind, round % 3 == 0 ? Entries::kWithExp : Entries::kRational);
      std::uint64_t largest = 0;
      for (const Factor& factor : model.channel->factors()) {
        largest = std::max(largest, factor.channel->inputs() * factor.channel->outputs());
      }
      const std::uint64_t cells = model.domain.inputs() * model.channel->outputs() - 1;
      if (cells < largest) continue;
      for (const char* level : {"0", "1/10", "log(2)", "3"}) {
        CAPTURE(level);
        const Level epsilon = level_of(level);
        for (const std::string notion : {"information", "approximate_bcdp"}) {
          const bool of_delta = notion == "approximate_bcdp";
          for (const Number& delta : {Number(0), ratio(1, 100), ratio(1, 5)}) {
            const std::optional<Number> claimed = of_delta ? std::optional(delta) : std::nullopt;
            const Decision exact = decide_within(notion, model, epsilon, claimed, std::uint64_t{1} << 27);
            const Decision found = decide_within(notion, model, epsilon, claimed, cells);
            // With independent coordinates, those of one component are listed.
            CHECK((found.by_sums || model.prior->has_independent_coordinates()));
            if (found.holds == Answer::kOpen) continue;
            CHECK(found.holds == exact.holds);
            ++decided;
            if (!of_delta) break;
            const MeasuredNumber &own = std::get<MeasuredNumber>(found.actual),
                                 &known = std::get<MeasuredNumber>(exact.actual);
            CHECK(own.at_least <= known.at_least);
            CHECK(known.at_least <= own.at_most());
            // A delta of 0 is exact, and a positive one is never claimed to be 0.
            CHECK(own.at_most().is_zero() == known.at_least.is_zero());
            if (delta.is_zero()) {
              CHECK((found.tight == Answer::kYes) == known.at_least.is_zero());
              ++zeros;
            }
          }
        }
      }
    }
  }
  CHECK(decided > 100);
  CHECK(zeros > 20);
}

TEST_CASE("a positive delta too small for doubles is not 0") {
  // Two answers that never exclude a value, under a prior that links them to a third attribute.
  const Domain domain({{"hidden", {"0", "1"}}, {"a", {"0", "1"}}, {"b", {"0", "1"}}});
  const Number tiny = Number(1) / Number(10).pow(30);
  const ChannelPtr rare = channel_of_rows({{tiny, Number(1) - tiny}, {tiny / Number(9), Number(1) - tiny / Number(9)}});
  Budget budget;
  const Model model{domain,
                    std::make_shared<const ProductChannel>(domain, std::vector<Factor>{{rare, {1}}, {rare, {2}}}),
                    Prior::from_rows(domain, {{InputRow{0, 0, 0}, Number(1)}, {InputRow{1, 1, 1}, Number(1)}}, budget)};
  // The level is log(81): both answers are rare. Above it delta is 0; below it, it is about 10^-60.
  const Decision below = decide_within("approximate_bcdp", model, level_of("log(80)"), Number(0), 30);
  CHECK(below.holds == Answer::kNo);
  const MeasuredNumber& delta = std::get<MeasuredNumber>(below.actual);
  CHECK(delta.at_least.sign() > 0);
  CHECK(delta.at_least <= tiny * tiny);
  const Decision above = decide_within("approximate_bcdp", model, level_of("log(81)"), Number(0), 30);
  CHECK(above.holds == Answer::kYes);
  CHECK(above.tight == Answer::kYes);
}

TEST_CASE("independent attributes: averages of one are exact, whatever is asked of the others") {
  std::vector<Coordinate> bits;
  std::vector<Factor> answers;
  const Number keep = ratio(3, 4);
  const ChannelPtr answer = channel_of_rows({{keep, Number(1) - keep}, {Number(1) - keep, keep}});
  for (std::size_t i = 0; i < 40; ++i) {
    bits.push_back({"x" + std::to_string(i), {"0", "1"}});
    answers.push_back({answer, {i}});
  }
  const Domain domain(bits);
  const Model model{domain, std::make_shared<const ProductChannel>(domain, answers), Prior::uniform(domain)};
  const std::uint64_t cells = std::uint64_t{1} << 27;
  const Decision guesses = decide_within("bayes_leakage", model, level_of("log(3/2)"), std::nullopt, cells);
  CHECK(guesses.holds == Answer::kYes);
  CHECK(guesses.tight == Answer::kYes);
  // log 2 - H(1/4), as above.
  const Decision information =
      decide_within("information", model, level_of("0.13081203594113695912920"), std::nullopt, cells);
  CHECK(information.holds == Answer::kNo);
  const Decision excess = decide_within("approximate_bcdp", model, level_of("log(2)"), ratio(1, 4), cells);
  CHECK(excess.tight == Answer::kYes);  // 3/4 - 2 * 1/4
  CHECK(std::get<MeasuredNumber>(excess.actual).witness.likelihood_event);
  CHECK(std::get<MeasuredNumber>(excess.actual).witness.p_from == keep);
  CHECK(!excess.by_sums);
}
