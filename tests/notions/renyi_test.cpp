// Renyi DP of an order: divergences computed by hand, exact verdicts at the level itself, products by their parts, and
// all of it against the definition in plain loops.
#include "verifier/notions/renyi.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/effort.h"
#include "tests/support/random_model.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/expression.h"
#include "verifier/model/product_channel.h"
#include "verifier/notions/delta_by_parts.h"
#include "verifier/notions/table.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

using RenyiRows = std::vector<std::vector<Number>>;

Level renyi_level(const std::string& text) { return as_level(evaluate_expression(text)); }

Model renyi_model(const RenyiRows& rows, std::vector<std::size_t> sizes = {}) {
  if (sizes.empty()) sizes = {rows.size()};
  return {domain_of_sizes(sizes), channel_of_rows(rows), {}};
}

RenyiRows kept_with(const Number& keep) { return {{keep, Number(1) - keep}, {Number(1) - keep, keep}}; }

Decision decide_order(MeasuredModel& subject, std::int64_t order, const FieldValue& epsilon,
                      const std::string& neighbors = "", const std::optional<CoordinateGroups>& records = {}) {
  Arguments arguments;
  arguments.set("order", order);
  arguments.set("epsilon", epsilon);
  if (!neighbors.empty()) arguments.set("neighbors", neighbors);
  if (records) arguments.set("records", *records);
  return renyi_dp_notion().decide(subject, arguments);
}

Decision decide_order(const Model& model, std::int64_t order, const FieldValue& epsilon,
                      const std::string& neighbors = "", const std::optional<CoordinateGroups>& records = {}) {
  Budget budget;
  MeasuredModel subject(model, budget);
  return decide_order(subject, order, epsilon, neighbors, records);
}

MeasuredLevel divergence_of(const Model& model, std::int64_t order, const std::string& neighbors = "",
                            const std::optional<CoordinateGroups>& records = {}) {
  return std::get<MeasuredLevel>(decide_order(model, order, Level::infinite(), neighbors, records).actual);
}

// S of two rows by its definition; nullopt if it is infinite.
std::optional<Number> plain_sum(const std::vector<Number>& p, const std::vector<Number>& q, std::int64_t order) {
  Number sum;
  for (std::size_t y = 0; y < p.size(); ++y) {
    if (p[y].is_zero()) continue;
    if (q[y].is_zero()) return std::nullopt;
    sum += p[y].pow(order) * q[y].pow(1 - order);
  }
  return sum;
}

// The largest S of all neighbors; nullopt if it is infinite.
std::optional<Number> largest_plain_sum(const Model& model, std::int64_t order, bool by_coordinate = false) {
  const RenyiRows rows = rows_of(*model.channel);
  Number largest(1);
  for (std::uint64_t x = 0; x < rows.size(); ++x) {
    for (std::uint64_t z = 0; z < rows.size(); ++z) {
      if (by_coordinate && differing(model.domain, x, z) != 1) continue;
      const auto sum = plain_sum(rows[x], rows[z], order);
      if (!sum) return std::nullopt;
      largest = std::max(largest, *sum);
    }
  }
  return largest;
}

// Checks a level against e^((order - 1) D) = sum.
void check_divergence(const MeasuredLevel& level, std::int64_t order, const Number& sum) {
  CHECK(level.at_least.times(order - 1) <= Level::of_exponential(sum));
  CHECK(level.at_most().times(order - 1) >= Level::of_exponential(sum));
  if (!level.unfinished) CHECK(level.at_least.exponential().pow(order - 1) == sum);
}

std::uint64_t number_of_input(const Domain& domain, const Label& side) {
  InputRow row;
  const auto& values = std::get<std::vector<std::string>>(side);
  for (std::size_t i = 0; i < values.size(); ++i) {
    row.push_back(static_cast<std::uint32_t>(domain.find_value(i, values[i]).value()));
  }
  return domain.number(row);
}

}  // namespace

TEST_CASE("Renyi divergences of randomized response, computed by hand") {
  const Model model = renyi_model(kept_with(Number::ratio(3, 4)));
  // S = (3/4)^2 (1/4)^-1 + (1/4)^2 (3/4)^-1 = 9/4 + 1/12.
  const MeasuredLevel second = divergence_of(model, 2);
  CHECK(second.at_least == renyi_level("log(7/3)"));
  CHECK(!second.unfinished);
  CHECK(second.witness.get().order == Number(2));
  // S = (3/4)^3 (1/4)^-2 + (1/4)^3 (3/4)^-2 = 27/4 + 1/36 = 61/9, without a square root in K.
  const MeasuredLevel third = divergence_of(model, 3);
  REQUIRE(third.unfinished);
  CHECK(third.at_least < renyi_level("log(sqrt(61)/3)"));
  CHECK(third.at_most() > renyi_level("log(sqrt(61)/3)"));
  CHECK(third.at_least > renyi_level("0.9568246434"));
  CHECK(third.at_most() < renyi_level("0.9568246435"));
  check_divergence(third, 3, Number::ratio(61, 9));
}

TEST_CASE("the Renyi divergence of order 2 of k-randomized response has its closed form") {
  for (const std::int64_t k : {2, 3, 7}) {
    for (const Number& t : {Number(3), Number::ratio(5, 4), Number::exp_of(Number(1))}) {
      const Number values(k), lie = Number(1) / (t + values - Number(1));
      std::vector<std::vector<Number>> rows(static_cast<std::size_t>(k),
                                            std::vector<Number>(static_cast<std::size_t>(k), lie));
      for (std::size_t x = 0; x < rows.size(); ++x) rows[x][x] = t * lie;
      const Model model{domain_of_sizes({rows.size()}), channel_of_rows(rows), {}};
      const MeasuredLevel level = divergence_of(model, 2);
      CHECK(!level.unfinished);
      CHECK(level.at_least == Level::of_exponential((t * t + values - Number(2) + Number(1) / t) * lie));
    }
  }
}

TEST_CASE("a claim is decided at the level itself") {
  const Model model = renyi_model(kept_with(Number::ratio(3, 4)));
  const Decision same = decide_order(model, 2, renyi_level("log(7/3)"));
  CHECK(same.holds == Answer::kYes);
  CHECK(same.tight == Answer::kYes);
  const Decision below = decide_order(model, 2, renyi_level("log(7/3 - 10^-40)"));
  CHECK(below.holds == Answer::kNo);
  REQUIRE(below.witness);
  CHECK(below.witness->order == Number(2));
  CHECK(below.witness->outputs.empty());
  CHECK(below.witness->from != below.witness->to);
  const Decision above = decide_order(model, 2, renyi_level("log(7/3 + 10^-40)"));
  CHECK(above.holds == Answer::kYes);
  CHECK(above.tight == Answer::kNo);
}

TEST_CASE("a level that no logarithm states is refined until it decides the claim") {
  const Model model = renyi_model(kept_with(Number::ratio(3, 4)));
  // sqrt(61)/3 to 60 digits, below and above.
  const std::string near = "2.60341655863555146470990757858636713785610171221618776672574";
  const Decision refuted = decide_order(model, 3, renyi_level("log(" + near + ")"));
  const Decision holds = decide_order(model, 3, renyi_level("log(" + near + " + 10^-59)"));
  CHECK(refuted.holds == Answer::kNo);
  CHECK(holds.holds == Answer::kYes);
  CHECK(holds.tight == Answer::kNo);
}

TEST_CASE("a root in K that is not recognized is found equal to the claim") {
  // Two equal answers at order 3: D = log(S^2) / 2 = log(S) with S = (e^3 + e^-2) / (1 + e).
  const Number e = Number::exp_of(Number(1)), keep = e / (Number(1) + e);
  const RenyiRows one = kept_with(keep);
  RenyiRows twice(2);
  for (std::size_t x = 0; x < 2; ++x) {
    for (const Number& p : one[x]) {
      for (const Number& q : one[x]) twice[x].push_back(p * q);
    }
  }
  const Model model = renyi_model(twice);
  const Number sum = *plain_sum(one[0], one[1], 3);
  CHECK(sum == (e.pow(3) + e.pow(-2)) / (Number(1) + e));
  check_divergence(divergence_of(model, 3), 3, sum * sum);
  const Decision tight = decide_order(model, 3, Level::of_exponential(sum));
  CHECK(tight.holds == Answer::kYes);
  CHECK(tight.tight == Answer::kYes);
  CHECK(std::get<MeasuredLevel>(tight.actual).at_least == Level::of_exponential(sum));
  const Number tiny = Number(1) / Number(10).pow(50);
  CHECK(decide_order(model, 3, Level::of_exponential(sum - tiny)).holds == Answer::kNo);
  CHECK(decide_order(model, 3, Level::of_exponential(sum + tiny)).holds == Answer::kYes);
  CHECK(decide_order(model, 3, Level::of_exponential(sum + tiny)).tight == Answer::kNo);
}

TEST_CASE("an output that one neighbor never has makes the divergence infinite, and equal rows make it 0") {
  const Number half = Number::ratio(1, 2);
  const Model never = renyi_model({{half, half}, {Number(1), Number(0)}});
  const Decision infinite = decide_order(never, 2, renyi_level("1000"));
  CHECK(infinite.holds == Answer::kNo);
  REQUIRE(infinite.witness);
  CHECK(infinite.witness->outputs.size() == 1);
  CHECK(infinite.witness->p_from == half);
  CHECK(infinite.witness->p_to.is_zero());
  const Decision allowed = decide_order(never, 2, Level::infinite());
  CHECK(allowed.holds == Answer::kYes);
  CHECK(allowed.tight == Answer::kYes);
  for (const std::size_t inputs : {std::size_t{1}, std::size_t{3}}) {
    const Decision none = decide_order(renyi_model(RenyiRows(inputs, {half, half})), 5, Level());
    CHECK(none.holds == Answer::kYes);
    CHECK(none.tight == Answer::kYes);
    CHECK(!std::get<MeasuredLevel>(none.actual).unfinished);
  }
}

TEST_CASE("the divergence is that of the definition in plain loops, for any neighbors") {
  Random random(49);
  int finite = 0, infinite = 0;
  for (int round = 0; round < effort(200, 40); ++round) {
    CAPTURE(round);
    const bool exp = round % 3 == 0;
    const Model model = random_model(random, exp ? Entries::kWithExp : Entries::kRational);
    if (model.domain.inputs() > 16) continue;
    const bool by_coordinate = round % 2 == 0;
    const auto order = static_cast<std::int64_t>(2 + below(random, exp ? 3 : 12));
    const MeasuredLevel level = divergence_of(model, order, by_coordinate ? "coordinate" : "all");
    const auto sum = largest_plain_sum(model, order, by_coordinate);
    REQUIRE(level.at_least.is_infinite() == !sum.has_value());
    const Witness& witness = level.witness.get();
    const RenyiRows rows = rows_of(*model.channel);
    const std::uint64_t from = number_of_input(model.domain, witness.from),
                        to = number_of_input(model.domain, witness.to);
    if (by_coordinate) CHECK(differing(model.domain, from, to) <= 1);
    if (!sum) {
      ++infinite;
      CHECK(!plain_sum(rows[from], rows[to], order));
      continue;
    }
    ++finite;
    check_divergence(level, order, *sum);
    CHECK(plain_sum(rows[from], rows[to], order) == sum);
  }
  CHECK(finite > 0);
  CHECK(infinite > 0);
}

TEST_CASE("levels by coordinate are about inputs that differ in that coordinate") {
  // Both coordinates are answered; the third is not released.
  RenyiRows rows;
  const RenyiRows first = kept_with(Number::ratio(3, 4)), second = kept_with(Number::ratio(2, 3));
  for (const auto& a : first) {
    for (const auto& b : second) {
      std::vector<Number> row;
      for (const Number& p : a) {
        for (const Number& q : b) row.push_back(p * q);
      }
      rows.insert(rows.end(), 2, row);
    }
  }
  const Model model = renyi_model(rows, {2, 2, 2});
  CHECK(divergence_of(model, 2).at_least == renyi_level("log(7/3) + log(3/2)"));
  CHECK(divergence_of(model, 2, "coordinate").at_least == renyi_level("log(7/3)"));
  CHECK(divergence_of(model, 2, "record", CoordinateGroups{{{1, 2}, {0}}}).at_least == renyi_level("log(7/3)"));
  CHECK(divergence_of(model, 2, "record", CoordinateGroups{{{2}}}).at_least == Level());
  CoordinateLevels claimed(3);
  claimed[1] = renyi_level("log(3/2)");
  claimed[2] = Level();
  const Decision holds = decide_order(model, 2, claimed);
  CHECK(holds.holds == Answer::kYes);
  CHECK(holds.tight == Answer::kYes);
  claimed[1] = renyi_level("0.4");
  const Decision refuted = decide_order(model, 2, claimed);
  CHECK(refuted.holds == Answer::kNo);
  REQUIRE(refuted.witness);
  CHECK(refuted.witness->coordinate == "x1");
}

TEST_CASE("a product is measured by its parts, without a list of outputs") {
  const Domain domain({{"a", {"0", "1"}}, {"b", {"0", "1"}}, {"single", {"0"}}, {"unseen", {"0", "1"}}});
  const ChannelPtr two = channel_of_rows(kept_with(Number::ratio(2, 3))),
                   three = channel_of_rows(kept_with(Number::ratio(3, 4))),
                   one = channel_of_rows({{Number::ratio(1, 2), Number::ratio(1, 2)}});
  std::vector<Factor> parts(1000, {two, {0}});
  parts.resize(1700, {three, {1}});
  parts.push_back({one, {2}});
  const Model model{domain, std::make_shared<const ProductChannel>(domain, parts), {}};
  REQUIRE(notions::has_losses_by_parts(*model.channel));
  CHECK(divergence_of(model, 2).at_least == renyi_level("1000*log(3/2) + 700*log(7/3)"));
  CHECK(divergence_of(model, 2, "coordinate").at_least == renyi_level("700*log(7/3)"));
  CHECK(divergence_of(model, 2, "record", CoordinateGroups{{{2, 3}}}).at_least == Level());
  const Witness& witness = divergence_of(model, 2).witness.get();
  CHECK(witness.order == Number(2));
  check_divergence(divergence_of(model, 3), 3,
                   Number::ratio(61, 9).pow(700) * plain_sum({Number::ratio(2, 3), Number::ratio(1, 3)},
                                                             {Number::ratio(1, 3), Number::ratio(2, 3)}, 3)
                                                       ->pow(1000));
}

TEST_CASE("an exact level that is long is rounded, and decides claims all the same") {
  const Domain domain({{"a", {"0", "1"}}});
  const std::vector<Factor> parts(20000, {channel_of_rows(kept_with(Number::ratio(2, 3))), {0}});
  const Model model{domain, std::make_shared<const ProductChannel>(domain, parts), {}};
  Budget budget;
  MeasuredModel subject(model, budget);
  const auto level = std::get<MeasuredLevel>(decide_order(subject, 2, Level::infinite()).actual);
  REQUIRE(level.unfinished);
  CHECK(level.unfinished->reason == "the exact level is long, and is rounded outward");
  const Level exact = renyi_level("10000*log(3/2) + 10000*log(3/2)");
  CHECK(level.at_least < exact);
  CHECK(level.at_most() > exact);
  const Decision tight = decide_order(subject, 2, exact);
  CHECK(tight.holds == Answer::kYes);
  CHECK(tight.tight == Answer::kYes);
  CHECK(decide_order(subject, 2, renyi_level("10000*log(3/2) + 10000*log(3/2) + 10^-60")).tight == Answer::kNo);
  CHECK(decide_order(subject, 2,
                     renyi_level("10000*log(3/2) + 9999*log(3/2) + 0.405465108108164381978013115464349136571990"))
            .holds == Answer::kNo);
}

TEST_CASE("a product by its parts is the list of its outputs") {
  Random random(50);
  int finite = 0, infinite = 0;
  for (int round = 0; round < effort(16, 8); ++round) {
    CAPTURE(round);
    const Domain domain = random_domain(random, 2, 3);
    std::vector<Factor> parts;
    for (double outputs = 1; outputs <= 4096;) {
      std::vector<std::size_t> seen{below(random, domain.size())};
      if (domain.size() == 2 && below(random, 3) == 0) seen = {0, 1};
      const ChannelPtr channel = random_channel(random, domain.restricted_to(seen), Entries::kRational, 3);
      RenyiRows rows = rows_of(*channel);
      if (rows[0].size() < 2) continue;
      const Number each = Number::ratio(1, static_cast<std::int64_t>(2 * rows[0].size()));
      if (round % 4 != 3) {
        for (auto& row : rows) {
          for (Number& entry : row) entry = entry / Number(2) + each;
        }
      }
      const Factor part{channel_of_rows(rows), seen};
      for (std::uint64_t times = 1 + below(random, 4); times > 0 && outputs <= 4096; --times) {
        parts.push_back(part);
        outputs *= static_cast<double>(rows[0].size());
      }
    }
    const Model model{domain, std::make_shared<const ProductChannel>(domain, std::move(parts)), {}};
    REQUIRE(notions::has_losses_by_parts(*model.channel));
    const Model listed{domain, channel_of_rows(rows_of(*model.channel)), {}};
    const std::string neighbors = round % 3 == 0 ? "coordinate" : "all";
    const MeasuredLevel found = divergence_of(model, 3, neighbors), expected = divergence_of(listed, 3, neighbors);
    CHECK(found.at_least == expected.at_least);
    CHECK(found.at_most() == expected.at_most());
    found.at_least.is_infinite() ? ++infinite : ++finite;
    const RenyiRows rows = rows_of(*listed.channel);
    const Witness& witness = found.witness.get();
    const auto sum =
        plain_sum(rows[number_of_input(domain, witness.from)], rows[number_of_input(domain, witness.to)], 3);
    REQUIRE(sum.has_value() == !found.at_least.is_infinite());
    if (sum) check_divergence(found, 3, *sum);
  }
  CHECK(finite > 0);
  CHECK(infinite > 0);
}

TEST_CASE("post-processing never increases the divergence") {
  Random random(51);
  for (int round = 0; round < effort(60, 12); ++round) {
    const Model model = random_model(random, Entries::kRational);
    if (model.domain.inputs() > 16) continue;
    const RenyiRows rows = rows_of(*model.channel);
    RenyiRows kernel;
    for (std::size_t y = 0; y < rows[0].size(); ++y)
      kernel.push_back(random_distribution(random, 3, Entries::kRational));
    RenyiRows after;
    for (const auto& row : rows) {
      std::vector<Number>& own = after.emplace_back(3);
      for (std::size_t y = 0; y < row.size(); ++y) {
        for (std::size_t z = 0; z < 3; ++z) own[z] += row[y] * kernel[y][z];
      }
    }
    const Model processed{model.domain, channel_of_rows(after), {}};
    const auto order = static_cast<std::int64_t>(2 + below(random, 5));
    CHECK(divergence_of(processed, order).at_least <= divergence_of(model, order).at_most());
  }
}

TEST_CASE("where the sum is too long to be exact, the divergence is enclosed and the claim is decided") {
  // 100 outputs with probabilities of 100 digits: at order 1000 the sum has tens of millions of digits.
  RenyiRows rows(2);
  const Number scale = Number(10).pow(100);
  for (int x = 0; x < 2; ++x) {
    Number rest(1);
    for (std::int64_t y = 0; y < 99; ++y) {
      rows[static_cast<std::size_t>(x)].push_back(Number::ratio(1, 100) +
                                                  (Number(x == 0 ? y + 1 : 2 * y + 3)).pow(9) / scale);
      rest -= rows[static_cast<std::size_t>(x)].back();
    }
    rows[static_cast<std::size_t>(x)].push_back(rest);
  }
  rows[1][0] -= Number::ratio(1, 200);
  rows[1][1] += Number::ratio(1, 200);
  const Model model = renyi_model(rows);
  Budget budget;
  MeasuredModel subject(model, budget);
  const auto level = std::get<MeasuredLevel>(decide_order(subject, 1000, Level::infinite()).actual);
  REQUIRE(level.unfinished);
  CHECK(level.unfinished->reason.starts_with("the sum over outputs is too long to be exact: "));
  CHECK(level.at_most().approx() - level.at_least.approx() < 1e-12);
  CHECK(decide_order(subject, 1000, renyi_level("0.7")).holds == Answer::kYes);
  CHECK(decide_order(subject, 1000, renyi_level("0.6")).holds == Answer::kNo);
}

TEST_CASE("an order is an integer from 2 to 1000") {
  const std::vector<Field>& fields = renyi_dp_notion().fields;
  const auto order =
      std::find_if(fields.begin(), fields.end(), [](const Field& field) { return field.name == "order"; });
  REQUIRE(order != fields.end());
  CHECK(order->kind == FieldKind::kInteger);
  CHECK(order->least == 2);
  CHECK(order->most == 1000);
}
