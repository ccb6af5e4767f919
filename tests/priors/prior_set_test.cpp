// Every kind of set against its definition: no random member exceeds the level, and the witness is a member.

#include <doctest/doctest.h>
#include <algorithm>
#include <cmath>

#include "tests/support/effort.h"
#include "tests/support/random_sets.h"
#include "verifier/exact/number_sum.h"
#include "verifier/priors/prior_set.h"
#include "verifier/priors/row_proof.h"

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

TEST_CASE("Doubles discard no quotient that reaches the known one, and most that are a little below it") {
  Random random(71);
  int asked = 0, discarded = 0;
  for (int round = 0; round < effort(1000, 16, 4); ++round) {
    CAPTURE(round);
    const Model model = model_for_sets(random, round % 8 == 0 ? Entries::kWithExp : Entries::kRational);
    const std::size_t i = below(random, model.domain.size());
    const ColumnInputs inputs(Partition::by_value(model.domain, i));
    const SetQuestion question{model.domain, inputs, model.channel->output_count()};
    const Number share = random_share(random) / Number(round % 3 == 0 ? 1000 : 2);
    Budget budget;
    const auto rows = rows_of(*model.channel, budget);
    for (const PriorSetPtr& set :
         {total_variation_ball(*model.prior, share), contaminated(*model.prior, share, Support::kDomain),
          contaminated(*model.prior, share, Support::kCenter), reweighted(*model.prior, Number(1) + share)}) {
      CAPTURE(set->words());
      const auto search = set->search(question, budget), again = set->search(question, budget);
      for (std::uint64_t y = 0; y < model.channel->outputs(); ++y) {
        LabelledColumn column;
        for (const auto& of_label : inputs.inputs) {
          std::vector<Number>& entries = column.entries.emplace_back();
          for (const std::uint64_t x : of_label) entries.push_back(rows[x][y]);
          const auto [smallest, largest] = std::minmax_element(entries.begin(), entries.end());
          column.extremes.push_back({static_cast<std::size_t>(largest - entries.begin()),
                                     static_cast<std::size_t>(smallest - entries.begin())});
        }
        search->look_at(column);
        again->look_at(column);
        for (std::size_t from = 0; from < column.entries.size(); ++from) {
          for (std::size_t to = 0; to < column.entries.size(); ++to) {
            if (from == to) continue;
            const std::optional<Ratio> largest = again->largest(from, to);
            if (!largest || largest->infinite || largest->value.sign() == 0) continue;
            const auto times = [&](const Number& factor) { return Ratio{largest->value * Surd(factor)}; };
            REQUIRE(!search->is_at_most(from, to, times(Number(1) - Number(2).pow(-40))));
            REQUIRE(!search->is_at_most(from, to, times(Number::ratio(9, 10))));
            ++asked;
            discarded += search->is_at_most(from, to, times(Number::ratio(101, 100))) ? 1 : 0;
            REQUIRE(search->largest(from, to) == largest);
          }
        }
      }
    }
  }
  CHECK(discarded > asked / 2);
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

// Proofs that no member of a set has a larger quotient. A proof at a bound exists if and only if the level is not
// above it, and it is valid by the definitions, without the searches.

namespace {

SetLevelProof proof_at(const Model& model, const PriorSet& set, std::size_t i, const Surd& bound) {
  Limits limits;
  limits.threads = 1;
  Budget budget(limits);
  MeasuredModel subject(model, budget);
  return prove_level(subject, set, Partition::by_value(model.domain, i), {}, bound);
}

Ratio largest_over(const Model& model, const PriorSet& set, std::size_t i) {
  Budget budget;
  MeasuredModel subject(model, budget);
  const GroupLevel level = level_over(subject, set, Partition::by_value(model.domain, i), {});
  return exponential_of(set.confidence() ? level.at_most() : level.at_least);
}

// P(output y given x), by input x.
std::vector<Number> entries_of(const Model& model, std::uint64_t y) {
  std::vector<Number> entries;
  for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) entries.push_back(model.channel->entry(x, y));
  return entries;
}

Number price_at(const std::vector<Marginal>& tables, const Domain& domain, const std::vector<Number>& duals,
                std::uint64_t x, bool& possible) {
  Number price;
  std::size_t next = 0;
  for (const Marginal& table : tables) {
    const Projection project(domain, table.coordinates);
    for (std::size_t cell = 0; cell < table.cells.size(); ++cell) {
      const bool here = project(x) == cell;
      possible = possible && !(here && table.cells[cell].is_zero());
      if (table.cells[cell].is_zero()) continue;
      if (here) price += duals[next];
      ++next;
    }
  }
  return price;
}

Number total_of(const std::vector<Marginal>& tables, const std::vector<Number>& duals) {
  Number total;
  std::size_t next = 0;
  for (const Marginal& table : tables) {
    for (const Number& cell : table.cells) {
      if (!cell.is_zero()) total += cell * duals[next++];
    }
  }
  REQUIRE(next == duals.size());
  return total;
}

// Upper bound of the form over the set, shown by its dual values.
Number shown_by(const Model& model, const std::vector<Marginal>& tables, const std::vector<Number>& duals,
                const std::vector<Number>& form) {
  for (std::uint64_t x = 0; x < form.size(); ++x) {
    bool possible = true;
    const Number price = price_at(tables, model.domain, duals, x, possible);
    if (possible) REQUIRE(price >= form[x]);
  }
  return total_of(tables, duals);
}

}  // namespace

TEST_CASE("Over every kind of set there is a proof at a bound just where the level is not above it") {
  std::uint64_t seed = 70;
  for (const KindOfSet& kind : kinds_of_sets()) {
    CAPTURE(kind.name);
    Random random(++seed);
    int proved = 0;
    const int models = effort(400, 40, 10);
    for (int round = 0; round < models; ++round) {
      CAPTURE(round);
      const Model model = model_for_sets(random, round % 10 == 0 ? Entries::kWithExp : Entries::kRational);
      const std::size_t i = below(random, model.domain.size());
      const SetInstance instance = kind.make(random, model, i);
      const Ratio level = largest_over(model, *instance.set, i);
      if (level.infinite) {
        REQUIRE(proof_at(model, *instance.set, i, Surd(Number(1'000'000))).missing);
        continue;
      }
      ++proved;
      const Number above = Number::ratio(1'000'001, 1'000'000), below_it = Number::ratio(999'999, 1'000'000);
      // For network sets, no proof exists at the level itself if it is attained between two extreme points of a row.
      if (kind.name != "network") REQUIRE(!proof_at(model, *instance.set, i, level.value).missing);
      CHECK(!proof_at(model, *instance.set, i, level.value * Surd(above)).missing);
      if (level.value > Surd(Number(1))) {
        REQUIRE(proof_at(model, *instance.set, i, level.value * Surd(below_it)).missing);
      }
    }
    CHECK(proved > models / 6);
  }
}

// The ends of the intervals leave the last value no mass, but 1 - 1/3 - 2/3 is above 0 in doubles.
TEST_CASE("A value without mass within its interval does not prevent a proof") {
  const auto half = [](std::int64_t halves) { return Number::ratio(halves, 2); };
  const Domain domain({{"x", {"0", "1"}}, {"own", {"0", "1", "2"}}});
  std::vector<std::vector<Number>> channel;
  for (const std::int64_t twentieths : {1, 1, 1, 19, 10, 2}) {
    channel.push_back({Number::ratio(twentieths, 20), Number::ratio(20 - twentieths, 20)});
  }
  const IntervalNode::Row own{{Number::ratio(1, 3), Number::ratio(2, 3), Number(0)},
                              {Number(1), Number::ratio(2, 3), Number(1)}};
  const IntervalNode::Row even{{half(1), half(1)}, {half(1), half(1)}},
      any{{Number(0), Number(0)}, {half(1), Number(1)}};
  const Model model{domain, channel_of_rows(channel), std::nullopt};
  const PriorSetPtr set = network_within({{1, {}, {own}}, {0, {1}, {even, any, any}}});
  // P(first output | own = 0) = 1/2; given own = 1, x = 1 has a probability from 1/2 to 1: 11/40 to 1/2.
  // P(second output): 1/2 against 29/40 to 1/2.
  const Ratio level = largest_over(model, *set, 1);
  CHECK(level == Ratio{Surd(Number::ratio(20, 11))});
  CHECK(!proof_at(model, *set, 1, level.value * Surd(Number::ratio(1001, 1000))).missing);
  CHECK(proof_at(model, *set, 1, level.value * Surd(Number::ratio(999, 1000))).missing);
}

TEST_CASE("Prices of tables prove what they are said to, by the tables alone") {
  Random random(81);
  int pairs = 0;
  for (int round = 0; round < effort(300, 40, 10); ++round) {
    const Model model = model_for_sets(random, round % 10 == 0 ? Entries::kWithExp : Entries::kRational);
    const std::size_t i = below(random, model.domain.size());
    std::vector<std::size_t> rest = every_coordinate(model.domain);
    if (rest.size() > 1) rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    const std::vector<Marginal> tables = marginals_of(model, {rest, {i}, {0}});
    const auto set = with_marginals(tables);
    const Ratio level = largest_over(model, *set, i);
    if (level.infinite) continue;
    // One rational bound, and one with a root.
    const Surd root = Surd::root_of(Number(2)) - Surd(Number::ratio(2, 5));
    for (const Surd& bound : {level.value, level.value * root}) {
      const SetLevelProof proof = proof_at(model, *set, i, bound);
      REQUIRE(!proof.missing);
      for (const auto& [y, from, to, why] : proof.pairs) {
        const std::vector<Number> entries = entries_of(model, y);
        const std::size_t inputs = entries.size();
        std::vector<Number> with_from(inputs), without_to(inputs);
        std::vector<Surd> excess;
        for (std::uint64_t x = 0; x < inputs; ++x) {
          if (model.domain.digit(x, i) == from) with_from[x] = Number(1);
          if (model.domain.digit(x, i) == to) without_to[x] = Number(1);
        }
        std::vector<Number> less_from = with_from;
        for (Number& one : less_from) one = -one;
        const Number mass_from = -shown_by(model, tables, proof.masses[from].at_least, less_from);
        const Number mass_to = shown_by(model, tables, proof.masses[to].at_most, without_to);
        const auto& duals = std::get<ByPrices>(why).duals;
        if (duals.empty()) {
          REQUIRE((shown_by(model, tables, proof.masses[from].at_most, with_from).is_zero() || mass_to.is_zero()));
          continue;
        }
        ++pairs;
        REQUIRE(total_of(tables, duals).sign() <= 0);
        for (std::uint64_t x = 0; x < inputs; ++x) {
          bool possible = true;
          const Number price = price_at(tables, model.domain, duals, x, possible);
          const Surd least = model.domain.digit(x, i) == from ? Surd(entries[x])
                             : model.domain.digit(x, i) == to ? -(bound * Surd(mass_from / mass_to * entries[x]))
                                                              : Surd();
          if (possible) REQUIRE(Surd(price) >= least);
        }
      }
    }
  }
  CHECK(pairs > 10);
}

TEST_CASE("Of two groups that leak nothing alone, the mixed term is negative and its square is what proves the level") {
  // docs/spec-format.md: x is not released, y by randomized response at log(3); both groups have independent bits.
  const Domain bits({{"x", {"0", "1"}}, {"y", {"0", "1"}}});
  const auto of = [](int n) { return Number::ratio(n, 16); };
  const std::vector<Prior> groups{prior_of(bits, {of(1), of(3), of(3), of(9)}),
                                  prior_of(bits, {of(9), of(3), of(3), of(1)})};
  const Number often = Number::ratio(3, 4), seldom = Number::ratio(1, 4);
  const Model model{bits, channel_of_rows({{often, seldom}, {seldom, often}, {often, seldom}, {seldom, often}}),
                    groups[0]};
  const auto mixtures = mixtures_of(groups);
  const Surd level = (Surd(Number(249)) - Surd(Number(24)) * Surd::root_of(Number(15))) / Surd(Number(121));
  const SetLevelProof proof = proof_at(model, *mixtures, 0, level);
  REQUIRE(!proof.missing);
  // One direction for each output. In the other direction the extremes are as far apart, but the mixed term is
  // positive.
  REQUIRE(proof.pairs.size() == 2);
  for (const auto& pair : proof.pairs) {
    CHECK(std::get<BySquares>(pair.proof).pairs == std::vector<std::pair<std::uint64_t, std::uint64_t>>{{0, 1}});
  }
  CHECK(proof_at(model, *mixtures, 0, Surd(Number::ratio(9, 7))).missing);
  CHECK(proof_at(model, *any_of(groups), 0, Surd(Number(1))).pairs.empty());
}

TEST_CASE("What a sample proves is bets whose wealth passes a threshold, or limits that its draws show") {
  Random random(82);
  int bets = 0, limits = 0;
  for (int round = 0; round < effort(600, 120, 90); ++round) {
    Model model = random_model(random, Entries::kRational);
    model.channel = without_zeros(*model.channel);
    const std::size_t i = below(random, model.domain.size());
    Weights counts;
    for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
      counts.emplace_back(static_cast<std::int64_t>(below(random, below(random, 3) == 0 ? 200 : 8)));
    }
    counts[0] += Number(1);
    const Number confidence = Number::ratio(19, 20);
    const auto set = sampled(prior_of(model.domain, counts), confidence);
    const Ratio level = largest_over(model, *set, i);
    REQUIRE(!level.infinite);
    const SetLevelProof proof = proof_at(model, *set, i, level.value);
    REQUIRE(!proof.missing);
    const double labels = static_cast<double>(model.domain.values(i));
    const double may_fail = 0.05 / static_cast<double>(model.channel->outputs());
    for (const auto& [y, from, to, why] : proof.pairs) {
      const std::vector<Number> entries = entries_of(model, y);
      double draws[2] = {0, 0};
      for (std::uint64_t x = 0; x < entries.size(); ++x) {
        if (model.domain.digit(x, i) == from) draws[0] += counts[x].approx();
        if (model.domain.digit(x, i) == to) draws[1] += counts[x].approx();
      }
      if (const auto* staked = std::get_if<ByBets>(&why)) {
        ++bets;
        double won = 0;
        for (std::uint64_t x = 0; x < entries.size(); ++x) {
          const Number rise = staked->slope * level.value.plain() * entries[x];
          const std::uint64_t value = model.domain.digit(x, i);
          const Number stake = value == from
                                   ? staked->shift - staked->slope * entries[x]
                                   : Number(static_cast<std::int64_t>(draws[0] + draws[1])) - staked->shift + rise;
          if (value != from && value != to) continue;
          REQUIRE(stake.sign() >= 0);
          if (counts[x].is_zero()) continue;
          won += counts[x].approx() * std::log(stake.approx() / (value == from ? draws[0] : draws[1]));
        }
        const auto regret = [](double n) {
          return std::log(std::sqrt(M_PI)) + std::lgamma(n + 1) - std::lgamma(n + 0.5);
        };
        REQUIRE(won >= regret(draws[0]) + regret(draws[1]) - std::log(may_fail / (labels * (labels - 1))) - 1e-7);
        continue;
      }
      ++limits;
      const auto& told = std::get<ByLimits>(why);
      for (const bool upper : {true, false}) {
        const std::size_t label = upper ? from : to;
        const double limit = (upper ? told.from : told.to).approx();
        std::optional<Number> far;  // the extreme entry on the other side
        for (std::uint64_t x = 0; x < entries.size(); ++x) {
          if (model.domain.digit(x, i) != label) continue;
          if (!far || (upper ? entries[x] < *far : entries[x] > *far)) far = entries[x];
        }
        double others = 0;
        for (std::uint64_t x = 0; x < entries.size(); ++x) {
          if (model.domain.digit(x, i) == label && entries[x] == *far) others += counts[x].approx();
        }
        if (limit == 0) continue;
        REQUIRE(exact::tail_bound(static_cast<std::uint64_t>(draws[upper ? 0 : 1]), static_cast<std::uint64_t>(others),
                                  limit) <= may_fail / (2 * labels) * (1 + 1e-6));
      }
    }
  }
  CHECK(bets > 10);
  CHECK(limits > 10);
}
