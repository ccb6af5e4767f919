#include "verifier/engine/mixture_levels.h"

#include <doctest/doctest.h>

#include "tests/support/effort.h"
#include "tests/support/random_model.h"
#include "verifier/engine/input_levels.h"
#include "verifier/model/product_channel.h"

using namespace oddsbound;
using namespace oddsbound::engine;
using namespace oddsbound::testing;

namespace {

// A random mixture of mechanisms on some of the coordinates, by its terms, and the same as one table.
struct Mixture {
  Domain domain;
  ChannelPtr by_terms, table;
};

Mixture random_mixture(Random& random, Entries entries, Budget& budget) {
  Mixture mixture{random_domain(random, 4, 3), nullptr, nullptr};
  const std::size_t outputs = 2 + below(random, 3), mechanisms = 1 + below(random, 4);
  std::vector<ChannelPtr> channels;
  std::vector<DerivedOutput> derived;
  for (std::size_t z = 0; z < outputs + 1; ++z) derived.push_back({"z" + std::to_string(z), {}});
  const std::vector<Number> weights = random_distribution(random, mechanisms, Entries::kRational);
  for (std::size_t c = 0; c < mechanisms; ++c) {
    std::vector<std::size_t> coordinates;
    for (std::size_t i = 0; i < mixture.domain.size(); ++i) {
      if (below(random, 2) == 0) coordinates.push_back(i);
    }
    if (coordinates.empty()) coordinates.push_back(below(random, mixture.domain.size()));
    const Domain own = mixture.domain.restricted_to(coordinates);
    std::vector<std::vector<Number>> rows;
    for (std::uint64_t x = 0; x < own.inputs(); ++x) rows.push_back(random_distribution(random, outputs, entries));
    if (below(random, 8) == 0) std::ranges::fill(rows, rows[0]);  // it ignores its input
    std::vector<Factor> factors{{channel_of_rows(rows), coordinates}};
    // A second output that ignores the attribute that it is said to be about.
    const std::size_t noises = 1 + below(random, 2), about = below(random, mixture.domain.size());
    const auto values = static_cast<std::size_t>(mixture.domain.values(about));
    if (noises > 1) {
      const std::vector<std::vector<Number>> noise(values, random_distribution(random, noises, entries));
      factors.push_back({channel_of_rows(noise), {about}});
    }
    channels.push_back(std::make_shared<ProductChannel>(mixture.domain, std::move(factors), false));
    // Some mechanisms never give output 0 of the mixture, and others never the last one.
    const std::size_t shift = below(random, 2);
    for (std::size_t y = 0; y < outputs; ++y) {
      for (std::size_t n = 0; n < noises; ++n) {
        derived[(y + shift + n) % (outputs + 1)].shares.push_back({c, y * noises + n, weights[c]});
      }
    }
  }
  mixture.by_terms =
      std::make_shared<MixtureChannel>(mixture.domain, mixture_terms(mixture.domain, channels, derived, budget));
  mixture.table = derived_channel(channels, derived, budget);
  return mixture;
}

void check_attained(const Model& model, const InputLevel& level) {
  const InputPair pair = level.witness.get();
  const Number p = model.channel->entry_at(model.domain, pair.from, pair.output);
  const Number q = model.channel->entry_at(model.domain, pair.to, pair.output);
  REQUIRE(!p.is_zero());
  CHECK(level_between(p, q) == level.at_least);
}

}  // namespace

TEST_CASE("mixtures by their terms are those of one table: entries, columns, levels, witnesses") {
  Random random(91);
  std::size_t several = 0, infinite = 0;
  for (int round = 0; round < effort(2000, 300); ++round) {
    CAPTURE(round);
    Budget budget;
    const Entries entries = round % 3 == 0 ? Entries::kWithExp : Entries::kRational;
    const Mixture mixture = random_mixture(random, entries, budget);
    const Domain& domain = mixture.domain;
    several += as_mixture(*mixture.by_terms)->terms().size() > 1 ? 1 : 0;
    REQUIRE(mixture.by_terms->outputs() == mixture.table->outputs());
    const auto columns = mixture.by_terms->columns(budget);
    std::vector<InputRow> rows;
    for (std::uint64_t x = 0; x < domain.inputs(); x += 2) rows.push_back(domain.row(x));
    const auto some = mixture.by_terms->columns_of(domain, rows, budget);
    std::vector<std::uint32_t> scratch;
    for (std::uint64_t y = 0; y < mixture.table->outputs(); ++y) {
      CHECK(mixture.by_terms->output_label(y) == mixture.table->output_label(y));
      for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
        const Number truth = mixture.table->entry(x, y);
        CHECK(mixture.by_terms->entry(x, y) == truth);
        CHECK(mixture.by_terms->entry_at(domain, domain.row(x), std::vector{y}) == truth);
        CHECK(columns->pool().value(columns->ranks(y, scratch)[x]) == truth);
        if (x % 2 == 0) CHECK(some->pool().value(some->ranks(y, scratch)[x / 2]) == truth);
      }
    }

    const Model by_terms{domain, mixture.by_terms, std::nullopt}, table{domain, mixture.table, std::nullopt};
    MeasuredModel subject(by_terms, budget);
    const InputLevel all = level_among_all(subject);
    CHECK(all.at_least == naive_ldp(table));
    infinite += all.at_least.is_infinite() ? 1 : 0;
    check_attained(by_terms, all);
    const std::vector<InputLevel> along = levels_along(subject, every_coordinate(domain));
    for (std::size_t i = 0; i < domain.size(); ++i) {
      CHECK(along[i].at_least == naive_cdp(table, i));
      check_attained(by_terms, along[i]);
      const InputPair pair = along[i].witness.get();
      for (std::size_t k = 0; k < domain.size(); ++k) {
        if (k != i) CHECK(pair.from[k] == pair.to[k]);
      }
    }
  }
  CHECK(several > 30);
  CHECK(infinite > 30);
}

TEST_CASE("a mixture over more inputs than have numbers") {
  // One of 100 answers with 100 values, through randomized response that keeps it with probability 1/2.
  constexpr std::uint32_t kCoordinates = 100, kValues = 100;
  Budget budget;
  std::vector<Coordinate> coordinates;
  for (std::uint32_t i = 0; i < kCoordinates; ++i)
    coordinates.push_back({"x" + std::to_string(i), ValueNames::numbered(kValues)});
  const Domain domain(coordinates);
  std::vector<std::vector<Number>> rows(kValues,
                                        std::vector<Number>(kValues, Number::ratio(1, std::int64_t{2} * kValues)));
  for (std::uint32_t v = 0; v < kValues; ++v) rows[v][v] += Number::ratio(1, 2);
  const ChannelPtr response = channel_of_rows(rows);
  std::vector<ChannelPtr> channels;
  std::vector<DerivedOutput> outputs(kValues);
  for (std::size_t i = 0; i < kCoordinates; ++i) {
    channels.push_back(std::make_shared<ProductChannel>(domain, std::vector<Factor>{{response, {i}}}, false));
    for (std::uint32_t y = 0; y < kValues; ++y) outputs[y].shares.push_back({i, y, Number::ratio(1, kCoordinates)});
  }
  const Model model{domain, mixture_of(domain, channels, outputs, budget), std::nullopt};
  MeasuredModel subject(model, budget);
  // All 100 answers are the output, or none is.
  CHECK(level_among_all(subject).at_least == Level::of_exponential(Number(101)));
  check_attained(model, level_among_all(subject));
  // P(y) = 1/200 + n/200 if n of the answers are y: the first answer changes 2/200 to 1/200.
  const std::vector<InputLevel> along = levels_along(subject, every_coordinate(domain));
  for (const InputLevel& level : along) CHECK(level.at_least == Level::of_exponential(Number(2)));
}
