// Proven upper bounds of eigenvalues, from floating-point factorizations.
#pragma once

#include <Eigen/Core>

#include "base/namespaces.h"

namespace oddsbound::linear {

/// Returns an upper bound of the largest eigenvalue of a symmetric matrix, or 0 if that is negative; infinity outside
/// the range of doubles. estimate: a number near that eigenvalue; the nearer, the better the bound.
///
/// A floating-point Cholesky factorization of value - matrix that succeeds shows that no eigenvalue exceeds `value` by
/// more than a small margin (S. M. Rump, Verification of positive definiteness, BIT 46, 2006, Theorem 2.3).
double eigenvalue_bound(const Eigen::MatrixXd& matrix, double estimate);
/// The same, with an estimate of its own: for small matrices.
double eigenvalue_bound(const Eigen::MatrixXd& matrix);

}  // namespace oddsbound::linear
