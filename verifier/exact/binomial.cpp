#include "verifier/exact/binomial.h"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <limits>

#include "verifier/exact/ball.h"

namespace oddsbound::exact {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// An upper bound of the log of P(Bin(n, q) = c).
double log_term(std::uint64_t n, std::uint64_t c, double q) {
  Ball sum, part;
  add_log_likelihood(sum, n, c, q);
  log_gamma_of_half(part, 2 * (n + 1));
  arb_add(sum.get(), sum.get(), part.get(), Ball::kBits);
  for (const std::uint64_t k : {c, n - c}) {
    log_gamma_of_half(part, 2 * (k + 1));
    arb_sub(sum.get(), sum.get(), part.get(), Ball::kBits);
  }
  return sum.above();
}

double up(double value) { return std::nextafter(value, std::numeric_limits<double>::infinity()); }

}  // namespace

double tail_bound(std::uint64_t n, std::uint64_t c, double q) {
  if (c == 0 || q >= 1) return 1;
  if (c > n || q <= 0) return 0;
  if (static_cast<double>(c) <= static_cast<double>(n) * q * (1 + 4 * kEpsilon)) return 1;
  // From c on each term is at most `ratio` < 1 times the one before, and ratios fall. Ratios are off by at most 6
  // epsilon, so the product of k of them by 6 k epsilon, which the last line makes good many times over.
  const double odds = q / (1 - q);
  double sum = 1;
  double term = 1;
  double ratio = 0;
  std::uint64_t k = c;
  for (; k < n; ++k) {
    ratio = static_cast<double>(n - k) / static_cast<double>(k + 1) * odds;
    term *= ratio;
    sum += term;
    if (term < 0x1p-60 * (1 - ratio)) break;
  }
  if (k < n) sum += term * ratio / (1 - ratio);
  const double steps = static_cast<double>(k - c) + 10;
  const double bound = std::exp(log_term(n, c, q)) * sum * (1 + 16 * steps * kEpsilon);
  return std::min(1.0, up(bound));
}

double lower_limit(std::uint64_t n, std::uint64_t c, double alpha) {
  if (c == 0) return 0;
  double limit = boost::math::ibeta_inv(static_cast<double>(c), static_cast<double>(n - c + 1), alpha);
  for (double step = 0x1p-50; tail_bound(n, c, limit) > alpha; step *= 4) limit *= 1 - step;
  return limit;
}

double upper_limit(std::uint64_t n, std::uint64_t c, double alpha) {
  return n == c ? 1 : std::min(1.0, up(1 - lower_limit(n, n - c, alpha)));
}

}  // namespace oddsbound::exact
