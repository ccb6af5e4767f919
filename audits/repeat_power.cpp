#include "audits/repeat_power.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "audits/confidence.h"
#include "audits/repeats.h"

namespace oddsbound::audits {

namespace {

constexpr double kLargestShare = 0.5;
constexpr double kSmallestShare = 1e-7;

// The parameters of the bound on the probability that the log product stays too small.
struct BettingRule {
  double bet = 0, theta = 0;
  double curve = 0;  // C
};

BettingRule choice_of(double bet, double theta) {
  double curve = 0;
  for (const double d : {-2.0, -1.0, 1.0, 2.0}) {
    const double y = bet * d;
    curve = std::max(curve, (std::expm1(-theta * std::log1p(y)) + theta * y) / (y * y));
  }
  return {bet, theta, curve * (1 + 1e-6)};  // far above the rounding error for small y
}

// Moments of a row at a fraction s.
struct Moments {
  double unequal = 0;  // P(a != c), both fresh
  double extra = 0;    // E[(E D^2 - 2s - 2s^2) 1(a != c)]
  double most = 0;     // maximum of E D^2 - 2s - 2s^2
  bool has_pairs = false;
};

Moments moments_of(const RowShape& row, double s) {
  const double fresh = 1 - s;
  Moments moments;
  moments.unequal = row.unequal;
  moments.extra = 4 * fresh * row.sums - 4 * fresh * fresh * row.variance;
  moments.has_pairs = !row.pairs.empty();
  for (const auto& [sum, apart] : row.pairs) {
    moments.most = std::max(moments.most, 2 * fresh * sum - 2 * fresh * fresh * apart * apart);
  }
  return moments;
}

double gain_of(const Moments& moments, const BettingRule& choice, double s) {
  const double curve = choice.curve * choice.bet * choice.bet;
  const double slope = 2 * choice.theta * choice.bet * s - curve * (2 * s + 2 * s * s);
  const double both_fresh = (1 - s) * (1 - s);
  const double loss = moments.has_pairs ? std::max(0.0, curve * moments.most - slope) : 0;
  return both_fresh * (moments.unequal * slope - curve * moments.extra) - (1 - both_fresh) * loss;
}

// The bet and theta that are best if all inputs are run equally often and for which no input has a negative gain.
std::optional<BettingRule> choose(std::span<const Moments> rows, double s, double enough) {
  std::optional<BettingRule> best;
  double most = 0;
  for (const double bet : repeat_bets()) {
    if (bet < 0) continue;
    for (double theta = 0.05; theta < 2; theta *= 1.4) {
      const BettingRule choice = choice_of(bet, theta);
      double sum = 0, least = 0;
      for (const Moments& row : rows) {
        const double gain = gain_of(row, choice, s);
        sum += gain;
        least = std::min(least, gain);
      }
      const double value = sum / (theta * enough - std::log(kMissed));
      if (least < 0 || value <= most) continue;
      most = value;
      best = choice;
    }
  }
  return best;
}

bool is_found(std::span<const RowShape> rows, std::span<const std::uint64_t> fours, double enough, double s) {
  std::vector<Moments> moments;
  for (const RowShape& row : rows) moments.push_back(moments_of(row, s));
  const auto choice = choose(moments, s, enough);
  if (!choice) return false;
  double sum = 0;
  double all = 0;
  for (std::size_t x = 0; x < rows.size(); ++x) {
    all += static_cast<double>(fours[x]);
    sum += static_cast<double>(fours[x]) * gain_of(moments[x], *choice, s);
  }
  // The error of each gain is below 2^-44: a few products of numbers <= 10, of probabilities within 2^-50.
  return (sum - all * 0x1p-44) * (1 - 1e-9) >= choice->theta * enough - std::log(kMissed);
}

}  // namespace

RowShape::RowShape(std::span<const double> row) {
  std::vector<double> sorted;
  for (const double p : row) {
    if (p > 0) sorted.push_back(p);
    unequal += p * (1 - p);
    sums += p * p * (1 - p);
  }
  for (const double p : row) variance += p * (p - (1 - unequal)) * (p - (1 - unequal));
  std::sort(sorted.rbegin(), sorted.rend());
  // E D^2 grows with the smaller of two probabilities, so the next one in size is the worst partner of each. Among
  // these pairs, one with a smaller sum must be closer together than all before to be worse.
  double closest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i + 1 < sorted.size(); ++i) {
    const double apart = sorted[i] - sorted[i + 1];
    if (apart >= closest) continue;
    closest = apart;
    pairs.emplace_back(sorted[i] + sorted[i + 1], apart);
  }
}

std::optional<double> findable_share(std::span<const RowShape> rows, std::span<const std::uint64_t> fours,
                                     double enough) {
  double high = kLargestShare;
  while (high > 1e-3 && !is_found(rows, fours, enough, high)) high /= 2;
  if (!is_found(rows, fours, enough, high)) return std::nullopt;
  double low = kSmallestShare;
  for (int i = 0; i < 14; ++i) {
    const double middle = std::sqrt(low * high);
    (is_found(rows, fours, enough, middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace oddsbound::audits
