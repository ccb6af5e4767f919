#include "verifier/engine/simplicial_cone.h"

#include <Eigen/LU>
#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

#include "verifier/linear/basis.h"

namespace oddsbound::engine {

namespace {

// Returns the sign, if it is known.
std::optional<int> sign_of(const Number& number) { return number.sign(); }
std::optional<int> sign_of(const Interval& interval) {
  if (interval.is_zero()) return 0;
  if (interval.is_positive()) return 1;
  if (interval.is_negative()) return -1;
  return std::nullopt;
}

// For numbers any nonzero pivot will do; for intervals the largest loses least precision.
bool is_better_pivot(const Number& /*entry*/, const Number& than) { return than.is_zero(); }
bool is_better_pivot(const Interval& entry, const Interval& than) { return entry.is_larger_than(than); }

// Gauss-Jordan elimination, one row per entry; the last column is the vector. Returns the weights, followed by
// entries that are 0 if a solution exists. Returns nullopt if a pivot's sign is unknown; an empty vector if the
// rays are dependent.
template <class Entry>
std::optional<std::vector<Entry>> solved(const std::vector<std::vector<Entry>>& rays, const std::vector<Entry>& vector,
                                         Budget& budget) {
  const std::size_t columns = rays.size();
  std::vector<std::vector<Entry>> rows(vector.size(), std::vector<Entry>(columns + 1));
  for (std::size_t x = 0; x < rows.size(); ++x) {
    for (std::size_t k = 0; k < columns; ++k) rows[x][k] = rays[k][x];
    rows[x][columns] = vector[x];
  }
  if (columns > rows.size()) return std::vector<Entry>{};
  bool is_known = true;
  const auto pivot = [&](std::size_t k) -> std::optional<std::size_t> {
    std::size_t best = k;
    for (std::size_t x = k + 1; x < rows.size(); ++x) {
      if (is_better_pivot(rows[x][k], rows[best][k])) best = x;
    }
    const std::optional<int> sign = sign_of(rows[best][k]);
    is_known = sign.has_value();
    return is_known && *sign != 0 ? std::optional(best) : std::nullopt;
  };
  if (!linear::eliminate(rows, columns, pivot, budget)) {
    return is_known ? std::optional(std::vector<Entry>{}) : std::nullopt;
  }
  std::vector<Entry> result;
  for (std::vector<Entry>& row : rows) result.push_back(std::move(row[columns]));
  return result;
}

template <class Entry>
std::optional<bool> decided(const std::vector<std::vector<Entry>>& rays, const std::vector<Entry>& vector,
                            Budget& budget) {
  const std::optional<std::vector<Entry>> solution = solved(rays, vector, budget);
  if (!solution) return std::nullopt;
  if (solution->empty()) return false;
  bool is_known = true;
  for (std::size_t x = 0; x < solution->size(); ++x) {
    const std::optional<int> sign = sign_of((*solution)[x]);
    if (!sign) is_known = false;
    if (sign && (*sign < 0 || (x >= rays.size() && *sign != 0))) return false;
  }
  return is_known ? std::optional(true) : std::nullopt;
}

}  // namespace

bool is_combination(const std::vector<std::vector<Number>>& rays, const std::vector<Number>& vector, Budget& budget) {
  return decided(rays, vector, budget).value();
}

std::optional<bool> is_combination(const std::vector<std::vector<Interval>>& rays, const std::vector<Interval>& vector,
                                   Budget& budget) {
  return decided(rays, vector, budget);
}

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Orthogonal orthogonal(const MatrixXd& columns, double least) {
  const Index count = columns.cols();
  Orthogonal result{columns, MatrixXd::Zero(count, count), std::vector<Index>(static_cast<std::size_t>(count)), 0};
  std::iota(result.order.begin(), result.order.end(), Index{0});
  MatrixXd& rest = result.columns;
  for (Index k = 0; k < std::min(count, columns.rows()); ++k) {
    Index longest = k;
    double length = 0;
    for (Index j = k; j < count; ++j) {
      const double norm = rest.col(j).norm();
      if (norm > length) {
        length = norm;
        longest = j;
      }
    }
    if (!(length > least)) break;
    rest.col(k).swap(rest.col(longest));
    result.factors.col(k).swap(result.factors.col(longest));
    std::swap(result.order[static_cast<std::size_t>(k)], result.order[static_cast<std::size_t>(longest)]);
    rest.col(k) /= length;
    result.factors(k, k) = length;
    for (Index j = k + 1; j < count; ++j) {
      const double part = rest.col(k).dot(rest.col(j));
      result.factors(k, j) = part;
      rest.col(j) -= part * rest.col(k);
    }
    ++result.rank;
  }
  return result;
}

VectorXd nearest_weights(const MatrixXd& columns, const VectorXd& target) {
  const double flat = std::numeric_limits<double>::epsilon() * static_cast<double>(columns.cols());
  const Orthogonal basis = orthogonal(columns, flat * columns.norm());
  VectorXd parts(basis.rank);
  VectorXd rest = target;  // subtract each part before the next one: less rounding
  for (Index k = 0; k < basis.rank; ++k) {
    parts[k] = basis.columns.col(k).dot(rest);
    rest -= parts[k] * basis.columns.col(k);
  }
  VectorXd weights = VectorXd::Zero(columns.cols());
  for (Index k = basis.rank; k-- > 0;) {
    double left = parts[k];
    for (Index j = k + 1; j < basis.rank; ++j) {
      left -= basis.factors(k, j) * weights[basis.order[static_cast<std::size_t>(j)]];
    }
    weights[basis.order[static_cast<std::size_t>(k)]] = left / basis.factors(k, k);
  }
  return weights;
}

// Let Q be the matrix of the rays, R its approximate inverse, p a ray and z = R p. If all rows of |I - R Q| sum to
// at most b < 1, the weights Q^-1 p = (R Q)^-1 z differ from z by at most b / (1 - b) max |z|. Rounding and the
// errors of Q and p add at most |R| |Q| and |R| |p| times `doubt` to R Q and R p; and |R| |p| <= max |R|, as p
// sums to 1.
std::optional<SimplicialCone> SimplicialCone::of(const MatrixXd& rays, double error) {
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
  SimplicialCone simplex;
  simplex.size_ = static_cast<std::size_t>(size);
  for (Index k = 0; k < size; ++k) {
    for (Index x = 0; x < size; ++x) simplex.inverse_.push_back(inverse(k, x));
  }
  simplex.off_ = 1.001 * doubt * sizes.maxCoeff();
  simplex.spread_ = 1.001 * most / (1 - most);
  return simplex;
}

bool SimplicialCone::contains(const double* ray) const {
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

Eigen::VectorXd SimplicialCone::weights(const double* ray) const {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto size = static_cast<Index>(size_);
  return Eigen::Map<const RowMajor>(inverse_.data(), size, size) * Eigen::Map<const Eigen::VectorXd>(ray, size);
}

}  // namespace oddsbound::engine
