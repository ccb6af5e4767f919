// Moments of the log-likelihood of one group at a node of the search over outputs, for the moment bound
// (moment_bound.h), and bounds of them that hold for all outputs at once.
//
// A factor is written as log f(c, y) = base(y) + z(c).x(y), with vectors of few coordinates: for randomized response
// with two values, one coordinate. z_i is centered: its mean over the rows is 0. With l_i = z_i.x_i and
// L = sum_i l_i,
//
//     E L^2 is a quadratic form in x.
//     E L^3 = 6 sum_{i<j<k} E l_i l_j l_k + sum_j (E l_j^3 + 3 sum_{i != j} E l_i^2 l_j). The first sum is a third of
//           x^T T w, where T has the entries E z_i (z_j z_k) of different factors, and w the products x_j x_k.
//     E L^4 <= 2 max A E L^2 - (min A)^2 + 4 E B^2, where A = sum_i l_i^2, B = sum_{i<j} l_i l_j, so L^2 = A + 2 B and
//           L^4 = 2 A L^2 - A^2 + 4 B^2. E B^2 is a quadratic form in w.
//
// A quadratic form w^T M w is at most (sum_b d_b |w_b|^2) times the largest eigenvalue of D^-1/2 M D^-1/2, for any
// positive d by block of w. The d are chosen so that this is small.
//
// Cost: rows times the square of the number of pairs of coordinates, and times the square of the number of outputs of
// all factors. Rounding: `error` bounds that of all sums over rows; eigenvalues have proven bounds
// (linear/eigenvalue_bound.h).
#pragma once

#include <Eigen/Core>
#include <functional>
#include <span>
#include <vector>

#include "verifier/engine/pair_losses.h"

namespace oddsbound::engine {

/// A factor as log f(c, y) = base(y) + z(c).x(y).
struct LogFactor {
  // All entries are positive and in range, and the factor is not large. Otherwise the rest is empty.
  bool is_usable = false;
  std::size_t classes = 0, outputs = 0;
  Eigen::MatrixXd z;  // [class][coordinate]
  Eigen::MatrixXd x;  // [output][coordinate]
  double length = 0;  // the largest |x(y)|^2
  double error = 0;   // bounds the error of the equation

  /// entries: [output][class], with relative errors of at most 2^-50.
  explicit LogFactor(const std::vector<std::vector<double>>& entries);
  std::size_t coordinates() const { return static_cast<std::size_t>(x.cols()); }
};

/// A rough estimate of what the moments of one group cost.
struct CostOfMoments {
  double steps = 0;  // multiplications
  double bytes = 0;
};
/// rows: at most so many have weight.
CostOfMoments cost_of_moments(std::span<const LogFactor> factors, std::size_t rows);

struct GroupMoments {
  /// With a larger bound of E L^2 or of L, the moment bound says little.
  static constexpr double kMostVariance = 3, kMostLoss = 5;

  std::size_t depth = 0;
  double total = 0;                            // the sum of the weights
  double variance = 0;                         // bounds E L^2
  bool is_small = false;                       // E L^2 and L are; otherwise what follows need not be set
  double most = 0;                             // bounds L
  std::vector<Eigen::Index> begin;             // [factor]: its first coordinate; then the number of coordinates
  Eigen::VectorXd mean;                        // of z before it was centered
  Eigen::MatrixXd second;                      // E z z^T
  double third = 0;                            // bounds |6 sum_{i<j<k} E l_i l_j l_k|
  std::vector<Eigen::VectorXd> above, below;   // [factor][output]: bounds of the other terms of E L^3
  double fourth = 0;                           // bounds 4 E B^2
  double most_squares = 0, least_squares = 0;  // bounds of A
  double size = 0;                             // bounds |L|
  double error = 0;                            // (1 + size)^k times this bounds the rounding error of E L^k

  /// weights: of the group by suffix at this depth, none negative, not all 0. factors: those from `depth` on, all
  /// usable.
  GroupMoments(const Suffixes& suffixes, std::span<const LogFactor> factors, std::size_t depth,
               const std::vector<double>& weights, const std::function<void()>& look);

 private:
  // z: centered. share: the weights, divided by their sum.
  void bound_variance(std::span<const LogFactor> factors, const Eigen::MatrixXd& z, const Eigen::VectorXd& share);
  void bound_terms(std::span<const LogFactor> factors, const Eigen::MatrixXd& z, const Eigen::VectorXd& share,
                   const std::function<void()>& look);
  void bound_matrices(std::span<const LogFactor> factors, const Eigen::MatrixXd& z, const Eigen::VectorXd& share,
                      const std::function<void()>& look);
};

}  // namespace oddsbound::engine
