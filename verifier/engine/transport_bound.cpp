#include "verifier/engine/transport_bound.h"

#include <algorithm>
#include <cmath>

namespace oddsbound::engine {

namespace {

double dot(const double* a, const double* b, std::size_t size) {
  double parts[4] = {0, 0, 0, 0};
  std::size_t s = 0;
  for (; s + 4 <= size; s += 4) {
    for (std::size_t k = 0; k < 4; ++k) parts[k] += a[s + k] * b[s + k];
  }
  for (; s < size; ++s) parts[0] += a[s] * b[s];
  return (parts[0] + parts[1]) + (parts[2] + parts[3]);
}

}  // namespace

GroupWeights reaches(LossKernel& kernel, std::size_t depth, const GroupWeights& weights,
                     const std::function<void()>& look) {
  GroupWeights reach(weights.size());
  const std::size_t size = weights.empty() ? 0 : weights[0].size();
  for (std::vector<double>& of_group : reach) of_group.assign(size, 0);
  for (std::size_t r = 0; r < size; ++r) {
    const bool needed = std::any_of(weights.begin(), weights.end(), [&](const auto& own) { return own[r] != 0; });
    if (!needed) continue;
    if ((r & 0xff) == 0xff) look();
    const double* kept = kernel.row(depth, static_cast<std::uint32_t>(r));
    for (std::size_t g = 0; g < weights.size(); ++g) reach[g][r] = dot(weights[g].data(), kept, size);
  }
  return reach;
}

double credit_bound(const std::vector<double>& u, const std::vector<double>& v, const std::vector<double>& reach,
                    double credit, double error) {
  double rest = 0;
  double doubt = 0;  // error of the differences from the rounding of u and v
  bool possible = false;
  for (std::size_t r = 0; r < u.size(); ++r) {
    if (u[r] == 0) continue;
    if (reach[r] < kSmall) return kInfinity;
    possible = true;
    const double difference = u[r] - credit * v[r];
    rest += std::max(difference, 0.0) / reach[r];
    if (difference > -4 * error * u[r]) doubt += (u[r] + credit * v[r]) / reach[r];
  }
  return possible ? (credit + rest) * (1 + 4 * error) + 4 * error * doubt : 0;
}

double best_credit(const std::vector<double>& u, const std::vector<double>& v, const std::vector<double>& reach) {
  struct Term {
    double quotient, share;
  };
  thread_local std::vector<Term> terms;
  terms.clear();
  for (std::size_t r = 0; r < u.size(); ++r) {
    if (u[r] != 0) terms.push_back({v[r] == 0 ? kInfinity : u[r] / v[r], v[r] / reach[r]});
  }
  std::sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) { return a.quotient > b.quotient; });
  // As c falls, the bound falls until v_r / R_r, summed over u_r > c v_r, reaches 1. Any c gives a valid bound.
  double carried = 0;
  for (const Term& term : terms) {
    carried += term.share;
    if (carried >= 1) return term.quotient < kInfinity ? term.quotient : 0;
  }
  return 0;
}

double transport_bound(const std::vector<double>& u, const std::vector<double>& v, const std::vector<double>& reach,
                       double error) {
  return credit_bound(u, v, reach, best_credit(u, v, reach), error);
}

namespace {

// In these ranges no product below loses precision: u k^3 m / sum >= 1e-100 * 1e-90 * 1e-60 / n.
constexpr double kLeastWeight = 1e-100;
constexpr double kMostWeight = 1e100;
constexpr double kLeastKept = 1e-30;
constexpr double kLeastShare = 1e-60;

class Plan {
 public:
  Plan(LossKernel& kernel, std::size_t depth, const std::vector<double>& u, const std::vector<double>& v,
       std::size_t most_gathered)
      : kernel_(kernel), depth_(depth), suffixes_(v.size()) {
    for (std::size_t r = 0; r < u.size(); ++r) {
      if (u[r] != 0) from_.push_back({static_cast<std::uint32_t>(r), u[r]});
    }
    for (std::size_t s = 0; s < v.size(); ++s) {
      if (v[s] == 0) continue;
      to_.push_back(static_cast<std::uint32_t>(s));
      room_.push_back(v[s]);
    }
    const double most = room_.empty() ? 1 : *std::max_element(room_.begin(), room_.end());
    for (const double room : room_) share_.push_back(std::max(room / most, kLeastShare));
    kept_.resize(to_.size());
    if (from_.size() * to_.size() > most_gathered) return;
    gathered_.reserve(from_.size() * to_.size());
    for (const From& from : from_) {
      gather(from);
      gathered_.insert(gathered_.end(), kept_.begin(), kept_.end());
    }
  }

  bool in_range() const {
    const auto fits = [](double weight) { return weight > kLeastWeight && weight < kMostWeight; };
    return std::all_of(room_.begin(), room_.end(), fits) &&
           std::all_of(from_.begin(), from_.end(), [&](const From& from) { return fits(from.weight); });
  }

  // Returns the largest load; infinity if some r can move to no s.
  double round(const std::function<void()>& look) {
    load_.assign(to_.size(), 0);
    for (std::size_t r = 0; r < from_.size(); ++r) {
      if ((r & 0xff) == 0xff) look();
      const double* kept = row(r);
      double sum = 0;
      for (std::size_t s = 0; s < to_.size(); ++s) {
        const double square = kept[s] * kept[s];
        sum += square * square * share_[s];
      }
      if (sum == 0) return kInfinity;
      const double scale = from_[r].weight / sum;
      for (std::size_t s = 0; s < to_.size(); ++s) load_[s] += scale * (kept[s] * kept[s] * kept[s] * share_[s]);
    }
    double most = 0;
    for (std::size_t s = 0; s < to_.size(); ++s) most = std::max(most, load_[s] / room_[s]);
    return most;
  }

  // Returns m by suffix; 0 where v has no weight.
  std::vector<double> shares() const {
    std::vector<double> shares(suffixes_, 0);
    for (std::size_t s = 0; s < to_.size(); ++s) shares[to_[s]] = share_[s];
    return shares;
  }
  void take_shares(const std::vector<double>& shares) {
    for (std::size_t s = 0; s < to_.size(); ++s) share_[s] = shares[to_[s]];
  }

  // Increases the m_s of suffixes below the largest load, for the next round.
  void improve(double most) {
    constexpr double kStep = 0.7;
    constexpr double kMostGrowth = 1e3;
    double largest = 0;
    for (std::size_t s = 0; s < to_.size(); ++s) {
      share_[s] *= std::min(kMostGrowth, std::pow(most * room_[s] / load_[s], kStep));
      largest = std::max(largest, share_[s]);
    }
    for (double& share : share_) share = std::max(share / largest, kLeastShare);
  }

 private:
  struct From {
    std::uint32_t suffix;
    double weight;
  };

  const double* row(std::size_t r) {
    if (!gathered_.empty()) return &gathered_[r * to_.size()];
    gather(from_[r]);
    return kept_.data();
  }
  void gather(const From& from) {
    const double* whole = kernel_.row(depth_, from.suffix);
    for (std::size_t s = 0; s < to_.size(); ++s) kept_[s] = whole[to_[s]] < kLeastKept ? 0 : whole[to_[s]];
  }

  LossKernel& kernel_;
  std::size_t depth_;
  std::size_t suffixes_;
  std::vector<From> from_;
  std::vector<std::uint32_t> to_;
  std::vector<double> room_, share_, load_;
  std::vector<double> kept_, gathered_;
};

// u, v, the kernel and each of the sums have this relative error.
double with_rounding(double most, double error) { return most * (1 + 8 * error); }

}  // namespace

RefinedBound refined_bound(LossKernel& kernel, std::size_t depth, const std::vector<double>& u,
                           const std::vector<double>& v, double error, const Refining& refining,
                           const std::function<void()>& look) {
  Plan plan(kernel, depth, u, v, refining.most_gathered);
  RefinedBound best;
  if (!plan.in_range()) return best;
  for (int round = 0; round < refining.rounds; ++round) {
    look();
    const double most = plan.round(look);
    const double before = best.ratio;
    if (with_rounding(most, error) < before) best = {with_rounding(most, error), plan.shares()};
    if (best.ratio < refining.enough || !std::isfinite(most)) break;
    if (round > 0 && best.ratio > before * (1 - refining.least_gain)) break;
    // The gains of rounds decrease. Stop if even the last gain, repeated, would not be enough.
    const bool hopeless =
        round > 0 && best.ratio * std::pow(best.ratio / before, refining.rounds - round) > refining.enough;
    if (refining.only_if_enough && hopeless) break;
    plan.improve(most);
  }
  return best;
}

double plan_bound(LossKernel& kernel, std::size_t depth, const std::vector<double>& u, const std::vector<double>& v,
                  const std::vector<double>& shares, double error, const std::function<void()>& look) {
  Plan plan(kernel, depth, u, v, 0);
  if (!plan.in_range()) return kInfinity;
  plan.take_shares(shares);
  return with_rounding(plan.round(look), error);
}

}  // namespace oddsbound::engine
