#include "releases/hull.h"

#include <Eigen/Dense>
#include <algorithm>

#include "base/budget.h"

namespace oddsbound::releases {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Wolfe's corral: the points whose mixture is the nearest point, relative to the target.
class Corral {
 public:
  Corral(const std::vector<std::vector<std::uint32_t>>& members, const VectorXd& target)
      : members_(members), target_(target) {}

  const VectorXd& nearest() const { return nearest_; }
  std::size_t size() const { return names_.size(); }
  std::uint32_t name(std::size_t k) const { return names_[k]; }
  double weight(std::size_t k) const { return weights_[k]; }
  bool has(std::uint32_t point) const { return std::find(names_.begin(), names_.end(), point) != names_.end(); }

  void begin(std::uint32_t point) {
    points_.push_back(seen(point));
    names_ = {point};
    weights_ = {1};
    nearest_ = points_[0];
  }

  // Adds a point and moves to the nearest point of the hull of all; drops points without weight.
  void add(std::uint32_t point) {
    points_.push_back(seen(point));
    names_.push_back(point);
    weights_.push_back(0);
    while (true) {
      const std::vector<double> wanted = affine_weights();
      double step = 1;
      for (std::size_t k = 0; k < wanted.size(); ++k) {
        if (wanted[k] < kNone && weights_[k] > wanted[k])
          step = std::min(step, weights_[k] / (weights_[k] - wanted[k]));
      }
      for (std::size_t k = 0; k < wanted.size(); ++k) weights_[k] += step * (wanted[k] - weights_[k]);
      const bool inside = step >= 1;
      drop_the_weightless();
      if (inside || size() == 1) break;
    }
    double sum = 0;
    for (const double weight : weights_) sum += weight;
    nearest_ = VectorXd::Zero(target_.size());
    for (std::size_t k = 0; k < size(); ++k) {
      weights_[k] /= sum;
      nearest_ += weights_[k] * points_[k];
    }
  }

 private:
  static constexpr double kNone = 1e-13;

  VectorXd seen(std::uint32_t point) const {
    VectorXd result = -target_;
    for (std::size_t q = 0; q < members_.size(); ++q) {
      if (std::binary_search(members_[q].begin(), members_[q].end(), point)) result[static_cast<Eigen::Index>(q)] += 1;
    }
    return result;
  }

  // Returns the weights of the point nearest to the target in the affine hull of all points.
  std::vector<double> affine_weights() const {
    const auto n = static_cast<Eigen::Index>(size());
    MatrixXd system = MatrixXd::Zero(n + 1, n + 1);
    for (Eigen::Index i = 0; i < n; ++i) {
      system(i, n) = system(n, i) = 1;
      for (Eigen::Index j = 0; j <= i; ++j) {
        system(i, j) = system(j, i) = points_[static_cast<std::size_t>(i)].dot(points_[static_cast<std::size_t>(j)]);
      }
    }
    VectorXd right = VectorXd::Zero(n + 1);
    right[n] = 1;
    const VectorXd solved = system.completeOrthogonalDecomposition().solve(right);
    return {solved.data(), solved.data() + n};
  }

  void drop_the_weightless() {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < size(); ++k) {
      if (weights_[k] < kNone) continue;
      points_[kept] = points_[k];
      names_[kept] = names_[k];
      weights_[kept++] = weights_[k];
    }
    points_.resize(kept);
    names_.resize(kept);
    weights_.resize(kept);
  }

  const std::vector<std::vector<std::uint32_t>>& members_;
  const VectorXd& target_;
  std::vector<VectorXd> points_;
  std::vector<std::uint32_t> names_;
  std::vector<double> weights_;
  VectorXd nearest_;
};

// Returns the point with the least inner product with the direction, and that product.
std::pair<std::uint32_t, double> farthest_against(const VectorXd& direction, std::size_t points,
                                                  const std::vector<std::vector<std::uint32_t>>& members,
                                                  std::vector<double>& along) {
  along.assign(points, 0);
  for (std::size_t q = 0; q < members.size(); ++q) {
    for (const std::uint32_t point : members[q]) along[point] += direction[static_cast<Eigen::Index>(q)];
  }
  const auto least = std::min_element(along.begin(), along.end());
  return {static_cast<std::uint32_t>(least - along.begin()), *least};
}

}  // namespace

HullPoint nearest_in_hull(const std::vector<std::vector<std::uint32_t>>& members, std::size_t points,
                          std::span<const double> target) {
  constexpr double kNear = 1e-12;
  constexpr int kMostSteps = 10'000;
  const VectorXd to = Eigen::Map<const VectorXd>(target.data(), static_cast<Eigen::Index>(target.size()));
  std::vector<double> along;
  Corral corral(members, to);
  corral.begin(farthest_against(-to, points, members, along).first);
  double gap = 0;
  for (int step = 0; step < kMostSteps; ++step) {
    Budget::work_on(64 * points);
    const VectorXd& nearest = corral.nearest();
    const auto [point, least] = farthest_against(nearest, points, members, along);
    // <y - q(u), y - target> for y = nearest + target.
    gap = std::max(0.0, nearest.dot(nearest + to) - least);
    if (gap <= kNear * (1 + nearest.squaredNorm()) || corral.has(point)) break;
    corral.add(point);
  }
  HullPoint result{{}, {}, gap};
  const VectorXd at = corral.nearest() + to;
  result.coordinates.assign(at.data(), at.data() + at.size());
  for (std::size_t k = 0; k < corral.size(); ++k) result.mixture.emplace_back(corral.name(k), corral.weight(k));
  std::sort(result.mixture.begin(), result.mixture.end());
  return result;
}

}  // namespace oddsbound::releases
