// Minimum error of unbiased estimates: closed forms, the definition by brute force, and no mechanism below the
// bound.

#include <doctest/doctest.h>
#include <random>

#include "design/estimation.h"

using namespace oddsbound;
using namespace oddsbound::designs;

namespace {

std::vector<Column> staircase_columns(std::size_t rows, const Number& l) {
  linear::Matrix forms;
  for (std::size_t a = 0; a < rows; ++a) {
    for (std::size_t b = 0; b < rows; ++b) {
      if (a == b) continue;
      std::vector<Number>& form = forms.emplace_back(rows);
      form[a] = l;
      form[b] = Number(-1);
    }
  }
  Budget budget{Limits{}};
  return extreme_columns(forms, rows, budget);
}

std::vector<Number> shares(const std::vector<std::int64_t>& counts) {
  std::int64_t total = 0;
  for (const std::int64_t count : counts) total += count;
  std::vector<Number> shares;
  for (const std::int64_t count : counts) shares.push_back(Number::ratio(count, total));
  return shares;
}

LeastError least_error_of(const std::vector<Column>& columns, const std::vector<Number>& prior) {
  Budget budget{Limits{}};
  std::optional<LeastError> found = least_error(columns, prior, budget);
  REQUIRE(found);
  return *std::move(found);
}

void check_error_proof(const std::vector<Column>& columns, const std::vector<Number>& prior, const LeastError& found) {
  for (std::size_t x = 0; x < prior.size(); ++x) {
    Number sum(0);
    for (std::size_t j = 0; j < columns.size(); ++j) sum += found.weights[j] * columns[j][x];
    CHECK(sum.is_one());
  }
  for (const Number& weight : found.weights) CHECK(weight.sign() >= 0);
  CHECK(error_of(columns, found.weights, prior) == found.error);
  Number trace(0), duals(0);
  for (std::size_t a = 0; a < found.center.size(); ++a) trace += found.center[a][a];
  for (const Number& price : found.duals) duals += price;
  CHECK(found.at_least == trace * trace / duals);
  for (const Column& column : columns) {
    Column part;
    for (std::size_t x = 0; x < prior.size(); ++x) {
      if (!prior[x].is_zero()) part.push_back(column[x]);
    }
    Number square(0);
    for (const std::vector<Number>& row : found.center) square += dot(row, part) * dot(row, part);
    CHECK(dot(found.duals, column) * dot(prior, column) >= square);
  }
  CHECK(found.error >= found.at_least);
  CHECK(found.error.approx() <= found.at_least.approx() * (1 + 1e-9));
}

// Error of selecting subsets of d of k, for equal weights and masses. The information matrix has eigenvalue k for
// the all-ones vector; on its orthogonal complement it has a = k^2 (k - d) d (L - 1)^2 / (k (k - 1) (d L + k -
// d)^2), with multiplicity k - 1. The constant 1/k (squared norm of the uniform distribution) is left out.
Number error_of_subsets(std::int64_t k, std::int64_t d, const Number& l) {
  const Number total = Number(d) * l + Number(k - d), step = l - Number(1);
  return Number((k - 1) * (k - 1)) * total * total / (Number(k * d * (k - d)) * step * step);
}

// Minimum of sum_y w(y) a(y)^2 over all a with sum_y P(y given x) a(y) = [x = of], from its Lagrangian.
Number least_by_definition(const std::vector<Column>& outputs, const std::vector<Number>& prior, std::size_t of) {
  const std::size_t m = outputs.size(), rows = prior.size();
  linear::Matrix system;
  for (std::size_t y = 0; y < m; ++y) {
    std::vector<Number>& row = system.emplace_back(m + rows + 1);
    row[y] = dot(prior, outputs[y]);
    for (std::size_t x = 0; x < rows; ++x) row[m + x] = outputs[y][x];
  }
  for (std::size_t x = 0; x < rows; ++x) {
    std::vector<Number>& row = system.emplace_back(m + rows + 1);
    for (std::size_t y = 0; y < m; ++y) row[y] = outputs[y][x];
    row.back() = Number(x == of ? 1 : 0);
  }
  const linear::Matrix solved = linear::reduced_row_echelon_form(system);
  Number sum(0);
  for (std::size_t y = 0; y < m; ++y) {
    REQUIRE(solved[y][y].is_one());
    sum += dot(prior, outputs[y]) * solved[y].back() * solved[y].back();
  }
  return sum;
}

}  // namespace

TEST_CASE("subset selection estimates frequencies best under LDP and a uniform prior") {
  // Ye and Barg (2018), Theorem 3.2: asymptotically. Here: exactly, among all mechanisms, by the dual bound.
  for (std::int64_t k = 2; k <= 6; ++k) {
    for (const Number& l : {Number::ratio(11, 10), Number::ratio(3, 2), Number(2), Number(3), Number(5), Number(9)}) {
      const std::vector<Column> columns = staircase_columns(static_cast<std::size_t>(k), l);
      const std::vector<Number> prior = shares(std::vector<std::int64_t>(static_cast<std::size_t>(k), 1));
      const LeastError found = least_error_of(columns, prior);
      Number best = error_of_subsets(k, 1, l);
      for (std::int64_t d = 2; d < k; ++d) best = std::min(best, error_of_subsets(k, d, l));
      CHECK(found.error - Number::ratio(1, k) == best);
      CHECK(found.at_least == found.error);
      check_error_proof(columns, prior, found);
    }
  }
}

TEST_CASE("the trace is the error of the best unbiased estimate, by its definition") {
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    const std::size_t rows = 2 + random() % 3, outputs = rows + random() % 3;
    std::vector<Column> columns(outputs, Column(rows));
    std::vector<std::int64_t> counts;
    for (std::size_t x = 0; x < rows; ++x) {
      counts.push_back(1 + static_cast<std::int64_t>(random() % 9));
      std::vector<std::int64_t> row;
      for (std::size_t y = 0; y < outputs; ++y) row.push_back(1 + static_cast<std::int64_t>(random() % 9));
      const std::vector<Number> told = shares(row);
      for (std::size_t y = 0; y < outputs; ++y) columns[y][x] = told[y];
    }
    const std::vector<Number> prior = shares(counts);
    const std::optional<Number> error = error_of(columns, std::vector<Number>(outputs, Number(1)), prior);
    if (!error) continue;
    Number sum(0);
    for (std::size_t x = 0; x < rows; ++x) sum += least_by_definition(columns, prior, x);
    CHECK(*error == sum);
  }
}

TEST_CASE("no mechanism has an error below the bound, whatever the prior") {
  std::mt19937 random(11);
  for (const std::vector<std::int64_t>& counts : std::vector<std::vector<std::int64_t>>{
           {1, 2, 3}, {1, 50, 3, 3}, {0, 1, 1, 7}, {5, 1, 0, 2, 9}, {1, 1, 1, 1, 60}}) {
    for (const Number& l : {Number::ratio(6, 5), Number(3), Number(20)}) {
      const std::vector<Column> columns = staircase_columns(counts.size(), l);
      const std::vector<Number> prior = shares(counts);
      const LeastError found = least_error_of(columns, prior);
      check_error_proof(columns, prior, found);
      // Random weights of columns. Each column is added together with its complements (their sum is constant), so
      // that all rows have the same sum.
      for (int round = 0; round < 20; ++round) {
        std::vector<Number> weights(columns.size());
        for (std::size_t j = 0; j < columns.size(); ++j) {
          const Number weight(static_cast<std::int64_t>(random() % 4 == 0 ? random() % 9 : 0));
          for (std::size_t i = 0; i < columns.size(); ++i) {
            Number sum = columns[i][0] + columns[j][0];
            bool level = true;
            for (std::size_t x = 1; x < prior.size(); ++x) level = level && columns[i][x] + columns[j][x] == sum;
            if (!level) continue;
            weights[i] += weight;
            weights[j] += weight;
          }
        }
        Number sum(0);
        for (std::size_t j = 0; j < columns.size(); ++j) sum += weights[j] * columns[j][0];
        if (sum.is_zero()) continue;
        for (Number& weight : weights) weight /= sum;
        const std::optional<Number> error = error_of(columns, weights, prior);
        if (error) CHECK(*error >= found.at_least);
      }
    }
  }
}

TEST_CASE("what is told alike for two inputs with mass cannot be estimated") {
  const std::vector<Column> constant{{Number(1), Number(1)}};
  Budget budget{Limits{}};
  CHECK_FALSE(least_error(constant, shares({1, 1}), budget));
  const std::optional<LeastError> one = least_error(constant, shares({0, 1}), budget);
  REQUIRE(one);
  CHECK(one->error.is_one());
  CHECK(one->at_least.is_one());
}
