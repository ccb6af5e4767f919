#include "verifier/exact/binomial.h"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <limits>

#include "verifier/exact/ball.h"

namespace oddsbound::exact {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// The log of P(Bin(n, q) = c).
void log_term(Ball& sum, std::uint64_t n, std::uint64_t c, double q) {
  Ball part;
  add_log_likelihood(sum, n, c, q);
  log_gamma_of_half(part, 2 * (n + 1));
  arb_add(sum.get(), sum.get(), part.get(), Ball::kBits);
  for (const std::uint64_t k : {c, n - c}) {
    log_gamma_of_half(part, 2 * (k + 1));
    arb_sub(sum.get(), sum.get(), part.get(), Ball::kBits);
  }
}

// At most P(Bin(n, q) >= c): some of its terms. Each ratio of two is off by at most 6 epsilon.
double part_of_tail(std::uint64_t n, std::uint64_t c, double q) {
  const double odds = q / (1 - q);
  double sum = 1;
  double term = 1;
  std::uint64_t k = c;
  for (; k < n && term > 0x1p-60 * sum; ++k) {
    term *= static_cast<double>(n - k) / static_cast<double>(k + 1) * odds;
    sum += term;
  }
  const double steps = static_cast<double>(k - c) + 10;
  Ball first;
  log_term(first, n, c, q);
  return std::exp(first.below()) * sum * (1 - 16 * steps * kEpsilon);
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
  Ball first;
  log_term(first, n, c, q);
  const double bound = std::exp(first.above()) * sum * (1 + 16 * steps * kEpsilon);
  return std::min(1.0, up(bound));
}

double beyond_lower_limit(std::uint64_t n, std::uint64_t c, double alpha, int bits) {
  const auto short_above = [bits](double value) {
    int exponent = 0;
    const double mantissa = std::frexp(value, &exponent);
    return std::ldexp(std::ceil(std::ldexp(mantissa, bits)), exponent - bits);
  };
  double limit = short_above(lower_limit(n, c, alpha));
  for (double step = std::ldexp(1, -bits); limit < 1 && part_of_tail(n, c, limit) <= alpha; step *= 4) {
    limit = short_above(limit * (1 + step));
  }
  return std::min(limit, 1.0);
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
