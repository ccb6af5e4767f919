#include "verifier/engine/moment_bound.h"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "verifier/linear/eigenvalue_bound.h"

namespace oddsbound::engine {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Exceeds the relative rounding error of sums of few terms.
constexpr double kMargin = 1e-9;

// phi of the header, rounded up.
double phi(double x) {
  if (x <= 0) return (1 + kMargin) / 24;
  constexpr double kSeries = 0.5;  // below it, the formula cancels
  if (x < kSeries) {
    constexpr int kTerms = 20;
    double sum = 0, term = 1.0 / 24;  // x^(k - 4) / k!
    for (int k = 4; k < 4 + kTerms; ++k) {
      sum += term;
      term *= x / (k + 1);
    }
    return sum * (1 + kMargin);
  }
  return (std::exp(x) - 1 - x - x * x / 2 - x * x * x / 6) / std::pow(x, 4) * (1 + kMargin);
}

// A polynomial in L, by power.
using Polynomial = std::array<double, 5>;

// scale (1 + D + D^2/2 + D^3/6 + top D^4) with D = L - c.
Polynomial taylor(double scale, double c, double top) {
  const double c2 = c * c, c3 = c2 * c;
  return {scale * (1 - c + c2 / 2 - c3 / 6 + top * c2 * c2), scale * (1 - c + c2 / 2 - 4 * top * c3),
          scale * (0.5 - c / 2 + 6 * top * c2), scale * (1.0 / 6 - 4 * top * c), scale * top};
}

enum class Side { kAbove, kBelow };

// An output, as the output of each open factor.
using Selected = std::vector<Index>;

double sum_at(const std::vector<VectorXd>& single, const Selected& output) {
  double sum = 0;
  for (std::size_t i = 0; i < output.size(); ++i) sum += single[i][output[i]];
  return sum;
}

// A bound of E exp(L): constant + square * E L^2 + sum_i single[i][y_i].
struct ExpBound {
  double constant = 0, square = 0;
  std::vector<VectorXd> single;

  ExpBound(const GroupMoments& of, double c, Side side) {
    const double sign = side == Side::kAbove ? 1 : -1;
    const double top = side == Side::kAbove ? phi(of.most - c) : 0;
    const Polynomial p = taylor(std::exp(c), c, top);
    const Polynomial sizes = taylor(std::exp(c), -c, top);  // the sums of the terms' absolute values
    double error = 0;
    for (std::size_t k = p.size(); k-- > 0;) error = error * (1 + of.size) + sizes[k];
    constant = p[0] + sign * (of.error * error + std::abs(p[3]) * of.third);
    constant += p[4] * (of.fourth - of.least_squares * of.least_squares);
    square = p[2] + 2 * p[4] * of.most_squares;
    for (std::size_t i = 0; i < of.above.size(); ++i) {
      single.push_back(p[3] * ((p[3] > 0) == (side == Side::kAbove) ? of.above[i] : of.below[i]));
    }
  }
  double at(const Selected& output, double second) const { return constant + square * second + sum_at(single, output); }
};

// The maximum of the ratio over the outputs.
class LargestRatio {
 public:
  LargestRatio(std::span<const LogFactor> open, const GroupMoments& u, const GroupMoments& v)
      : open_(open), u_(u), v_(v) {
    for (std::size_t i = 0; i < open_.size(); ++i) {
      means_.push_back(open_[i].x * (part_of(u.mean, i) - part_of(v.mean, i)));
    }
  }

  // Returns an upper bound of the logarithm of E_u f / E_v f.
  double logarithm_bound() const {
    constexpr int kRounds = 3;  // each near the output that the one before found
    Selected near(open_.size());
    for (std::size_t i = 0; i < open_.size(); ++i) means_[i].maxCoeff(&near[i]);
    double least = kInfinity;
    for (int round = 0; round < kRounds; ++round) least = std::min(least, bound_near(near));
    return least;
  }

 private:
  VectorXd part_of(const VectorXd& of, std::size_t i) const {
    return of.segment(u_.begin[i], u_.begin[i + 1] - u_.begin[i]);
  }
  VectorXd x_at(const Selected& output) const {
    VectorXd x(u_.begin.back());
    for (std::size_t i = 0; i < open_.size(); ++i) {
      x.segment(u_.begin[i], u_.begin[i + 1] - u_.begin[i]) = open_[i].x.row(output[i]);
    }
    return x;
  }

  // Returns the bound with the number c for which it is best at an output.
  static ExpBound best_at(const GroupMoments& of, Side side, const Selected& output, double second) {
    constexpr int kCenters = 40;
    constexpr double kStep = 0.05;
    ExpBound best(of, 0, side);
    for (int k = 1; k <= kCenters; ++k) {
      ExpBound other(of, k * kStep, side);
      const double gain = best.at(output, second) - other.at(output, second);
      if (side == Side::kAbove ? gain > 0 : gain < 0) best = std::move(other);
    }
    return best;
  }

  // Any `near` gives a bound. Sets it to an output with a large value.
  double bound_near(Selected& near) const {
    const VectorXd x = x_at(near);
    const double second_u = x.dot(u_.second * x), second_v = x.dot(v_.second * x);
    const ExpBound above = best_at(u_, Side::kAbove, near, second_u);
    const ExpBound below = best_at(v_, Side::kBelow, near, second_v);
    // log a <= log a' + a / a' - 1, and -log b is at most its chord between bounds of b.
    const double value = above.at(near, second_u);
    double least = below.constant + std::min(0.0, below.square * v_.variance);
    double most = below.constant + std::max(0.0, below.square * v_.variance);
    for (const VectorXd& single : below.single) {
      least += single.minCoeff();
      most += single.maxCoeff();
    }
    least -= kMargin * (1 + std::abs(most));
    most += kMargin * (1 + std::abs(most));
    if (!(value > 0 && least > 0 && std::isfinite(value) && std::isfinite(most))) return kInfinity;
    const double slope = (std::log(most) - std::log(least)) / (most - least);
    const double constant =
        std::log(value) - 1 + above.constant / value - std::log(least) - slope * (below.constant - least);

    MatrixXd form = above.square / value * u_.second - slope * below.square * v_.second;
    std::vector<VectorXd> single = means_;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      const Index begin = u_.begin[i], count = u_.begin[i + 1] - begin;
      single[i] += above.single[i] / value - slope * below.single[i];
      auto own = form.block(begin, begin, count, count);  // a function of one factor
      single[i] += (open_[i].x * own).cwiseProduct(open_[i].x).rowwise().sum();
      own.setZero();
    }
    return constant + largest(form, std::move(single), near);
  }

  // Bounds x^T form x + sum_i single[i][y_i]. Sets `near` to the output at which the bound's tangent is largest.
  double largest(const MatrixXd& form, std::vector<VectorXd> single, Selected& near) const {
    constexpr int kSteps = 400;
    const double shift = linear::eigenvalue_bound(form);
    if (!std::isfinite(shift)) return kInfinity;
    MatrixXd concave = form;
    concave.diagonal().array() -= shift;
    double size = 1;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      single[i] += shift * open_[i].x.rowwise().squaredNorm();
      size += single[i].cwiseAbs().maxCoeff();
    }
    // The tangent at x, which moves towards the output with the largest tangent (Frank and Wolfe). `linear` is the
    // value of `single` there.
    VectorXd x = x_at(near);
    double linear = sum_at(single, near), least = kInfinity;
    Selected next(open_.size());
    for (int step = 0; step < kSteps; ++step) {
      const VectorXd turned = concave * x;
      double tangent = -x.dot(turned);
      for (std::size_t i = 0; i < open_.size(); ++i) {
        tangent += VectorXd(single[i] + 2 * open_[i].x * part_of(turned, i)).maxCoeff(&next[i]);
      }
      if (tangent < least) {
        least = tangent;
        near = next;
      }
      const VectorXd direction = x_at(next) - x;
      const double gain = sum_at(single, next) - linear + 2 * direction.dot(turned);
      const double curve = -2 * direction.dot(concave * direction);
      if (!(gain > 0 && curve > 0)) break;
      const double length = std::min(1.0, gain / curve);
      x += length * direction;
      linear += length * (sum_at(single, next) - linear);
    }
    return least + kMargin * size;
  }

  std::span<const LogFactor> open_;
  const GroupMoments &u_, &v_;
  std::vector<VectorXd> means_;  // [factor][output]: of log f under u, less that under v
};

}  // namespace

MomentBound::MomentBound(const Suffixes& suffixes, std::uint64_t bytes)
    : suffixes_(suffixes), first_(suffixes.depths()), error_(4 * suffixes.error() + kMargin) {
  // The most multiplications for a group, and a limit of the sum of half the factors' largest losses. With more, the
  // moments say little: L is at most about the latter.
  constexpr double kMostSteps = 0x1p37, kMostLosses = GroupMoments::kMostLoss;
  double losses = 0;
  for (; first_ > 0; --first_) {
    factors_.insert(factors_.begin(), LogFactor(suffixes.entries(first_ - 1)));
    const LogFactor& factor = factors_.front();
    const CostOfMoments cost = cost_of_moments(factors_, suffixes.layer(first_ - 1).size);
    if (factor.is_usable) {
      const MatrixXd logarithms = factor.z * factor.x.transpose();
      losses += (logarithms.colwise().maxCoeff() - logarithms.colwise().minCoeff()).maxCoeff() / 2;
    }
    if (!factor.is_usable || losses > kMostLosses || cost.bytes > static_cast<double>(bytes) ||
        cost.steps > kMostSteps) {
      factors_.erase(factors_.begin());
      break;
    }
    error_ += 4 * factor.error;
  }
}

double MomentBound::bound(const GroupMoments& u, const GroupMoments& v) const {
  if (!u.is_small || !v.is_small) return kInfinity;
  const double logarithm = LargestRatio(open(u.depth), u, v).logarithm_bound();
  const double ratio = std::exp(logarithm + error_) * (u.total / v.total) * (1 + kMargin);
  return ratio > 0 ? ratio : kInfinity;  // NaN, too
}

}  // namespace oddsbound::engine
