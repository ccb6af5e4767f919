// Bounds of rho against values computed elsewhere and against many orders in doubles; and each statement about
// cumulants that the bounds use.
#include "verifier/measures/cumulant.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/support/effort.h"
#include "tests/support/random_model.h"
#include "verifier/exact/interval.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

using Masses = std::vector<PairedMass>;

Masses paired(const std::vector<Number>& p, const std::vector<Number>& q) {
  Masses masses;
  for (std::size_t y = 0; y < p.size(); ++y) masses.push_back({p[y], q[y]});
  return masses;
}

// Integer weights, some far apart and some nearly equal. Q has mass wherever P has.
Masses random_masses(Random& random) {
  const std::uint64_t outputs = 2 + below(random, 5);
  const bool alike = below(random, 4) == 0;
  const std::uint64_t largest = !alike && below(random, 3) == 0 ? 1'000'000 : 10;
  std::vector<Number> p, q;
  for (std::uint64_t y = 0; y < outputs; ++y) {
    q.emplace_back(static_cast<std::int64_t>(1 + below(random, largest)));
    p.push_back(alike ? q.back() + Number::ratio(static_cast<std::int64_t>(below(random, 3)), 1000)
                      : Number(static_cast<std::int64_t>(below(random, largest))));
  }
  if (p == std::vector<Number>(outputs, Number(0))) p[0] = Number(1);
  const Number p_sum = sum_of(p), q_sum = sum_of(q);
  for (Number& number : p) number /= p_sum;
  for (Number& number : q) number /= q_sum;
  return paired(p, q);
}

// D_a / a at a = 1 + beyond, by definition, in long doubles.
class Naive {
 public:
  explicit Naive(const Masses& masses) {
    for (const PairedMass& pair : masses) {
      if (pair.p.is_zero()) continue;
      terms_.push_back({static_cast<long double>(pair.count) * pair.p.approx(),
                        std::log1p(static_cast<long double>(((pair.p - pair.q) / pair.q).approx()))});
    }
  }
  long double at(long double beyond) const {
    if (beyond == 0) return divergence();
    const long double most = beyond * largest();
    long double sum = 0;
    for (const auto& [p, loss] : terms_)
      sum += most < 1 ? p * std::expm1(beyond * loss) : p * std::exp(beyond * loss - most);
    return (most < 1 ? std::log1p(sum) : most + std::log(sum)) / (beyond * (1 + beyond));
  }
  long double divergence() const {
    long double sum = 0;
    for (const auto& [p, loss] : terms_) sum += p * loss;
    return sum;
  }
  long double largest() const {
    long double most = terms_[0].loss;
    for (const Term& term : terms_) most = std::max(most, term.loss);
    return most;
  }
  long double least() const {
    long double least = terms_[0].loss;
    for (const Term& term : terms_) least = std::min(least, term.loss);
    return least;
  }

 private:
  struct Term {
    long double p, loss;
  };
  std::vector<Term> terms_;
};

// Error of long doubles computed from double inputs, near orders where terms cancel.
constexpr long double kSlack = 1e-9L;

bool is_equal(const Masses& masses) {
  return std::all_of(masses.begin(), masses.end(), [](const PairedMass& pair) { return pair.p == pair.q; });
}

RhoBounds bounds(const Masses& masses, RhoGoal goal = {}) {
  Budget budget;
  std::uint64_t terms = 0;
  return bounds_of_rho(masses, goal, terms, budget);
}

}  // namespace

TEST_CASE("no order exceeds the upper bound of rho, and the order that is named attains the lower one") {
  Random random(11);
  Budget budget;
  int inside = 0;
  for (int round = 0; round < effort(150, 30); ++round) {
    const Masses masses = random_masses(random);
    if (is_equal(masses)) continue;
    const RhoBounds rho = bounds(masses);
    const Naive naive(masses);
    const long double last = 2 * naive.largest() / naive.divergence();
    long double most = naive.divergence();
    for (int k = 0; k <= 2000; ++k) {
      most = std::max(most, naive.at(1e-4L * std::pow(std::max(last, 2.0L) / 1e-4L, k / 2000.0L)));
    }
    CHECK(most <= rho.at_most * (1 + kSlack));
    CHECK(rho.at_least <= most * (1 + 1e-4L));
    CHECK(rho.at_least <= rho.at_most);
    CHECK(rho.at_most <= rho.at_least * (1 + 0x1p-29));
    CHECK(std::abs(naive.at(rho.beyond) - rho.at_least) <= kSlack * rho.at_least);
    const RhoBounds there = rho_at(masses, rho.beyond, budget);
    CHECK(there.at_least == rho.at_least);
    CHECK(there.at_most <= rho.at_least * (1 + 1e-14));
    inside += rho.beyond > 0 ? 1 : 0;
  }
  CHECK(inside > effort(10, 2));
}

TEST_CASE("a chord bounds what the orders between its ends say, and comes near as they do") {
  Random random(12);
  Budget budget;
  for (int round = 0; round < effort(150, 30); ++round) {
    const Masses masses = random_masses(random);
    if (is_equal(masses)) continue;
    const Naive naive(masses);
    const double from = below(random, 4) == 0 ? 0 : static_cast<double>(1 + below(random, 4000)) / 256;
    const double to = from + static_cast<double>(1 + below(random, 2000)) / 256;
    const double bound = rho_between(masses, from, to, budget);
    long double most = from == 0 ? naive.divergence() : 0;
    for (int k = 0; k <= 500; ++k) {
      const long double beyond = from + (static_cast<long double>(to) - from) * k / 500;
      if (beyond > 0) most = std::max(most, naive.at(beyond));
    }
    CHECK(most <= bound * (1 + kSlack));
    // D_a is nondecreasing in a.
    CHECK(bound <= naive.at(to) * (1 + to) / (1 + from) * (1 + kSlack));
    const double near = rho_between(masses, to, to + 0x1p-20, budget);
    CHECK(std::abs(near - naive.at(to)) <= 1e-4 * near);
  }
}

TEST_CASE("what bounds rest on: the limit, the largest loss, the range of losses, and the closed form of pure levels") {
  Random random(13);
  for (int round = 0; round < effort(150, 30); ++round) {
    const Masses masses = random_masses(random);
    if (is_equal(masses)) continue;
    const Naive naive(masses);
    const RhoBounds rho = bounds(masses);
    const long double divergence = naive.divergence(), largest = naive.largest();
    CHECK(std::abs(naive.at(1e-6L) - divergence) <= 1e-5L * largest * largest + 1e-12L);
    for (const long double reach : {1.0L, 1.5L, 10.0L}) {
      CHECK(naive.at(reach * largest / divergence) <= divergence * (1 + kSlack));
    }
    CHECK(rho.at_least <= largest * (1 + kSlack));
    // Without a search, the result is these two bounds.
    const RhoBounds quick = bounds(masses, {.enough = 0, .tolerance = 1, .most_terms = 0});
    CHECK(quick.at_most >= rho.at_most * (1 - 0x1p-28));
    const long double width = largest - naive.least();
    CHECK(rho.at_least <= std::max(divergence, width * width / 8) * (1 + kSlack));
    const auto is_missing = [](const PairedMass& pair) { return pair.p.is_zero(); };
    if (std::any_of(masses.begin(), masses.end(), is_missing)) continue;
    CHECK(divergence <= width * width / 8 * (1 + kSlack));
    const long double pure = std::max(largest, -naive.least());
    CHECK(rho.at_least <= pure * std::tanh(pure / 2) * (1 + kSlack));
  }
}

TEST_CASE("rho of randomized response is e tanh(e/2), at orders near 1") {
  struct Example {
    Number odds;
    double rho;
  };
  for (const auto& [odds, rho] : {Example{Number::exp_of(Number(1)), 0.462117157},
                                  {Number(3), 0.549306144},
                                  {Number::exp_of(Number(4)), 3.856110320}}) {
    const Number yes = odds / (odds + Number(1)), no = Number(1) - yes;
    const RhoBounds found = bounds(paired({yes, no}, {no, yes}));
    CHECK(found.at_least == doctest::Approx(rho).epsilon(2e-9));
    CHECK(found.at_most == doctest::Approx(rho).epsilon(2e-9));
    CHECK(found.beyond == 0);
  }
}

TEST_CASE("what is exact or hard: equal rows, outputs that only one has, rows that differ by little") {
  const Number half = Number::ratio(1, 2);
  CHECK(bounds(paired({half, half}, {half, half})).at_most == 0);
  // D_a = log 2 for all a.
  const RhoBounds certain = bounds(paired({Number(1), Number(0)}, {half, half}));
  CHECK(certain.at_least <= std::log(2.0));
  CHECK(certain.at_most == doctest::Approx(std::log(2.0)).epsilon(1e-12));
  // D_a -> 2 (a s)^2 / a for a small difference s, so rho = 2 s^2.
  for (const int bits : {20, 60, 200, 450}) {
    const Number little = Number(2).pow(-bits);
    const RhoBounds near = bounds(paired({half + little, half - little}, {half, half}));
    CHECK(near.at_least == doctest::Approx(2 * std::ldexp(1.0, -2 * bits)).epsilon(1e-5));
    CHECK(near.at_most <= near.at_least * (1 + 1e-8));
    CHECK(near.at_least > 0);
  }
  // Too small for a double: all that is known is that rho is at most the largest loss.
  const Number nothing = Number(2).pow(-700);
  const RhoBounds least = bounds(paired({half + nothing, half - nothing}, {half, half}));
  CHECK(least.at_least == 0);
  CHECK(least.at_most > 0);
  CHECK(least.at_most < 0x1p-690);
  // With rare outputs, large orders matter.
  const Number rare = Number::ratio(1, 1'000'000'000'000);
  const RhoBounds far = bounds(paired({rare, Number(1) - rare}, {rare * rare, Number(1) - rare * rare}));
  CHECK(far.beyond > 1);
  CHECK(far.at_most <= far.at_least * (1 + 1e-8));
}

TEST_CASE("what is below what is enough is told no more exactly, and a search ends with its terms") {
  const Number third = Number::ratio(1, 3), half = Number::ratio(1, 2);
  const Masses masses = paired({third, Number(1) - third}, {half, half});
  std::uint64_t terms = 0;
  Budget budget;
  const RhoBounds low = bounds_of_rho(masses, {.enough = 1}, terms, budget);
  CHECK(low.at_most <= 1);
  CHECK(terms == 2);
  const RhoBounds stopped = bounds(masses, {.most_terms = 20});
  const RhoBounds whole = bounds(masses);
  CHECK(stopped.at_most > whole.at_most);
  CHECK(stopped.at_least <= whole.at_least);
}
