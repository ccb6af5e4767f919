#include "verifier/notions/tolerance.h"

#include <doctest/doctest.h>

#include "tests/support/effort.h"
#include "tests/support/random_model.h"
#include "tests/support/random_sets.h"
#include "verifier/model/product_channel.h"
#include "verifier/priors/prior_set.h"

using namespace oddsbound;
using namespace oddsbound::testing;

TEST_CASE("A claimed level holds up to the tolerance and fails at the next number of the grid") {
  Random random(51);
  int bounded = 0, all = 0, none = 0;
  for (int round = 0; round < effort(60, 30); ++round) {
    CAPTURE(round);
    const Model model = random_model(random, Entries::kRational);
    if (!model.prior) continue;
    Budget budget;
    MeasuredModel subject(model, budget);
    const std::size_t i = below(random, model.domain.size());
    const Level claimed = Level::of_exponential(Number::ratio(10 + static_cast<std::int64_t>(below(random, 40)), 10));
    const auto level = [&](const PriorSetPtr& set) { return value_level_over(subject, *set, i).at_least; };
    const Tolerance tolerance = tolerance_of(subject, i, claimed);
    CHECK(tolerance.coordinate == model.domain.coordinate(i).name);
    const Prior& prior = *model.prior;
    const auto set_of = [&](Growing set, const Number& size) {
      switch (set) {
        case Growing::kWeights: return reweighted(prior, size);
        case Growing::kContaminated: return contaminated(prior, size, Support::kDomain);
        case Growing::kTotalVariation: return total_variation_ball(prior, size);
        case Growing::kCorrelation: break;
      }
      return correlation_at_most(model.domain, std::vector<std::optional<Number>>(model.domain.size(), size));
    };
    for (const Tolerance::Within& within : tolerance.within) {
      CHECK(level(set_of(within.set, within.holds)) <= claimed);
      if (within.fails) {
        ++bounded;
        CHECK(*within.fails - within.holds == Number::ratio(1, 10'000));
        CHECK(level(set_of(within.set, *within.fails)) > claimed);
      } else {
        ++all;
        CHECK(within.holds == (within.set == Growing::kWeights ? Number(1000) : Number(1)));
      }
      REQUIRE(within.levels.size() > 1);
      CHECK(within.levels.front().size == Number(within.set == Growing::kWeights ? 1 : 0));
      for (std::size_t k = 0; k < within.levels.size(); ++k) {
        const auto& point = within.levels[k];
        CHECK_FALSE(point.at_most);
        CHECK((point.at_least <= claimed) == (point.size <= within.holds));
        if (k > 0) CHECK(point.size > within.levels[k - 1].size);
        if (k > 0) CHECK(point.at_least >= within.levels[k - 1].at_least);
      }
      const std::size_t somewhere = below(random, within.levels.size());
      CHECK(level(set_of(within.set, within.levels[somewhere].size)) == within.levels[somewhere].at_least);
    }
    none += tolerance.within.empty() ? 1 : 0;
    const bool of_prior = level(any_of({prior})) <= claimed;
    const bool of_weights = !tolerance.within.empty() && tolerance.within[0].set == Growing::kWeights;
    CHECK(of_prior == of_weights);
  }
  CHECK(bounded > 0);
  CHECK(all > 0);
  CHECK(none > 0);
}

TEST_CASE("few parts with many outputs are enumerated beyond the quick sizes, and many small parts are searched") {
  Budget budget;
  const auto level_over_tables = [&](const Domain& domain, const std::vector<std::uint64_t>& named) {
    std::vector<Factor> factors;
    for (std::size_t i = 0; i < domain.size(); ++i) {
      const std::size_t values = domain.values(i);
      std::vector<std::vector<Number>> rows(
          values, std::vector<Number>(values, Number::ratio(1, static_cast<std::int64_t>(values) + 1)));
      for (std::size_t v = 0; v < values; ++v) rows[v][v] *= Number(2);
      factors.push_back({channel_of_rows(rows), {i}});
    }
    Model model{domain, std::make_shared<const ProductChannel>(domain, std::move(factors)), {}};
    std::vector<Number> weights(domain.inputs());
    for (const std::uint64_t x : named) weights[x] = Number::ratio(1 + static_cast<std::int64_t>(x % 7), 8);
    model.prior = prior_of(domain, normalized(weights));
    MeasuredModel subject(model, budget);
    const PriorSetPtr set = contaminated(*model.prior, Number::ratio(1, 50), Support::kCenter);
    return value_level_over(subject, *set, 0);
  };
  std::vector<std::uint64_t> all(1060);
  for (std::uint64_t x = 0; x < all.size(); ++x) all[x] = x;
  CHECK(level_over_tables(domain_of_sizes({2, 530}), all).way == Way::kDirect);
  CHECK(level_over_tables(domain_of_sizes({2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}), {0, 5, 77, 4000}).way == Way::kSearch);
}
