// Limits other than those between pairs of inputs, and theorems about the optimal mechanisms within them.

#include <doctest/doctest.h>
#include <cmath>

#include "bench/float_solver.h"
#include "design/monotone_search.h"
#include "design/readable.h"
#include "verifier/exact/expression.h"

using namespace oddsbound;
using namespace oddsbound::designs;

namespace {

Number zero_one_loss(std::size_t x, std::size_t y) { return Number(x == y ? 0 : 1); }

DesignProblem truth_wanted(const std::vector<Number>& prior) {
  DesignProblem wanted;
  wanted.rows = wanted.outputs = prior.size();
  for (std::size_t x = 0; x < prior.size(); ++x) {
    LossTerm charge{x, {}, prior[x]};
    for (std::size_t y = 0; y < prior.size(); ++y) charge.losses.push_back(zero_one_loss(x, y));
    wanted.charges.push_back(std::move(charge));
  }
  return wanted;
}

Limit between(std::size_t inputs, const std::vector<std::pair<std::size_t, std::size_t>>& pairs, const Level& level) {
  Limit limit;
  limit.level = level;
  for (std::uint64_t x = 0; x < inputs; ++x) {
    limit.sides.push_back({{x, Number(1)}});
    limit.names.push_back(std::to_string(x));
  }
  limit.pairs = pairs;
  return limit;
}

std::vector<std::pair<std::size_t, std::size_t>> all_pairs(std::size_t inputs) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t a = 0; a < inputs; ++a) {
    for (std::size_t b = 0; b < inputs; ++b) {
      if (a != b) pairs.emplace_back(a, b);
    }
  }
  return pairs;
}

void add(DesignProblem& wanted, Limit limit, const Number& bound) {
  wanted.limits.push_back(std::move(limit));
  wanted.bounds.push_back(bound);
}

std::vector<Number> equal_weights(std::size_t n) {
  return std::vector<Number>(n, Number::ratio(1, static_cast<std::int64_t>(n)));
}

}  // namespace

TEST_CASE("who is protected on one side only is best served by Mangat's randomized response") {
  // A "yes" may be given for a "no" at any odds, but no output may reveal a "no" with certainty.
  DesignProblem wanted = truth_wanted(equal_weights(2));
  add(wanted, between(2, {{0, 1}}, parse_level("log(3)")), Number(3));
  Budget budget{Limits{}};
  const Optimum optimum = least_loss(wanted, budget).value();
  CHECK(optimum.rows == Rows{{Number(1), Number(0)}, {Number::ratio(1, 3), Number::ratio(2, 3)}});
  CHECK(optimum.loss == Number::ratio(1, 6));
  CHECK(family_of(optimum.rows) == "Mangat's randomized response");
}

TEST_CASE("Warner's randomized response is best for two answers with equal limits both ways") {
  DesignProblem wanted = truth_wanted(equal_weights(2));
  add(wanted, between(2, {{0, 1}, {1, 0}}, parse_level("log(3)")), Number(3));
  Budget budget{Limits{}};
  const Optimum optimum = least_loss(wanted, budget).value();
  CHECK(optimum.loss == Number::ratio(1, 4));
  CHECK(family_of(optimum.rows) == "Warner's randomized response");
}

TEST_CASE("families are known by their entries") {
  const auto rows = [](const std::vector<std::vector<const char*>>& texts) {
    Rows result;
    for (const auto& row : texts) {
      for (auto& numbers = result.emplace_back(); const char* text : row) numbers.push_back(parse_number(text));
    }
    return result;
  };
  CHECK(family_of(rows({{"1/2", "1/4", "1/4"}, {"1/4", "1/2", "1/4"}, {"1/4", "1/4", "1/2"}})) ==
        "k-randomized response");
  CHECK(family_of(rows({{"1/2", "1/4", "1/4"}, {"1/4", "1/2", "1/4"}, {"1/4", "1/4", "1/4"}})).empty());
  CHECK(family_of(rows({{"0", "0", "1"}, {"1", "0", "0"}, {"0", "1", "0"}})) == "the truth");
  CHECK(family_of(rows({{"1/3", "2/3"}, {"1/3", "2/3"}})) == "a mechanism that reveals nothing");
  CHECK(family_of(rows({{"2/3", "1/6", "1/6"}, {"1/3", "1/3", "1/3"}, {"1/6", "1/6", "2/3"}})) ==
        "the truncated geometric mechanism");
  CHECK(family_of(rows({{"1/4", "1/4", "1/4", "1/12", "1/12", "1/12"},
                        {"1/4", "1/12", "1/12", "1/4", "1/4", "1/12"},
                        {"1/12", "1/4", "1/12", "1/4", "1/12", "1/4"},
                        {"1/12", "1/12", "1/4", "1/12", "1/4", "1/4"}})) == "subset selection (2 of 4)");
  CHECK(family_of(rows({{"3/8", "1/8", "3/8", "1/8"}, {"3/8", "3/8", "1/8", "1/8"}, {"3/8", "1/8", "1/8", "3/8"}})) ==
        "a Hadamard response");
}

TEST_CASE("outputs that tell the same become one") {
  DesignProblem wanted = truth_wanted(equal_weights(3));
  for (LossTerm& charge : wanted.charges) charge.losses = {Number(0), Number(0), Number(1)};
  Rows rows(3, {Number::ratio(1, 2), Number::ratio(1, 2), Number(0)});
  merge_alike(wanted, rows);
  CHECK(size_of(rows) == std::pair<std::size_t, std::size_t>{1, 1});
}

TEST_CASE("guesses that may be right so often at most") {
  // Two equally likely answers: the best guess is right with probability at most 1/2 * 5/4, so is the output at
  // best.
  DesignProblem wanted = truth_wanted(equal_weights(2));
  Limit limit;
  limit.level = parse_level("log(5/4)");
  limit.together = true;
  limit.delta = Number::ratio(1, 2);
  limit.sides = {{{0, Number::ratio(1, 2)}}, {{1, Number::ratio(1, 2)}}, {}};
  limit.names = {"0", "1", ""};
  limit.pairs = {{0, 2}, {1, 2}};
  add(wanted, limit, Number::ratio(5, 4));
  Budget budget{Limits{}};
  const Optimum optimum = least_loss(wanted, budget).value();
  CHECK(optimum.loss == Number::ratio(3, 8));
  CHECK(is_within(wanted.limits, wanted.bounds, optimum.rows));
  CHECK_FALSE(is_within(wanted.limits, wanted.bounds, {{Number(1), Number(0)}, {Number(0), Number(1)}}));
}

TEST_CASE("losses that no mechanism keeps below are proven to conflict with the limits") {
  DesignProblem wanted = truth_wanted(equal_weights(2));
  add(wanted, between(2, all_pairs(2), parse_level("log(3)")), Number(3));
  wanted.ceilings = {{wanted.charges, Number::ratio(1, 5), 0}};
  Budget budget{Limits{}};
  CHECK_FALSE(least_loss(wanted, budget));
  const Optimum excess = least_excess(wanted, budget);
  CHECK(excess.loss == Number::ratio(1, 20));
  CHECK(excess.proof.ceilings == std::vector<Number>{Number(1)});
  wanted.ceilings[0].at_most = Number::ratio(1, 4);
  CHECK(least_loss(wanted, budget).value().loss == Number::ratio(1, 4));
  CHECK(least_excess(wanted, budget).loss.is_zero());
}

TEST_CASE("entries that are to be equal are one unknown, and the optimum is that of all mechanisms") {
  const std::size_t inputs = 6;
  DesignProblem wanted = truth_wanted(equal_weights(inputs));
  for (std::size_t x = 0; x < inputs; ++x) {
    for (std::size_t y = 0; y < inputs; ++y) {
      const std::size_t around = (x + inputs - y) % inputs;
      wanted.charges[x].losses[y] = Number(static_cast<std::int64_t>(std::min(around, inputs - around)));
    }
  }
  add(wanted, between(inputs, all_pairs(inputs), parse_level("log(3)")), Number(3));
  Budget budget{Limits{}};
  const Optimum free = least_loss(wanted, budget).value();
  const LpInstance whole = pose(wanted);
  for (std::size_t x = 0; x < inputs; ++x) {
    for (std::size_t y = 0; y < inputs; ++y) wanted.orbits.push_back((inputs + y - x) % inputs);
  }
  const Optimum cyclic = least_loss(wanted, budget).value();
  CHECK(cyclic.loss == free.loss);
  CHECK(cyclic.rows[2][3] == cyclic.rows[0][1]);
  CHECK(pose(wanted).equations.right.size() * 4 < whole.equations.right.size());
}

TEST_CASE("an irrational level is met as it is, where nothing stands for it") {
  DesignProblem wanted = truth_wanted(equal_weights(3));
  const Level level = parse_level("1");
  add(wanted, between(3, all_pairs(3), level), bounds_of({level}, 0).below[0]);
  Budget budget{Limits{}};
  const Optimum optimum = least_loss(wanted, budget).value();
  CHECK(optimum.loss == Number(2) / (Number(2) + Number::exp_of(Number(1))));
  CHECK(is_within(wanted.limits, wanted.bounds, optimum.rows));
}

TEST_CASE("the curve of randomized response has no turn, and is its formula") {
  DesignProblem wanted = truth_wanted(equal_weights(4));
  add(wanted, between(4, all_pairs(4), parse_level("log(3)")), Number(3));
  const auto at = [&](const Number& t) {
    DesignProblem there = wanted;
    there.bounds[0] = t;
    return there;
  };
  Budget budget{Limits{}};
  for (const CurveStep& step : loss_curve(at, Number(2), Number(20), budget)) {
    CHECK(step.loss == Number(3) / (Number(3) + step.t));
    CHECK_FALSE(step.turns);
  }
}

TEST_CASE("where what is best turns at a fraction, the curve says which") {
  // Masses 3/4 and 1/4: always publishing the more likely answer is best up to t = 3, then randomized response is.
  DesignProblem wanted = truth_wanted({Number::ratio(3, 4), Number::ratio(1, 4)});
  add(wanted, between(2, all_pairs(2), parse_level("log(2)")), Number(2));
  const auto at = [&](const Number& t) {
    DesignProblem there = wanted;
    there.bounds[0] = t;
    return there;
  };
  Budget budget{Limits{}};
  std::vector<Number> turns;
  for (const CurveStep& step : loss_curve(at, Number(2), Number(9), budget)) {
    CHECK(step.loss == std::min(Number::ratio(1, 4), Number(1) / (Number(1) + step.t)));
    if (step.turns) {
      CHECK(step.exactly);
      turns.push_back(step.t);
    }
  }
  CHECK(turns == std::vector<Number>{Number(3)});
}

TEST_CASE("places on a grid lose as little as the solver in doubles says, to nine digits") {
  // d-privacy: the level between two cells is their distance; its exponential is rounded down to a fraction of
  // denominator 1000.
  for (const std::size_t side : {3, 4}) {
    for (const bool euclidean : {false, true}) {
      const std::size_t inputs = side * side;
      DesignProblem wanted = truth_wanted(equal_weights(inputs));
      std::vector<Limit> limits;
      for (std::size_t a = 0; a < inputs; ++a) {
        for (std::size_t b = 0; b < inputs; ++b) {
          if (a == b) continue;
          const auto off = [](std::size_t m, std::size_t n) { return static_cast<double>(m) - static_cast<double>(n); };
          const double down = off(a / side, b / side), across = off(a % side, b % side);
          const double distance = euclidean ? std::hypot(down, across) : std::abs(down) + std::abs(across);
          wanted.charges[a].losses[b] = Number::ratio(std::llround(distance * 1000), 1000);
          const auto thousandths = static_cast<std::int64_t>(std::floor(std::exp(distance) * 1000));
          limits.push_back(between(inputs, {{a, b}}, Level::of_exponential(Number::ratio(thousandths, 1000))));
        }
      }
      leave_out_implied(limits);
      for (Limit& limit : limits) add(wanted, limit, limit.level.exponential());
      Budget budget{Limits{}};
      const Optimum optimum = least_loss(wanted, budget).value();
      const double in_doubles = bench::least_loss_in_doubles(pose(wanted));
      CHECK(std::abs(optimum.loss.approx() - in_doubles) < 1e-9 * in_doubles);
      CHECK(is_within(wanted.limits, wanted.bounds, optimum.rows));
    }
  }
}
