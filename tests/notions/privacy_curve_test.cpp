// The (epsilon, delta) curve: epsilon at delta by the bare definition over all events, hand-computed values, and bounds
// on grids.
#include "verifier/notions/privacy_curve.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/random_model.h"
#include "verifier/engine/refined_losses.h"
#include "verifier/exact/decimal.h"
#include "verifier/model/product_channel.h"
#include "verifier/notions/approximate.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

// e^epsilon by definition: the largest (P(R) - delta) / Q(R) over all events R; nullopt if it is infinite.
std::optional<Number> factor_by_events(const Model& model, std::uint64_t from, std::uint64_t to, const Number& delta) {
  Number largest(1);
  for (std::uint64_t event = 1; event < std::uint64_t{1} << model.channel->outputs(); ++event) {
    Number p, q;
    for (std::uint64_t y = 0; y < model.channel->outputs(); ++y) {
      if ((event >> y & 1) == 0) continue;
      p += model.channel->entry(from, y);
      q += model.channel->entry(to, y);
    }
    if (q.is_zero() && p > delta) return std::nullopt;
    if (!q.is_zero()) largest = std::max(largest, (p - delta) / q);
  }
  return largest;
}

Level epsilon_by_events(const Model& model, const CoordinateGroups& groups, const Number& delta) {
  Level largest;
  for_all_neighbors(model.domain, groups, [&](std::uint64_t from, std::uint64_t to) {
    const auto factor = factor_by_events(model, from, to, delta);
    largest = std::max(largest, factor ? Level::of_exponential(*factor) : Level::infinite());
  });
  return largest;
}

Number delta_by_definition(const Model& model, const CoordinateGroups& groups, const Number& factor) {
  Number largest;
  for_all_neighbors(model.domain, groups, [&](std::uint64_t from, std::uint64_t to) {
    largest = std::max(largest, naive_delta(model, from, to, factor));
  });
  return largest;
}

Number random_delta(Random& random) {
  const char* deltas[] = {"0", "1/1000000", "1/100", "1/20", "1/8", "1/3", "1/2", "1"};
  return parse_number(deltas[below(random, std::size(deltas))]);
}

CoordinateGroups groups_of(const Domain& domain, bool coordinates) {
  CoordinateGroups groups;
  if (!coordinates) groups.groups.push_back(every_coordinate(domain));
  for (std::size_t i = 0; i < domain.size() && coordinates; ++i) groups.groups.push_back({i});
  return groups;
}

// Independent runs of some channels on the whole input.
Model product_of(const Domain& domain, const std::vector<ChannelPtr>& channels) {
  std::vector<Factor> parts;
  for (const ChannelPtr& channel : channels) parts.push_back({channel, every_coordinate(domain)});
  return {domain, std::make_shared<const ProductChannel>(domain, std::move(parts)), {}};
}

// The same outputs, each with a probability above 0: infinite losses hide the others.
ChannelPtr without_zeros(const ChannelPtr& channel) {
  auto rows = oddsbound::testing::rows_of(*channel);
  for (auto& row : rows) {
    const Number uniform = Number::ratio(1, static_cast<std::int64_t>(row.size()));
    for (Number& entry : row) entry = (entry + uniform) / Number(2);
  }
  return channel_of_rows(rows);
}

Model randomized_response(const Number& keep, std::size_t times) {
  const Domain domain({{"x", {"0", "1"}}});
  const std::vector<std::vector<Number>> rows{{keep, Number(1) - keep}, {Number(1) - keep, keep}};
  return product_of(domain, std::vector<ChannelPtr>(times, channel_of_rows(rows)));
}

const CoordinateGroups kAll{{{0}}};

void check_witness(const Model& model, const MeasuredLevel& found, const Number& delta) {
  const Witness witness = found.witness.get();
  CHECK(witness.likelihood_event);
  if (found.at_least.is_infinite()) {
    CHECK(witness.p_from > delta);
    CHECK(witness.p_to.is_zero());
  } else if (!found.at_least.is_zero()) {
    CHECK(witness.p_from - found.at_least.exponential() * witness.p_to == delta);
  } else {
    CHECK(witness.p_from - witness.p_to <= delta);
  }
  const auto is_input = [&](const Label& side) {
    for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
      if (Label(model.domain.tuple(x)) == side) return true;
    }
    return false;
  };
  CHECK(is_input(witness.from));
  CHECK(is_input(witness.to));
}

}  // namespace

TEST_CASE("the smallest epsilon at a delta is that of the definition over all events and pairs") {
  Random random(480);
  Budget budget;
  int infinite = 0, zero = 0, between = 0;
  for (int round = 0; round < 400; ++round) {
    const Entries entries = round % 4 == 0 ? Entries::kWithExp : Entries::kRational;
    const Domain domain = random_domain(random, 3, 3);
    if (domain.inputs() > 9) continue;
    std::vector<ChannelPtr> channels;
    const std::uint64_t parts = 1 + below(random, 2);
    while (channels.size() < parts) {
      const ChannelPtr channel = random_channel(random, domain, entries, 3);
      channels.push_back(round % 4 < 2 ? channel : without_zeros(channel));
    }
    const Model model = product_of(domain, channels);
    const CoordinateGroups groups = groups_of(domain, round % 3 == 0);
    MeasuredModel subject(model, budget);
    PrivacyCurve curve(subject, groups);
    REQUIRE(curve.is_listed());
    for (int k = 0; k < 3; ++k) {
      const Number delta = random_delta(random);
      const MeasuredLevel found = curve.epsilon_at(delta);
      CHECK(!found.unfinished);
      CHECK(found.at_least == epsilon_by_events(model, groups, delta));
      check_witness(model, found, delta);
      infinite += found.at_least.is_infinite() ? 1 : 0;
      zero += found.at_least.is_zero() ? 1 : 0;
      between += !found.at_least.is_infinite() && !found.at_least.is_zero() ? 1 : 0;
    }
    for (const char* factor : {"1", "11/10", "2", "exp(1)"}) {
      const NumberBounds bounds = curve.delta_at(parse_number(factor), 1);
      const Number delta = delta_by_definition(model, groups, parse_number(factor));
      CHECK(bounds.lower <= delta);
      CHECK(delta <= bounds.upper);
      CHECK((bounds.upper - bounds.lower).approx() < 1e-15);
    }
  }
  CHECK(infinite > 50);
  CHECK(zero > 50);
  CHECK(between > 200);
}

TEST_CASE("a mechanism with as many kinds of pairs as inputs is compared pair by pair") {
  Random random(481);
  Budget budget;
  for (int round = 0; round < 40; ++round) {
    const Domain domain({{"x", {"0", "1", "2", "3", "4", "5", "6", "7", "8"}}});
    const Model model = product_of(domain, {random_channel(random, domain, Entries::kRational, 6)});
    MeasuredModel subject(model, budget);
    PrivacyCurve curve(subject, kAll);
    for (const char* text : {"0", "1/1000", "1/10", "2/5"}) {
      const Number delta = parse_number(text);
      CHECK(curve.epsilon_at(delta).at_least == epsilon_by_events(model, kAll, delta));
    }
    const Number factor = Number::ratio(3, 2), exact = delta_by_definition(model, kAll, factor);
    const NumberBounds bounds = curve.delta_at(factor, 1);
    CHECK(bounds.lower <= exact);
    CHECK(exact <= bounds.upper);
    CHECK((bounds.upper - bounds.lower).approx() < 1e-15);
  }
}

TEST_CASE("randomized response has its known curve, and epsilon inverts delta") {
  Budget budget;
  // n, e^epsilon0, epsilon, delta: ../shared/loss-distributions.md, section 6.
  struct Known {
    Number keep;
    std::size_t times;
    Number factor;
    std::string delta;
  };
  const auto exp = [](std::int64_t nats) { return Number::exp_of(Number(nats)); };
  const Number keep = Number::ratio(21, 40), three = Number::ratio(3, 4);
  const Known known[] = {
      {keep, 1000, exp(18), "7.605553477e-6"},      {keep, 1000, exp(25), "3.058061394e-11"},
      {keep, 1000, exp(30), "1.958351484e-16"},     {keep, 100, Number::ratio(27, 10), "0.1274850431"},
      {three, 100, Number(3).pow(67), "0.0175456"}, {three, 1000, Number(3).pow(554), "0.0208429"}};
  for (const auto& [of, times, factor, delta] : known) {
    CAPTURE(delta);
    const Model model = randomized_response(of, times);
    MeasuredModel subject(model, budget);
    PrivacyCurve curve(subject, kAll);
    const NumberBounds bounds = curve.delta_at(factor, 1);
    CHECK(std::abs(bounds.upper.approx() / std::stod(delta) - 1) < 1e-5);
    CHECK((bounds.upper - bounds.lower) <= bounds.upper * Number(2).pow(-60));
    // The smallest epsilon at a delta just above is just below, and the other way round.
    const Number more = parse_number(decimal_bounds(bounds.upper, 12).upper);
    const Number less = parse_number(decimal_bounds(bounds.lower, 12).lower);
    CHECK(curve.epsilon_at(more).at_least <= Level::of_exponential(factor));
    CHECK(curve.epsilon_at(less).at_least >= Level::of_exponential(factor));
    CHECK(curve.epsilon_at(more).at_least.approx() > Level::of_exponential(factor).approx() - 1e-6);
  }
}

TEST_CASE("losses on a lattice that are too many to list have a narrow interval, where e^epsilon is no double") {
  Budget budget;
  // ../shared/loss-distributions.md, section 6: delta is 0.0221069 at 5173 log(3).
  const Model model = randomized_response(Number::ratio(3, 4), 10'000);
  MeasuredModel subject(model, budget);
  PrivacyCurve curve(subject, kAll);
  REQUIRE(!curve.is_listed());
  const double known = 5173 * std::log(3.0);
  const Number factor = Number(3).pow(5173);
  const NumberBounds delta = curve.delta_at(factor, 1e-9);
  CHECK(delta.lower.approx() == doctest::Approx(0.0221069).epsilon(1e-5));
  CHECK((delta.upper - delta.lower).approx() <= 1e-9);
  for (const bool above : {false, true}) {
    const Number near = rounded_decimal(above ? delta.upper : delta.lower, above, 12);
    const MeasuredLevel found = curve.epsilon_at(near);
    CHECK((above ? found.at_least.approx() <= known + 1e-6 : found.at_most().approx() >= known - 1e-6));
    CHECK(found.at_most().approx() - found.at_least.approx() <= 1e-5 * known);
    CHECK(std::abs(found.at_most().approx() / known - 1) < 1e-5);
  }
  // Only epsilon = 10,000 log(3) has delta 0.
  const MeasuredLevel pure = curve.epsilon_at(Number(0));
  CHECK(pure.at_least.approx() <= 10'000 * std::log(3.0));
  CHECK(pure.at_most().approx() >= 10'000 * std::log(3.0));
  CHECK(pure.at_most().approx() - pure.at_least.approx() <= 1e-5 * 10'000);
}

TEST_CASE("the epsilon of hand-computed mechanisms") {
  Budget budget;
  // Two outputs, 3/4 and 1/4: delta(E) = 3/4 - E / 4, so E = 3 - 4 delta.
  const Model once = randomized_response(Number::ratio(3, 4), 1);
  MeasuredModel subject(once, budget);
  PrivacyCurve curve(subject, kAll);
  CHECK(curve.epsilon_at(Number(0)).at_least == parse_level("log(3)"));
  CHECK(curve.epsilon_at(Number::ratio(1, 8)).at_least == parse_level("log(5/2)"));
  CHECK(curve.epsilon_at(Number::ratio(1, 2)).at_least == Level());
  // Twice: ratios 9, 1, 1/9. For 1 <= E <= 9, delta = 9/16 - E/16.
  const Model twice = randomized_response(Number::ratio(3, 4), 2);
  MeasuredModel both(twice, budget);
  PrivacyCurve of_both(both, kAll);
  CHECK(of_both.epsilon_at(Number::ratio(1, 16)).at_least == parse_level("log(8)"));
  CHECK(of_both.epsilon_at(Number::ratio(1, 2)).at_least == Level());
  // Outputs that only one input has, with probability 1/10: below that, epsilon is infinite.
  const Domain domain({{"x", {"0", "1"}}});
  const Model shown = product_of(domain, {channel_of_rows({{Number::ratio(1, 10), Number(0), Number::ratio(9, 10)},
                                                           {Number(0), Number::ratio(1, 10), Number::ratio(9, 10)}})});
  MeasuredModel revealing(shown, budget);
  PrivacyCurve of_shown(revealing, kAll);
  CHECK(of_shown.epsilon_at(Number::ratio(99, 1000)).at_least.is_infinite());
  CHECK(of_shown.epsilon_at(Number::ratio(1, 10)).at_least == Level());
  // Nothing is compared.
  const Domain single(std::vector<Coordinate>{{"x", {"only"}}});
  const Model alone = product_of(single, {channel_of_rows({{Number::ratio(1, 2), Number::ratio(1, 2)}})});
  MeasuredModel quiet(alone, budget);
  PrivacyCurve nothing(quiet, kAll);
  CHECK(nothing.epsilon_at(Number(0)).at_least == Level());
  CHECK(nothing.delta_at(Number(1), 1).upper.is_zero());
}

TEST_CASE("losses that are too many to list give two bounds, and the exact epsilon lies between them") {
  Budget budget;
  const Domain domain({{"x", {"0", "1"}}});
  std::vector<ChannelPtr> channels;
  engine::LossProduct product;
  for (const std::int64_t keep : {11, 13, 14}) {  // of 20
    const Number p = Number::ratio(keep, 20), q = Number(1) - p;
    const ChannelPtr channel = channel_of_rows({{p, q}, {q, p}});
    for (int k = 0; k < 41; ++k) channels.push_back(channel);
    const auto losses = std::make_shared<const engine::LossDistribution>(
        engine::LossDistribution::of(std::vector{p, q}, std::vector{q, p}));
    product.push_back({losses, 41});
  }
  const Model model = product_of(domain, channels);
  MeasuredModel subject(model, budget);
  PrivacyCurve curve(subject, kAll);
  REQUIRE(!curve.is_listed());
  const engine::LossDistribution exact = engine::composed(product, 1e6, budget).value();
  for (const char* text : {"1/1000000", "1/100", "1/3"}) {
    CAPTURE(text);
    const Number delta = parse_number(text);
    const MeasuredLevel found = curve.epsilon_at(delta);
    REQUIRE(found.unfinished);
    // delta falls strictly there, so epsilon lies between the bounds if delta does.
    CHECK(exact.excess(found.at_least.exponential()) > delta);
    CHECK(exact.excess(found.at_most().exponential()) <= delta);
    CHECK(found.at_most().approx() - found.at_least.approx() < 1e-3);
    CHECK(found.witness.get().unlisted);
  }
  for (const char* text : {"1", "2", "1000"}) {
    const Number factor = parse_number(text);
    const NumberBounds bounds = curve.delta_at(factor, 1e-3);
    CHECK(bounds.lower <= exact.excess(factor));
    CHECK(exact.excess(factor) <= bounds.upper);
    CHECK((bounds.upper - bounds.lower).approx() <= 1e-3 * bounds.upper.approx());
  }
  CHECK(curve.epsilon_at(Number(1)).at_most() == Level());
}
