// Post-processing: kernels and gain functions, checked against their definitions.
#include <doctest/doctest.h>

#include <chrono>

#include "base/budget.h"
#include "base/errors.h"
#include "tests/support/random_model.h"
#include "verifier/smt/refinement.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

Matrix random_rows(Random& random, std::size_t rows, std::size_t columns) {
  Matrix matrix;
  for (std::size_t i = 0; i < rows; ++i) matrix.push_back(random_distribution(random, columns, Entries::kRational));
  return matrix;
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix result(a.size(), std::vector<Number>(b[0].size(), Number(0)));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      for (std::size_t k = 0; k < b[0].size(); ++k) result[i][k] += a[i][j] * b[j][k];
    }
  }
  return result;
}

const ChildLimits kSolverLimits{30, 1024};

}  // namespace

TEST_CASE("what was post-processed is recognised, with a kernel that does it") {
  Random random(31);
  for (int round = 0; round < 30; ++round) {
    const std::size_t inputs = 2 + below(random, 4);
    const Matrix other = random_rows(random, inputs, 1 + below(random, 6));
    const Matrix channel = product(other, random_rows(random, other[0].size(), 1 + below(random, 4)));
    const Refinement found = decide_refinement(channel, other, solve_with_z3, kSolverLimits);
    REQUIRE(found.holds);
    CHECK(product(other, found.kernel) == channel);
    for (const auto& row : found.kernel) {
      Number sum(0);
      for (const Number& entry : row) {
        CHECK(entry.sign() >= 0);
        sum += entry;
      }
      CHECK(sum == Number(1));
    }
  }
}

TEST_CASE("what is no post-processing has a gain function on which it does better") {
  Random random(32);
  int refuted = 0;
  for (int round = 0; round < 30; ++round) {
    const std::size_t inputs = 2 + below(random, 3);
    const Matrix other = random_rows(random, inputs, 2 + below(random, 4));
    const Matrix channel = random_rows(random, inputs, 2 + below(random, 3));
    const Refinement found = decide_refinement(channel, other, solve_with_z3, kSolverLimits);
    if (found.holds) continue;
    ++refuted;
    // The value of answering z on output z, and of the best answers to the outputs of `other`.
    Number value(0), best(0);
    for (std::size_t x = 0; x < inputs; ++x) {
      for (std::size_t z = 0; z < channel[0].size(); ++z) value += found.gain[x][z] * channel[x][z];
    }
    for (std::size_t y = 0; y < other[0].size(); ++y) {
      std::optional<Number> most;
      for (std::size_t z = 0; z < channel[0].size(); ++z) {
        Number worth(0);
        for (std::size_t x = 0; x < inputs; ++x) worth += found.gain[x][z] * other[x][y];
        most = most ? std::max(*most, worth) : worth;
      }
      best += *most;
    }
    CHECK(value == found.value);
    CHECK(best == found.best);
    CHECK(value > best);
  }
  CHECK(refuted > 10);
}

TEST_CASE("randomized response of less noise is no post-processing, however little less") {
  const auto response = [](const Number& t) {
    Matrix rows(3, std::vector<Number>(3, Number(1) / (t + Number(2))));
    for (std::size_t x = 0; x < 3; ++x) rows[x][x] = t / (t + Number(2));
    return rows;
  };
  const Number t(3);
  const Number more = t + Number(10).pow(-12);
  CHECK(decide_refinement(response(t), response(more), solve_with_z3, kSolverLimits).holds);
  CHECK_FALSE(decide_refinement(response(more), response(t), solve_with_z3, kSolverLimits).holds);
}

TEST_CASE("a kernel where outputs depend on one another needs the freedom that is left") {
  // Three inputs, four outputs; the two middle ones are mixed in two ways.
  const auto half = Number::ratio(1, 2);
  const Matrix other{
      {half, half, Number(0), Number(0)},
      {Number(0), half, half, Number(0)},
      {half, Number(0), half, Number(0)},
  };
  const Matrix identity{
      {Number(1), Number(0), Number(0)}, {Number(0), Number(1), Number(0)}, {Number(0), Number(0), Number(1)}};
  CHECK_FALSE(decide_refinement(identity, other, solve_with_z3, kSolverLimits).holds);
  const Matrix square{{half, half, Number(0), Number(0)},
                      {half, Number(0), half, Number(0)},
                      {Number(0), half, Number(0), half},
                      {Number(0), Number(0), half, half}};
  const Matrix coin{{half, half}, {half, half}, {half, half}, {half, half}};
  CHECK(decide_refinement(coin, square, solve_with_z3, kSolverLimits).holds);
  const Matrix first{{Number(1), Number(0)}, {half, half}, {half, half}, {Number(0), Number(1)}};
  const Refinement merged = decide_refinement(first, square, solve_with_z3, kSolverLimits);
  CHECK(merged.holds == true);
  CHECK(product(square, merged.kernel) == first);
}

TEST_CASE("the reduced row echelon form is for rationals") {
  CHECK(reduced_row_echelon_form({{Number(2), Number(4)}, {Number(1), Number(3)}}) ==
        Matrix{{Number(1), Number(0)}, {Number(0), Number(1)}});
  CHECK_THROWS_AS(reduced_row_echelon_form({{Number::exp_of(Number(1))}}), NumberError);
}

TEST_CASE("long eliminations in a process of their own give the same, and are stopped at the time limit") {
  // A full-rank matrix next to the identity: elimination gives its inverse. Their product must be the identity.
  const auto matrix_of = [](std::size_t size) {
    linear::Matrix matrix(size);
    std::uint64_t state = 1;
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < 2 * size; ++j) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        const auto word = static_cast<std::int64_t>(state >> 34);
        matrix[i].push_back(j < size ? Number(word + 1) / Number(1'000'000'007) : Number(j - size == i ? 1 : 0));
      }
    }
    return matrix;
  };
  const std::size_t size = 44;
  const linear::Matrix matrix = matrix_of(size);
  Limits limits;
  const Budget budget(limits);
  const linear::Matrix reduced = linear::reduced_row_echelon_form(matrix);
  for (const std::size_t i : {std::size_t{0}, size - 1}) {
    for (std::size_t j = 0; j < size; ++j) {
      Number sum(0);
      for (std::size_t k = 0; k < size; ++k) sum += matrix[i][k] * reduced[k][size + j];
      CHECK(sum == Number(i == j ? 1 : 0));
    }
  }
  limits.max_seconds = 0.3;
  const linear::Matrix large = matrix_of(200);
  const Budget hurried(limits);
  const auto start = std::chrono::steady_clock::now();
  CHECK_THROWS_AS(linear::reduced_row_echelon_form(large), LimitError);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
}
