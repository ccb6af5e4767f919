// Linear programs: a vertex of the polytope attains what prices prove to be the most.
#include "verifier/exact/polytope.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "tests/support/effort.h"

using namespace oddsbound;
using oddsbound::exact::Equations;
using oddsbound::exact::Polytope;
using oddsbound::testing::effort;

namespace {

using Matrix = std::vector<std::vector<Number>>;

Equations equations_of(const Matrix& rows, std::vector<Number> right) {
  Equations equations{std::vector<std::vector<std::pair<std::size_t, Number>>>(rows[0].size()), std::move(right)};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows[i].size(); ++j) {
      if (!rows[i][j].is_zero()) equations.columns[j].emplace_back(i, rows[i][j]);
    }
  }
  return equations;
}

Number product(const std::vector<Number>& a, const std::vector<Number>& b) {
  Number sum;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

// What the method says, checked by sums alone.
void check_optimum(const Matrix& rows, const std::vector<Number>& right, const std::vector<Number>& form,
                   Polytope& polytope) {
  const Polytope::Optimum optimum = polytope.maximize(form);
  const std::vector<Number> x = polytope.vertex();
  for (const Number& part : x) REQUIRE(part.sign() >= 0);
  for (std::size_t i = 0; i < rows.size(); ++i) REQUIRE(product(rows[i], x) == right[i]);
  REQUIRE(product(form, x) == optimum.value);
  REQUIRE(product(right, optimum.prices) == optimum.value);
  for (std::size_t j = 0; j < form.size(); ++j) {
    Number cost;
    for (std::size_t i = 0; i < rows.size(); ++i) cost += optimum.prices[i] * rows[i][j];
    REQUIRE(cost >= form[j]);
  }
}

Number small(std::mt19937_64& random, int least, int most) {
  return Number(std::uniform_int_distribution<std::int64_t>(least, most)(random));
}

}  // namespace

TEST_CASE("A linear program that is solved by hand, from either end") {
  // 3 x + 5 y with x + s = 4, 2 y + t = 12, 3 x + 2 y + u = 18: 36 at (2, 6).
  const Matrix rows{{1, 0, 1, 0, 0}, {0, 2, 0, 1, 0}, {3, 2, 0, 0, 1}};
  Budget budget;
  Polytope polytope(equations_of(rows, {4, 12, 18}), budget);
  REQUIRE(!polytope.is_empty());
  const Polytope::Optimum most = polytope.maximize(std::vector<Number>{3, 5, 0, 0, 0});
  CHECK(most.value == Number(36));
  CHECK(polytope.vertex() == std::vector<Number>{2, 6, 2, 0, 0});
  CHECK(most.prices == std::vector<Number>{0, Number::ratio(3, 2), 1});
  CHECK(polytope.maximize(std::vector<Number>{-3, -5, 0, 0, 0}).value == Number(0));
  CHECK(polytope.vertex() == std::vector<Number>{0, 0, 4, 12, 18});
}

TEST_CASE("Equations that no point fulfills are found, and those that say nothing new do no harm") {
  Budget budget;
  CHECK(Polytope(equations_of({{1, 1}, {1, 1}}, {1, 2}), budget).is_empty());
  CHECK(Polytope(equations_of({{1, 0}, {1, 1}}, {2, 1}), budget).is_empty());
  CHECK(Polytope({{}, {Number(1)}}, budget).is_empty());
  const Matrix rows{{1, 1, 0, 0}, {0, 0, 1, 1}, {1, 0, 1, 0}, {0, 1, 0, 1}, {1, 1, 1, 1}};
  const std::vector<Number> right{1, 2, 1, 2, 3};
  Polytope polytope(equations_of(rows, right), budget);
  REQUIRE(!polytope.is_empty());
  check_optimum(rows, right, {1, 0, 0, 1}, polytope);
  CHECK(polytope.maximize(std::vector<Number>{1, 0, 0, 1}).value == Number(3));
}

TEST_CASE("On random polytopes, most of them degenerate, a vertex attains what prices prove") {
  std::mt19937_64 random(1);
  int empty = 0;
  const int rounds = effort(3000, 400, 100);
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    const auto columns = 2 + random() % 7;
    const auto equations = 1 + random() % 4;
    Matrix rows(equations, std::vector<Number>(columns));
    rows.emplace_back(columns, Number(1));  // it is bounded
    std::vector<Number> point(columns);
    for (Number& part : point) part = random() % 2 == 0 ? Number(0) : small(random, 0, 4) / small(random, 1, 5);
    for (std::size_t i = 0; i < equations; ++i) {
      for (Number& entry : rows[i]) entry = small(random, -2, 2);
      if (random() % 4 == 0 && i > 0) rows[i] = rows[i - 1];
    }
    if (round % 10 == 0) rows[0][0] = Number::exp_of(Number(1));
    std::vector<Number> right;
    for (auto& row : rows) {
      Number sum = product(row, point);
      if (sum.sign() < 0) {
        for (Number& entry : row) entry = -entry;
        sum = -sum;
      }
      right.push_back(sum);
    }
    if (random() % 4 == 0) right[0] += small(random, 0, 2);
    Budget budget;
    Polytope polytope(equations_of(rows, right), budget);
    if (polytope.is_empty()) {
      ++empty;
      REQUIRE(product(rows[0], point) != right[0]);
      continue;
    }
    for (int question = 0; question < 4; ++question) {
      std::vector<Number> form(columns);
      for (Number& entry : form) entry = small(random, -3, 3);
      check_optimum(rows, right, form, polytope);
    }
  }
  CHECK(empty > rounds / 50);
  CHECK(empty < rounds / 3);
}

TEST_CASE("A form takes a value on a simplex if it lies between the corners' values") {
  std::mt19937_64 random(2);
  int empty = 0;
  const int rounds = effort(2000, 300, 100);
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    Matrix rows(2, std::vector<Number>(5));
    std::vector<Number> right{small(random, 0, 3), small(random, 1, 3)};
    for (Number& entry : rows[0]) entry = small(random, -2, 2);
    for (Number& entry : rows[1]) entry = Number(1);
    Budget budget;
    Polytope polytope(equations_of(rows, right), budget);
    Number least = rows[0][0], most = rows[0][0];
    for (const Number& entry : rows[0]) {
      least = std::min(least, entry);
      most = std::max(most, entry);
    }
    const bool possible = least * right[1] <= right[0] && right[0] <= most * right[1];
    REQUIRE(polytope.is_empty() != possible);
    empty += possible ? 0 : 1;
  }
  CHECK(empty > 0);
  CHECK(empty < rounds);
}
