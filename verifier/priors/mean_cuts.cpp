#include "verifier/priors/mean_cuts.h"

#include <cmath>

#include "verifier/exact/interval.h"

namespace oddsbound::priors {

namespace {

constexpr std::size_t kMostMeans = 2000;
constexpr int kHalvings = 40;
// Relative accuracy of means in doubles; and the bound up to which a sum counts as 0.
constexpr double kNear = 1e-9, kRoom = 1e-13;

std::vector<double> rounded(const std::vector<Number>& numbers) {
  std::vector<double> result;
  result.reserve(numbers.size());
  for (const Number& number : numbers) result.push_back(number.approx());
  return result;
}

Number simple(double low, double high) {
  return exact::simplest_between(exact::number_of(low), exact::number_of(high));
}

// Returns the last point of [low, high] that passes, if all points before it pass.
template <typename Passes>
double last_that(double low, double high, Passes passes) {
  for (int round = 0; round < kHalvings; ++round) {
    const double middle = (low + high) / 2;
    (passes(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace

MeanCutter::MeanCutter(const RowQuestion& question, const std::vector<Number>& column, std::uint32_t from,
                       std::uint32_t to, double bound, const std::optional<Number>& tight_at, Budget& budget)
    : question_(question),
      column_(rounded(column)),
      from_(from),
      to_(to),
      bound_(bound),
      tight_at_(tight_at),
      tight_(tight_at ? tight_at->approx() : -1),
      budget_(budget) {}

// Returns (1 - share) (n - mean m) - share (bound k - mean l). If it is <= 0 for all rows, the mean does not
// separate the two sides.
double MeanCutter::weighed(const Sums& sums, double mean, double share) const {
  return (1 - share) * (sums.n - mean * sums.m) - share * (bound_ * sums.k - mean * sums.l);
}

MeanCutter::Sums MeanCutter::farthest(const Rows& rows, double mean, double share) const {
  std::vector<Sums> leaves(column_.size());
  for (std::size_t x = 0; x < leaves.size(); ++x) {
    if (question_.label_of[x] == from_) leaves[x] = {column_[x], 1, 0, 0};
    if (question_.label_of[x] == to_) leaves[x] = {0, 0, column_[x], 1};
  }
  std::vector<double> weights;
  return question_.rows.fold(
      NetworkRows::kAnyLast, std::move(leaves), [&](std::size_t row, std::span<const Sums> values) {
        budget_.check_every();
        weights.clear();
        for (const Sums& value : values) weights.push_back(weighed(value, mean, share));
        Sums sum;
        fill_row(
            rows[row].lower, rows[row].upper, [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; },
            [&](std::size_t k, double mass) {
              sum.n += mass * values[k].n;
              sum.m += mass * values[k].m;
              sum.k += mass * values[k].k;
              sum.l += mass * values[k].l;
            });
        return sum;
      });
}

bool MeanCutter::passes(const Rows& rows, double mean, double share, double room) const {
  return weighed(farthest(rows, mean, share), mean, share) <= room;
}

// For share 1 returns the smallest bound * P(output | to), for share 0 the largest P(output | from); by
// Dinkelbach's algorithm.
double MeanCutter::farthest_mean(const Rows& rows, double share, double mean) const {
  for (int round = 0; round < kHalvings; ++round) {
    const Sums sums = farthest(rows, mean, share);
    const double joint = share == 1 ? bound_ * sums.k : sums.n, mass = share == 1 ? sums.l : sums.m;
    if (weighed(sums, mean, share) <= 0 || mass <= 0) break;
    const double next = joint / mass;
    if (share == 1 ? next >= mean : next <= mean) break;
    mean = next;
  }
  return mean;
}

// Returns the shares that prove a mean: the smallest one, and the best one, which leaves the largest margin.
std::optional<MeanCutter::Shares> MeanCutter::shares_at(const Rows& rows, double mean, double room) {
  const double best = last_that(0, 1, [&](double share) {
    const Sums sums = farthest(rows, mean, share);
    return (sums.n - mean * sums.m) + (bound_ * sums.k - mean * sums.l) >= 0;  // a larger share decreases the sum
  });
  if (!passes(rows, mean, best, room)) {
    const Sums sums = farthest(rows, mean, best);
    is_hopeless_ = is_hopeless_ || weighed(sums, mean, best) < kNear * (sums.m + sums.l);
    return std::nullopt;
  }
  const double too_little = last_that(0, best, [&](double share) { return !passes(rows, mean, share, room); });
  return Shares{std::min(best, too_little + best * 0x1p-39), best};
}

// Returns the largest mean for which the share suffices.
double MeanCutter::reach(const Rows& rows, double mean, double most, double share, double room) const {
  if (passes(rows, most, share, room)) return most;
  return last_that(mean, most, [&](double q) { return passes(rows, q, share, room); });
}

// Covers the means from below the smallest value of the one side to above the largest of the other.
std::optional<MeanCuts> MeanCutter::climb(const Rows& rows, double least, double most) {
  MeanCuts cuts{{least > 0 ? simple(least * (1 - 1e-3), least * (1 - kNear)) : Number(0)}, {}};
  const double end = most * (1 + 1e-3);
  for (double mean = cuts.means.front().approx(); mean < most; mean = cuts.means.back().approx()) {
    const bool is_tight = tight_ > 0 && mean >= tight_ * (1 - kNear) && mean <= tight_ * (1 + kNear);
    const std::optional<Shares> shares = shares_at(rows, mean, is_tight ? kRoom : 0);
    if (!shares || cuts.means.size() > kMostMeans) return std::nullopt;
    const double width = shares->best - shares->least;
    cuts.shares.push_back(simple(shares->least + width / 64, shares->least + width / 4));
    const double share = cuts.shares.back().approx();
    const double far = reach(rows, mean, end, share, 0);
    if (far >= end) {
      cuts.means.push_back(simple(most * (1 + kNear), end));
    } else if (mean < tight_ * (1 - kNear) && reach(rows, mean, tight_, share, kRoom) >= tight_ * (1 - kNear)) {
      cuts.means.push_back(*tight_at_);
    } else if (far > mean * (1 + kNear)) {
      cuts.means.push_back(simple(mean + (far - mean) * 0.9, mean + (far - mean) * 0.999));
    } else {
      return std::nullopt;
    }
  }
  return cuts;
}

std::optional<MeanCuts> MeanCutter::cut(const IntervalBox& box) {
  if (!std::isfinite(bound_)) return std::nullopt;
  Rows rows;
  for (const IntervalNode::Row& row : box) rows.push_back({rounded(row.lower), rounded(row.upper)});
  const double least = farthest_mean(rows, 1, bound_), most = farthest_mean(rows, 0, 0);
  // A single mean suffices if it is at most all of the one side and at least all of the other.
  if (tight_ >= most * (1 - kNear) && tight_ <= least * (1 + kNear)) return MeanCuts{{*tight_at_}, {}};
  if (most < least) return MeanCuts{{simple(most + (least - most) / 4, least - (least - most) / 4)}, {}};
  return climb(rows, least, most);
}

}  // namespace oddsbound::priors
