// Mechanisms of minimum loss: where a theorem names the optimal mechanism, the solver finds it exactly.

#include <doctest/doctest.h>

#include "design/program.h"
#include "verifier/exact/expression.h"

using namespace oddsbound;
using namespace oddsbound::designs;

namespace {

// All pairs of inputs one step apart; with `all`, all pairs.
Limit limit_on(std::size_t inputs, const Level& level, bool all) {
  Limit limit;
  limit.level = level;
  for (std::uint64_t x = 0; x < inputs; ++x) {
    limit.sides.push_back({{x, Number(1)}});
    limit.names.push_back(std::to_string(x));
  }
  for (std::size_t a = 0; a < inputs; ++a) {
    for (std::size_t b = 0; b < inputs; ++b) {
      if (a != b && (all || a + 1 == b || b + 1 == a)) limit.pairs.emplace_back(a, b);
    }
  }
  return limit;
}

Number distance(std::size_t a, std::size_t b) { return Number(static_cast<std::int64_t>(a < b ? b - a : a - b)); }

using LossFunction = Number (*)(std::size_t, std::size_t);
Number zero_one(std::size_t x, std::size_t y) { return Number(x == y ? 0 : 1); }
Number absolute(std::size_t x, std::size_t y) { return distance(x, y); }
Number squared(std::size_t x, std::size_t y) { return distance(x, y) * distance(x, y); }

DesignProblem wanted_of(std::size_t inputs, LossFunction loss, const std::vector<Number>& weights, Limit limit) {
  DesignProblem wanted;
  wanted.rows = wanted.outputs = inputs;
  for (std::size_t x = 0; x < inputs; ++x) {
    LossTerm charge{x, {}, weights[x]};
    for (std::size_t y = 0; y < inputs; ++y) charge.losses.push_back(loss(x, y));
    wanted.charges.push_back(std::move(charge));
  }
  wanted.bounds = {limit.level.exponential()};
  wanted.limits = {std::move(limit)};
  return wanted;
}

std::vector<Number> uniform(std::size_t n) {
  return std::vector<Number>(n, Number::ratio(1, static_cast<std::int64_t>(n)));
}

// Checks that the proof is valid and proves the loss.
void check_proof(const DesignProblem& wanted, const Optimum& optimum) {
  std::vector<std::vector<Number>> gains(wanted.rows, std::vector<Number>(wanted.outputs));
  for (std::size_t k = 0; k < wanted.charges.size(); ++k) {
    for (std::size_t y = 0; y < wanted.outputs; ++y) {
      gains[wanted.charges[k].row][y] += optimum.proof.weights[k] * wanted.charges[k].losses[y];
    }
  }
  for (const Multiplier& one : optimum.proof.multipliers) {
    CHECK(one.times.sign() > 0);
    const Limit& limit = wanted.limits[one.limit];
    for (const auto& [x, weight] : limit.sides[one.from]) gains[x][one.output] += one.times * weight;
    for (const auto& [x, weight] : limit.sides[one.to]) {
      gains[x][one.output] -= one.times * wanted.bounds[one.limit] * weight;
    }
  }
  Number sum(0);
  for (std::size_t x = 0; x < wanted.rows; ++x) {
    sum += optimum.proof.duals[x];
    for (const Number& gain : gains[x]) CHECK(gain >= optimum.proof.duals[x]);
  }
  CHECK(sum == optimum.loss);
}

Number expected_loss_of(const DesignProblem& wanted, const std::vector<std::vector<Number>>& rows) {
  Number sum(0);
  for (const LossTerm& charge : wanted.charges) {
    for (std::size_t y = 0; y < wanted.outputs; ++y) sum += charge.weight * charge.losses[y] * rows[charge.row][y];
  }
  return sum;
}

}  // namespace

TEST_CASE("k-randomized response tells the truth most often under LDP") {
  for (std::size_t inputs = 2; inputs <= 6; ++inputs) {
    const DesignProblem wanted =
        wanted_of(inputs, zero_one, uniform(inputs), limit_on(inputs, parse_level("log(3)"), true));
    Budget budget{Limits{}};
    const Optimum optimum = least_loss(wanted, budget).value();
    const auto k = static_cast<std::int64_t>(inputs);
    CHECK(optimum.loss == Number::ratio(k - 1, k + 2));
    CHECK(optimum.rows[0][0] == Number::ratio(3, k + 2));
    CHECK(expected_loss_of(wanted, optimum.rows) == optimum.loss);
    check_proof(wanted, optimum);
  }
}

TEST_CASE("the largest loss of all inputs is least for k-randomized response as well") {
  DesignProblem wanted = wanted_of(4, zero_one, uniform(4), limit_on(4, parse_level("log(3)"), true));
  wanted.largest = true;
  Budget budget{Limits{}};
  const Optimum optimum = least_loss(wanted, budget).value();
  CHECK(optimum.loss == Number::ratio(1, 2));
  check_proof(wanted, optimum);
}

TEST_CASE("the truncated geometric mechanism, answers mapped as is best, loses least for every loss and prior") {
  // Ghosh, Roughgarden, Sundararajan (2012), Theorem 1.3. Neighbors are one step apart.
  const std::size_t inputs = 5;
  const Number a = Number::ratio(1, 2);
  std::vector<std::vector<Number>> geometric(inputs, std::vector<Number>(inputs));
  for (std::size_t x = 0; x < inputs; ++x) {
    for (std::size_t y = 0; y < inputs; ++y) {
      const auto off = static_cast<std::int64_t>(x < y ? y - x : x - y);
      const bool end = y == 0 || y + 1 == inputs;
      geometric[x][y] = a.pow(off) / (Number(1) + a) * (end ? Number(1) : Number(1) - a);
    }
  }
  const std::vector<std::vector<std::int64_t>> counts{
      {1, 1, 1, 1, 1}, {7, 1, 0, 2, 3}, {1, 9, 1, 9, 1}, {1, 2, 3, 4, 5}};
  for (const LossFunction loss : {zero_one, absolute, squared}) {
    for (const std::vector<std::int64_t>& weights : counts) {
      std::int64_t total = 0;
      for (const std::int64_t weight : weights) total += weight;
      std::vector<Number> prior;
      for (const std::int64_t weight : weights) prior.push_back(Number::ratio(weight, total));
      const DesignProblem wanted = wanted_of(inputs, loss, prior, limit_on(inputs, parse_level("log(2)"), false));
      Budget budget{Limits{}};
      const Optimum optimum = least_loss(wanted, budget).value();
      check_proof(wanted, optimum);
      Number mapped(0);
      for (std::size_t z = 0; z < inputs; ++z) {
        std::optional<Number> best;
        for (std::size_t y = 0; y < inputs; ++y) {
          Number sum(0);
          for (std::size_t x = 0; x < inputs; ++x) sum += prior[x] * geometric[x][z] * loss(x, y);
          if (!best || sum < *best) best = sum;
        }
        mapped += *best;
      }
      CHECK(optimum.loss == mapped);
    }
  }
}

TEST_CASE("what is repaired is within its limits, and as near as can be") {
  DesignProblem wanted = wanted_of(2, zero_one, uniform(2), limit_on(2, parse_level("log(3)"), true));
  const std::vector<std::vector<Number>> truth{{Number(1), Number(0)}, {Number(0), Number(1)}};
  CHECK_FALSE(is_within(wanted.limits, wanted.bounds, truth));
  CHECK(least_share(wanted, truth) == Number::ratio(1, 2));
  for (const Distance distance : {Distance::kEntries, Distance::kRows}) {
    Budget budget{Limits{}};
    const Optimum optimum = nearest(wanted, truth, distance, budget);
    CHECK(optimum.loss == Number::ratio(1, 4));
    CHECK(is_within(wanted.limits, wanted.bounds, optimum.rows));
    CHECK(nearest(wanted, optimum.rows, distance, budget).loss.is_zero());
  }
  // Three answers: the nearest mechanism to the truth is randomized response, which is wrong with probability 1/2.
  wanted = wanted_of(3, zero_one, uniform(3), limit_on(3, parse_level("log(2)"), true));
  std::vector<std::vector<Number>> rows(3, std::vector<Number>(3));
  for (std::size_t x = 0; x < 3; ++x) rows[x][x] = Number(1);
  Budget budget{Limits{}};
  CHECK(nearest(wanted, rows, Distance::kRows, budget).loss == Number::ratio(1, 2));
  CHECK(least_share(wanted, rows) == Number::ratio(3, 4));
}

TEST_CASE("a mechanism is repaired under a prior of irrational probabilities as well") {
  const Number e = Number::exp_of(Number(-1));
  Limit limit;
  limit.level = parse_level("log(2)");
  limit.sides = {{{0, e}, {1, Number(1) - e}}, {{2, Number(1)}}};
  limit.names = {"a", "b"};
  limit.pairs = {{0, 1}, {1, 0}};
  DesignProblem wanted;
  wanted.rows = 3;
  wanted.outputs = 2;
  wanted.bounds = {Number(2)};
  wanted.limits = {limit};
  const std::vector<std::vector<Number>> rows{{Number(1), Number(0)}, {Number(1), Number(0)}, {Number(0), Number(1)}};
  Budget budget{Limits{}};
  const Optimum optimum = nearest(wanted, rows, Distance::kRows, budget);
  CHECK(optimum.loss == Number::ratio(1, 3));
  CHECK(is_within(wanted.limits, wanted.bounds, optimum.rows));
}

TEST_CASE("levels that are distances are kept by neighbors alone") {
  std::vector<Limit> limits;
  const std::size_t inputs = 6;
  for (std::size_t a = 0; a < inputs; ++a) {
    for (std::size_t b = 0; b < inputs; ++b) {
      if (a == b) continue;
      Limit& limit = limits.emplace_back();
      limit.level = Level::of_exponential(Number(2).pow(static_cast<std::int64_t>(a < b ? b - a : a - b)));
      limit.sides = {{{a, Number(1)}}, {{b, Number(1)}}};
      limit.names = {std::to_string(a), std::to_string(b)};
      limit.pairs = {{0, 1}};
    }
  }
  leave_out_implied(limits);
  CHECK(limits.size() == 2 * (inputs - 1));
  // Pairs of equal inputs (level 0) are never dropped as implied: each could be implied only by the others.
  std::vector<Limit> equal{limit_on(3, Level(), true)};
  leave_out_implied(equal);
  CHECK(equal[0].pairs.size() == 6);
}
