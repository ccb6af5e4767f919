#include "verifier/priors/bets.h"

#include <algorithm>
#include <cmath>

#include "verifier/exact/interval.h"

namespace oddsbound::priors {

namespace {

std::size_t place_of(const Tally& tally, bool largest) {
  const auto [least, most] = std::minmax_element(tally.values.begin(), tally.values.end());
  return static_cast<std::size_t>((largest ? most : least) - tally.values.begin());
}

// A distribution with an extreme mean that one sample contradicts least. Each draw has the weight scale /
// (distance + gap), where gap is the distance of its value from the extreme value; the mass missing to 1 is on the
// extreme value itself.
struct Tilt {
  double distance = 0, scale = 0;
  double mean = 0;
  std::vector<double> weights;
  double more = 0;
};

// The doubles here are proposals: their results are proven (is_proven, is_allowed) or not used.
class Side {
 public:
  Side(const Tally& tally, std::size_t extreme) : extreme_(tally.values[extreme].approx()) {
    draws_ = static_cast<double>(tally.draws);
    for (std::size_t k = 0; k < tally.values.size(); ++k) {
      const Number gap = tally.values[k] - tally.values[extreme];
      gaps_.push_back(std::fabs(gap.approx()));
      values_.push_back(tally.values[k].approx());
      shares_.push_back(tally.counts[k] == 0 ? 0 : static_cast<double>(tally.counts[k]) / draws_);
      if (tally.counts[k] == 0) continue;
      widest_ = std::max(widest_, gaps_.back());
      nearest_ = std::min(nearest_, gaps_.back());
    }
  }

  // True if no draw has another value than the extreme one. The bound of the mean is then the extreme value, at no
  // cost.
  bool is_settled() const { return draws_ == 0 || widest_ == 0; }

  // Returns the distribution with the farthest mean that the draws contradict by at most `nats` (draws times
  // divergence).
  Tilt farthest(double nats) const {
    if (is_settled()) return {0, 0, extreme_, std::vector<double>(values_.size(), 1), draws_ == 0 ? 1.0 : 0.0};
    const double each = nats / draws_;
    if (nearest_ > 0 && divergence(0) <= each) return tilt(0, std::exp(mean_log(0) - each));
    double low = std::log(widest_) - 690, high = std::log(widest_) + 30;
    for (int i = 0; i < 90; ++i) {
      const double middle = (low + high) / 2;
      (divergence(std::exp(middle)) > each ? low : high) = middle;
    }
    return tilt(std::exp(high), 1 / mean_inverse(std::exp(high)));
  }

  double draws() const { return draws_; }

 private:
  template <typename Function>
  double sum(Function function) const {
    double total = 0;
    for (std::size_t k = 0; k < gaps_.size(); ++k) total += shares_[k] == 0 ? 0 : shares_[k] * function(gaps_[k]);
    return total;
  }
  double mean_log(double distance) const {
    return sum([&](double gap) { return std::log(distance + gap); });
  }
  double mean_inverse(double distance) const {
    return sum([&](double gap) { return 1 / (distance + gap); });
  }
  // Returns the divergence of the empirical distribution from the tilt with this distance and without additional
  // mass on the extreme value.
  double divergence(double distance) const {
    if (distance < widest_) return mean_log(distance) + std::log(mean_inverse(distance));
    return sum([&](double gap) { return std::log1p(gap / distance); }) +
           std::log1p(-sum([&](double gap) { return gap / (distance + gap); }));
  }
  Tilt tilt(double distance, double scale) const {
    Tilt result{distance, scale, 0, {}, 0};
    double mass = 0;
    for (std::size_t k = 0; k < gaps_.size(); ++k) {
      result.weights.push_back(shares_[k] == 0 ? 0 : scale / (distance + gaps_[k]));
      mass += shares_[k] * result.weights[k];
      result.mean += shares_[k] * result.weights[k] * values_[k];
    }
    if (distance == 0) result.more = std::max(0.0, 1 - mass);
    result.mean += result.more * extreme_;
    return result;
  }

  std::vector<double> gaps_, values_, shares_;
  double draws_ = 0, extreme_ = 0, widest_ = 0, nearest_ = HUGE_VAL;
};

struct Farthest {
  Tilt from, to;
  bool mostly_from = false;  // more than half of the nats are spent on `from`
};

// Returns the distributions with the largest quotient that both samples together contradict by at most `nats`. As
// a function of the nats spent on the first sample, the numerator is concave and the denominator convex, so the
// quotient has one peak.
Farthest farthest(const Side& from, const Side& to, double nats) {
  double low = 0, high = nats;
  if (from.is_settled()) high = 0;
  // If the mean of `to` can be 0 at no cost, all nats are spent on `from`.
  if (high > 0 && (to.is_settled() || to.farthest(0).mean == 0)) low = nats;
  for (int i = 0; i < 60 && low < high; ++i) {
    const double middle = (low + high) / 2;
    const Tilt up = from.farthest(middle), down = to.farthest(nats - middle);
    (up.scale / (from.draws() * up.mean) > down.scale / (to.draws() * down.mean) ? low : high) = middle;
  }
  return {from.farthest(low), to.farthest(nats - low), 2 * low > nats};
}

std::int64_t whole(std::uint64_t count) { return static_cast<std::int64_t>(count); }

// Adds -log r(draws).
void add_regret(Ball& sum, std::uint64_t draws) {
  Ball part;
  log_gamma_of_half(part, 2 * draws + 1);
  arb_add(sum.get(), sum.get(), part.get(), Ball::kBits);
  log_gamma_of_half(part, 2 * draws + 2);
  arb_sub(sum.get(), sum.get(), part.get(), Ball::kBits);
  log_gamma_of_half(part, 1);  // sqrt(pi)
  arb_sub(sum.get(), sum.get(), part.get(), Ball::kBits);
}

// Adds -log(r(n) r(m) / alpha).
void subtract_log_threshold(Ball& sum, std::uint64_t draws_from, std::uint64_t draws_to, const Number& alpha) {
  add_regret(sum, draws_from);
  add_regret(sum, draws_to);
  add_log(sum, 1, alpha);
}
void subtract_log_threshold(Ball& sum, const Tally& from, const Tally& to, const Number& alpha) {
  subtract_log_threshold(sum, from.draws, to.draws, alpha);
}

}  // namespace

double log_threshold_above(std::uint64_t draws_from, std::uint64_t draws_to, const Number& alpha) {
  Ball sum;
  subtract_log_threshold(sum, draws_from, draws_to, alpha);
  return -sum.below();
}

std::size_t Tally::largest() const { return place_of(*this, true); }
std::size_t Tally::smallest() const { return place_of(*this, false); }

QuotientOfMeans::QuotientOfMeans(Tally from, Tally to, const Number& alpha)
    : from_(std::move(from)), to_(std::move(to)), alpha_(alpha) {
  const Number& most = from_.values[from_.largest()];
  const Number& least = to_.values[to_.smallest()];
  bound_ = {Ratio::of(most, least), Number(0), Number(0)};
  const Side up(from_, from_.largest()), down(to_, to_.smallest());
  if (most.is_zero() || (up.is_settled() && down.is_settled())) return;
  Ball minus_log_threshold;
  subtract_log_threshold(minus_log_threshold, from_, to_, alpha_);
  const Number draws(whole(from_.draws + to_.draws));
  // A threshold slightly above the required one leaves room for the rounding of doubles.
  for (double slack = 0x1p-40; slack < 1; slack *= 16) {
    const Farthest found = farthest(up, down, -minus_log_threshold.below() * (1 + slack));
    if (found.to.mean == 0) return;
    const Number ratio = rounded_up(number_of(found.from.mean / found.to.mean), kCoarse);
    if (!bound_.ratio.infinite && Surd(ratio) >= bound_.ratio.value) return;
    // The bet on an extreme value may be exactly 0; rounding must not make it negative.
    constexpr double kLess = 1 - 0x1p-45;
    QuotientBound tried{Ratio{ratio}, Number(0), Number(0)};
    // The slope is taken from the side with the larger cost: a side without cost may have a corner there, and no
    // slope.
    if (found.mostly_from) {
      tried.slope = number_of(up.draws() / found.from.scale * kLess);
      tried.shift = tried.slope * (most + number_of(found.from.distance));
    } else {
      const Number slope = number_of(down.draws() / found.to.scale * kLess);
      tried.slope = slope / ratio;
      tried.shift = draws - slope * (number_of(found.to.distance) - least);
    }
    if (!is_proven(tried)) continue;
    bound_ = tried;
    return;
  }
}

bool QuotientOfMeans::is_proven(const QuotientBound& bound) const {
  Ball sum;
  const auto add = [&](const Tally& tally, const Number& extreme, const auto& bet) {
    if (bet(extreme).sign() < 0) return false;
    const Number draws(whole(tally.draws));
    for (std::size_t k = 0; k < tally.values.size(); ++k) {
      if (tally.counts[k] == 0) continue;
      const Number value = bet(tally.values[k]);
      if (value.sign() <= 0) return false;
      add_log(sum, whole(tally.counts[k]), value / draws);
    }
    return true;
  };
  const Number draws(whole(from_.draws + to_.draws));
  const Number rise = bound.slope * bound.ratio.value.plain();
  if (!add(from_, from_.values[from_.largest()], [&](const Number& f) { return bound.shift - bound.slope * f; })) {
    return false;
  }
  if (!add(to_, to_.values[to_.smallest()], [&](const Number& g) { return draws - bound.shift + rise * g; })) {
    return false;
  }
  subtract_log_threshold(sum, from_, to_, alpha_);
  return sum.below() >= 0;
}

NearMeans QuotientOfMeans::near() const {
  Ball sum;
  subtract_log_threshold(sum, from_, to_, alpha_);
  const double log_threshold = -sum.above();
  for (double slack = 0x1p-28; slack < 1; slack *= 16) {
    NearMeans near = at_threshold(log_threshold * (1 - slack));
    if (is_allowed(near)) return near;
  }
  return at_threshold(0);
}

NearMeans QuotientOfMeans::at_threshold(double log_threshold) const {
  constexpr double kUnit = 1e15;
  const Farthest found = farthest(Side(from_, from_.largest()), Side(to_, to_.smallest()), log_threshold);
  // Nine digits, for the same reason as kCoarse.
  const auto rounded = [](double weight) {
    const double units = std::max(1.0, kUnit * weight);
    const auto places = static_cast<std::int64_t>(std::max(0.0, std::floor(std::log10(units)) - 8));
    return number_of(std::floor(units / std::pow(10.0, static_cast<double>(places)))) * Number(10).pow(places);
  };
  const auto counted = [&](const Tilt& tilt, const Tally& tally, std::vector<Number>& weights) {
    for (const double weight : tilt.weights) weights.push_back(rounded(weight));
    const double draws = std::max(1.0, static_cast<double>(tally.draws));
    return tilt.more == 0 ? Number(0) : rounded(tilt.more * draws);
  };
  NearMeans near;
  near.from_more = counted(found.from, from_, near.from_weights);
  near.to_more = counted(found.to, to_, near.to_weights);
  return near;
}

bool QuotientOfMeans::is_allowed(const NearMeans& near) const {
  Ball sum;
  const auto add = [&](const Tally& tally, const std::vector<Number>& weights, const Number& more) {
    std::vector<WeightedTerm> terms{{Number(1), more}};
    for (std::size_t k = 0; k < weights.size(); ++k) terms.push_back({weights[k], Number(whole(tally.counts[k]))});
    const Number mass = weighted_sum(terms) / Number(std::max<std::int64_t>(1, whole(tally.draws)));
    for (std::size_t k = 0; k < weights.size(); ++k) {
      if (tally.counts[k] > 0) add_log(sum, whole(tally.counts[k]), mass / weights[k]);
    }
  };
  add(from_, near.from_weights, near.from_more);
  add(to_, near.to_weights, near.to_more);
  subtract_log_threshold(sum, from_, to_, alpha_);
  return sum.above() < 0;
}

}  // namespace oddsbound::priors
