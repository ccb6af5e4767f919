#include <doctest/doctest.h>
#include <cmath>
#include <vector>

#include "audits/confidence.h"
#include "mechanisms/random/distributions.h"
#include "tests/support/effort.h"
#include "tests/support/families.h"
#include "tests/support/too_many.h"
#include "verifier/exact/expression.h"
#include "verifier/exact/interval.h"

using namespace oddsbound;
using oddsbound::testing::effort;

namespace {

Number binomial_term(std::int64_t n, std::int64_t c, const Number& q) {
  Number term = q.pow(c) * (Number(1) - q).pow(n - c);
  for (std::int64_t i = 0; i < c; ++i) term = term * Number(n - i) / Number(i + 1);
  return term;
}

Number exact_tail(std::int64_t n, std::int64_t c, const Number& q) {
  Number sum;
  for (std::int64_t k = c; k <= n; ++k) sum += binomial_term(n, k, q);
  return sum;
}

}  // namespace

TEST_CASE("the tail bound is above the exact tail, by next to nothing") {
  for (const std::int64_t n : {1, 2, 7, 40, 200}) {
    for (const Number& q : {Number::ratio(1, 4), Number::ratio(1, 2), Number::ratio(1, 1024), Number::ratio(31, 32)}) {
      for (std::int64_t c = 1; c <= n; c += 1 + n / effort(10, 4)) {
        const double bound = tail_bound(static_cast<std::uint64_t>(n), static_cast<std::uint64_t>(c), q.approx());
        const double truth = exact_tail(n, c, q).approx();
        CAPTURE(n);
        CAPTURE(c);
        CHECK(bound >= truth * (1 - 1e-15));
        if (Number(c) > Number(n) * q) CHECK(bound <= truth * (1 + 1e-9) + 1e-300);
      }
    }
  }
}

TEST_CASE("Clopper and Pearson's limits keep their level exactly") {
  for (const std::uint64_t n : {1U, 5U, 30U, 150U}) {
    for (std::uint64_t c = 0; c <= n; c += 1 + n / std::uint64_t{effort(15, 4)}) {
      for (const double alpha : {0.01, 0.1}) {
        const double low = lower_limit(n, c, alpha);
        const double high = upper_limit(n, c, alpha);
        CHECK(low <= static_cast<double>(c) / static_cast<double>(n));
        CHECK(high >= static_cast<double>(c) / static_cast<double>(n));
        if (c == 0) {
          CHECK(low == 0);
          continue;
        }
        // A double is a rational, so the exact tail at `low` can be computed: it is at most alpha, and above alpha
        // just beyond.
        const auto mantissa = static_cast<std::int64_t>(std::ldexp(low, 53));
        const Number exact = Number::ratio(mantissa, std::int64_t{1} << 53);
        const auto trials = static_cast<std::int64_t>(n), right = static_cast<std::int64_t>(c);
        CHECK(exact_tail(trials, right, exact).approx() <= alpha * (1 + 1e-14));
        CHECK(exact_tail(trials, right, exact * Number::ratio(1000001, 1000000)).approx() > alpha);
      }
    }
  }
}

TEST_CASE("just beyond a lower limit the exact tail is above the level") {
  for (const std::uint64_t n : {1U, 5U, 30U, 150U}) {
    for (std::uint64_t c = 1; c <= n; c += 1 + n / std::uint64_t{effort(15, 4)}) {
      for (const double alpha : {1e-9, 0.001, 0.2}) {
        const double beyond = beyond_lower_limit(n, c, alpha, 30);
        CHECK(beyond <= lower_limit(n, c, alpha) * (1 + 0x1p-28));
        const auto trials = static_cast<std::int64_t>(n), right = static_cast<std::int64_t>(c);
        CHECK(exact_tail(trials, right, number_of(beyond)) > number_of(alpha));
      }
    }
  }
  CHECK(beyond_lower_limit(2'000'000, 1'462'117, 0.01, 30) ==
        doctest::Approx(lower_limit(2'000'000, 1'462'117, 0.01)).epsilon(1e-8));
}

TEST_CASE("limits for many trials are close to the share") {
  const double low = lower_limit(2'000'000, 1'462'117, 0.01);
  CHECK(low == doctest::Approx(0.7310585 - 2.3263 * std::sqrt(0.7310585 * 0.2689415 / 2e6)).epsilon(1e-5));
  CHECK(tail_bound(2'000'000, 1'462'117, low) <= 0.01);
  CHECK(lower_limit(4'000'000'000, 3'000'000'000, 0.01) == doctest::Approx(0.75).epsilon(1e-4));
}

TEST_CASE("evidence is a supermartingale: its mean is at most 1 for every probability up to q") {
  for (const std::int64_t n : {1, 3, 12, 60}) {
    for (const Number& q : {Number::ratio(1, 4), Number::ratio(1, 2), Number::ratio(3, 4)}) {
      for (const Number& truth : {q, q * Number::ratio(7, 8), q * Number::ratio(1, 2)}) {
        double mean = 0;
        for (std::int64_t c = 0; c <= n; ++c) {
          mean += binomial_term(n, c, truth).approx() *
                  std::exp(log_evidence(static_cast<std::uint64_t>(n), static_cast<std::uint64_t>(c), q.approx()));
        }
        CAPTURE(n);
        CHECK(mean <= 1);
        // The bound is not vacuous.
        if (n == 60 && truth == q) CHECK(mean > 0.2);
      }
    }
  }
}

TEST_CASE("evidence grows for what is more likely than claimed, and its limit is below that of fixed size") {
  CHECK(log_evidence(1000, 800, 0.7) > std::log(1e6));
  CHECK(log_evidence(1000, 700, 0.7) < 0);
  const double any = anytime_lower_limit(100'000, 73'106, 0.01);
  const double fixed = lower_limit(100'000, 73'106, 0.01);
  CHECK(any < fixed);
  CHECK(any > fixed - 0.005);
}

namespace {

// The mean of exp(r n KL(observed || p)) over all counts, by recursion over the cells.
double mean_of_divergence(double r, int n, const std::vector<double>& p, std::size_t cell, int left, double weight,
                          double divergence) {
  const auto term = [&](int count) { return count == 0 ? 0.0 : count * std::log(count / (n * p[cell])); };
  if (cell + 1 == p.size()) {
    return weight * std::pow(p[cell], left) / std::tgamma(left + 1) * std::exp(r * (divergence + term(left)));
  }
  double sum = 0;
  for (int count = 0; count <= left; ++count) {
    sum += mean_of_divergence(r, n, p, cell + 1, left - count,
                              weight * std::pow(p[cell], count) / std::tgamma(count + 1), divergence + term(count));
  }
  return sum;
}

}  // namespace

TEST_CASE("the moment bound behind the divergence's tail holds on small cases") {
  const std::vector<std::vector<double>> distributions{
      {0.5, 0.5}, {0.01, 0.99}, {0.2, 0.3, 0.5}, {0.01, 0.01, 0.98}, {0.25, 0.25, 0.25, 0.25}, {0.7, 0.1, 0.1, 0.1}};
  for (const auto& p : distributions) {
    for (const int n : {1, 2, 5, 12, 25}) {
      for (const double r : {0.1, 0.5, 0.9, 0.99}) {
        const double mean = mean_of_divergence(r, n, p, 0, n, std::tgamma(n + 1), 0);
        CHECK(mean <= std::pow(1 - r, -static_cast<double>(p.size() - 1)) * (1 + 1e-9));
      }
    }
  }
}

TEST_CASE("critical divergences are reached with probability alpha at most") {
  for (const std::size_t cells : {2U, 3U, 10U, 100U}) {
    const double critical = critical_divergence(1e-4, cells);
    CHECK(divergence_tail(critical, cells) <= 1e-4);
    CHECK(divergence_tail(critical * 0.999, cells) > 1e-4);
  }
  CHECK(critical_divergence(1e-4, 100) == doctest::Approx(148).epsilon(0.02));
}

TEST_CASE("quick intervals contain Clopper and Pearson's") {
  for (const std::uint64_t n : {1U, 10U, 1000U, 1'000'000U}) {
    for (const std::uint64_t c : {std::uint64_t{0}, n / 3, n - 1, n}) {
      const ConfidenceInterval wide = chernoff_interval(n, c, 1e-3);
      CHECK(wide.low <= lower_limit(n, c, 1e-3));
      CHECK(wide.high >= upper_limit(n, c, 1e-3));
      CHECK((wide.low >= 0 && wide.high <= 1));
    }
  }
}

TEST_CASE("levels and shares are each other's inverse, rounded to the safe side") {
  CHECK(share_of(parse_level("log(3)"), 1) == doctest::Approx(0.75));
  CHECK(share_of(parse_level("log(3)"), 1) >= 0.75);
  CHECK(level_of_share(0.75, 1) <= std::log(3.0));
  CHECK(level_of_share(0.75, 1) == doctest::Approx(std::log(3.0)));
  CHECK(level_of_share(0.5, 1) == 0);
  CHECK(level_of_share(0.2, 9) == doctest::Approx(std::log(0.2 * 9 / 0.8)));
  CHECK(level_of_share(share_of(1.0, 9), 9) == doctest::Approx(1));
  CHECK(share_of(Level::infinite(), 3) == 1);
}

// Bounds from intervals: how narrow they are, and how often they fail together.

using oddsbound::testing::effort;
using oddsbound::testing::read_example;
using oddsbound::testing::too_many;

namespace {

Tally tally_of(const std::vector<std::vector<std::uint64_t>>& rows) {
  Tally tally(rows.size(), rows[0].size());
  for (std::size_t x = 0; x < rows.size(); ++x) {
    for (std::size_t y = 0; y < rows[x].size(); ++y) tally.row(x)[y] = rows[x][y];
  }
  return tally;
}

std::vector<Question> ldp_question(std::size_t inputs, Budget& budget) {
  const Spec spec = read_example(R"j([{"name": "x", "size": )j" + std::to_string(inputs) + "}]",
                                 R"j({"type": "k_randomized_response", "epsilon": "1"})j", budget);
  std::vector<Question> questions = questions_of(spec, false, budget);
  questions.erase(questions.begin() + 1, questions.end());
  return questions;
}

}  // namespace

TEST_CASE("both ends of every interval around every probability share the error evenly") {
  Budget budget;
  const double alpha = 0.05;
  const auto questions = ldp_question(2, budget);
  const Tally tally = tally_of({{9000, 1000}, {4000, 6000}});
  SUBCASE("of recorded runs, where the lower bound is of Clopper and Pearson's limits") {
    const auto bounds = bounds_from_intervals(questions, std::vector{tally}, alpha, budget);
    const double each = alpha / (2 * 4);
    CHECK(bounds[0].low ==
          doctest::Approx(std::log(lower_limit(10'000, 6000, each) / upper_limit(10'000, 1000, each))).epsilon(1e-12));
    CHECK(bounds[0].high == doctest::Approx(std::log(chernoff_interval(10'000, 6000, each).high /
                                                     chernoff_interval(10'000, 1000, each).low))
                                .epsilon(1e-12));
  }
  SUBCASE("of three stages, of which the narrowest ends count") {
    const Tally few = tally_of({{90, 10}, {40, 60}}), none(2, 2);
    const auto bounds = bounds_from_intervals(questions, std::vector{few, tally, none}, alpha, budget);
    const double each = alpha / (2 * 3 * 4);
    CHECK(bounds[0].high == doctest::Approx(std::log(chernoff_interval(10'000, 6000, each).high /
                                                     chernoff_interval(10'000, 1000, each).low))
                                .epsilon(1e-12));
  }
}

TEST_CASE("of inputs that are run alike, lower bounds from intervals are above 0 as seldom as stated") {
  Budget budget;
  const double alpha = 0.25;
  constexpr std::size_t kMany = 30;
  const auto questions = ldp_question(2, budget);
  const Categorical uniform(std::vector<Number>(kMany, Number::ratio(1, kMany)));
  std::uint64_t above = 0;
  constexpr std::uint64_t kAudits = effort(400, 20);
  for (std::uint64_t seed = 1; seed <= kAudits; ++seed) {
    const auto source = Randomness{seed, 9}.source(0);
    Tally tally(2, kMany);
    for (std::uint64_t x = 0; x < 2; ++x) {
      for (int i = 0; i < 3000; ++i) ++tally.row(x)[uniform.run(*source)];
    }
    above += bounds_from_intervals(questions, std::vector{tally}, alpha, budget)[0].low > 0 ? 1 : 0;
  }
  CHECK(above < too_many(kAudits, alpha));
}
