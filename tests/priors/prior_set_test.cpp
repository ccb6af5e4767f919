// Every kind of set against its definition: no random member exceeds the level, and the witness is a member.

#include <doctest/doctest.h>
#include <algorithm>

#include "tests/support/effort.h"
#include "tests/support/random_sets.h"
#include "verifier/priors/prior_set.h"

using namespace oddsbound;
using namespace oddsbound::priors;
using namespace oddsbound::testing;

TEST_CASE("Over every kind of set no random member exceeds the level, and what shows the level is a member") {
  std::uint64_t seed = 0;
  for (const KindOfSet& kind : kinds_of_sets()) {
    CAPTURE(kind.name);
    Random random(++seed);
    int shown = 0;
    const int models = effort(1000, 60, 15);
    for (int round = 0; round < models; ++round) {
      CAPTURE(round);
      const Model model = model_for_sets(random, round % 10 == 0 ? Entries::kWithExp : Entries::kRational);
      const std::size_t i = below(random, model.domain.size());
      const SetInstance instance = kind.make(random, model, i);
      const GroupLevel found = level_of(model, *instance.set, i);
      if (found.shows_something()) {
        ++shown;
        check_member(model, instance, i, found);
      }
      for (int member = 0; member < 50; ++member) {
        const Weights weights = instance.member(random);
        if (kind.name != "mixtures") REQUIRE(instance.contains(weights));  // checked along lines only
        REQUIRE(naive_bcdp(with_prior(model, weights), i) <= found.at_most());
      }
    }
    CHECK(shown > models / 3);
  }
}

TEST_CASE("A set that contains another one has no smaller level") {
  Random random(5);
  for (int round = 0; round < effort(300, 60, 20); ++round) {
    const Model model = model_for_sets(random, Entries::kRational);
    const std::size_t i = below(random, model.domain.size());
    const Number smaller = random_share(random) / Number(2);
    const Number larger = smaller + random_share(random) / Number(2);
    const auto correlation = [&](const Number& q) {
      return correlation_at_most(model.domain, std::vector<std::optional<Number>>(model.domain.size(), q));
    };
    const std::vector<Prior> priors{*model.prior,
                                    prior_of(model.domain, random_weights(random, model.domain.inputs()))};
    std::vector<std::size_t> rest = every_coordinate(model.domain);
    if (rest.size() > 1) rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    const std::vector<std::vector<PriorSetPtr>> chains = {
        {product_priors(), correlation(smaller), correlation(larger), all_priors()},
        {any_of({*model.prior}), contaminated(*model.prior, smaller, Support::kCenter),
         contaminated(*model.prior, smaller, Support::kDomain), total_variation_ball(*model.prior, smaller),
         total_variation_ball(*model.prior, larger), all_priors()},
        {any_of({*model.prior}), reweighted(*model.prior, Number(1) + smaller),
         reweighted(*model.prior, Number(1) + larger), all_priors()},
        {any_of({*model.prior}), any_of(priors), mixtures_of(priors), all_priors()},
        {any_of({*model.prior}), with_marginals(marginals_of(model, {{i}, rest, {0}})),
         with_marginals(marginals_of(model, {{i}, rest})), with_marginals(marginals_of(model, {{i}})), all_priors()},
    };
    for (const auto& chain : chains) {
      Level before;
      for (const PriorSetPtr& set : chain) {
        CAPTURE(set->words());
        const Level level = level_of(model, *set, i).at_least;
        REQUIRE(before <= level);
        before = level;
      }
    }
    REQUIRE(level_of(model, *any_of({*model.prior}), i).at_least == naive_bcdp(model, i));
    const auto whole = with_marginals(marginals_of(model, {every_coordinate(model.domain)}));
    REQUIRE(level_of(model, *whole, i).at_least == naive_bcdp(model, i));
    REQUIRE(level_of(model, *product_priors(), i).at_least == naive_cdp(model, i));
  }
}

TEST_CASE("Tables that cannot be had together are found, two by two or all at once") {
  const Domain bits({{"x", {"0", "1"}}, {"y", {"0", "1"}}, {"z", {"0", "1"}}});
  const Number half = Number::ratio(1, 2);
  const std::vector<Number> equal{half, Number(0), Number(0), half}, different{Number(0), half, half, Number(0)};
  Budget budget;
  CHECK(is_possible(bits, {{{0, 1}, equal}, {{1, 2}, equal}, {{0, 2}, equal}}, budget));
  CHECK(is_possible(bits, {{{0, 1}, equal}, {{1, 2}, different}, {{0, 2}, different}}, budget));
  CHECK(!is_possible(bits, {{{0, 1}, equal}, {{1, 2}, equal}, {{0, 2}, different}}, budget));
  CHECK(!is_possible(bits, {{{0, 1}, equal}, {{1}, {Number::ratio(1, 3), Number::ratio(2, 3)}}}, budget));
}
