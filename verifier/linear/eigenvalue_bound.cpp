#include "verifier/linear/eigenvalue_bound.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

namespace oddsbound::linear {

namespace {

using Eigen::MatrixXd;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kUlp = 0x1p-53;

// Returns true if a factorization shows that value - matrix has no eigenvalue below -margin.
bool is_at_least(double value, const MatrixXd& matrix, double& margin) {
  MatrixXd difference = -matrix;
  difference.diagonal().array() += value;
  if (!difference.allFinite() || (difference.diagonal().array() <= 0).any()) return false;
  const auto size = static_cast<double>(matrix.rows());
  // Twice the constant of the theorem: it also covers the rounding of the difference.
  margin = 4 * (size + 4) * kUlp * difference.diagonal().sum();
  const Eigen::LLT<MatrixXd> factors(difference);
  return factors.info() == Eigen::Success && factors.matrixLLT().diagonal().allFinite();
}

}  // namespace

double eigenvalue_bound(const MatrixXd& matrix, double estimate) {
  if (matrix.size() == 0) return 0;
  if (!matrix.allFinite() || !std::isfinite(estimate)) return kInfinity;
  const double largest = matrix.cwiseAbs().maxCoeff();
  if (largest == 0) return 0;
  constexpr int kTries = 12;
  double excess = 1e-3;
  for (int tries = 0; tries < kTries; ++tries, excess *= 3) {
    double margin = 0;
    const double value = std::max(estimate, 1e-12 * largest) * (1 + excess);
    if (is_at_least(value, matrix, margin)) return value + margin;
  }
  // The largest sum of absolute values in a row.
  return matrix.cwiseAbs().rowwise().sum().maxCoeff() * (1 + static_cast<double>(matrix.rows()) * 4 * kUlp);
}

double eigenvalue_bound(const MatrixXd& matrix) {
  if (matrix.size() == 0) return 0;
  if (!matrix.allFinite()) return kInfinity;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(matrix, Eigen::EigenvaluesOnly);
  return eigenvalue_bound(matrix, std::max(0.0, solver.eigenvalues().maxCoeff()));
}

}  // namespace oddsbound::linear
