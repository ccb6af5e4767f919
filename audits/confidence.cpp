#include "audits/confidence.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "verifier/exact/ball.h"
#include "verifier/exact/rounding.h"

namespace oddsbound::audits {

namespace {

constexpr slong kBits = Ball::kBits;
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

double up(double value) { return std::nextafter(value, kInfinity); }
double down(double value) { return std::nextafter(value, -kInfinity); }

}  // namespace

double log_evidence(std::uint64_t n, std::uint64_t c, double q) {
  if (q >= 1 || c == 0) return -kInfinity;
  if (q <= 0) return kInfinity;
  // The part of the posterior above q: at least 1 - P(Bin(n, q) >= c), because the incomplete beta function falls in
  // its first parameter and grows in its second.
  const double above = down(1 - tail_bound(n, c, q));
  if (above <= 0) return -kInfinity;
  Ball sum, part;
  add_log_likelihood(sum, n, c, q);
  arb_neg(sum.get(), sum.get());
  for (const std::uint64_t twice : {2 * c + 1, 2 * (n - c) + 1}) {
    log_gamma_of_half(part, twice);
    arb_add(sum.get(), sum.get(), part.get(), kBits);
  }
  log_gamma_of_half(part, 2 * (n + 1));
  arb_sub(sum.get(), sum.get(), part.get(), kBits);
  arb_log(part.get(), Ball(above).get(), kBits);
  arb_add(sum.get(), sum.get(), part.get(), kBits);
  // The prior's own mass above q times B(1/2, 1/2) = pi: pi - 2 asin(sqrt(q)).
  Ball prior, pi;
  arb_sqrt(prior.get(), Ball(q).get(), kBits);
  arb_asin(prior.get(), prior.get(), kBits);
  arb_mul_2exp_si(prior.get(), prior.get(), 1);
  arb_const_pi(pi.get(), kBits);
  arb_sub(prior.get(), pi.get(), prior.get(), kBits);
  arb_log(prior.get(), prior.get(), kBits);
  arb_sub(sum.get(), sum.get(), prior.get(), kBits);
  return sum.below();
}

double anytime_lower_limit(std::uint64_t n, std::uint64_t c, double alpha) {
  if (c == 0) return 0;
  const double target = up(-std::log(alpha));
  double low = 0;
  double high = static_cast<double>(c) / static_cast<double>(n);
  for (int i = 0; i < 50; ++i) {
    const double middle = (low + high) / 2;
    (log_evidence(n, c, middle) >= target ? low : high) = middle;
  }
  return low;
}

double divergence_tail(double divergence, std::size_t cells) {
  const double free = static_cast<double>(cells) - 1;
  if (cells < 2) return divergence > 0 ? 0 : 1;
  if (divergence <= free) return 1;
  // Chernoff's bound at r = 1 - free / divergence. The last factor makes good what rounding took away.
  return std::exp(free - divergence + free * std::log(divergence / free)) * (1 + (divergence + 10) * 8 * kEpsilon);
}

double critical_divergence(double alpha, std::size_t cells) {
  double low = static_cast<double>(cells) - 1;
  double high = 4 * (low + 1 - std::log(alpha));
  while (divergence_tail(high, cells) > alpha) high *= 2;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (divergence_tail(middle, cells) <= alpha ? high : low) = middle;
  }
  return high;
}

Interval chernoff_interval(std::uint64_t n, std::uint64_t c, double alpha) {
  if (n == 0) return {};
  const double share = static_cast<double>(c) / static_cast<double>(n);
  const auto divergence = [&](double q) {
    const double in = c == 0 ? 0 : share * std::log(share / q);
    const double out = c == n ? 0 : (1 - share) * std::log((1 - share) / (1 - q));
    return static_cast<double>(n) * (in + out);
  };
  // In double n KL is off by less than 2^-49 n (terms of at most 1.1 in size but for q near 0 or 1, where the interval
  // does not end); the target is raised by more than that.
  const double target = -std::log(alpha) + 1e-6 + static_cast<double>(n) * 0x1p-48;
  // KL(p || q) is at least (p - q)^2 / (2 max(p, q)), so the ends are no farther than this. Nearer ones are tried: the
  // normal distribution has a factor of sqrt(1 - p), and for few successes halving finds the end.
  const double t = target / static_cast<double>(n);
  const auto end = [&](double far) {
    const double factor = std::sqrt(1 - share);
    for (const double part : {factor, (1 + 2 * factor) / 3, (2 + factor) / 3}) {
      const double near = share + (far - share) * part;
      if (near > 0 && near < 1 && divergence(near) >= target) return near;
    }
    return far;
  };
  constexpr std::uint64_t kFew = 200;
  const auto halved = [&](double inside, double outside) {
    for (int i = 0; i < 24; ++i) {
      const double middle = std::sqrt(inside * outside);
      (divergence(middle) >= target ? outside : inside) = middle;
    }
    return outside;
  };
  Interval result;
  const double high = std::min(1.0, share + t + std::sqrt(2 * share * t + t * t));
  if (c > 0 && c < kFew) {
    // c log(p / q) - (n p - n q) is below n KL.
    result.low = halved(share, share * std::exp(-1 - t / share)) * (1 - 8 * kEpsilon);
  } else if (c > 0) {
    result.low = end(std::max(0.0, share - std::sqrt(2 * share * t))) * (1 - 8 * kEpsilon);
  }
  if (c < n) result.high = std::min(1.0, (c > 0 && c < kFew ? halved(share, high) : end(high)) * (1 + 8 * kEpsilon));
  return result;
}

double share_of(const Level& level, std::size_t others) {
  if (level.is_infinite()) return 1;
  const Number share = level.exponential() / (level.exponential() + Number(static_cast<std::int64_t>(others)));
  return exact::rounded_above(share);
}

double share_of(double level, std::size_t others) {
  return std::min(1.0, 1 / (1 + static_cast<double>(others) * std::exp(-level)) * (1 + 16 * kEpsilon));
}

double level_of_share(double share, std::size_t others) {
  if (share >= 1) return kInfinity;
  Ball result, rest;
  const auto labels = static_cast<double>(others);
  if (share * labels <= 1 - share) return 0;
  arb_one(rest.get());
  arb_sub(rest.get(), rest.get(), Ball(share).get(), kBits);
  arb_mul(result.get(), Ball(share).get(), Ball(labels).get(), kBits);
  arb_div(result.get(), result.get(), rest.get(), kBits);
  arb_log(result.get(), result.get(), kBits);
  return std::max(0.0, result.below());
}

}  // namespace oddsbound::audits
