// Columns as combinations of orthogonal ones, in doubles: what it says is a guess, to be proven elsewhere. Modified
// Gram-Schmidt with the longest column first (Björck, 1967); Eigen's own decompositions take as long to compile as all
// other files of this folder together.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace oddsbound::networks {

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

}  // namespace oddsbound::networks
