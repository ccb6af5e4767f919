#include "verifier/engine/ray_hull.h"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "base/errors.h"
#include "verifier/engine/simplicial_cone.h"

namespace oddsbound::engine {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kNear = 1e-11;  // points are about 1 apart; closer ones are worth a proof
constexpr double kUnit = std::numeric_limits<double>::epsilon();

// Returns the rays as points whose spread is about 1 in every direction of their span. The last entry of each
// point is 1, so a combination of rays is a combination of points with weights of sum 1.
MatrixXd points_of(const RayCloud& cloud) {
  const auto rays = static_cast<Index>(cloud.size());
  const auto states = static_cast<Index>(cloud.states);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  MatrixXd centered = Eigen::Map<const RowMajor>(cloud.entries.data(), rays, states);
  const Eigen::RowVectorXd center = centered.colwise().mean();
  centered.rowwise() -= center;
  constexpr double kFlat = 1e-13;
  const double scale = std::sqrt(static_cast<double>(rays));
  const Orthogonal axes = orthogonal(centered, kFlat * scale);
  const Index kept = axes.rank;
  MatrixXd points(kept + 1, rays);
  for (Index k = 0; k < kept; ++k) points.row(k) = axes.columns.col(k).transpose() * scale;
  points.row(kept).setOnes();
  return points;
}

// The non-negative combination of some points that is nearest to a given point (Lawson and Hanson).
struct Nearest {
  std::vector<std::size_t> of;  // the points in the combination
  VectorXd weights;
  VectorXd rest;  // the point minus the combination
};

class Hull {
 public:
  Hull(const RayCloud& cloud, Budget& budget, bool recorded)
      : cloud_(cloud), budget_(budget), recorded_(recorded), points_(points_of(cloud)) {}

  // Returns the rays that are needed if rays within exp(+-slack) of a combination may go; nullopt if there are
  // more than `most`. off() is the largest error of those that went.
  std::optional<std::vector<std::size_t>> needed(double slack, std::size_t most) {
    kept_.clear();
    off_ = 0;
    simplices_.clear();
    left_out_.clear();
    is_kept_.assign(cloud_.size(), false);
    for (Index k = 0; k < points_.rows(); ++k) {
      keep_farthest(VectorXd::Unit(points_.rows(), k));
      keep_farthest(-VectorXd::Unit(points_.rows(), k));
    }
    for (std::size_t r = 0; r < cloud_.size(); ++r) {
      budget_.check_every();
      while (!is_kept_[r] && !may_go(r, slack)) {
        if (kept_.size() > most) return std::nullopt;
      }
    }
    if (kept_.size() > most) return std::nullopt;
    std::sort(kept_.begin(), kept_.end());
    return kept_;
  }
  double off() const { return off_; }
  // Rays that were kept after they had been left out are erased.
  std::vector<RedundantRay> left_out() const {
    std::vector<RedundantRay> result = left_out_;
    std::erase_if(result, [this](const RedundantRay& out) { return is_kept_[out.ray]; });
    return result;
  }

 private:
  auto point(std::size_t r) const { return points_.col(static_cast<Index>(r)); }

  void keep(std::size_t r) {
    kept_.push_back(r);
    is_kept_[r] = true;
  }
  // Keeps the farthest ray in a direction; returns false if it was kept already.
  bool keep_farthest(const VectorXd& direction) {
    Index farthest = 0;
    (direction.transpose() * points_).maxCoeff(&farthest);
    if (is_kept_[static_cast<std::size_t>(farthest)]) return false;
    keep(static_cast<std::size_t>(farthest));
    return true;
  }

  // Returns true if the ray is proven to be redundant. Otherwise keeps another ray, or this one.
  bool may_go(std::size_t r, double slack) {
    if (is_in_known_simplex(r, slack)) return true;
    const std::optional<Nearest> nearest = nearest_to(r);
    if (nearest && slack > 0 && is_near(r, nearest->of, nearest->weights, slack)) {
      if (recorded_) is_in_simplex(r, *nearest);
      return true;
    }
    if (nearest && nearest->rest.norm() <= kNear) {
      if (!recorded_ && is_inside(r, *nearest)) return true;
    } else if (nearest && keep_farthest(nearest->rest)) {
      return false;
    }
    keep(r);
    return false;
  }

  std::optional<Nearest> nearest_to(std::size_t r) const {
    Nearest nearest;
    nearest.rest = point(r);
    std::vector<double> weights;
    for (Index step = 0; step < 8 * points_.rows(); ++step) {
      std::optional<std::size_t> best;
      double most = kNear;
      for (const std::size_t k : kept_) {
        const double gain = point(k).dot(nearest.rest);
        if (gain <= most || std::count(nearest.of.begin(), nearest.of.end(), k) > 0) continue;
        most = gain;
        best = k;
      }
      if (!best || nearest.rest.norm() <= kNear) break;
      nearest.of.push_back(*best);
      weights.push_back(0);
      if (!weigh(r, nearest, weights)) return std::nullopt;
    }
    nearest.weights = Eigen::Map<const VectorXd>(weights.data(), static_cast<Index>(weights.size()));
    return nearest;
  }

  // Sets the best weights of these points; drops points whose weight would not be positive.
  bool weigh(std::size_t r, Nearest& nearest, std::vector<double>& weights) const {
    while (!nearest.of.empty()) {
      const auto count = static_cast<Index>(nearest.of.size());
      MatrixXd of(points_.rows(), count);
      for (Index k = 0; k < count; ++k) of.col(k) = point(nearest.of[static_cast<std::size_t>(k)]);
      const VectorXd best = nearest_weights(of, point(r));
      if (!best.allFinite()) return false;
      if (best.minCoeff() > 0) {
        for (Index k = 0; k < count; ++k) weights[static_cast<std::size_t>(k)] = best[k];
        nearest.rest = point(r) - of * best;
        return true;
      }
      double part = 1;
      for (Index k = 0; k < count; ++k) {
        const double now = weights[static_cast<std::size_t>(k)];
        if (best[k] <= 0) part = std::min(part, now / (now - best[k]));
      }
      std::size_t left = 0;
      for (Index k = 0; k < count; ++k) {
        const auto place = static_cast<std::size_t>(k);
        const double weight = weights[place] + part * (best[k] - weights[place]);
        if (best[k] <= 0 && weight <= kUnit) continue;
        nearest.of[left] = nearest.of[place];
        weights[left++] = weight;
      }
      if (left == nearest.of.size()) return false;
      nearest.of.resize(left);
      weights.resize(left);
    }
    return false;
  }

  // Returns true if the ray is within the slack of the combination, so that it may be left out.
  bool is_near(std::size_t r, const std::vector<std::size_t>& of, const VectorXd& weights, double slack) {
    const double off = off_from(r, of, weights);
    if (!(off <= slack)) return false;
    off_ = std::max(off_, off);
    if (recorded_) left_out_.push_back({r, of, {weights.begin(), weights.end()}});
    return true;
  }

  // Returns d such that every entry of the ray is within exp(+-d) of the combination's, including the errors of
  // both.
  double off_from(std::size_t r, const std::vector<std::size_t>& of, const VectorXd& weights) const {
    const double doubt = 2 * (2 * cloud_.error + static_cast<double>(of.size() + 2) * kUnit);
    double most = 0;
    for (std::size_t x = 0; x < cloud_.states; ++x) {
      double sum = 0;
      for (std::size_t k = 0; k < of.size(); ++k) sum += weights[static_cast<Index>(k)] * cloud_.ray(of[k])[x];
      // log(1 + d)| <= 2 |d| for |d| <= 1/2. An entry stored as 0 is 0 on both sides.
      const double difference = std::abs(cloud_.ray(r)[x] - sum);
      if (difference == 0) continue;
      if (!(difference <= 0.49 * sum)) return std::numeric_limits<double>::infinity();
      most = std::max(most, 2 * difference / sum);
    }
    return most + doubt;
  }

  template <class Entries>
  static auto rays_of(const std::vector<std::size_t>& rays, const Entries& entries) {
    std::vector<decltype(entries(0))> result;
    for (const std::size_t r : rays) result.push_back(entries(r));
    return result;
  }
  // If so, remembers the simplex, which may contain other rays too.
  bool is_in_simplex(std::size_t r, const Nearest& nearest) {
    if (nearest.of.size() != cloud_.states) return false;
    const auto size = static_cast<Index>(cloud_.states);
    MatrixXd rays(size, size);
    for (Index k = 0; k < size; ++k) rays.col(k) = entries(nearest.of[static_cast<std::size_t>(k)]);
    std::optional<SimplicialCone> simplex = SimplicialCone::of(rays, cloud_.error);
    if (!simplex || !simplex->contains(cloud_.ray(r))) return false;
    simplices_.push_back({std::move(*simplex), nearest.of});
    return true;
  }
  bool is_inside(std::size_t r, const Nearest& nearest) {
    if (is_in_simplex(r, nearest)) return true;
    const std::optional<bool> known = is_combination(rays_of(nearest.of, cloud_.enclosed), cloud_.enclosed(r), budget_);
    return known ? *known : is_combination(rays_of(nearest.of, cloud_.exact), cloud_.exact(r), budget_);
  }
  // Returns true if a remembered simplex contains the ray. Moves simplices that contain many rays to the front.
  bool is_in_known_simplex(std::size_t r, double slack) {
    for (std::size_t s = 0; s < simplices_.size(); ++s) {
      const auto& [simplex, of] = simplices_[s];
      if (!simplex.contains(cloud_.ray(r))) continue;
      if (recorded_ && !is_near(r, of, simplex.weights(cloud_.ray(r)), slack)) continue;
      std::swap(simplices_[s], simplices_[s / 2]);
      return true;
    }
    return false;
  }
  Eigen::Map<const VectorXd> entries(std::size_t r) const { return {cloud_.ray(r), static_cast<Index>(cloud_.states)}; }
  const RayCloud& cloud_;
  Budget& budget_;
  bool recorded_;
  MatrixXd points_;  // one column per ray
  std::vector<std::size_t> kept_;
  std::vector<bool> is_kept_;
  std::vector<std::pair<SimplicialCone, std::vector<std::size_t>>> simplices_;  // with the indices of their rays
  std::vector<RedundantRay> left_out_;                                          // only if recorded
  double off_ = 0;  // largest error of the rays left out as near combinations
};

}  // namespace

NeededRays needed_rays(const RayCloud& cloud, std::size_t most, double least_slack, Budget& budget, bool recorded) {
  if (cloud.size() <= 1 || cloud.states == 1) {
    NeededRays first{std::vector<std::size_t>(std::min<std::size_t>(cloud.size(), 1)), 0};
    for (std::size_t r = 1; recorded && r < cloud.size(); ++r) first.left_out.push_back({r, {0}, {1}});
    return first;
  }
  Hull hull(cloud, budget, recorded);
  if (least_slack == 0) {
    if (auto rays = hull.needed(0, most)) return {std::move(*rays), 0};
  }
  constexpr double kFirstSlack = 1e-9;
  constexpr double kMostSlack = 0.2;
  constexpr double kFewSlack = 1e-3;  // from here on the slack shows in levels
  for (double slack = std::max(kFirstSlack, least_slack); slack < kMostSlack; slack *= slack < kFewSlack ? 100 : 2) {
    if (auto rays = hull.needed(slack, most)) return {std::move(*rays), hull.off(), hull.left_out()};
  }
  throw LimitError("what a part of the network tells has more than " + std::to_string(most) + " extreme cases");
}

RayCloud some_of(const RayCloud& cloud, std::span<const std::size_t> rays) {
  RayCloud part;
  part.states = cloud.states;
  part.error = cloud.error;
  for (const std::size_t r : rays) part.entries.insert(part.entries.end(), cloud.ray(r), cloud.ray(r) + cloud.states);
  const std::vector<std::size_t> own(rays.begin(), rays.end());
  part.exact = [own, exact = cloud.exact](std::size_t r) { return exact(own[r]); };
  part.enclosed = [own, enclosed = cloud.enclosed](std::size_t r) { return enclosed(own[r]); };
  return part;
}

// A ratio of two entries has a relative error of at most `doubt`. An entry stored as 0 is exact.
std::vector<std::size_t> leading_rays(const RayCloud& cloud, Budget& budget) {
  const double doubt = 2 * cloud.error + 4 * kUnit;
  std::vector<bool> is_leading(cloud.size(), !(doubt < 0.1));
  std::vector<double> ratios(cloud.size());
  for (std::size_t from = 0; from < cloud.states; ++from) {
    for (std::size_t to = 0; to < cloud.states; ++to) {
      for (std::size_t r = 0; r < cloud.size(); ++r) {
        budget.check_every();
        const double* ray = cloud.ray(r);
        ratios[r] = ray[from] == 0 ? 0 : ray[from] / ray[to];
      }
      const double largest = *std::max_element(ratios.begin(), ratios.end());
      if (to == from || largest == 0) continue;
      const double least = std::isfinite(largest) ? largest * (1 - 2 * doubt) : largest;
      for (std::size_t r = 0; r < cloud.size(); ++r) {
        if (ratios[r] >= least) is_leading[r] = true;
      }
    }
  }
  std::vector<std::size_t> rays;
  for (std::size_t r = 0; r < cloud.size(); ++r) {
    if (is_leading[r] || cloud.states == 1) rays.push_back(r);
  }
  return rays;
}

std::vector<std::size_t> outstanding_rays(const RayCloud& cloud) {
  std::vector<std::size_t> rays;
  for (std::size_t x = 0; x < cloud.states && cloud.size() > 0; ++x) {
    std::array<std::size_t, 2> ends{0, 0};
    for (std::size_t r = 1; r < cloud.size(); ++r) {
      if (cloud.ray(r)[x] < cloud.ray(ends[0])[x]) ends[0] = r;
      if (cloud.ray(r)[x] > cloud.ray(ends[1])[x]) ends[1] = r;
    }
    rays.insert(rays.end(), ends.begin(), ends.end());
  }
  std::sort(rays.begin(), rays.end());
  rays.erase(std::unique(rays.begin(), rays.end()), rays.end());
  return rays;
}

}  // namespace oddsbound::engine
