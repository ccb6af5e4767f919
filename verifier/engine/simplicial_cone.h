// Membership of a vector in a cone. Three parts: exact Gauss-Jordan elimination over numbers or intervals;
// orthogonalization in doubles, which proposes candidates; and simplicial cones, which prove membership with
// doubles.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "base/budget.h"
#include "verifier/exact/interval.h"
#include "verifier/exact/number.h"

namespace oddsbound::engine {

/// Returns true if `vector` is a non-negative combination of the linearly independent `rays`. False may also mean
/// that the rays are dependent. All have the same length; there is at least one ray.
bool is_combination(const std::vector<std::vector<Number>>& rays, const std::vector<Number>& vector, Budget& budget);

/// The same for rays that are known as intervals. Returns nullopt if these do not decide it.
std::optional<bool> is_combination(const std::vector<std::vector<Interval>>& rays, const std::vector<Interval>& vector,
                                   Budget& budget);

// Orthogonalization in doubles. The results are proposals, to be proven elsewhere. Modified Gram-Schmidt, longest
// column first (Björck, 1967). Eigen's own decompositions take as long to compile as all other files of this
// folder together.

struct Orthogonal {
  Eigen::MatrixXd columns;          // orthonormal up to rounding; only the first `rank` are valid
  Eigen::MatrixXd factors;          // upper triangular: given column order[k] = columns * factors.col(k)
  std::vector<Eigen::Index> order;  // of the given columns
  Eigen::Index rank = 0;            // the rest of every other column has length <= `least`
};

/// Returns the decomposition. Requires least >= 0.
Orthogonal orthogonal(const Eigen::MatrixXd& columns, double least);

/// Returns the weights of the combination of columns nearest to a target; 0 for columns that are combinations of
/// others.
Eigen::VectorXd nearest_weights(const Eigen::MatrixXd& columns, const Eigen::VectorXd& target);

// A cone of n linearly independent rays with n entries. Membership is proven with doubles.

class SimplicialCone {
 public:
  /// rays: one column per ray, with sum 1 and a relative error of `error` per entry. Returns nullopt if doubles do
  /// not prove that the rays are independent.
  static std::optional<SimplicialCone> of(const Eigen::MatrixXd& rays, double error);

  /// Returns true if a ray (sum 1, the same relative error) is proven to be a combination with positive weights.
  bool contains(const double* ray) const;

  /// Returns the approximate weights of a ray that the cone contains, in the order of the rays.
  Eigen::VectorXd weights(const double* ray) const;

 private:
  std::size_t size_ = 0;
  std::vector<double> inverse_;  // approximate inverse of the matrix, row by row
  double off_ = 0;               // error of a weight from rounding of the ray and of the sum
  double spread_ = 0;            // error from rounding of the matrix, relative to the largest weight
};

}  // namespace oddsbound::engine
