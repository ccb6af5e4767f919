#include "verifier/networks/orthogonal.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace oddsbound::networks {

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
  VectorXd rest = target;  // each part is taken off before the next is seen, which keeps rounding small
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

}  // namespace oddsbound::networks
