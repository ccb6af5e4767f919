#include "verifier/engine/loss_distribution.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "base/errors.h"
#include "verifier/exact/polynomial.h"

namespace oddsbound::engine {

namespace {

using Atom = LossDistribution::Atom;

// Masses by ratio. Numbers have one representation, so equal ratios are found by their hash.
using Masses = std::unordered_map<Number, Number, NumberHash>;

std::vector<Atom> atoms_of(const Masses& masses) {
  std::vector<Atom> atoms;
  for (const auto& [ratio, mass] : masses) atoms.push_back({ratio, mass});
  return atoms;
}

constexpr std::int64_t kMostSteps = 4096;   // from the largest ratio to the smallest
constexpr std::int64_t kMostExponent = 64;  // of two quotients that are powers of one number
constexpr std::size_t kMostBits = 1 << 16;  // of a power that is compared

}  // namespace

// g with a = g^p and b = g^q, p and q as small as possible. Doubles propose p / q = log a / log b, by a continued
// fraction; the numbers decide.
std::optional<Number> common_base(const Number& a, const Number& b) {
  const double quotient = std::log(a.approx()) / std::log(b.approx());
  if (!std::isfinite(quotient) || quotient <= 0) return std::nullopt;
  std::int64_t p = 1, q = 0, last_p = 0, last_q = 1;
  for (double rest = quotient; rest < static_cast<double>(kMostSteps);) {
    const auto digit = static_cast<std::int64_t>(rest + 1e-9);
    std::tie(p, last_p) = std::pair(digit * p + last_p, p);
    std::tie(q, last_q) = std::pair(digit * q + last_q, q);
    if (p > kMostExponent || q > kMostExponent) return std::nullopt;
    rest -= static_cast<double>(digit);
    if (rest < 1e-9) break;
    rest = 1 / rest;
  }
  if (q == 0 || a.bits() * static_cast<std::size_t>(q) > kMostBits) return std::nullopt;
  if (b.bits() * static_cast<std::size_t>(p) > kMostBits || a.pow(q) != b.pow(p)) return std::nullopt;
  for (std::int64_t u = 0; u < q || u == 0; ++u) {  // 1 = u p + v q
    if ((1 - u * p) % q == 0) return a.pow(u) * b.pow((1 - u * p) / q);
  }
  return std::nullopt;
}

namespace {

// Integers k_i and a base > 1 with ratio_i = ratio_0 / base^k_i, if there are such.
struct Lattice {
  Number base;
  std::vector<std::uint64_t> steps;
};

std::optional<Lattice> lattice_of(const std::vector<Atom>& atoms) {
  assert(atoms.size() > 1);
  Lattice lattice{atoms[0].ratio / atoms[1].ratio, {0}};
  for (std::size_t i = 2; i < atoms.size(); ++i) {
    const std::optional<Number> base = common_base(lattice.base, atoms[i - 1].ratio / atoms[i].ratio);
    if (!base) return std::nullopt;
    lattice.base = *base;
  }
  for (std::size_t i = 1; i < atoms.size(); ++i) {
    const double steps = std::log((atoms[i - 1].ratio / atoms[i].ratio).approx()) / std::log(lattice.base.approx());
    if (!(steps < static_cast<double>(kMostSteps))) return std::nullopt;
    const auto k = static_cast<std::int64_t>(std::lround(steps));
    if (k < 1 || lattice.base.pow(k) * atoms[i].ratio != atoms[i - 1].ratio) return std::nullopt;
    lattice.steps.push_back(lattice.steps.back() + static_cast<std::uint64_t>(k));
  }
  if (lattice.steps.back() > static_cast<std::uint64_t>(kMostSteps)) return std::nullopt;
  return lattice;
}

std::vector<Atom> power_on(const Lattice& lattice, const std::vector<Atom>& atoms, std::uint64_t n, Budget& budget) {
  std::vector<Number> coefficients(lattice.steps.back() + 1);
  for (std::size_t i = 0; i < atoms.size(); ++i) coefficients[lattice.steps[i]] = atoms[i].mass;
  const std::vector<Number> masses = polynomial_power(coefficients, n, budget);
  std::vector<Atom> result;
  Number ratio = atoms[0].ratio.pow(static_cast<std::int64_t>(n));
  for (const Number& mass : masses) {
    budget.check_every();
    if (!mass.is_zero()) result.push_back({ratio, mass});
    ratio /= lattice.base;
  }
  return result;
}

// Two atoms: the binomial distribution, for masses that are not rational.
std::vector<Atom> binomial_power(const std::vector<Atom>& atoms, std::uint64_t n, Budget& budget) {
  const auto count = static_cast<std::int64_t>(n);
  std::vector<Number> low{Number(1)};
  for (std::int64_t k = 0; k < count; ++k) low.push_back(low.back() * atoms[1].mass);
  std::vector<Atom> result(n + 1);
  Number choose(1), high(1), ratio = atoms[1].ratio.pow(count);
  const Number step = atoms[0].ratio / atoms[1].ratio;
  for (std::int64_t k = 0; k <= count; ++k) {  // k outputs of the larger ratio
    budget.check_every();
    result[static_cast<std::size_t>(count - k)] = {ratio, choose * high * low[static_cast<std::size_t>(count - k)]};
    choose = choose * Number(count - k) / Number(k + 1);
    high *= atoms[0].mass;
    ratio *= step;
  }
  return result;
}

}  // namespace

LossDistribution::LossDistribution(std::vector<Atom> atoms, Number infinite)
    : atoms_(std::move(atoms)), infinite_(std::move(infinite)) {
  std::sort(atoms_.begin(), atoms_.end(), [](const Atom& a, const Atom& b) { return a.ratio > b.ratio; });
}

LossDistribution LossDistribution::of(std::span<const Number> p, std::span<const Number> q) {
  assert(p.size() == q.size());
  Masses masses;
  Number infinite;
  for (std::size_t y = 0; y < p.size(); ++y) {
    if (p[y].is_zero()) continue;
    if (q[y].is_zero()) {
      infinite += p[y];
    } else {
      masses[p[y] / q[y]] += p[y];
    }
  }
  return {atoms_of(masses), std::move(infinite)};
}

// The maximum of convex, piecewise linear functions that do not rise is another one. At a kink, the slope rises by the
// mass under Q.
LossDistribution LossDistribution::larger_of(const LossDistribution& a, const LossDistribution& b, Budget& budget) {
  std::vector<Number> factors{Number(0)};
  for (const LossDistribution* one : {&a, &b}) {
    for (const Atom& atom : one->atoms_) factors.push_back(atom.ratio);
  }
  std::sort(factors.begin(), factors.end());
  factors.erase(std::unique(factors.begin(), factors.end()), factors.end());
  struct Point {
    Number factor, value;
  };
  std::vector<Point> points;
  Number last_difference;
  for (const Number& factor : factors) {
    budget.check();
    const Number own = a.excess(factor), other = b.excess(factor), difference = own - other;
    if (last_difference.sign() * difference.sign() < 0) {  // the curves cross in between, where both are lines
      const Number back = (factor - points.back().factor) * difference / (difference - last_difference);
      points.push_back({factor - back, a.excess(factor - back)});
    }
    points.push_back({factor, std::max(own, other)});
    last_difference = difference;
  }
  std::vector<Atom> atoms;
  Number slope;  // above the last factor, the curve is constant
  for (std::size_t k = points.size(); k-- > 1;) {
    const Number below = (points[k].value - points[k - 1].value) / (points[k].factor - points[k - 1].factor);
    if (below != slope) atoms.push_back({points[k].factor, points[k].factor * (slope - below)});
    slope = below;
  }
  return {std::move(atoms), std::max(a.infinite_, b.infinite_)};
}

LossDistribution LossDistribution::times(const LossDistribution& other, Budget& budget) const {
  if (is_trivial()) return other;
  if (other.is_trivial()) return *this;
  const double pairs = static_cast<double>(atoms_.size()) * static_cast<double>(other.atoms_.size());
  if (pairs > static_cast<double>(budget.limits().max_cells)) {
    throw LimitError("the losses of independent outputs have " + std::to_string(atoms_.size()) + " x " +
                     std::to_string(other.atoms_.size()) + " combinations (--max-cells)");
  }
  Masses masses;
  for (const Atom& a : atoms_) {
    for (const Atom& b : other.atoms_) {
      budget.check_every();
      masses[a.ratio * b.ratio] += a.mass * b.mass;
    }
  }
  return {atoms_of(masses), infinite_ + other.infinite_ - infinite_ * other.infinite_};
}

LossDistribution LossDistribution::power(std::uint64_t n, Budget& budget) const {
  assert(n >= 1);
  if (n == 1 || is_trivial()) return *this;
  const Number infinite = Number(1) - (Number(1) - infinite_).pow(static_cast<std::int64_t>(n));
  if (atoms_.empty()) return *this;
  if (atoms_.size() == 1) {
    const auto count = static_cast<std::int64_t>(n);
    return {{{atoms_[0].ratio.pow(count), atoms_[0].mass.pow(count)}}, infinite};
  }
  const bool rational =
      std::all_of(atoms_.begin(), atoms_.end(), [](const Atom& atom) { return atom.mass.is_rational(); });
  if (rational) {
    if (const auto lattice = lattice_of(atoms_)) return {power_on(*lattice, atoms_, n, budget), infinite};
  } else if (atoms_.size() == 2) {
    return {binomial_power(atoms_, n, budget), infinite};
  }
  LossDistribution result = power(n / 2, budget);
  result = result.times(result, budget);
  return n % 2 == 0 ? result : result.times(*this, budget);
}

std::optional<Number> LossDistribution::common_base() const {
  std::optional<Number> base;
  if (atoms_.size() > 1) {
    const auto lattice = lattice_of(atoms_);
    if (!lattice) return std::nullopt;
    base = lattice->base;
  }
  if (atoms_.empty() || atoms_[0].ratio.is_one()) return base;
  const Number& ratio = atoms_[0].ratio;
  const Number own = ratio > Number(1) ? ratio : Number(1) / ratio;
  return base ? engine::common_base(*base, own) : own;
}

double LossDistribution::atoms_of_power(std::uint64_t n) const {
  const double count = static_cast<double>(n), ratios = static_cast<double>(atoms_.size());
  if (n == 1 || ratios < 2) return ratios;
  if (ratios == 2) return count + 1;
  if (const auto lattice = lattice_of(atoms_)) return count * static_cast<double>(lattice->steps.back()) + 1;
  double combinations = 1;  // of n ratios, in any order
  for (double k = 1; k < ratios; ++k) combinations *= (count + k) / k;
  return combinations;
}

bool LossDistribution::has_short_power(std::uint64_t n) const {
  constexpr std::uint64_t kMostIrrational = 256;
  return n <= kMostIrrational ||
         std::all_of(atoms_.begin(), atoms_.end(), [](const Atom& atom) { return atom.mass.is_rational(); });
}

std::optional<LossDistribution> composed(const LossProduct& product, double most, Budget& budget) {
  LossDistribution whole;
  for (const auto& [losses, times] : product) {
    if (losses->atoms_of_power(times) > most || !losses->has_short_power(times)) return std::nullopt;
    const LossDistribution part = losses->power(times, budget);
    if (static_cast<double>(whole.atoms().size()) * static_cast<double>(part.atoms().size()) > most)
      return std::nullopt;
    whole = whole.times(part, budget);
  }
  return whole;
}

LossDistribution::Event LossDistribution::more_likely_than(const Number& factor) const {
  const auto end =
      std::partition_point(atoms_.begin(), atoms_.end(), [&](const Atom& atom) { return atom.ratio > factor; });
  std::vector<Number> p{infinite_}, q;
  for (auto atom = atoms_.begin(); atom != end; ++atom) {
    p.push_back(atom->mass);
    q.push_back(atom->mass / atom->ratio);
  }
  return {sum_of(p), sum_of(q)};
}

Number LossDistribution::excess(const Number& factor) const {
  const Event event = more_likely_than(factor);
  return event.p - factor * event.q;
}

bool operator==(const LossDistribution& a, const LossDistribution& b) {
  return a.infinite_ == b.infinite_ &&
         std::equal(a.atoms_.begin(), a.atoms_.end(), b.atoms_.begin(), b.atoms_.end(),
                    [](const Atom& x, const Atom& y) { return x.ratio == y.ratio && x.mass == y.mass; });
}

bool dominates(const LossDistribution& a, const LossDistribution& b, Budget& budget) {
  if (a.infinite() < b.infinite()) return false;
  for (const LossDistribution* own : {&a, &b}) {
    for (const Atom& atom : own->atoms()) {
      budget.check();
      if (a.excess(atom.ratio) < b.excess(atom.ratio)) return false;
    }
  }
  return true;
}

}  // namespace oddsbound::engine
