// m of the other people send 1 with probability `high`, the rest with probability `low`; C is the number of their
// ones. Each m takes O(n) doubles per event that is tried, and sqrt(n) where the masses are above 1e-290.
//
// Errors of doubles. A binomial mass is a product of at most n factors (n - i) / (i + 1) * p / (1 - p) of relative
// error 8 u, u = 2^-53, starting at the mode, divided by their sum: relative error below 20 n u. All sums are of
// non-negative terms. So P(C = t) and P(C >= t) have relative errors below 64 (n + 16) u, and absolute errors below
// 1e-270 for the masses that are left out.
#include "verifier/engine/shuffled_bits.h"

#include <arb.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "verifier/exact/interval.h"
#include "verifier/exact/number_detail.h"

namespace oddsbound::engine {

namespace {

constexpr double kDropped = 1e-290;   // masses relative to the largest one
constexpr double kAbsolute = 1e-270;  // a bound of the mass that is left out

// The masses of a binomial distribution, from `first` on, and their sums from each place on.
struct Masses {
  std::int64_t first = 0;
  std::vector<double> at, tail;

  std::int64_t last() const { return first + static_cast<std::int64_t>(at.size()) - 1; }
  double from(std::int64_t k) const {
    if (k <= first) return tail[0];
    return k > last() ? 0 : tail[static_cast<std::size_t>(k - first)];
  }
};

// The probability of a one, as doubles.
struct BitOdds {
  double p, odds;
  explicit BitOdds(const Number& chance)
      : p(chance.approx()), odds(chance.is_one() ? HUGE_VAL : (chance / (Number(1) - chance)).approx()) {}
};

void set_masses(std::uint64_t count, const BitOdds& bit, Masses& masses) {
  const auto n = static_cast<double>(count);
  masses.at.clear();
  masses.first = 0;
  if (bit.odds == 0 || count == 0) {
    masses.at = {1};
  } else if (bit.odds == HUGE_VAL) {
    masses.at = {1};
    masses.first = static_cast<std::int64_t>(count);
  } else {
    const double mode = std::clamp(std::floor((n + 1) * bit.p), 0.0, n);
    double mass = 1;
    for (double i = mode; i > 0 && mass > kDropped; --i) {
      mass *= i / ((n - i + 1) * bit.odds);
      masses.at.push_back(mass);
    }
    masses.first = static_cast<std::int64_t>(mode) - static_cast<std::int64_t>(masses.at.size());
    std::reverse(masses.at.begin(), masses.at.end());
    masses.at.push_back(1);
    mass = 1;
    for (double i = mode; i < n && mass > kDropped; ++i) {
      mass *= (n - i) * bit.odds / (i + 1);
      masses.at.push_back(mass);
    }
    double sum = 0;
    for (const double one : masses.at) sum += one;
    for (double& one : masses.at) one /= sum;
  }
  masses.tail.resize(masses.at.size());
  double sum = 0;
  for (std::size_t k = masses.at.size(); k-- > 0;) masses.tail[k] = sum += masses.at[k];
}

// A number of people with the larger probability, with the events that may be the best one, and bounds of their excess.
struct Candidate {
  std::uint64_t high;
  std::int64_t after, until;  // events of at least t ones, after < t <= until
  double lower, upper;
};

class Scan {
 public:
  Scan(const ShuffledBits& bits, const Number& factor, const Number& gain)
      : bits_(bits),
        others_(bits.people - 1),
        high_(bits.high),
        low_(bits.low),
        gain_(gain.approx()),
        loss_((factor - Number(1)).approx()) {
    error_ = 64 * (static_cast<double>(bits.people) + 16) * 0x1p-53;
  }

  Candidate at(std::uint64_t high) {
    set_masses(high, high_, a_);
    set_masses(others_ - high, low_, b_);
    // Up to the mode, which is within 1 of the mean (Darroch 1964), P(C = t - 1) <= P(C = t).
    const double mean = static_cast<double>(high) * high_.p + static_cast<double>(others_ - high) * low_.p;
    const auto first = std::max<std::int64_t>(a_.first + b_.first, static_cast<std::int64_t>(mean) - 2);
    const std::int64_t last = a_.last() + b_.last() + 1;
    std::int64_t below = first, above = last + 1;  // the excess of the count `below` is not positive
    const auto try_at = [&](std::int64_t t) {
      if (t <= below || t >= above) return;
      (excess_of(t) > 0 ? above : below) = t;
    };
    try_at(guess_);
    try_at(guess_ - 1);
    try_at(guess_ + 1);
    while (above - below > 1) try_at(below + (above - below) / 2);
    guess_ = above;
    const double left_out = kAbsolute * (1 + gain_ + loss_);
    Candidate found{high, above - 1, std::min(above, last), 0, left_out};
    while (found.after > first && !is_certain(found.after, false)) --found.after;
    while (found.until < last && !is_certain(found.until, true)) ++found.until;
    for (std::int64_t t = found.after + 1; t <= found.until; ++t) {
      const double gained = gain_ * probability(t - 1), lost = loss_ * at_least(t);
      const double slack = error_ * (gained + lost) + left_out;
      found.lower = std::max(found.lower, gained - lost - slack);
      found.upper = std::max(found.upper, gained - lost + slack);
    }
    // The best event may be one of masses that are left out.
    if (!is_certain(found.until, true)) found.until = static_cast<std::int64_t>(bits_.people);
    return found;
  }

 private:
  double probability(std::int64_t t) const {
    const std::int64_t from = std::max(a_.first, t - b_.last()), to = std::min(a_.last(), t - b_.first);
    double sum = 0;
    const double* a = a_.at.data() - a_.first;
    const double* b = b_.at.data() - b_.first;
    for (std::int64_t i = from; i <= to; ++i) sum += a[i] * b[t - i];
    return sum;
  }
  double at_least(std::int64_t t) const {
    double sum = 0;
    for (std::int64_t i = a_.first; i <= a_.last(); ++i) {
      sum += a_.at[static_cast<std::size_t>(i - a_.first)] * b_.from(t - i);
    }
    return sum;
  }
  // P - factor Q of exactly t ones.
  double excess_of(std::int64_t t) const { return gain_ * probability(t - 1) - (loss_ + gain_) * probability(t); }
  bool is_certain(std::int64_t t, bool positive) const {
    const double gained = gain_ * probability(t - 1), lost = (loss_ + gain_) * probability(t);
    const double slack = error_ * (gained + lost) + kAbsolute * (1 + gain_ + loss_);
    return positive ? gained - lost > slack : lost - gained > slack;
  }

  const ShuffledBits& bits_;
  std::uint64_t others_;
  BitOdds high_, low_;
  double gain_, loss_;  // p - factor q; factor - 1
  double error_;
  Masses a_, b_;
  std::int64_t guess_ = 0;
};

// Exact probabilities, as integers over a power of the common denominator.

struct ExactEvent {
  std::int64_t least = 0;
  Number p, q, excess;
};

// [i]: C(n, i) ones^i zeros^(n - i).
std::vector<Integer> binomial_terms(std::uint64_t n, const Integer& ones, const Integer& zeros, Budget& budget) {
  std::vector<Integer> terms(n + 1, Integer(0));
  if (zeros == 0) {
    terms[n] = boost::multiprecision::pow(ones, static_cast<unsigned>(n));
    return terms;
  }
  terms[0] = boost::multiprecision::pow(zeros, static_cast<unsigned>(n));
  for (std::uint64_t i = 0; i < n && ones != 0; ++i) {
    budget.check_every();
    terms[i + 1] = terms[i] * ones * (n - i) / (zeros * (i + 1));
  }
  return terms;
}

class ExactBits {
 public:
  ExactBits(const ShuffledBits& bits, const Number& factor) : bits_(bits), factor_(factor) {
    for (const Number* chance : {&bits.low, &bits.high}) {
      rational_ = rational_ && chance->is_rational();
      if (rational_) common_ = lcm(common_, denominator(exact::rational_of(*chance)));
    }
  }

  // True if the numbers are short enough to compute with, and to write.
  bool is_short() const {
    constexpr double kMostBits = 0x1p17, kMostMemory = 0x1p32;
    const double each = static_cast<double>(bits_of(common_) - 1) + 1e-9, n = static_cast<double>(bits_.people);
    return rational_ && each * n <= kMostBits && 2 * n * n * each <= kMostMemory;
  }

  ExactEvent at(const Candidate& candidate, Budget& budget) const {
    const std::uint64_t others = bits_.people - 1, m = candidate.high, low = others - m;
    budget.require_memory(static_cast<std::uint64_t>(static_cast<double>(bits_of(common_)) *
                                                     static_cast<double>(m * m + 2 * low * low) / 8));
    const auto ones = [&](const Number& chance) { return numerator(exact::rational_of(chance) * Rational(common_)); };
    const Integer high_ones = ones(bits_.high), low_ones = ones(bits_.low);
    const std::vector<Integer> a = binomial_terms(m, high_ones, common_ - high_ones, budget);
    std::vector<Integer> b = binomial_terms(low, low_ones, common_ - low_ones, budget);
    std::vector<Integer> tail(b.size());
    Integer sum = 0;
    for (std::size_t k = b.size(); k-- > 0;) tail[k] = sum += b[k];
    const Integer whole = boost::multiprecision::pow(common_, static_cast<unsigned>(others));
    std::optional<ExactEvent> best;
    for (std::int64_t t = candidate.after + 1; t <= candidate.until; ++t) {
      Integer exactly = 0, at_least = 0;
      for (std::uint64_t i = 0; i <= m; ++i) {
        budget.check_every();
        if (a[i] == 0) continue;
        const std::int64_t left = t - static_cast<std::int64_t>(i);
        if (left <= static_cast<std::int64_t>(low))
          at_least += a[i] * tail[static_cast<std::size_t>(std::max<std::int64_t>(left, 0))];
        if (left >= 1 && left - 1 <= static_cast<std::int64_t>(low))
          exactly += a[i] * b[static_cast<std::size_t>(left - 1)];
      }
      const Number before = exact::make_number(Rational(exactly, whole));
      const Number after = exact::make_number(Rational(at_least, whole));
      ExactEvent event{t, after + bits_.p * before, after + bits_.q * before, {}};
      event.excess = event.p - factor_ * event.q;
      if (!best || event.excess > best->excess) best = std::move(event);
    }
    return *std::move(best);
  }

 private:
  const ShuffledBits& bits_;
  const Number& factor_;
  bool rational_ = true;
  Integer common_ = 1;
};

// The same by Arb.

class BallList {
 public:
  explicit BallList(std::size_t size) : size_(static_cast<slong>(size)), balls_(_arb_vec_init(size_)) {}
  BallList(const BallList&) = delete;
  BallList& operator=(const BallList&) = delete;
  ~BallList() { _arb_vec_clear(balls_, size_); }
  arb_ptr at(std::size_t k) { return balls_ + k; }

 private:
  slong size_;
  arb_ptr balls_;
};

class EnclosedBits {
 public:
  EnclosedBits(const ShuffledBits& bits, const Number& factor, const Number& gain)
      : bits_(bits), gain_(gain, kBits), loss_(factor - Number(1), kBits) {}

  struct Found {
    std::int64_t least = 0;
    NumberBounds excess;
  };

  Found at(const Candidate& candidate, Budget& budget) const {
    const std::uint64_t others = bits_.people - 1, m = candidate.high, low = others - m;
    constexpr std::uint64_t kBytesOfBalls = 384;  // three for every person
    budget.require_memory(kBytesOfBalls * bits_.people);
    BallList a(m + 1), b(low + 1), tail(low + 2);
    set_terms(a, m, bits_.high, budget);
    set_terms(b, low, bits_.low, budget);
    for (std::size_t k = low + 1; k-- > 0;) arb_add(tail.at(k), tail.at(k + 1), b.at(k), kBits);
    std::optional<Found> best;
    Number upper;
    for (std::int64_t t = candidate.after + 1; t <= candidate.until; ++t) {
      Ball exactly(0), at_least(0);
      for (std::uint64_t i = 0; i <= m; ++i) {
        budget.check_every();
        const std::int64_t left = t - static_cast<std::int64_t>(i);
        if (left <= static_cast<std::int64_t>(low)) {
          arb_addmul(at_least.get(), a.at(i), tail.at(static_cast<std::size_t>(std::max<std::int64_t>(left, 0))),
                     kBits);
        }
        if (left >= 1 && left - 1 <= static_cast<std::int64_t>(low)) {
          arb_addmul(exactly.get(), a.at(i), b.at(static_cast<std::size_t>(left - 1)), kBits);
        }
      }
      arb_mul(exactly.get(), exactly.get(), gain_.get(), kBits);
      arb_submul(exactly.get(), at_least.get(), loss_.get(), kBits);
      const Number lower = std::max(Number(0), end_of(exactly, false));
      upper = std::max(upper, end_of(exactly, true));
      if (!best || lower > best->excess.lower) best = Found{t, {lower, lower}};
    }
    best->excess.upper = std::max(best->excess.lower, upper);
    return *std::move(best);
  }

 private:
  static constexpr slong kBits = 256;

  static void set_terms(BallList& terms, std::uint64_t n, const Number& chance, Budget& budget) {
    if (chance.is_one()) return arb_one(terms.at(n));
    const Ball zeros(Number(1) - chance, kBits), odds(chance / (Number(1) - chance), kBits);
    arb_pow_ui(terms.at(0), zeros.get(), n, kBits);
    for (std::uint64_t i = 0; i < n; ++i) {
      budget.check_every();
      arb_mul_ui(terms.at(i + 1), terms.at(i), n - i, kBits);
      arb_div_ui(terms.at(i + 1), terms.at(i + 1), i + 1, kBits);
      arb_mul(terms.at(i + 1), terms.at(i + 1), odds.get(), kBits);
    }
  }

  const ShuffledBits& bits_;
  Ball gain_, loss_;
};

}  // namespace

BitEvent largest_excess_of_bits(const ShuffledBits& bits, const Number& factor, Budget& budget) {
  BitEvent best{0, bits.people + 1, Number(0), Number(0), {}};
  const Number gain = bits.p - factor * bits.q;
  if (gain.sign() <= 0) return best;
  Scan scan(bits, factor, gain);
  std::vector<Candidate> candidates;
  double least = 0;
  const std::uint64_t most = bits.low == bits.high ? 0 : bits.people - 1;
  for (std::uint64_t m = 0; m <= most; ++m) {
    budget.check();
    const Candidate found = scan.at(m);
    if (found.upper < least) continue;
    least = std::max(least, found.lower);
    candidates.push_back(found);
  }
  std::erase_if(candidates, [&](const Candidate& one) { return one.upper < least; });
  const ExactBits exact(bits, factor);
  if (exact.is_short()) {
    for (const Candidate& candidate : candidates) {
      ExactEvent event = exact.at(candidate, budget);
      if (event.excess <= best.excess.lower) continue;
      best = {candidate.high, static_cast<std::uint64_t>(event.least), std::move(event.p), std::move(event.q), {}};
      best.excess = {event.excess, event.excess};
    }
    return best;
  }
  const EnclosedBits enclosed(bits, factor, gain);
  Number upper;
  for (const Candidate& candidate : candidates) {
    const EnclosedBits::Found found = enclosed.at(candidate, budget);
    upper = std::max(upper, found.excess.upper);
    if (found.excess.lower <= best.excess.lower) continue;
    best = {candidate.high, static_cast<std::uint64_t>(found.least), Number(0), Number(0), {found.excess.lower, upper}};
  }
  best.excess.upper = upper;
  best.reason = "the exact delta of " + std::to_string(bits.people) + " shuffled reports has too many digits";
  return best;
}

}  // namespace oddsbound::engine
