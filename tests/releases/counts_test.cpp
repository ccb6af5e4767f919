// Progress of one update of a fitted distribution, by the potential in the partial DP paper's proof of Theorem 12:
// the divergence of the truth from the distribution (Lemma 13, and its misprint).

#include <doctest/doctest.h>
#include <cmath>
#include <random>

#include "releases/counts.h"
#include "tests/releases/release_models.h"
#include "tests/support/effort.h"
#include "verifier/exact/number.h"

using namespace oddsbound;
using namespace oddsbound::mechanisms;
using oddsbound::testing::effort;
using oddsbound::testing::schema_of;

namespace {

// Decrease of the potential if people with the query's value have weight `truth`, and `before` becomes `after`.
double fall(double truth, double before, double after) {
  return truth * std::log(after / before) + (1 - truth) * std::log((1 - after) / (1 - before));
}

// Decrease for `count` simultaneous queries to which each person gives equal answers: all have the fitted fraction
// 1/2 and the true fraction 1/2 + gap; answers are exact. `count` copies of one query are such queries.
double fall_of_copies(std::size_t count, double gap) {
  std::vector<NamedPattern> queries(count, {"one", {{0}, {1}}});
  std::vector<std::uint32_t> all(count);
  for (std::size_t k = 0; k < count; ++k) all[k] = static_cast<std::uint32_t>(k);
  FittedDistribution fitted(schema_of({2}), queries, false);
  fitted.fit(all, std::vector<double>(count, 0.5 + gap));
  return fall(0.5 + gap, 0.5, fitted.share(0));
}

// Decides exactly whether the decrease is at least `least`: (1/2 + g) h - log((1 + e^h) / 2) >= least, with
// h = count g / 2.
bool falls_by(std::int64_t count, const Number& gap, const Number& least) {
  const Number h = Number(count) * gap / Number(2);
  const Number left = Number::exp_of((Number::ratio(1, 2) + gap) * h - least);
  return left >= (Number(1) + Number::exp_of(h)) / Number(2);
}

}  // namespace

TEST_CASE("one query at a time: the potential falls by what Lemma 13 says, with q(A) in the exponent") {
  std::mt19937_64 random(13);
  std::uniform_real_distribution<double> uniform;
  for (int round = 0; round < effort(300, 100); ++round) {
    const std::vector<NamedPattern> queries{{"one", {{0}, {1}}}};
    FittedDistribution fitted(schema_of({2, 1 + random() % 3}), queries, false);
    const std::vector<std::uint32_t> asked{0};
    const double truth = uniform(random);
    for (int update = 0; update < 5; ++update) {
      const std::vector<double> answer{uniform(random)};
      const double before = fitted.share(0);
      fitted.fit(asked, answer);
      const double error = answer[0] - truth, gap = before - truth;
      CHECK(fall(truth, before, fitted.share(0)) >= (gap * gap - error * error) / 4 - 1e-12);
    }
  }
}

TEST_CASE("with q(u) in the exponent, as printed, nothing moves where all are said to have it, and Lemma 13 fails") {
  // exp(q(u) (a - q(u)) / 2) with a = 1 is 1 for q(u) = 0 and for q(u) = 1.
  const auto printed = [](double q, double a) { return std::exp(q * (a - q) / 2); };
  const double before = 0.5, truth = 1;
  const double after = before * printed(1, 1) / (before * printed(1, 1) + (1 - before) * printed(0, 1));
  CHECK(after == before);
  CHECK(truth * std::log(after / before) < (before - truth) * (before - truth) / 4);
  // The code's update does move.
  const std::vector<NamedPattern> queries{{"one", {{0}, {1}}}};
  FittedDistribution fitted(schema_of({2}), queries, false);
  fitted.fit(std::vector<std::uint32_t>{0}, std::vector<double>{1.0});
  CHECK(truth * std::log(fitted.share(0) / before) >= (before - truth) * (before - truth) / 4);
}

TEST_CASE("queries at once that people answer alike: the fall that Theorem 12's proof adds up fails from nine on") {
  const Number gap = Number::ratio(1, 100);
  for (std::int64_t count = 1; count <= 20; ++count) {
    CAPTURE(count);
    const Number promised = Number(count) * gap * gap / Number(4);
    CHECK(falls_by(count, gap, promised) == (count <= 8));
    CHECK(falls_by(count, gap, Number(0)) == (count <= 16));
    const double found = fall_of_copies(static_cast<std::size_t>(count), 0.01);
    CHECK((found >= promised.approx()) == (count <= 8));
    CHECK((found >= 0) == (count <= 16));
  }
  CHECK(fall_of_copies(9, 0.01) == doctest::Approx(0.000197).epsilon(1e-2));
  CHECK(fall_of_copies(17, 0.01) == doctest::Approx(-0.000053).epsilon(1e-2));
}
