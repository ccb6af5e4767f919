// Cascades and aggregates of independent parts against sums over all outputs.
#include "verifier/model/aggregate.h"

#include <doctest/doctest.h>
#include <map>

#include "base/errors.h"
#include "tests/support/random_model.h"
#include "verifier/model/cascade_channel.h"
#include "verifier/model/product_channel.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

ChannelPtr some_channel(Random& random, std::uint64_t inputs, std::uint64_t outputs, Entries entries) {
  std::vector<std::vector<Number>> rows;
  for (std::uint64_t x = 0; x < inputs; ++x) {
    rows.push_back(x > 0 && below(random, 2) == 0 ? rows[below(random, x)]
                                                  : random_distribution(random, outputs, entries));
  }
  return channel_of_rows(rows);
}

std::vector<ScoredPart> some_parts(Random& random, const Domain& domain, Entries entries) {
  std::vector<ScoredPart> parts;
  const std::uint64_t count = 1 + below(random, 5);
  for (std::uint64_t p = 0; p < count; ++p) {
    if (p > 0 && below(random, 2) == 0) {
      parts.push_back(parts[below(random, p)]);
      continue;
    }
    std::vector<std::size_t> coordinates{below(random, domain.size())};
    const std::uint64_t outputs = 1 + below(random, 3);
    std::vector<std::int64_t> scores;
    for (std::uint64_t y = 0; y < outputs; ++y) scores.push_back(static_cast<std::int64_t>(below(random, 7)) - 3);
    const std::uint64_t inputs = domain.values(coordinates[0]);
    parts.push_back({some_channel(random, inputs, outputs, entries), std::move(coordinates),
                     std::make_shared<const std::vector<std::int64_t>>(std::move(scores))});
  }
  return parts;
}

std::map<std::int64_t, Number> by_outputs(Aggregate kind, const Domain& domain, const std::vector<ScoredPart>& parts,
                                          std::uint64_t x) {
  std::vector<Factor> factors;
  for (const ScoredPart& part : parts) factors.push_back({part.channel, part.coordinates});
  const ProductChannel whole(domain, factors);
  std::map<std::int64_t, Number> sums;
  for (std::uint64_t y = 0; y < whole.outputs(); ++y) {
    const std::vector<std::uint64_t> output = whole.split(y);
    std::vector<std::int64_t> scores;
    for (std::size_t p = 0; p < parts.size(); ++p) scores.push_back((*parts[p].scores)[output[p]]);
    sums[aggregate_of(kind, scores)] += whole.entry(x, y);
  }
  return sums;
}

const std::vector<Aggregate> kAggregates{Aggregate::kSum, Aggregate::kMax, Aggregate::kMin, Aggregate::kArgmax};

}  // namespace

TEST_CASE("aggregates have the probabilities of all outputs that give them") {
  Random random(83);
  Budget budget;
  for (int round = 0; round < 120; ++round) {
    CAPTURE(round);
    const Domain domain = random_domain(random, 3);
    const std::vector<ScoredPart> parts =
        some_parts(random, domain, round % 4 == 0 ? Entries::kWithExp : Entries::kRational);
    for (const Aggregate kind : kAggregates) {
      CAPTURE(static_cast<int>(kind));
      const ClassLaws laws = aggregate_laws(kind, domain, parts, budget);
      REQUIRE(laws.class_of.size() == domain.inputs());
      for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
        const auto expected = by_outputs(kind, domain, parts, x);
        const std::vector<Number>& law = laws.laws[laws.class_of[x]];
        if (kind != Aggregate::kArgmax) REQUIRE(laws.results.size() == expected.size());
        for (std::size_t r = 0; r < law.size(); ++r) {
          const auto place = expected.find(laws.results[r]);
          CHECK(law[r] == (place == expected.end() ? Number(0) : place->second));
        }
      }
    }
  }
}

TEST_CASE("inputs with the same distributions are of one class") {
  Budget budget;
  const Domain domain = domain_of_sizes({2, 2, 2});
  const ChannelPtr bit =
      channel_of_rows({{Number::ratio(3, 4), Number::ratio(1, 4)}, {Number::ratio(1, 4), Number::ratio(3, 4)}});
  const auto scores = std::make_shared<const std::vector<std::int64_t>>(std::vector<std::int64_t>{0, 1});
  const std::vector<ScoredPart> parts{{bit, {0}, scores}, {bit, {1}, scores}, {bit, {2}, scores}};
  const ClassLaws sums = aggregate_laws(Aggregate::kSum, domain, parts, budget);
  CHECK(sums.class_of == std::vector<std::uint32_t>{0, 1, 1, 2, 1, 2, 2, 3});
  // Input 0, 0, 0: a binomial distribution with 1/4.
  CHECK(sums.laws[0] ==
        std::vector<Number>{Number::ratio(27, 64), Number::ratio(27, 64), Number::ratio(9, 64), Number::ratio(1, 64)});
  // Input 0, 0, 1: the sum of two bits with 1/4 and one with 3/4.
  CHECK(sums.laws[1] ==
        std::vector<Number>{Number::ratio(9, 64), Number::ratio(33, 64), Number::ratio(19, 64), Number::ratio(3, 64)});
  const ClassLaws places = aggregate_laws(Aggregate::kArgmax, domain, parts, budget);
  CHECK(places.laws.size() == 8);
  // Input 0, 0, 0: part 1 is the first 1, or part 0 wins, also if all are 0.
  CHECK(places.laws[0] == std::vector<Number>{Number::ratio(43, 64), Number::ratio(12, 64), Number::ratio(9, 64)});
}

TEST_CASE("one channel may have different scores in different parts") {
  Budget budget;
  const Domain domain = domain_of_sizes({1});
  const ChannelPtr bit = channel_of_rows({{Number::ratio(3, 4), Number::ratio(1, 4)}});
  const auto scores = [](std::int64_t zero, std::int64_t one) {
    return std::make_shared<const std::vector<std::int64_t>>(std::vector<std::int64_t>{zero, one});
  };
  const std::vector<ScoredPart> parts{{bit, {0}, scores(0, 1)}, {bit, {0}, scores(2, 0)}};
  const ClassLaws sums = aggregate_laws(Aggregate::kSum, domain, parts, budget);
  CHECK(sums.results == std::vector<std::int64_t>{0, 1, 2, 3});
  CHECK(sums.laws[0] ==
        std::vector<Number>{Number::ratio(3, 16), Number::ratio(1, 16), Number::ratio(9, 16), Number::ratio(3, 16)});
}

TEST_CASE("gaps between scores remain gaps between sums") {
  Budget budget;
  const Domain domain = domain_of_sizes({1});
  const ChannelPtr three = channel_of_rows({{Number::ratio(1, 2), Number(0), Number::ratio(1, 2)}});
  const auto scores = std::make_shared<const std::vector<std::int64_t>>(std::vector<std::int64_t>{0, 4, 10});
  const std::vector<ScoredPart> parts{{three, {0}, scores}, {three, {0}, scores}};
  const ClassLaws sums = aggregate_laws(Aggregate::kSum, domain, parts, budget);
  CHECK(sums.results == std::vector<std::int64_t>{0, 4, 8, 10, 14, 20});
  CHECK(sums.laws[0] == std::vector<Number>{Number::ratio(1, 4), Number(0), Number(0), Number::ratio(1, 2), Number(0),
                                            Number::ratio(1, 4)});
}

TEST_CASE("scores beyond 2^40 are a limit") {
  Budget budget;
  const Domain domain = domain_of_sizes({1});
  const ChannelPtr two = channel_of_rows({{Number::ratio(1, 2), Number::ratio(1, 2)}});
  const auto of = [](std::int64_t large) {
    return std::make_shared<const std::vector<std::int64_t>>(std::vector<std::int64_t>{0, large});
  };
  const std::int64_t largest = std::int64_t{1} << 40;
  const std::vector<ScoredPart> good{{two, {0}, of(largest)}}, bad{{two, {0}, of(largest + 1)}};
  CHECK(aggregate_laws(Aggregate::kMax, domain, good, budget).results == std::vector<std::int64_t>{0, largest});
  CHECK_THROWS_AS(aggregate_laws(Aggregate::kMax, domain, bad, budget), LimitError);
}

TEST_CASE("a cascade is the product of two matrices") {
  Random random(84);
  Budget budget;
  for (int round = 0; round < 120; ++round) {
    CAPTURE(round);
    const Entries entries = round % 4 == 0 ? Entries::kWithExp : Entries::kRational;
    const std::uint64_t middle = 1 + below(random, 6), inputs = middle + below(random, 3);
    const ChannelPtr first = some_channel(random, 1 + below(random, 4), middle, entries);
    const ChannelPtr second = some_channel(random, inputs, 1 + below(random, 4), entries);
    std::vector<std::uint64_t> input_of;
    for (std::uint64_t y = 0; y < middle; ++y) input_of.push_back(below(random, inputs));
    const ChannelPtr whole = cascade_channel(*first, *second, input_of, budget);
    REQUIRE(whole->outputs() == second->outputs());
    for (std::uint64_t x = 0; x < first->inputs(); ++x) {
      for (std::uint64_t z = 0; z < second->outputs(); ++z) {
        Number sum(0);
        for (std::uint64_t y = 0; y < middle; ++y) sum += first->entry(x, y) * second->entry(input_of[y], z);
        CHECK(whole->entry(x, z) == sum);
      }
    }
  }
}
