#include "verifier/networks/simplex.h"

#include <Eigen/LU>
#include <algorithm>
#include <limits>

namespace oddsbound::networks {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;

}  // namespace

// With Q the matrix of the rays, R about its inverse, p a ray and z = R p: where all rows of |I - R Q| sum to at most
// b < 1, the weights Q^-1 p = (R Q)^-1 z differ from z by at most b / (1 - b) max |z|. What rounding and the errors of
// Q and p add to R Q and R p is below |R| |Q| and |R| |p| times `doubt`; and |R| |p| <= max |R|, for p sums to 1.
std::optional<Simplex> Simplex::of(const MatrixXd& rays, double error) {
  constexpr double kUnit = std::numeric_limits<double>::epsilon();
  const Index size = rays.rows();
  const MatrixXd inverse = rays.fullPivLu().inverse();
  if (!inverse.allFinite()) return std::nullopt;
  const double doubt = 2 * (error + static_cast<double>(size + 3) * kUnit);
  const MatrixXd sizes = inverse.cwiseAbs();
  const MatrixXd off = (MatrixXd::Identity(size, size) - inverse.lazyProduct(rays)).cwiseAbs() +
                       doubt * sizes.lazyProduct(rays.cwiseAbs());
  const double most = 1.001 * off.rowwise().sum().maxCoeff();
  if (!(most < 0.5)) return std::nullopt;
  Simplex simplex;
  simplex.size_ = static_cast<std::size_t>(size);
  for (Index k = 0; k < size; ++k) {
    for (Index x = 0; x < size; ++x) simplex.inverse_.push_back(inverse(k, x));
  }
  simplex.off_ = 1.001 * doubt * sizes.maxCoeff();
  simplex.spread_ = 1.001 * most / (1 - most);
  return simplex;
}

bool Simplex::contains(const double* ray) const {
  double least = std::numeric_limits<double>::infinity();
  double largest = 0;
  const double* row = inverse_.data();
  for (std::size_t k = 0; k < size_; ++k, row += size_) {
    double weight = 0;
    for (std::size_t x = 0; x < size_; ++x) weight += row[x] * ray[x];
    if (!(weight > off_)) return false;
    least = std::min(least, weight);
    largest = std::max(largest, weight);
  }
  return least - off_ > spread_ * (largest + off_);
}

Eigen::VectorXd Simplex::weights(const double* ray) const {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto size = static_cast<Index>(size_);
  return Eigen::Map<const RowMajor>(inverse_.data(), size, size) * Eigen::Map<const Eigen::VectorXd>(ray, size);
}

}  // namespace oddsbound::networks
