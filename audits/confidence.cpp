#include "audits/confidence.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "base/errors.h"
#include "verifier/exact/interval.h"

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
  // The posterior mass above q is at least 1 - P(Bin(n, q) >= c), because the incomplete beta function decreases in
  // its first parameter and increases in its second.
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
  // The prior mass above q, times B(1/2, 1/2) = pi, is pi - 2 asin(sqrt(q)).
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
  // Chernoff's bound at r = 1 - free / divergence. The last factor covers rounding errors.
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

ConfidenceInterval chernoff_interval(std::uint64_t n, std::uint64_t c, double alpha) {
  if (n == 0) return {};
  const double share = static_cast<double>(c) / static_cast<double>(n);
  const auto divergence = [&](double q) {
    const double in = c == 0 ? 0 : share * std::log(share / q);
    const double out = c == n ? 0 : (1 - share) * std::log((1 - share) / (1 - q));
    return static_cast<double>(n) * (in + out);
  };
  // In double, n KL has an error below 2^-49 n: terms are at most 1.1 in size, except for q near 0 or 1, where no end
  // lies. The target is raised by more than that.
  const double target = -std::log(alpha) + 1e-6 + static_cast<double>(n) * 0x1p-48;
  // KL(p || q) >= (p - q)^2 / (2 max(p, q)) bounds the distance of the ends. Nearer candidates are tried first: the
  // normal approximation has a factor sqrt(1 - p). For few successes bisection finds the end.
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
  ConfidenceInterval result;
  const double high = std::min(1.0, share + t + std::sqrt(2 * share * t + t * t));
  if (c > 0 && c < kFew) {
    // c log(p / q) - (n p - n q) <= n KL.
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

namespace {

using Row = std::vector<ConfidenceInterval>;

constexpr std::uint64_t kMostWork = 100'000'000;

// [input][output]
std::vector<Row> intervals_of(std::span<const Tally> stages, double each, Budget& budget) {
  std::vector<Row> rows(stages[0].rows(), Row(stages[0].outputs()));
  for (const Tally& stage : stages) {
    for (std::uint64_t x = 0; x < stage.rows(); ++x) {
      budget.check();
      const std::uint64_t runs = stage.total(x);
      if (runs == 0) continue;
      for (std::uint64_t y = 0; y < stage.outputs(); ++y) {
        const ConfidenceInterval found = chernoff_interval(runs, stage.at(x, y), each);
        rows[x][y] = {std::max(rows[x][y].low, found.low), std::min(rows[x][y].high, found.high)};
      }
    }
  }
  return rows;
}

// The intervals of a mixture of inputs. Weights are rounded to the safe side.
Row mixed(const Side& side, const std::vector<Row>& rows) {
  assert(side.inputs.size() == side.probabilities.size());
  if (side.inputs.size() == 1) return rows[side.inputs[0]];
  Row result(rows[0].size(), ConfidenceInterval{0, 0});
  constexpr double kRoom = 1e-12;  // far above the rounding error of the sum
  for (std::size_t i = 0; i < side.inputs.size(); ++i) {
    const double low = exact::rounded_below(side.probabilities[i]);
    const double high = exact::rounded_above(side.probabilities[i]);
    for (std::size_t y = 0; y < result.size(); ++y) {
      result[y].low += low * rows[side.inputs[i]][y].low;
      result[y].high += high * rows[side.inputs[i]][y].high;
    }
  }
  for (ConfidenceInterval& interval : result)
    interval = {interval.low * (1 - kRoom), std::min(1.0, interval.high * (1 + kRoom))};
  return result;
}

double loss_between(double above, double below) {
  if (above <= 0) return 0;
  return below <= 0 ? std::numeric_limits<double>::infinity() : std::log(above / below);
}

void widen(LevelBounds& bounds) {
  bounds.low = std::max(0.0, bounds.low * (1 - 1e-14) - 1e-14);
  bounds.high = bounds.high * (1 + 1e-14) + 1e-14;
}

// The lower bound from its two probabilities again, with the narrower Clopper-Pearson limits.
double narrowed(const Question& question, const LevelBounds& bounds, const Tally& stage, double each) {
  const Side& from = question.sides[bounds.from];
  const Side& to = question.sides[bounds.to];
  if (from.inputs.size() != 1 || to.inputs.size() != 1) return bounds.low;
  const std::uint64_t a = from.inputs[0], b = to.inputs[0];
  return std::max(bounds.low, loss_between(lower_limit(stage.total(a), stage.at(a, bounds.output), each),
                                           upper_limit(stage.total(b), stage.at(b, bounds.output), each)) *
                                  (1 - 1e-14));
}

LevelBounds bounds_of(const Question& question, const std::vector<Row>& rows, Budget& budget) {
  std::vector<Row> sides;
  for (const Side& side : question.sides) sides.push_back(mixed(side, rows));
  // A factor beyond the range of doubles may be rounded down in the upper bound, and makes the lower bound 0.
  const double factor = question.bounds_delta() ? question.at->exponential().approx() : 0;
  const double finite = std::min(factor, std::numeric_limits<double>::max());
  LevelBounds bounds;
  for (const auto& [from, to] : question.pairs) {
    budget.check_every();
    const Row& a = sides[from];
    const Row& b = sides[to];
    double low = 0, high = 0;
    for (std::size_t y = 0; y < a.size(); ++y) {
      if (question.bounds_delta()) {
        if (b[y].high > 0) low += std::max(0.0, a[y].low - factor * b[y].high);
        if (b[y].high <= 0) low += a[y].low;
        high += std::max(0.0, a[y].high - finite * b[y].low);
        continue;
      }
      high = std::max(high, loss_between(a[y].high, b[y].low));
      const double here = loss_between(a[y].low, b[y].high);
      if (here > bounds.low) bounds = {here, bounds.high, from, to, y};
    }
    bounds.high = std::max(bounds.high, high);
    if (question.bounds_delta() && low > bounds.low) bounds = {low, bounds.high, from, to, 0};
  }
  widen(bounds);
  if (question.bounds_delta()) bounds.high = std::min(1.0, bounds.high);
  return bounds;
}

}  // namespace

std::vector<LevelBounds> bounds_from_intervals(std::span<const Question> questions, std::span<const Tally> stages,
                                               double alpha, Budget& budget) {
  std::uint64_t work = 0;
  for (const Question& question : questions) work += question.pairs.size() * stages[0].outputs();
  if (work > kMostWork) throw LimitError("more than 10^8 pairs and outputs to compare");
  // Every end of every interval may fail.
  const double each = alpha / (2 * static_cast<double>(stages.size() * stages[0].rows() * stages[0].outputs()));
  const std::vector<Row> rows = intervals_of(stages, each, budget);
  std::vector<LevelBounds> bounds;
  for (const Question& question : questions) {
    LevelBounds& found = bounds.emplace_back(bounds_of(question, rows, budget));
    if (stages.size() == 1 && found.low > 0 && !question.bounds_delta()) {
      found.low = narrowed(question, found, stages[0], each);
    }
  }
  return bounds;
}

}  // namespace oddsbound::audits
