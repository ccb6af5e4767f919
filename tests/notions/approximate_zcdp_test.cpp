// Approximate zCDP: pairs that are capped by hand, other decompositions, which are never better, and products.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/effort.h"
#include "tests/support/random_model.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/expression.h"
#include "verifier/exact/interval.h"
#include "verifier/measures/cumulant.h"
#include "verifier/model/product_channel.h"
#include "verifier/notions/delta_by_parts.h"
#include "verifier/notions/zcdp.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

using CappedRows = std::vector<std::vector<Number>>;

Model capped_model(const CappedRows& rows) { return {domain_of_sizes({rows.size()}), channel_of_rows(rows), {}}; }

MeasuredLevel rho_at_delta(MeasuredModel& subject, const Number& delta) {
  Arguments arguments;
  arguments.set("rho", Level::infinite());
  arguments.set("delta", delta);
  return std::get<MeasuredLevel>(approximate_zcdp_notion().decide(subject, arguments).actual);
}

MeasuredLevel rho_at_delta(const Model& model, const Number& delta) {
  Budget budget;
  MeasuredModel subject(model, budget);
  return rho_at_delta(subject, delta);
}

MeasuredLevel plain_rho(const Model& model) {
  Budget budget;
  MeasuredModel subject(model, budget);
  return measured_rho(subject, CoordinateGroups{{{0}}});
}

CappedRows kept_rows(const Number& keep) { return {{keep, Number(1) - keep}, {Number(1) - keep, keep}}; }

bool meet(const MeasuredLevel& a, const MeasuredLevel& b) {
  return a.at_least <= b.at_most() && b.at_least <= a.at_most();
}

// A distribution that is at most P / (1 - delta).
std::vector<Number> some_part_of(Random& random, const std::vector<Number>& row, const Number& delta) {
  std::vector<Number> part;
  Number left = delta;  // to be taken away
  for (const Number& p : row) {
    const Number taken = std::min(left, p * Number::ratio(static_cast<std::int64_t>(below(random, 5)), 4));
    part.push_back(p - taken);
    left -= taken;
  }
  for (Number& p : part) {
    const Number taken = std::min(left, p);
    p -= taken;
    left -= taken;
  }
  for (Number& p : part) p /= Number(1) - delta;
  return part;
}

// The probabilities of all outputs given two inputs, as doubles. The functions below cap their ratios and search over
// many orders.
struct PlainPair {
  std::vector<double> p, q;
};

// Returns the factor s for which the sum of max(0, p - s q) is delta.
double plain_cap(const PlainPair& pair, double delta) {
  double low = 1e-6, high = 1e6;
  for (int step = 0; step < 100; ++step) {
    const double middle = std::sqrt(low * high);
    double excess = 0;
    for (std::size_t y = 0; y < pair.p.size(); ++y) excess += std::max(0.0, pair.p[y] - middle * pair.q[y]);
    (excess > delta ? low : high) = middle;
  }
  return high;
}

double plain_over_order(const PlainPair& pair, double beyond) {
  double sum = 0;
  for (std::size_t y = 0; y < pair.p.size(); ++y) {
    if (pair.p[y] > 0) sum += pair.p[y] * std::expm1(beyond * std::log(pair.p[y] / pair.q[y]));
  }
  return std::log1p(sum) / (beyond * (1 + beyond));
}

double plain_best_order(const PlainPair& pair) {
  constexpr double kFactor = 1.3;
  double best = 1e-4, value = plain_over_order(pair, best), mean = 0;
  for (std::size_t y = 0; y < pair.p.size(); ++y) {
    if (pair.p[y] > 0) mean += pair.p[y] * std::log(pair.p[y] / pair.q[y]);  // the limit for orders near 1
  }
  for (double beyond = best; beyond < 100; beyond *= kFactor) {
    const double own = plain_over_order(pair, beyond);
    if (own <= value) continue;
    best = beyond;
    value = own;
  }
  double low = best / kFactor, high = best * kFactor;
  for (int step = 0; step < 30; ++step) {
    const double third = (high - low) / 3;
    if (plain_over_order(pair, low + third) < plain_over_order(pair, high - third)) {
      low += third;
    } else {
      high -= third;
    }
  }
  return std::max({value, plain_over_order(pair, low), mean});
}

double plain_approximate_rho(const PlainPair& pair, double delta) {
  const double s = plain_cap(pair, delta), t = plain_cap({pair.q, pair.p}, delta);
  if (s <= 1) return 0;
  PlainPair capped;
  for (std::size_t y = 0; y < pair.p.size(); ++y) {
    capped.p.push_back(std::min(pair.p[y], s * pair.q[y]) / (1 - delta));
    capped.q.push_back(std::min(pair.q[y], t * pair.p[y]) / (1 - delta));
  }
  return std::max(plain_best_order(capped), plain_best_order({capped.q, capped.p}));
}

}  // namespace

TEST_CASE("rho of pairs that are capped by hand") {
  // Both sides lose delta where they are more likely: kept with 3/4 becomes (3/4 - delta) / (1 - delta).
  const Model answer = capped_model(kept_rows(Number::ratio(3, 4)));
  CHECK(meet(rho_at_delta(answer, Number::ratio(1, 4)), plain_rho(capped_model(kept_rows(Number::ratio(2, 3))))));
  CHECK(meet(rho_at_delta(answer, Number(0)), plain_rho(answer)));
  // The total variation distance is 1/2.
  CHECK(rho_at_delta(answer, Number::ratio(1, 2)).at_most().is_zero());
  CHECK(!rho_at_delta(answer, Number::ratio(49, 100)).at_least.is_zero());
  CHECK(rho_at_delta(answer, Number(1)).at_most().is_zero());
  // An output that is possible on one side only has probability 1/10.
  const Number tenth = Number::ratio(1, 10), half = Number::ratio(1, 2), rest = Number::ratio(9, 20);
  const Model event = capped_model({{tenth, rest, rest}, {Number(0), half, half}});
  CHECK(rho_at_delta(event, tenth).at_most().is_zero());
  const MeasuredLevel infinite = rho_at_delta(event, Number::ratio(99, 1000));
  CHECK(infinite.at_least.is_infinite());
  CHECK(infinite.witness.get().p_from == tenth);
  CHECK(infinite.witness.get().outputs == std::vector<std::string>{"0"});
  // The ratios are 4, 1 and 1/4, and the first and last are capped: 4/10 - s/10 = 1/10, so s = 3.
  const Number four = Number::ratio(4, 10), one = Number::ratio(1, 10);
  const Model three = capped_model({{four, half, one}, {one, half, four}});
  const Number a = Number::ratio(3, 9), b = Number::ratio(5, 9), c = Number::ratio(1, 9);
  CHECK(meet(rho_at_delta(three, one), plain_rho(capped_model({{a, b, c}, {c, b, a}}))));
}

TEST_CASE("no other decomposition has a smaller rho") {
  Random random(9917);
  Budget budget;
  int compared = 0;
  for (int round = 0; round < effort(300, 60); ++round) {
    CAPTURE(round);
    const std::size_t outputs = 2 + below(random, 4);
    const CappedRows rows{random_distribution(random, outputs, Entries::kRational),
                          random_distribution(random, outputs, Entries::kRational)};
    const Number delta = Number::ratio(static_cast<std::int64_t>(below(random, 30)), 100);
    const MeasuredLevel least = rho_at_delta(capped_model(rows), delta);
    for (int other = 0; other < 10; ++other) {
      const std::vector<Number> p = some_part_of(random, rows[0], delta), q = some_part_of(random, rows[1], delta);
      const MeasuredLevel rho = plain_rho(capped_model({p, q}));
      CHECK(least.at_least <= rho.at_most());
      compared += rho.at_most().is_infinite() ? 0 : 1;
    }
  }
  CHECK(compared > effort(300, 60));
}

TEST_CASE("rho of products at a delta is that of their merged outputs") {
  // 14 answers have 15 ratios, whatever their order.
  constexpr std::int64_t kAnswers = 14;
  const Domain domain = domain_of_sizes({2});
  const ChannelPtr answer = channel_of_rows(kept_rows(Number::ratio(3, 5)));
  const Model product{
      domain, std::make_shared<ProductChannel>(domain, std::vector<Factor>(kAnswers, Factor{answer, {0}})), {}};
  REQUIRE(has_losses_by_parts(*product.channel));
  std::vector<Number> p, q;
  Number ways(1);
  for (std::int64_t j = 0; j <= kAnswers; ++j) {
    p.push_back(ways * Number::ratio(3, 5).pow(j) * Number::ratio(2, 5).pow(kAnswers - j));
    q.push_back(ways * Number::ratio(2, 5).pow(j) * Number::ratio(3, 5).pow(kAnswers - j));
    ways *= Number::ratio(kAnswers - j, j + 1);
  }
  for (const Number& delta : {Number(0), Number::ratio(1, 1000), Number::ratio(1, 10), Number::ratio(9, 10)}) {
    const MeasuredLevel found = rho_at_delta(product, delta);
    CHECK(meet(found, rho_at_delta(capped_model({p, q}), delta)));
    CHECK(found.at_most().is_zero() == (delta == Number::ratio(9, 10)));
  }
}

TEST_CASE("rho of outputs with too many sums of losses is between that of some of them and that of zCDP") {
  // Answers with different probabilities: 2^40 sums.
  const Domain domain = domain_of_sizes({2});
  const auto answers = [&](std::int64_t n) {
    std::vector<Factor> factors;
    for (std::int64_t k = 0; k < n; ++k) {
      factors.push_back({channel_of_rows(kept_rows(Number::ratio(1, 2) + Number::ratio(1, 41 + k * k))), {0}});
    }
    return Model{domain, std::make_shared<ProductChannel>(domain, factors), {}};
  };
  const Number delta = Number::ratio(1, 100);
  const MeasuredLevel all = rho_at_delta(answers(40), delta);
  REQUIRE(all.unfinished);
  CHECK(all.unfinished->reason.find("too many to list") != std::string::npos);
  // The first ten differ most, and their losses are listed.
  CHECK(all.at_least >= rho_at_delta(answers(10), delta).at_least);
  CHECK(all.at_least > Level());
  CHECK(meet(MeasuredLevel{all.at_most(), {}}, plain_rho(answers(40))));
  Budget budget;
  const Model model = answers(40);
  MeasuredModel subject(model, budget);
  Arguments arguments;
  arguments.set("delta", delta);
  arguments.set("rho", all.at_most());
  CHECK(approximate_zcdp_notion().decide(subject, arguments).holds == Answer::kYes);
  arguments.set("rho", Level::of_exponential(Number::exp_of(Number::ratio(1, 10'000))));
  CHECK(approximate_zcdp_notion().decide(subject, arguments).holds == Answer::kNo);
}

TEST_CASE("where losses are too many to list, rho lies between the bounds, by enumeration in doubles") {
  // Probabilities with exponentials: at most 4,096 sums are listed, and there are 6^5.
  constexpr std::size_t kParts = 5, kOutputs = 6;
  Random random(8121);
  const int rounds = effort(20, 1, 1);
  int apart = 0, zero = 0;
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    const Domain domain = domain_of_sizes({2});
    std::vector<Factor> factors;
    PlainPair plain{{1}, {1}};
    for (std::size_t part = 0; part < kParts; ++part) {
      std::vector<std::vector<Number>> rows;
      for (int x = 0; x < 2; ++x) {
        Number total;
        auto& row = rows.emplace_back();
        for (std::size_t y = 0; y < kOutputs; ++y) {
          const auto plus = static_cast<std::int64_t>(below(random, 12));
          row.push_back(Number(8) + Number(plus) * Number::exp_of(Number::ratio(1, 2)));
          total += row.back();
        }
        for (Number& entry : row) entry /= total;
      }
      PlainPair longer;
      for (std::size_t before = 0; before < plain.p.size(); ++before) {
        for (std::size_t y = 0; y < kOutputs; ++y) {
          longer.p.push_back(plain.p[before] * rows[0][y].approx());
          longer.q.push_back(plain.q[before] * rows[1][y].approx());
        }
      }
      plain = std::move(longer);
      factors.push_back({channel_of_rows(rows), {0}});
    }
    const Model product{domain, std::make_shared<ProductChannel>(domain, factors), {}};
    REQUIRE(has_losses_by_parts(*product.channel));
    Limits few;
    few.max_cells = 10'000;  // rows cannot be listed
    Budget budget(few);
    MeasuredModel subject(product, budget);
    for (const Number& delta : {Number(0), Number::ratio(1, 1000), Number::ratio(1, 20), Number::ratio(3, 10)}) {
      const MeasuredLevel found = rho_at_delta(subject, delta);
      const double truth = plain_approximate_rho(plain, delta.approx());
      CHECK(found.at_least.approx() <= truth * (1 + 1e-6) + 1e-9);
      CHECK(found.at_most().approx() >= truth * (1 - 1e-6) - 1e-9);
      apart += found.unfinished && found.at_most().approx() > found.at_least.approx() * 1.01 ? 1 : 0;
      zero += truth == 0 ? 1 : 0;
      // At delta 0 it is zCDP, which needs no list.
      CHECK((!delta.is_zero() || found.at_most().approx() <= truth * (1 + 1e-6) + 1e-9));
    }
  }
  CHECK((rounds < 3 || apart > rounds));
  CHECK(zero < 4 * rounds);
}
