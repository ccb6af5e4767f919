// KL differential privacy: mean losses computed by hand, products by their parts, and all of it against plain loops.
#include "verifier/notions/kl.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/support/effort.h"
#include "tests/support/random_model.h"
#include "verifier/exact/expression.h"
#include "verifier/model/product_channel.h"
#include "verifier/notions/delta_by_parts.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

Decision kl_claim(const Model& model, const Level& epsilon, const std::string& neighbors = "") {
  Budget budget;
  MeasuredModel subject(model, budget);
  Arguments arguments;
  arguments.set("epsilon", epsilon);
  if (!neighbors.empty()) arguments.set("neighbors", neighbors);
  return kl_dp_notion().decide(subject, arguments);
}

MeasuredLevel kl_level(const Model& model, const std::string& neighbors = "") {
  return std::get<MeasuredLevel>(kl_claim(model, Level::infinite(), neighbors).actual);
}

double plain_mean(const std::vector<Number>& p, const std::vector<Number>& q) {
  double mean = 0;
  for (std::size_t y = 0; y < p.size(); ++y) {
    if (p[y].is_zero()) continue;
    if (q[y].is_zero()) return std::numeric_limits<double>::infinity();
    mean += p[y].approx() * std::log(p[y].approx() / q[y].approx());
  }
  return mean;
}

double plain_kl(const Model& model, bool by_coordinate) {
  const auto rows = rows_of(*model.channel);
  double most = 0;
  for (std::uint64_t x = 0; x < rows.size(); ++x) {
    for (std::uint64_t z = 0; z < rows.size(); ++z) {
      if (by_coordinate && differing(model.domain, x, z) > 1) continue;
      most = std::max(most, plain_mean(rows[x], rows[z]));
    }
  }
  return most;
}

void check_encloses(const MeasuredLevel& found, double nats) {
  CHECK(found.at_least.is_infinite() == std::isinf(nats));
  if (std::isinf(nats)) return;
  CHECK(found.at_least.approx() <= nats + 1e-12);
  CHECK(found.at_most().approx() >= nats - 1e-12);
  CHECK(found.at_most().approx() - found.at_least.approx() <= 1e-12);
}

}  // namespace

TEST_CASE("mean losses that are computed by hand") {
  const Number quarter = Number::ratio(1, 4), half = Number::ratio(1, 2);
  // 1/2 log 2 + 1/4 log 1 + 1/4 log(1/2) = 1/4 log 2
  const Model both{domain_of_sizes({2}), channel_of_rows({{half, quarter, quarter}, {quarter, quarter, half}}), {}};
  check_encloses(kl_level(both), std::log(2) / 4);
  // Eight runs: 2 log 2, which is a level.
  std::vector<Factor> runs(8, {both.channel, {0}});
  const Model eight{both.domain, std::make_shared<ProductChannel>(both.domain, runs), {}};
  const MeasuredLevel found = kl_level(eight);
  CHECK(found.at_least == as_level(evaluate_expression("log(4)")));
  CHECK(!found.unfinished);
  CHECK(*found.witness.get().order == Number(1));
  CHECK(kl_claim(eight, found.at_least).tight == Answer::kYes);
  CHECK(kl_claim(eight, as_level(evaluate_expression("log(4 - 10^-40)"))).holds == Answer::kNo);
  const Decision above = kl_claim(eight, as_level(evaluate_expression("log(4 + 10^-40)")));
  CHECK(above.holds == Answer::kYes);
  CHECK(above.tight == Answer::kNo);
  // The two directions differ: 1/2 log(2/3) + 1/2 log 2 and 1/4 log(1/2) + 3/4 log(3/2).
  const Model uneven{domain_of_sizes({2}), channel_of_rows({{half, half}, {quarter, Number::ratio(3, 4)}}), {}};
  check_encloses(kl_level(uneven), std::log(4.0 / 3) / 2);
  const Model never{domain_of_sizes({2}), channel_of_rows({{Number(1), Number(0)}, {half, half}}), {}};
  CHECK(kl_level(never).at_least.is_infinite());
  const Model alike{domain_of_sizes({2}), channel_of_rows({{half, half}, {half, half}}), {}};
  CHECK(kl_level(alike).at_least.is_zero());
}

TEST_CASE("mean losses are those of plain loops, and add over independent parts") {
  Random random(7119);
  int infinite = 0, exponentials = 0;
  for (int round = 0; round < effort(400, 80); ++round) {
    CAPTURE(round);
    const bool with_exp = round % 4 == 3;
    const Model model = random_model(random, with_exp ? Entries::kWithExp : Entries::kRational);
    for (const bool by_coordinate : {false, true}) {
      const MeasuredLevel found = kl_level(model, by_coordinate ? "coordinate" : "");
      check_encloses(found, plain_kl(model, by_coordinate));
      infinite += found.at_least.is_infinite() ? 1 : 0;
      exponentials += with_exp && !found.at_least.is_infinite() && !found.at_least.is_zero() ? 1 : 0;
    }
  }
  CHECK(infinite > 0);
  CHECK(exponentials > 0);
  for (int round = 0; round < effort(40, 10); ++round) {
    CAPTURE(round);
    const Domain domain = domain_of_sizes({2, 3});
    const ChannelPtr first = random_possible_outputs(random, 2), second = random_possible_outputs(random, 3);
    std::vector<Factor> factors(5, {first, {0}});
    factors.insert(factors.end(), 7, {second, {1}});
    const Model product{domain, std::make_shared<ProductChannel>(domain, factors), {}};
    REQUIRE(has_losses_by_parts(*product.channel));
    const double one = 5 * plain_kl({domain_of_sizes({2}), first, {}}, false);
    const double other = 7 * plain_kl({domain_of_sizes({3}), second, {}}, false);
    check_encloses(kl_level(product), one + other);
    check_encloses(kl_level(product, "coordinate"), std::max(one, other));
    const Witness witness = kl_level(product).witness.get();
    const auto row_named = [&](const Label& label) {
      std::uint64_t input = 0;
      while (Label(domain.tuple(input)) != label) ++input;
      return domain.row(input);
    };
    double shown = 0;
    for (const auto& [channel, coordinates] : factors) {
      const Projection project(domain, coordinates);
      const auto rows = rows_of(*channel);
      shown += plain_mean(rows[project(row_named(witness.from))], rows[project(row_named(witness.to))]);
    }
    CHECK(shown == doctest::Approx(one + other));
  }
}
