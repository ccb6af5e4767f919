// Losses on a grid: the exact divergence lies between both ends, always, and the ends approach one another.

#include "verifier/engine/refined_losses.h"

#include <doctest/doctest.h>
#include <algorithm>

#include "tests/support/random_model.h"

using namespace oddsbound;
using namespace oddsbound::engine;
using namespace oddsbound::testing;

namespace {

Number step(std::int64_t halvings) { return Number::exp_of(Number(2).pow(-halvings)); }

LossProduct random_losses(Random& random, Entries entries) {
  LossProduct product;
  const std::size_t parts = 1 + below(random, 4);
  for (std::size_t k = 0; k < parts; ++k) {
    const std::size_t outputs = 1 + below(random, 4);
    const auto p = random_distribution(random, outputs, entries), q = random_distribution(random, outputs, entries);
    product.push_back({std::make_shared<const LossDistribution>(LossDistribution::of(p, q)), 1 + below(random, 3)});
  }
  return product;
}

std::vector<Number> tested_factors(const LossDistribution& losses) {
  std::vector<Number> factors{Number(1), Number::ratio(101, 100), Number(2), Number(9), Number::exp_of(Number(1))};
  for (const auto& atom : losses.atoms()) {  // kinks of the divergence
    if (atom.ratio >= Number(1) && factors.size() < 9) factors.push_back(atom.ratio);
  }
  return factors;
}

IndependentLosses randomized_response(std::int64_t numerator, std::uint64_t times) {
  const Number keep = Number::ratio(numerator, numerator + 100), lie = Number(1) - keep;
  return {std::make_shared<const LossDistribution>(
              LossDistribution::of(std::vector<Number>{keep, lie}, std::vector<Number>{lie, keep})),
          times};
}

}  // namespace

TEST_CASE("the exact divergence of random independent outputs lies between the ends of every grid") {
  Random random(61);
  Budget budget;
  for (int round = 0; round < 150; ++round) {
    const LossProduct product = random_losses(random, round % 4 == 0 ? Entries::kWithExp : Entries::kRational);
    const LossDistribution exact = composed(product, 1e6, budget).value();
    const auto factors = tested_factors(exact);
    for (const int steps : {0, 3, 8}) {
      const LossGrid grid = LossGrid::of(product, {step(steps), round % 2 == 0 ? 2u : 1u}, budget);
      for (const Number& factor : factors) {
        const NumberBounds bounds = grid.excess(factor, budget);
        const Number delta = exact.excess(factor);
        CHECK(bounds.lower <= delta);
        CHECK(delta <= bounds.upper);
        if (steps == 8) CHECK((bounds.upper - bounds.lower).approx() < 0.01);
      }
    }
  }
}

TEST_CASE("refined bounds hold the exact divergence, and reach the wanted gap") {
  Random random(62);
  Budget budget;
  int reached = 0;
  for (int round = 0; round < 60; ++round) {
    const LossProduct product = random_losses(random, round % 4 == 0 ? Entries::kWithExp : Entries::kRational);
    const LossProduct other = random_losses(random, Entries::kRational);
    const LossDistribution exact = composed(product, 1e6, budget).value();
    const LossDistribution second = composed(other, 1e6, budget).value();
    for (const Number& factor : tested_factors(exact)) {
      const RefinedLosses found = refined_losses({&product, &other}, factor, 1e-3, budget);
      const Number delta = std::max(exact.excess(factor), second.excess(factor));
      CHECK(found.bounds.lower <= delta);
      CHECK(delta <= found.bounds.upper);
      const Number& own = (found.largest == 0 ? exact : second).excess(factor);
      CHECK(found.bounds.lower <= own);
      if (found.limit.empty())
        CHECK((found.bounds.upper - found.bounds.lower).approx() <= 1.001e-3 * found.bounds.upper.approx());
      reached += found.limit.empty() ? 1 : 0;
    }
  }
  CHECK(reached > 200);
}

// The gap falls with the square of the spacing.
TEST_CASE("halving the spacing leaves about a quarter of the gap") {
  Budget budget;
  LossProduct product;
  for (std::int64_t k = 0; k < 10; ++k) product.push_back(randomized_response(105 + 3 * k, 10));
  const auto gap_at = [&](int steps) {
    const NumberBounds bounds = LossGrid::of(product, {step(steps), 2}, budget).excess(Number::ratio(3, 2), budget);
    return (bounds.upper - bounds.lower).approx();
  };
  const double coarse = gap_at(8), fine = gap_at(10);
  CHECK(fine < coarse / 8);
  CHECK(fine > coarse / 32);
}

TEST_CASE("a divergence of 0 is recognized, and the largest loss alone is a lower bound") {
  Budget budget;
  LossProduct product;
  Number most(1), all(1);
  for (std::int64_t k = 0; k < 30; ++k) {
    product.push_back(randomized_response(101 + k, 1));
    most *= Number::ratio(101 + k, 100);
    all *= Number::ratio(101 + k, 201 + k);
  }
  const RefinedLosses none = refined_losses({&product}, most, 1e-3, budget);
  CHECK(none.bounds.upper.is_zero());
  const Number below_most = most * (Number(1) - Number::ratio(1, 1000000000));
  const RefinedLosses some = refined_losses({&product}, below_most, 1e-3, budget);
  const Number least = all * Number::ratio(1, 1000000000);  // the largest loss alone exceeds this factor
  CHECK(some.bounds.lower.sign() > 0);
  CHECK(some.bounds.lower <= least);
  CHECK(least <= some.bounds.upper);
}

TEST_CASE("a grid of a thousand equal runs holds the exact power") {
  Budget budget;
  const std::vector<Number> p{Number::ratio(2, 8), Number::ratio(3, 8), Number::ratio(3, 8)},
      q{Number::ratio(1, 8), Number::ratio(1, 8), Number::ratio(6, 8)};  // losses on no lattice
  const auto one = std::make_shared<const LossDistribution>(LossDistribution::of(p, q));
  const LossProduct runs{{one, 40}};
  const LossDistribution exact = one->power(40, budget);
  const LossGrid grid = LossGrid::of(*one, {step(12), 2}, budget).power(40, budget);
  for (const std::int64_t factor : {1, 100, 100000}) {
    const NumberBounds bounds = grid.excess(Number(factor), budget);
    const Number delta = exact.excess(Number(factor));
    CHECK(bounds.lower <= delta);
    CHECK(delta <= bounds.upper);
    CHECK((bounds.upper - bounds.lower).approx() < 1e-4 * delta.approx());
  }
}

TEST_CASE("losses that are multiples of one rational are not split, and the ends meet") {
  Budget budget;
  LossProduct product;
  for (std::int64_t k = 1; k <= 6; ++k) {
    const Number ratio = Number::exp_of(Number::ratio(k, 20)), lie = Number(1) / (ratio + Number(1));
    const std::vector<Number> p{Number(1) - lie, lie}, q{lie, Number(1) - lie};
    product.push_back({std::make_shared<const LossDistribution>(LossDistribution::of(p, q)), 2});
  }
  const LossDistribution exact = composed(product, 1e6, budget).value();
  const Number factor = Number::exp_of(Number::ratio(1, 2));  // a sum of losses
  const RefinedLosses found = refined_losses({&product}, factor, 1e-9, budget);
  const Number delta = exact.excess(factor);
  CHECK(found.limit.empty());
  CHECK(found.bounds.lower <= delta);
  CHECK(delta <= found.bounds.upper);
  CHECK((found.bounds.upper - found.bounds.lower).approx() < 1e-20);
}

// All losses are multiples of the spacing, so nothing is split, and only the tails that move up raise the upper end.
TEST_CASE("tails of tiny masses that move up are subtracted from the lower end") {
  Budget budget;
  const Number rare = Number::ratio(1, 1000), e = Number::exp_of(Number(1));
  const Number low = rare * (Number(1) - Number(1) / (e * e)) / (e - Number(1));  // Q sums to 1
  const std::vector<Number> p{rare, Number(1) - rare - low, low}, q{rare / (e * e), p[1], low * e};
  const LossDistribution one = LossDistribution::of(p, q), exact = one.power(12, budget);
  const LossGrid grid = LossGrid::of(one, {e, 1}, budget).power(12, budget);
  CHECK(grid.points() < 30);  // of 37
  for (const std::int64_t epsilon : {1, 3, 5, 7}) {
    const Number factor = Number::exp_of(Number(epsilon));
    const NumberBounds bounds = grid.excess(factor, budget);
    const Number delta = exact.excess(factor);
    CHECK(bounds.lower <= delta);
    CHECK(delta <= bounds.upper);
    CHECK((bounds.upper - bounds.lower).approx() < 1e-8);
  }
}

TEST_CASE("losses that are multiples of the logarithm of one ratio are not split") {
  Random random(62);
  Budget budget;
  const auto losses_of = [](const std::vector<Number>& p, const std::vector<Number>& q) {
    return std::make_shared<const LossDistribution>(LossDistribution::of(p, q));
  };
  const Number half = Number::ratio(1, 2), quarter = Number::ratio(1, 4), zero;
  for (int round = 0; round < 40; ++round) {
    CAPTURE(round);
    const Number base = round % 2 == 0 ? Number(2) : Number::ratio(3, 2);
    LossProduct product;
    for (std::size_t k = 0; k < 1 + below(random, 3); ++k) {
      const Number lie = Number(1) / (base.pow(1 + static_cast<std::int64_t>(below(random, 3))) + Number(1));
      const std::vector<Number> p{Number(1) - lie, lie}, q{lie, Number(1) - lie};
      product.push_back({losses_of(p, q), 1 + below(random, 30)});
    }
    if (round % 4 == 0) {  // ratios 2, 1/2 and infinity
      product.push_back({losses_of({half, quarter, quarter, zero}, {quarter, half, zero, quarter}), 2});
    }
    const LossDistribution exact = composed(product, 1e6, budget).value();
    const LossGrid grid = LossGrid::of(product, {base, 2}, budget);
    for (const Number& factor : tested_factors(exact)) {
      const NumberBounds bounds = grid.excess(factor, budget);
      const Number delta = exact.excess(factor);
      CHECK(bounds.lower <= delta);
      CHECK(delta <= bounds.upper);
      CHECK((bounds.upper - bounds.lower).approx() < 1e-18);  // ends have 64 binary digits
    }
  }
}

TEST_CASE("a million runs of randomized response have bounds at once") {
  Budget budget;
  const LossProduct runs{randomized_response(101, 1'000'000)};
  const Number factor = Number::ratio(101, 100).pow(10'000);
  const RefinedLosses found = refined_losses({&runs}, factor, 1e-6, budget);
  CHECK(found.limit.empty());
  CHECK(found.bounds.lower > Number(0));
  CHECK(found.bounds.upper - found.bounds.lower <= found.bounds.upper * Number::ratio(1, 1'000'000));
}
