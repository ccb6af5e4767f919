// Loss distributions against sums over outputs: of single pairs of rows, of products and of powers.

#include "verifier/engine/loss_distribution.h"

#include <doctest/doctest.h>
#include <algorithm>

#include "base/errors.h"
#include "tests/support/random_model.h"

using namespace oddsbound;
using namespace oddsbound::engine;
using namespace oddsbound::testing;

namespace {

// All outputs of independent runs, with their probabilities.
std::vector<Number> outer(const std::vector<Number>& a, const std::vector<Number>& b) {
  std::vector<Number> product;
  for (const Number& x : a) {
    for (const Number& y : b) product.push_back(x * y);
  }
  return product;
}

Number summed(const std::vector<Number>& p, const std::vector<Number>& q, const Number& factor) {
  Number delta;
  for (std::size_t y = 0; y < p.size(); ++y) {
    const Number term = p[y] - factor * q[y];
    if (term.sign() > 0) delta += term;
  }
  return delta;
}

std::vector<Number> factors() {
  return {Number(0), Number::ratio(1, 3),      Number(1), Number::ratio(3, 2), Number(3),
          Number(9), Number::exp_of(Number(1))};
}

}  // namespace

TEST_CASE("a loss distribution has the hockey-stick divergences of its rows, and its products those of all outputs") {
  Random random(48);
  Budget budget;
  for (int round = 0; round < 200; ++round) {
    const Entries entries = round % 4 == 0 ? Entries::kWithExp : Entries::kRational;
    const std::size_t first = 1 + below(random, 4), second = 1 + below(random, 3);
    const auto p = random_distribution(random, first, entries), q = random_distribution(random, first, entries);
    const auto r = random_distribution(random, second, entries), s = random_distribution(random, second, entries);
    const LossDistribution a = LossDistribution::of(p, q), b = LossDistribution::of(r, s);
    const LossDistribution both = a.times(b, budget), three = a.power(3, budget);
    const auto p2 = outer(p, r), q2 = outer(q, s), p3 = outer(p, outer(p, p)), q3 = outer(q, outer(q, q));
    for (const Number& factor : factors()) {
      CHECK(a.excess(factor) == summed(p, q, factor));
      CHECK(both.excess(factor) == summed(p2, q2, factor));
      CHECK(three.excess(factor) == summed(p3, q3, factor));
    }
    CHECK(a.times(LossDistribution(), budget) == a);
    for (std::size_t k = 1; k < both.atoms().size(); ++k) CHECK(both.atoms()[k - 1].ratio > both.atoms()[k].ratio);
  }
}

TEST_CASE("powers on a lattice, binomial powers and repeated products agree") {
  Budget budget;
  const auto fraction = [](std::int64_t n, std::int64_t d) { return Number::ratio(n, d); };
  const std::vector<std::pair<std::vector<Number>, std::vector<Number>>> pairs = {
      {{fraction(3, 4), fraction(1, 4)}, {fraction(1, 4), fraction(3, 4)}},
      {{fraction(1, 2), fraction(1, 4), fraction(1, 4)}, {fraction(1, 4), fraction(1, 4), fraction(1, 2)}},
      {{fraction(9, 16), fraction(6, 16), fraction(1, 16)}, {fraction(1, 16), fraction(6, 16), fraction(9, 16)}},
      // 8, 4 and 1/32 are powers of 2; 2, 3 and 1/2 are not powers of one number.
      {{fraction(8, 16), fraction(4, 16), fraction(4, 16)}, {fraction(1, 16), fraction(1, 16), fraction(14, 16)}},
      {{fraction(2, 8), fraction(3, 8), fraction(3, 8)}, {fraction(1, 8), fraction(1, 8), fraction(6, 8)}},
      {{fraction(1, 2), fraction(1, 4), fraction(1, 4)}, {fraction(1, 2), fraction(1, 2), Number(0)}},
      {{Number(1), Number(0)}, {Number(0), Number(1)}}};
  const Number e = Number::exp_of(Number(1));
  std::vector<std::pair<std::vector<Number>, std::vector<Number>>> all = pairs;
  all.push_back(
      {{e / (e + Number(1)), Number(1) / (e + Number(1))}, {Number(1) / (e + Number(1)), e / (e + Number(1))}});
  for (const auto& [p, q] : all) {
    const LossDistribution one = LossDistribution::of(p, q);
    LossDistribution product = one;
    for (std::uint64_t n = 2; n <= 9; ++n) {
      product = product.times(one, budget);
      CHECK(one.power(n, budget) == product);
    }
  }
}

// Kairouz, Oh and Viswanath (2017), Theorem 3.3, for k runs of randomized response, is exact at these factors.
TEST_CASE("the delta of n runs of randomized response is that of the composition theorem") {
  Budget budget;
  const Number t(3);
  const std::vector<Number> p = {t / (t + Number(1)), Number(1) / (t + Number(1))}, q = {p[1], p[0]};
  for (const std::int64_t n : {1, 2, 7, 40}) {
    const LossDistribution runs = LossDistribution::of(p, q).power(static_cast<std::uint64_t>(n), budget);
    CHECK(runs.atoms().size() == static_cast<std::size_t>(n) + 1);
    for (std::int64_t i = 0; 2 * i <= n; ++i) {
      Number sum, choose(1);
      for (std::int64_t l = 0; l < i; ++l) {
        sum += choose * (t.pow(n - l) - t.pow(n - 2 * i + l));
        choose = choose * Number(n - l) / Number(l + 1);
      }
      CHECK(runs.excess(t.pow(n - 2 * i)) == sum / (t + Number(1)).pow(n));
    }
  }
}

TEST_CASE("a thousand runs have the deltas computed elsewhere to ten digits") {
  Budget budget;
  const std::vector<Number> p = {Number::ratio(21, 40), Number::ratio(19, 40)}, q = {p[1], p[0]};
  const LossDistribution runs = LossDistribution::of(p, q).power(1000, budget);
  CHECK(runs.excess(Number::exp_of(Number(18))).approx() == doctest::Approx(7.605553477e-6).epsilon(1e-9));
  CHECK(runs.excess(Number::exp_of(Number(30))).approx() == doctest::Approx(1.958351484e-16).epsilon(1e-9));
}

TEST_CASE("domination holds at every factor, and for no pair whose curves cross") {
  Random random(49);
  Budget budget;
  int dominated = 0, crossed = 0;
  for (int round = 0; round < 300; ++round) {
    const auto row = [&] { return random_distribution(random, 3, Entries::kRational); };
    const LossDistribution a = LossDistribution::of(row(), row()), b = LossDistribution::of(row(), row());
    bool everywhere = a.infinite() >= b.infinite();
    for (std::int64_t k = 0; k <= 400; ++k) {
      const Number factor = Number::ratio(k, 40);
      everywhere = everywhere && a.excess(factor) >= b.excess(factor);
    }
    if (dominates(a, b, budget)) {
      CHECK(everywhere);
      const LossDistribution c = LossDistribution::of(row(), row());
      CHECK(dominates(a.times(c, budget), b.times(c, budget), budget));
      ++dominated;
    } else if (!dominates(b, a, budget)) {
      ++crossed;
    }
  }
  CHECK(dominated > 30);
  CHECK(crossed > 30);
}

TEST_CASE("the larger divergence of two distributions is that of a distribution") {
  Random random(53);
  Budget budget;
  for (int round = 0; round < 200; ++round) {
    const Entries entries = round % 4 == 0 ? Entries::kWithExp : Entries::kRational;
    const auto row = [&] { return random_distribution(random, 3, entries); };
    const LossDistribution a = LossDistribution::of(row(), row()), b = LossDistribution::of(row(), row());
    const LossDistribution larger = LossDistribution::larger_of(a, b, budget);
    for (std::int64_t k = 0; k <= 60; ++k) {
      const Number factor = Number::ratio(k * k, 100);
      CHECK(larger.excess(factor) == std::max(a.excess(factor), b.excess(factor)));
    }
    for (const auto& atom : larger.atoms()) CHECK(atom.mass.sign() > 0);
    CHECK(dominates(larger, a, budget));
    CHECK(dominates(larger, b, budget));
  }
}

TEST_CASE("too many combinations of losses reach a limit") {
  Limits limits;
  limits.max_cells = 8;
  Budget budget(limits);
  const auto fraction = [](std::int64_t n) { return Number::ratio(n, 10); };
  const LossDistribution a = LossDistribution::of(std::vector{fraction(2), fraction(3), fraction(5)},
                                                  std::vector{fraction(1), fraction(1), fraction(8)});
  CHECK_THROWS_AS(a.times(a, budget), LimitError);
}
