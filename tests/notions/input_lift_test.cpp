// Lifts of whole inputs where outputs are too many to enumerate: against the pass over all outputs, with the same
// verdict as delta 0, and by closed forms.
#include "verifier/notions/input_lift.h"

#include <doctest/doctest.h>

#include "base/errors.h"
#include "tests/support/effort.h"
#include "tests/support/random_product.h"
#include "verifier/exact/expression.h"
#include "verifier/model/product_channel.h"
#include "verifier/notions/lift.h"
#include "verifier/notions/likelihood_classes.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

Decision decide_input_lift(const Model& model, bool upper, const Level& epsilon, const Limits& limits = {},
                           bool with_delta = false) {
  Budget budget(limits);
  MeasuredModel subject(model, budget);
  Arguments arguments;
  arguments.set("epsilon", epsilon);
  if (with_delta) arguments.set("delta", Number(0));
  const Notion notion = upper ? pointwise_maximal_leakage_notion() : lower_lift_notion();
  return notion.decide(subject, arguments);
}

MeasuredLevel input_lift(const Model& model, bool upper, const Limits& limits = {}) {
  return std::get<MeasuredLevel>(decide_input_lift(model, upper, Level::infinite(), limits).actual);
}

Limits with_cells(std::uint64_t cells) {
  Limits limits;
  limits.max_cells = cells;
  return limits;
}

ChannelPtr k_answers(std::int64_t values, std::int64_t t) {
  std::vector<std::vector<Number>> rows;
  for (std::int64_t x = 0; x < values; ++x) {
    auto& row = rows.emplace_back();
    for (std::int64_t y = 0; y < values; ++y) row.push_back(Number::ratio(x == y ? t : 1, values - 1 + t));
  }
  return channel_of_rows(rows);
}

Model runs_under(const Domain& domain, std::vector<Factor> factors, const std::vector<Number>& weights) {
  Budget budget;
  return {domain, std::make_shared<ProductChannel>(domain, std::move(factors)),
          Prior::from_weights(domain, weights, budget)};
}

// The output of the witness has the stated probabilities.
void check_input_witness(const Model& model, const MeasuredLevel& found, bool upper) {
  const Witness witness = found.witness.get();
  CHECK(is_everyone(upper ? witness.to : witness.from));
  if (found.at_least.is_infinite()) {
    CHECK(witness.p_from.sign() > 0);
    CHECK(witness.p_to.is_zero());
  } else {
    CHECK(witness.p_from == found.at_least.exponential() * witness.p_to);
  }
  std::uint64_t y = 0;
  while (model.channel->output_label(y) != witness.outputs.at(0)) ++y;
  Number everyone(0), own(0), total(0);
  const auto& input = std::get<std::vector<std::string>>(upper ? witness.from : witness.to);
  for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
    const Number probability = model.prior->probability(x), p = model.channel->entry(x, y);
    everyone += probability * p;
    total += probability;
    if (model.domain.tuple(x) == input) {
      own = p;
      CHECK(!probability.is_zero());
    }
  }
  CHECK((upper ? witness.p_to : witness.p_from) == everyone / total);
  CHECK((upper ? witness.p_from : witness.p_to) == own);
}

}  // namespace

TEST_CASE("lifts of whole inputs by parts are those of all outputs, or bounds of them") {
  Random random(8301);
  int exact = 0, open = 0, refused = 0;
  for (int round = 0; round < effort(300, 60); ++round) {
    const KindOfPrior& kind = kinds_of_priors()[static_cast<std::size_t>(round) % kinds_of_priors().size()];
    CAPTURE(round);
    CAPTURE(kind.name);
    const Model model = random_product(random, kind, Entries::kRational);
    for (const bool upper : {true, false}) {
      const MeasuredLevel expected = input_lift(model, upper);
      for (const std::uint64_t cells : {1, 8}) {
        MeasuredLevel found;
        try {
          found = input_lift(model, upper, with_cells(cells));
        } catch (const LimitError&) {
          ++refused;
          continue;
        }
        CHECK(found.at_least <= expected.at_least);
        CHECK(expected.at_least <= found.at_most());
        check_input_witness(model, found, upper);
        if (found.unfinished) {
          ++open;
          continue;
        }
        ++exact;
        CHECK(found.at_least == expected.at_least);
        // Delta 0 states the same.
        if (!upper) continue;
        for (const Level& epsilon : {expected.at_least, Level(), Level::of_exponential(Number::ratio(3, 2))}) {
          const Limits limits = with_cells(cells);
          const Answer holds = decide_input_lift(model, upper, epsilon, limits).holds;
          CHECK(holds == answer_of(expected.at_least <= epsilon));
          const Answer with_delta = decide_input_lift(model, upper, epsilon, limits, true).holds;
          CHECK((with_delta == holds || with_delta == Answer::kOpen));
        }
      }
    }
  }
  CHECK(refused == 0);
  CHECK(exact > 10 * open);
}

TEST_CASE("lifts of whole inputs of many runs, which were undecided") {
  // Correlated attributes of three and two values, each answered 30 times with the odds 3 and 2.
  const Domain domain = domain_of_sizes({3, 2});
  std::vector<Factor> factors;
  for (int run = 0; run < 30; ++run) {
    factors.push_back({k_answers(3, 3), {0}});
    factors.push_back({k_answers(2, 2), {1}});
  }
  const Model model = runs_under(domain, factors, {Number(3), Number(1), Number(1), Number(3), Number(2), Number(2)});
  // All answers are true, of an input with the weight 1 of 12. Of the others, one value is wrong, or both are.
  const Number three = Number::ratio(1, 3).pow(30), two = Number::ratio(1, 2).pow(30);
  const auto lift_of = [&](std::int64_t own, std::int64_t other_y, std::int64_t other_x, std::int64_t both) {
    return Number(12) / (Number(own) + Number(other_y) * two + Number(other_x) * three + Number(both) * two * three);
  };
  const Number expected = std::max(lift_of(1, 3, 5, 3), lift_of(1, 3, 5, 3));
  const MeasuredLevel upper = input_lift(model, true);
  CHECK(!upper.unfinished);
  CHECK(upper.at_least == Level::of_exponential(expected));
  for (const Number& factor : {expected, expected * Number::ratio(999, 1000)}) {
    const Level epsilon = Level::of_exponential(factor);
    const Answer holds = decide_input_lift(model, true, epsilon).holds;
    CHECK(holds == answer_of(factor == expected));
    if (holds == Answer::kYes) CHECK(decide_input_lift(model, true, epsilon, {}, true).holds == holds);
  }
}

TEST_CASE("inverse lifts of whole inputs of many runs follow from classes of outputs") {
  // With three values, no answer is the worst one against both others.
  const Domain domain = domain_of_sizes({3});
  constexpr std::int64_t n = 24;
  const Model model =
      runs_under(domain, std::vector<Factor>(n, Factor{k_answers(3, 3), {0}}), {Number(1), Number(2), Number(3)});
  const MeasuredLevel found = input_lift(model, false);
  CHECK(!found.unfinished);
  // All answers are the third value: the first two are 3^n times less likely.
  const Number all = Number(3).pow(n);
  CHECK(found.at_least == Level::of_exponential((Number(3) + Number(3) * all) / Number(6)));
  // 3^n with another order of values: an upper lift needs no classes.
  const MeasuredLevel upper = input_lift(model, true);
  CHECK(upper.at_least == Level::of_exponential(Number(6) * all / (all + Number(5))));
}

TEST_CASE("bounds of lifts where likelihoods are too many to list") {
  // The first value is rare. One output of a part speaks against the second value and another one against the third,
  // with other numbers in every part.
  const Domain domain = domain_of_sizes({3});
  std::vector<Factor> factors;
  for (std::int64_t k = 0; k < 40; ++k) {
    const auto row = [&](std::int64_t a, std::int64_t b, std::int64_t c) {
      const std::int64_t total = a + b + c;
      return std::vector<Number>{Number::ratio(a, total), Number::ratio(b, total), Number::ratio(c, total)};
    };
    factors.push_back({channel_of_rows({row(100, 101 + k, 102), row(50 + k, 151, 101), row(152, 60 + k, 103)}), {0}});
  }
  const Model model = runs_under(domain, factors, {Number(1), Number(100), Number(100)});
  Limits limits;
  limits.max_seconds = 20;
  const MeasuredLevel found = input_lift(model, true, limits);
  REQUIRE(found.unfinished);
  CHECK(found.at_least < found.at_most());
  CHECK(found.shows_something());
  CHECK(found.at_most() <= Level::of_exponential(Number(201)));
  // The same holds for delta 0.
  const Level between = Level::of_exponential(Number(200));
  CHECK(decide_input_lift(model, true, between, limits).holds ==
        decide_input_lift(model, true, between, limits, true).holds);
  CHECK(decide_input_lift(model, true, found.at_most(), limits, true).holds == Answer::kYes);
}
