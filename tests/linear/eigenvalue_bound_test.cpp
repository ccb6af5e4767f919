// Bounds of eigenvalues are never below the eigenvalue, and exceed it little.

#include <doctest/doctest.h>
#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "tests/support/effort.h"
#include "tests/support/random_model.h"
#include "verifier/linear/eigenvalue_bound.h"

using namespace oddsbound;
using namespace oddsbound::testing;
using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST_CASE("eigenvalue bounds of matrices with known eigenvalues") {
  const auto is_bound = [](const MatrixXd& matrix, double eigenvalue) {
    const double bound = linear::eigenvalue_bound(matrix);
    CHECK(bound >= eigenvalue);
    CHECK(bound <= eigenvalue * 1.01 + 1e-9);
  };
  is_bound(MatrixXd::Identity(5, 5), 1);
  is_bound(MatrixXd::Ones(300, 300), 300);
  is_bound(VectorXd::LinSpaced(7, 1, 7).asDiagonal(), 7);
  MatrixXd exchange(2, 2);
  exchange << 0, 3, 3, 0;  // eigenvalues 3 and -3
  is_bound(exchange, 3);
  is_bound(1e200 * exchange, 3e200);
  is_bound(1e-200 * exchange, 0);
  CHECK(linear::eigenvalue_bound(MatrixXd(0, 0)) == 0);
  CHECK(linear::eigenvalue_bound(MatrixXd::Zero(4, 4)) == 0);
  CHECK(linear::eigenvalue_bound(-MatrixXd::Identity(3, 3)) >= 0);
  CHECK(linear::eigenvalue_bound(-MatrixXd::Identity(3, 3)) < 1e-9);
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    MatrixXd matrix = MatrixXd::Identity(3, 3);
    matrix(1, 2) = matrix(2, 1) = bad;
    CHECK(linear::eigenvalue_bound(matrix) == std::numeric_limits<double>::infinity());
    CHECK(linear::eigenvalue_bound(MatrixXd::Identity(3, 3), bad) == std::numeric_limits<double>::infinity());
  }
}

TEST_CASE("an estimate that is too small or too large still gives a bound of the eigenvalue") {
  Random random(5301);
  for (int round = 0; round < effort(400, 100, 20); ++round) {
    CAPTURE(round);
    const auto size = static_cast<Eigen::Index>(1 + below(random, 30));
    MatrixXd matrix(size, size);
    for (Eigen::Index i = 0; i < size; ++i) {
      for (Eigen::Index j = 0; j <= i; ++j) {
        matrix(i, j) = matrix(j, i) = static_cast<double>(below(random, 2001)) / 1000 - 1;
      }
    }
    const double largest = Eigen::SelfAdjointEigenSolver<MatrixXd>(matrix).eigenvalues().maxCoeff();
    CHECK(linear::eigenvalue_bound(matrix) >= largest * (1 - 1e-12));
    CHECK(linear::eigenvalue_bound(matrix) <= std::max(0.0, largest) * 1.0011 + 1e-9);
    for (const double times : {-2.0, 0.0, 0.01, 0.5, 0.999, 1.5}) {
      CHECK(linear::eigenvalue_bound(matrix, times * largest) >= largest * (1 - 1e-12));
    }
  }
}
