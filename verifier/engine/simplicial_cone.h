// Membership in a cone, exactly.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "base/budget.h"
#include "verifier/exact/interval.h"
#include "verifier/exact/number.h"

namespace oddsbound::engine {

/// Whether `vector` is a combination of the rays with weights that are not negative, where the rays are linearly
/// independent; false may also mean that they are not. All are of the same length; there is at least one ray.
bool is_combination(const std::vector<std::vector<Number>>& rays, const std::vector<Number>& vector, Budget& budget);

/// The same of rays of which no more is known than intervals. None where these cannot tell.
std::optional<bool> is_combination(const std::vector<std::vector<Interval>>& rays, const std::vector<Interval>& vector,
                                   Budget& budget);

// Columns as combinations of orthogonal ones, in doubles: what it says is a guess, to be proven elsewhere. Modified
// Gram-Schmidt with the longest column first (Björck, 1967); Eigen's own decompositions take as long to compile as all
// other files of this folder together.

struct Orthogonal {
  Eigen::MatrixXd columns;          // of length 1, and orthogonal but for rounding; only the first `rank` count
  Eigen::MatrixXd factors;          // upper triangular: the given column order[k] is columns * factors.col(k)
  std::vector<Eigen::Index> order;  // of the given columns
  Eigen::Index rank = 0;            // what is left of the other columns is no longer than `least`
};

/// least: at least 0.
Orthogonal orthogonal(const Eigen::MatrixXd& columns, double least);

/// Weights of a combination of columns that is nearest to a target; 0 for columns that are combinations of others.
Eigen::VectorXd nearest_weights(const Eigen::MatrixXd& columns, const Eigen::VectorXd& target);

// As many rays as they have entries, and which others are combinations of them, proven with doubles.

class SimplicialCone {
 public:
  /// A column for each ray; each entry may be off by that part of itself, and those of a ray sum to 1. None if doubles
  /// do not show that the rays are independent.
  static std::optional<SimplicialCone> of(const Eigen::MatrixXd& rays, double error);

  /// Whether a ray (entries that sum to 1, off by as much) is proven to be a combination with positive weights.
  bool contains(const double* ray) const;

  /// About the weights of a ray that it contains, in the order of the rays.
  Eigen::VectorXd weights(const double* ray) const;

 private:
  std::size_t size_ = 0;
  std::vector<double> inverse_;  // about that of the matrix; row after row
  double off_ = 0;               // what rounding may add to a weight, of the ray and in the sum
  double spread_ = 0;            // what it may add, of the rays, as a part of the largest weight
};

}  // namespace oddsbound::engine
