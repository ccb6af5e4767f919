// Randomized response by attribute: losses against matrices, and optimal levels against exhaustive search.

#include <doctest/doctest.h>

#include "design/limits.h"
#include "design/monotone_search.h"
#include "mechanisms/k_randomized_response.h"

using namespace oddsbound;
using namespace oddsbound::designs;

namespace {

using Rows = std::vector<std::vector<Number>>;

Rows response(const Number& height, std::uint64_t k) {
  const Number truth = truth_share(height, k);
  const Number other = (Number(1) - truth) / Number(static_cast<std::int64_t>(k) - 1);
  Rows rows(k, std::vector<Number>(k, other));
  for (std::uint64_t x = 0; x < k; ++x) rows[x][x] = truth;
  return rows;
}

Rows product(const Rows& a, const Rows& b) {
  Rows result(a.size(), std::vector<Number>(b[0].size()));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b[0].size(); ++j) {
      for (std::size_t m = 0; m < b.size(); ++m) result[i][j] += a[i][m] * b[m][j];
    }
  }
  return result;
}

// Minimize 1/a + 1/b subject to a + 2 b <= 1. The minimum is 3 + 2 sqrt(2), at a = sqrt(2) - 1, b = 1 - sqrt(1/2).
MonotoneProblem weighted_sum_problem(std::uint64_t decisions) {
  return {2,
          [](const Corner& at) -> std::optional<Number> {
            if (at[0].is_zero() || at[1].is_zero()) return std::nullopt;
            return Number(1) / at[0] + Number(1) / at[1];
          },
          [](const Corner& at) { return at[0] + Number(2) * at[1] <= Number(1) ? Answer::kYes : Answer::kNo; },
          Number::ratio(1, 200), decisions};
}

}  // namespace

TEST_CASE("randomized response at a lower level is that at a higher one, post-processed") {
  for (const std::uint64_t k : {2, 3, 5}) {
    const Number high = Number::ratio(3, 4);
    const Number low = Number::ratio(1, 2);
    const auto t = [&](const Number& height) {
      const Number level = Number(1) / (Number(1) - height);
      return (level - Number(1)) / (level + Number(static_cast<std::int64_t>(k) - 1));
    };
    // The quotient of the two t is the t of a height h: t = h/(h + k (1 - h)), so h = k t/(1 + (k - 1) t).
    const Number quotient = t(low) / t(high);
    const Number whole = Number(static_cast<std::int64_t>(k));
    const Number between = whole * quotient / (Number(1) + (whole - Number(1)) * quotient);
    CHECK(product(response(high, k), response(between, k)) == response(low, k));
  }
}

TEST_CASE("the squared norm of what an answer stands for is that of a column of the inverse") {
  for (const std::uint64_t k : {2, 3, 4}) {
    const Number height = Number::ratio(2, 3);  // log(3)
    const Number norm = estimate_norm(height, k).value();
    // Each column of the inverse has one entry (1 - q)/t and k - 1 entries -q/t; q is the probability of one other
    // value.
    const Rows rows = response(height, k);
    const Number t = rows[0][0] - rows[0][1];
    Rows inverse(k, std::vector<Number>(k, -rows[0][1] / t));
    for (std::uint64_t x = 0; x < k; ++x) inverse[x][x] = (Number(1) - rows[0][1]) / t;
    CHECK(product(rows, inverse) == response(Number(1), k));
    Number squares(0);
    for (std::uint64_t x = 0; x < k; ++x) squares += inverse[x][0] * inverse[x][0];
    CHECK(norm == squares);
  }
  CHECK(!estimate_norm(Number(0), 2));
  CHECK(estimate_norm(Number(1), 7) == Number(1));
  CHECK(estimate_norm(Number(0), 1) == Number(1));
}

TEST_CASE("heights are levels, and the probability of the truth is the mechanism's") {
  CHECK(level_of_height(Number::ratio(2, 3)) == Level::of_exponential(Number(3)));
  CHECK(level_of_height(Number(1)).is_infinite());
  CHECK(height_of_level(Level()) == Number(0));
  const Domain domain({{"a", {"0", "1", "2"}}});
  const Level level = Level::of_exponential(Number(5));
  const auto mechanism = mechanisms::k_randomized_response::mechanism(domain, level);
  CHECK(mechanism.channel->entry(1, 1) == truth_share(height_of_level(level), 3));
}

TEST_CASE("the search finds a point within the gap of the least, and a bound below that") {
  Budget budget;
  const MonotoneProblem problem = weighted_sum_problem(100'000);
  const MonotoneOptimum best = least_within(problem, budget).value();
  CHECK(problem.kept(best.at) == Answer::kYes);
  CHECK(problem.loss(best.at) == best.loss);
  CHECK(best.at_least >= Number::ratio(199, 200) * best.loss);
  CHECK(!best.stopped);
  // x >= 3 + 2 sqrt(2) if and only if (x - 3)^2 >= 8, for x >= 3.
  CHECK((best.loss - Number(3)).pow(2) >= Number(8));
  CHECK((best.at_least - Number(3)).pow(2) <= Number(8));
}

TEST_CASE("a search that is stopped says so, and its bound is still one") {
  Budget budget;
  const MonotoneOptimum best = least_within(weighted_sum_problem(1), budget).value();
  CHECK(best.stopped);
  CHECK(best.at_least <= best.loss);
  CHECK((best.at_least - Number(3)).pow(2) <= Number(8));
}

TEST_CASE("where answers stay open nothing is taken, and nothing is left out") {
  MonotoneProblem problem = weighted_sum_problem(500);
  const auto decided = problem.kept;
  problem.kept = [&](const Corner& at) { return at[0] > Number::ratio(1, 4) ? Answer::kOpen : decided(at); };
  Budget budget;
  const MonotoneOptimum best = least_within(problem, budget).value();
  CHECK(best.open > 0);
  CHECK(best.at[0] <= Number::ratio(1, 4));
  CHECK((best.at_least - Number(3)).pow(2) <= Number(8));
}

TEST_CASE("where a limit is broken however low all coordinates are, a loss without bound has no least") {
  MonotoneProblem problem = weighted_sum_problem(500);
  problem.kept = [](const Corner& at) { return at[0].is_zero() || at[1].is_zero() ? Answer::kYes : Answer::kNo; };
  Budget budget;
  CHECK(!least_within(problem, budget));
}
