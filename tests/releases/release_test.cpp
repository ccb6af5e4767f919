// Releases from tables: the stated cost equals the exact loss of the code on all small tables.

#include <doctest/doctest.h>
#include <cmath>
#include <random>

#include "audits/exhaustive.h"
#include "base/errors.h"
#include "mechanisms/sampler.h"
#include "releases/counts.h"
#include "releases/halfspace.h"
#include "releases/step.h"
#include "tests/releases/release_models.h"
#include "tests/support/effort.h"
#include "verifier/engine/measured_model.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/expression.h"
#include "verifier/notions/approximate.h"
#include "verifier/notions/cdp.h"
#include "verifier/notions/ldp.h"

using namespace oddsbound;
using namespace oddsbound::mechanisms;
using oddsbound::testing::effort;
using oddsbound::testing::level_of;
using oddsbound::testing::release_of;
using oddsbound::testing::schema_of;

namespace {

Noise laplace(std::uint64_t top, std::uint64_t bottom = 1) { return {Noise::Kind::kLaplace, {top, bottom}}; }
Noise gaussian(std::uint64_t variance) { return {Noise::Kind::kGaussian, {variance, 1}}; }

Level rational_level(const char* text) { return parse_level(text); }

}  // namespace

TEST_CASE("Laplace noise that is moved into a window has the tails at its ends, and its code draws that") {
  for (const auto& [top, bottom] : {std::pair{1, 1}, {4, 1}, {3, 2}, {1, 3}}) {
    for (const std::int64_t at : {-3, 0, 1, 2, 5}) {
      for (const std::uint64_t last : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{4}}) {
        const ClampedLaplace choice({static_cast<std::uint64_t>(top), static_cast<std::uint64_t>(bottom)}, at, last);
        Number sum(0);
        // Sum of terms to |k| = 400; the rest is negligible.
        const double a = std::exp(-static_cast<double>(bottom) / top);
        std::vector<double> plain(last + 1);
        for (int k = -400; k <= 400; ++k) {
          const std::int64_t moved = std::clamp<std::int64_t>(at + k, 0, static_cast<std::int64_t>(last));
          plain[static_cast<std::size_t>(moved)] += (1 - a) / (1 + a) * std::pow(a, std::abs(k));
        }
        for (std::uint64_t o = 0; o <= last; ++o) {
          sum += choice.probability(o);
          CHECK(choice.probability(o).approx() == doctest::Approx(plain[o]).epsilon(1e-9));
        }
        CHECK(sum.is_one());
      }
    }
  }
}

TEST_CASE("what counts cost is what their code loses on all tables of one and two records") {
  const Domain schema = schema_of({2, 2});
  const std::vector<Attributes> sets{{0}, {1}, {0, 1}};
  const auto counts = [&](std::vector<Attributes> tables, std::uint64_t window) {
    return release_of(schema, {counts_step({schema, {std::move(tables), {}}, laplace(4), window})});
  };
  struct Case {
    std::shared_ptr<const Release> release;
    std::size_t people;
    std::vector<const char*> levels;  // by set
  };
  const std::vector<Case> cases{{counts({{0}, {1}, {0, 1}}, 0), 1, {"1", "1", "3/2"}},
                                {counts({{0}, {0, 1}}, 0), 2, {"1", "1/2", "1"}}};
  for (const Case& one : cases) {
    Budget budget;
    const Mechanism mechanism = release_mechanism(one.release, one.people, budget);
    const Model model{domain_of_tables(schema, one.people), mechanism.channel, std::nullopt};
    for (std::size_t s = 0; s < sets.size(); ++s) {
      CHECK(one.release->loss(sets[s]).pure == rational_level(one.levels[s]));
      CHECK(level_of(model, schema, one.people, sets[s]) == rational_level(one.levels[s]));
    }
  }
}

TEST_CASE("Gaussian noise: what is lost of whole events, and what the ledger says") {
  const Domain schema = schema_of({2, 2});
  const NamedPattern a{"a", {{0}, {1}}}, b{"b", {{1}, {1}}};
  const auto release = release_of(schema, {counts_step({schema, {{}, {a, b}}, gaussian(4), 3})});
  CHECK(release->loss({0}).rho == Number::ratio(1, 8));
  CHECK(release->loss({0, 1}).rho == Number::ratio(1, 4));
  CHECK(release->loss({0}).pure.is_infinite());
  Budget budget;
  const Mechanism mechanism = release_mechanism(release, 1, budget);
  CHECK(mechanism.channel->outputs() == 64);
  const Model model{domain_of_tables(schema, 1), mechanism.channel, std::nullopt};
  CHECK(level_of(model, schema, 1, {0}).approx() == doctest::Approx(0.986782127));
  MeasuredModel subject(model, budget);
  const auto delta = [&](const char* epsilon, const CoordinateGroups& groups) {
    return hockey_stick(subject, parse_level(epsilon), groups).delta.approx();
  };
  const CoordinateGroups one{{{0}, {1}}}, both{{{0, 1}}};
  CHECK(delta("1/4", one) == doctest::Approx(0.112345142));
  CHECK(delta("1/2", one) == doctest::Approx(0.054007224));
  CHECK(delta("1/2", both) == doctest::Approx(0.120516118));
  CHECK(delta("1", both) == doctest::Approx(0.036694178));
}

TEST_CASE("outputs are as many as cells and windows say, and rows sum to 1") {
  const Domain schema = schema_of({3, 2});
  Budget budget;
  const auto release = release_of(schema, {counts_step({schema, {{{0}, {1}}, {}}, laplace(4), 0})});
  const Mechanism mechanism = release_mechanism(release, 1, budget);
  CHECK(mechanism.channel->inputs() == 6);
  CHECK(mechanism.channel->outputs() == 32);
  for (std::uint64_t x = 0; x < 6; ++x) {
    Number sum(0);
    for (std::uint64_t y = 0; y < 32; ++y) sum += mechanism.channel->entry(x, y);
    CHECK(sum.is_one());
  }
}

TEST_CASE("the code of a release and of its choices is proved to draw what its channel says") {
  const Domain schema = schema_of({2, 2});
  const NamedPattern pattern{"both", {{0, 1}, {1, 1}}};
  for (const Noise& noise : {laplace(2), gaussian(2)}) {
    Budget budget;
    const auto release = release_of(schema, {counts_step({schema, {{{0}}, {pattern}}, noise, 1})});
    const Mechanism mechanism = release_mechanism(release, 1, budget);
    const audits::ExhaustiveResult result =
        audits::check_exhaustively(*mechanism.channel, *mechanism.sampler, ExhaustiveOptions{}, budget);
    CHECK(result.passed());
    CHECK(result.exceptions().empty());
    CHECK(result.entries == 4 * 64);
  }
}

TEST_CASE("losses of random counts hold, and are attained where tables and patterns are not in each other's way") {
  std::mt19937_64 random(7);
  const auto below = [&](std::uint64_t n) { return static_cast<std::size_t>(random() % n); };
  for (int round = 0; round < effort(40, 8); ++round) {
    const Domain schema = schema_of({1 + below(2), 2, 1 + below(2)});
    const std::uint64_t window = below(2);
    CountsRequest request{schema, {}, laplace(1 + below(3), 1 + below(2)), window};
    // Few enough outputs to compare all.
    if (below(3) != 0)
      request.counted.tables.push_back(window == 0 && below(2) == 0 ? Attributes{0, 2} : Attributes{below(3)});
    Pattern pattern{{below(3)}, {0}};
    request.counted.patterns.push_back({"some", pattern});
    const auto release = release_of(schema, {counts_step(request)});
    Budget budget;
    const Mechanism mechanism = release_mechanism(release, 1, budget);
    const Model model{domain_of_tables(schema, 1), mechanism.channel, std::nullopt};
    for (const Attributes& set : std::vector<Attributes>{{0}, {1}, {2}, {0, 1}, {0, 2}, {0, 1, 2}}) {
      CHECK(level_of(model, schema, 1, set) <= release->loss(set).pure);
    }
  }
}

TEST_CASE("losses of steps add up, and a step costs nothing where nothing changes that it reads") {
  const Loss half = pure_loss(rational_level("1/2"));
  const Domain schema = schema_of({2, 2});
  const auto release = release_of(schema, {declared_step({"one", {0}, half}), declared_step({"two", {0, 1}, half}),
                                           declared_step({"three", {1}, concentrated_loss(Number::ratio(1, 8))})});
  CHECK(release->loss({0}).pure == rational_level("1"));
  CHECK(release->loss({0}).rho == half.rho + half.rho);
  CHECK(release->loss({1}).pure.is_infinite());
  CHECK(release->loss({1}).rho == half.rho + Number::ratio(1, 8));
  CHECK(release->loss({}).is_zero());
}

TEST_CASE("a pure loss has rho level * tanh(level / 2), rounded up") {
  for (const char* level : {"1", "log(3)", "4", "1/1000", "log(1 + exp(1))"}) {
    const Level pure = rational_level(level);
    const double exact = pure.approx() * std::tanh(pure.approx() / 2);
    const Loss loss = pure_loss(pure);
    CHECK(loss.rho.approx() == doctest::Approx(exact).epsilon(1e-12));
    // Divergences of randomized response of every order are within the bound.
    const double p = 1 / (1 + std::exp(-pure.approx()));
    for (double order = 1.001; order < 100; order *= 1.1) {
      const double sum =
          std::pow(p, order) * std::pow(1 - p, 1 - order) + std::pow(1 - p, order) * std::pow(p, 1 - order);
      CHECK(std::log(sum) / (order - 1) / order <= loss.rho.approx() * (1 + 1e-6));
    }
  }
  CHECK(pure_loss(Level()).is_zero());
  CHECK(decimal_bounds(pure_loss(rational_level("1")).rho).lower.starts_with("0.462117157"));
  CHECK(decimal_bounds(pure_loss(rational_level("4")).rho).lower.starts_with("3.856110320"));
}

TEST_CASE("epsilon by rho is rounded up: these are the least that as many decimals can say") {
  const auto decimals_of = [](const std::string& text) { return static_cast<int>(text.size() - text.find('.') - 1); };
  struct Case {
    const char *rho, *epsilon;
  };
  for (const Case& one : std::vector<Case>{
           {"2.63", "13.7924"}, {"1.02", "7.85605"}, {"1/2", "5.22154"}, {"1/10", "2.14194"}, {"1/50", "0.899936"}}) {
    CHECK(epsilon_of(parse_number(one.rho), parse_number("1e-6"), decimals_of(one.epsilon)) ==
          parse_number(one.epsilon));
  }
  // The census in the partial DP paper (Section 7): 13.8 is correctly rounded for rho = 2.63; 7.85 is not for
  // rho = 1.02.
  const auto of_delta = [](const char* rho, const char* delta) {
    return epsilon_of(parse_number(rho), parse_number(delta));
  };
  CHECK(of_delta("2.63", "1e-6") <= parse_number("13.8"));
  CHECK(of_delta("1.02", "1e-6") > parse_number("7.85"));
  CHECK(of_delta("1.018648", "1e-6") <= parse_number("7.85"));
  CHECK(of_delta("1.018649", "1e-6") > parse_number("7.85"));
  CHECK(of_delta("1.016056892", "1e-6") == parse_number("7.8384"));  // the ledger's rho of race and ethnicity
  CHECK(of_delta("1.02", "1.0212e-6") > parse_number("7.85"));
  CHECK(of_delta("1.02", "1.0213e-6") <= parse_number("7.85"));
  // The delta of Proposition 8, exp(-(epsilon - rho)^2 / (4 rho)), is valid but weaker.
  for (const double rho : {0.02, 0.5, 2.63}) {
    const double epsilon = rho + 2 * std::sqrt(rho * std::log(1e6));
    CHECK(epsilon_of(Number::ratio(std::llround(rho * 100), 100), parse_number("1e-6")).approx() < epsilon);
  }
  // Every order gives a valid epsilon, so the optimum is at most the value at each order.
  for (const double order : {1.5, 2.0, 5.0, 20.0, 100.0}) {
    const double by_order =
        order / 10 + (std::log(1e6) + order * std::log1p(-1 / order) - std::log(order - 1)) / (order - 1);
    CHECK(epsilon_of(parse_number("1/10"), parse_number("1e-6")).approx() <= by_order + 1e-5);
  }
}

TEST_CASE("a release that cannot be run, or walks past choices, is refused") {
  const Domain schema = schema_of({2});
  Budget budget;
  CHECK_THROWS_AS(
      release_mechanism(release_of(schema, {declared_step({"x", {0}, pure_loss(rational_level("1"))})}), 1, budget),
      ModelError);
}

TEST_CASE("losses whose exact sum would be too long a number are rounded up, by next to nothing") {
  Loss sum;
  double nats = 0;
  for (const std::int64_t parts : {10007, 10009}) {
    const Level level = Level::of_exponential((Number(1) + Number::exp_of(Number::ratio(1, parts))) / Number(2));
    sum += pure_loss(level);
    nats += std::log((1 + std::exp(1.0 / static_cast<double>(parts))) / 2);
  }
  CHECK(sum.pure.exponential().is_rational());
  CHECK(sum.pure.approx() == doctest::Approx(nats).epsilon(1e-12));
  // Both factors exceed the first terms of their series, (1 + 1 + x + x^2/2 + ...)/2.
  Number below(1);
  for (const std::int64_t parts : {10007, 10009}) {
    Number term(1), series(2);
    for (std::int64_t k = 1; k <= 8; ++k) {
      term = term * Number::ratio(1, parts) / Number(k);
      series += term;
    }
    below = below * series / Number(2);
  }
  CHECK(sum.pure.exponential() > below);
  CHECK(sum.pure.exponential() < below * (Number(1) + Number(2).pow(-60)));
}

TEST_CASE("what follows at a delta is never more than the pure loss") {
  const Number delta = Number::ratio(1, 1'000'000);
  const Loss small = pure_loss(parse_level("1/7"));
  CHECK(epsilon_of(small, delta) == parse_number("0.14286"));
  CHECK(epsilon_of(small.rho, delta) > epsilon_of(small, delta));
  const Loss large = pure_loss(parse_level("40"), Number::ratio(1, 2));
  CHECK(epsilon_of(large, delta) == epsilon_of(Number::ratio(1, 2), delta));
  CHECK(epsilon_of(Loss{}, delta).is_zero());
}
