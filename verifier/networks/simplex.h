// As many rays as they have entries, and which others are combinations of them, proven with doubles.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

namespace oddsbound::networks {

class Simplex {
 public:
  /// A column for each ray; each entry may be off by that part of itself, and those of a ray sum to 1. None if doubles
  /// do not show that the rays are independent.
  static std::optional<Simplex> of(const Eigen::MatrixXd& rays, double error);

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

}  // namespace oddsbound::networks
