// Sums of many numbers (weighted_sum, sum_of of number.h): small fractions are added in machine words, all other
// rationals as a balanced tree that is reduced once, multiples of exp(r) as one polynomial. Below them, the binomial
// tails of number_sum.h.

#include "verifier/exact/number_sum.h"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "base/budget.h"
#include "base/errors.h"
#include "verifier/exact/interval.h"
#include "verifier/exact/number_detail.h"
#include "verifier/exact/quotient_process.h"

namespace oddsbound::exact {

namespace {

struct Fraction {
  Integer top;
  Integer bottom;
};

// Reduces an unreduced sum once its parts exceed twice the limit of a number. Throws LimitError if it is still too
// large.
Fraction checked(Fraction sum) {
  const std::size_t bits = std::max(bits_of(sum.top), bits_of(sum.bottom));
  Budget::work_on(bits);
  if (bits <= 2 * kMaxBits) return sum;
  const Rational reduced = within_budget(2 * bits, [&] { return Rational(sum.top, sum.bottom); });
  sum = {Integer(numerator(reduced)), Integer(denominator(reduced))};
  if (std::max(bits_of(sum.top), bits_of(sum.bottom)) > 4 * kMaxBits) {
    throw LimitError("a sum passes the limit of " + std::to_string(kMaxBits) + " bits");
  }
  return sum;
}

// Sums unreduced fractions as a balanced tree: most of the work is then in a few large multiplications.
Fraction tree_sum(std::span<const Fraction> terms) {
  if (terms.size() == 1) return terms[0];
  const std::size_t middle = terms.size() / 2;
  const Fraction left = tree_sum(terms.first(middle));
  const Fraction right = tree_sum(terms.subspan(middle));
  if (left.bottom == right.bottom) return {Integer(left.top + right.top), left.bottom};
  return checked({Integer(left.top * right.bottom + right.top * left.bottom), Integer(left.bottom * right.bottom)});
}

// Adds small fractions in machine words while their common denominator fits one.
class SmallSum {
 public:
  /// Adds numerator / denominator, each a product of two words. Returns false if the sum does not fit.
  bool add(Wide numerator, Wide denominator) {
    if (magnitude(numerator) > kWordMax || denominator > kWordMax) return false;
    if (denominator == denominator_) {
      numerator_ += numerator;
    } else if (denominator_ <= kLimit / denominator && magnitude(numerator_) <= kLimit) {
      numerator_ = numerator_ * denominator + numerator * denominator_;
      denominator_ *= denominator;
    } else {
      return false;
    }
    return true;
  }
  Fraction take() {
    const Fraction result{wide_integer(numerator_), wide_integer(denominator_)};
    numerator_ = 0;
    denominator_ = 1;
    return result;
  }

 private:
  static constexpr Wide kLimit = kWordMax;
  Wide numerator_ = 0;
  Wide denominator_ = 1;
};

Rational sum_rationals(std::vector<Fraction>& terms) {
  std::sort(terms.begin(), terms.end(), [](const Fraction& a, const Fraction& b) { return a.bottom < b.bottom; });
  std::vector<Fraction> merged;
  for (Fraction& term : terms) {
    if (!merged.empty() && merged.back().bottom == term.bottom) {
      merged.back().top += term.top;
    } else {
      merged.push_back(std::move(term));
    }
  }
  if (merged.empty()) return Rational(0);
  const Fraction total = tree_sum(merged);
  return within_budget(bits_of(total.top) + bits_of(total.bottom), [&] { return Rational(total.top, total.bottom); });
}

// Sets the value of a term as an unreduced fraction of words; false if it is not one.
bool fits_fraction(const WeightedTerm& term, std::int64_t& numerator, std::int64_t& denominator) {
  return term.value.fits_ratio(numerator, denominator);
}

bool fits_fraction(const FractionTerm& term, std::int64_t& numerator, std::int64_t& denominator) {
  if (term.other != nullptr) return term.other->fits_ratio(numerator, denominator);
  assert(term.denominator > 0);
  numerator = term.numerator;
  denominator = term.denominator;
  return true;
}

Number value_of_term(const WeightedTerm& term) { return term.value; }

Number value_of_term(const FractionTerm& term) {
  return term.other != nullptr ? *term.other : Number::ratio(term.numerator, term.denominator);
}

// c exp(r)
struct Monomial {
  Rational coefficient;
  Rational exponent;
};

// Adds multiples of powers of exp as the coefficients of one polynomial: adding one by one costs the degree each time.
// nullopt if a limit on numbers would be passed.
std::optional<Number> sum_of_monomials(std::span<const Monomial> terms) {
  Rational step(0), least(0), most(0);
  Integer denominator_of_all(1);
  for (const Monomial& term : terms) {
    step = rational_gcd(step, term.exponent);
    least = std::min(least, term.exponent);
    most = std::max(most, term.exponent);
    denominator_of_all = lcm(denominator_of_all, Integer(denominator(term.coefficient)));
    Budget::work_on(bits_of(denominator_of_all));
    if (bits_of(denominator_of_all) > kMaxBits) return std::nullopt;
  }
  // Every coefficient is written over the common denominator.
  constexpr std::size_t kMostBitsOfAll = std::size_t{1} << 30;
  if (most - least > kMaxDegree * step) return std::nullopt;
  if (bits_of(denominator_of_all) > kMostBitsOfAll / terms.size()) return std::nullopt;
  const auto place_of = [&](const Rational& exponent) {
    return numerator(Rational((exponent - least) / step)).template convert_to<slong>();
  };
  UnivariatePolynomial top, bottom;
  fmpz_poly_set_coeff_fmpz(bottom.get(), place_of(Rational(0)), Fmpz(denominator_of_all).get());
  Fmpz coefficient;
  for (const Monomial& term : terms) {
    const Rational scaled = term.coefficient * denominator_of_all;
    Budget::work_on(bits_of(denominator_of_all));
    const slong place = place_of(term.exponent);
    Fmpz added(Integer(numerator(scaled)));
    fmpz_poly_get_coeff_fmpz(coefficient.get(), top.get(), place);
    fmpz_add(coefficient.get(), coefficient.get(), added.get());
    fmpz_poly_set_coeff_fmpz(top.get(), place, coefficient.get());
  }
  if (fmpz_poly_is_zero(top.get())) return Number(0);
  return make_number(ExpQuotient(top.get(), bottom.get(), step));
}

Number sum_of_others(std::span<const Number> others) {
  std::vector<Monomial> monomials;
  Number total;
  std::vector<const Number*> added;
  for (const Number& other : others) {
    const ExpQuotient* quotient = quotient_of(other);
    Monomial monomial;
    if (quotient != nullptr && quotient->is_monomial(monomial.coefficient, monomial.exponent)) {
      monomials.push_back(std::move(monomial));
      added.push_back(&other);
    } else {
      total += other;
    }
  }
  if (monomials.empty()) return total;
  if (const std::optional<Number> sum = sum_of_monomials(monomials)) return total + *sum;
  for (const Number* other : added) total += *other;
  return total;
}

template <typename Term>
Number sum_of_terms(std::span<const Term> terms) {
  constexpr std::size_t kFew = 8;
  if (terms.size() <= kFew) {
    Number total;
    for (const Term& term : terms) total += term.weight * value_of_term(term);
    return total;
  }
  std::vector<Fraction> rationals;
  std::vector<Number> others;
  SmallSum small;
  for (const Term& term : terms) {
    std::int64_t wn = 0, wd = 1, vn = 0, vd = 1;
    if (term.weight.is_zero()) continue;
    if (term.weight.fits_ratio(wn, wd) && fits_fraction(term, vn, vd)) {
      if (vn == 0) continue;
      const Wide numerator = static_cast<Wide>(wn) * vn;
      const Wide denominator = static_cast<Wide>(wd) * vd;
      if (small.add(numerator, denominator)) continue;
      rationals.push_back(small.take());
      if (!small.add(numerator, denominator)) rationals.push_back({wide_integer(numerator), wide_integer(denominator)});
      continue;
    }
    const Number value = value_of_term(term);
    if (value.is_zero()) continue;
    if (term.weight.is_rational() && value.is_rational()) {
      Budget::work_on(term.weight.bits() + value.bits());
      const Rational product = rational_of(term.weight) * rational_of(value);
      rationals.push_back({Integer(numerator(product)), Integer(denominator(product))});
    } else {
      others.push_back(term.weight * value);
    }
  }
  rationals.push_back(small.take());
  return make_number(sum_rationals(rationals)) + sum_of_others(others);
}

}  // namespace

Number weighted_sum(std::span<const WeightedTerm> terms) { return sum_of_terms(terms); }

Number weighted_sum(std::span<const FractionTerm> terms) { return sum_of_terms(terms); }

Number sum_of(std::span<const Number> numbers) {
  std::vector<WeightedTerm> terms;
  terms.reserve(numbers.size());
  for (const Number& number : numbers) terms.push_back({Number(1), number});
  return weighted_sum(terms);
}

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// Adds log P(Bin(n, q) = c).
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

// Returns a lower bound on P(Bin(n, q) >= c): a partial sum of its terms. Each ratio of consecutive terms has
// relative error <= 6 epsilon.
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
  // From c on, each term is at most `ratio` < 1 times the previous one, and the ratios decrease: a geometric
  // series bounds the rest. Each ratio has relative error <= 6 epsilon, a product of k ratios <= 6 k epsilon; the
  // factor 1 + 16 steps epsilon below covers this.
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
