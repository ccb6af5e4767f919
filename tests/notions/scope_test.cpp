// Claims about selected values, and about adversaries who know some coordinates, against the definition: by
// columns, by a search over outputs, and along networks.
#include "verifier/notions/scope.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/errors.h"
#include "tests/support/effort.h"
#include "tests/support/random_model.h"
#include "tests/support/random_product.h"
#include "verifier/engine/group_search.h"
#include "verifier/engine/network_search.h"
#include "verifier/engine/output_search.h"
#include "verifier/model/product_channel.h"
#include "verifier/notions/bcdp.h"
#include "verifier/notions/table.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

// Random values on each side; at least one of each side has mass.
AllowedPairs random_direction(Random& random, const std::vector<Number>& masses) {
  const auto side = [&] {
    std::vector<bool> mask(masses.size());
    for (std::size_t v = 0; v < mask.size(); ++v) mask[v] = below(random, 2) == 0;
    std::size_t sure = below(random, masses.size());
    while (masses[sure].is_zero()) sure = (sure + 1) % masses.size();
    mask[sure] = true;
    return below(random, 4) == 0 ? std::vector<bool>() : mask;
  };
  return {side(), side()};
}

bool compares(const AllowedPairs& direction, const std::vector<Number>& masses) {
  for (std::size_t a = 0; a < masses.size(); ++a) {
    for (std::size_t b = 0; b < masses.size(); ++b) {
      if (direction.allows(a, b) && !masses[a].is_zero() && !masses[b].is_zero()) return true;
    }
  }
  return false;
}

// The prior of an adversary who knows these values: all other inputs have no mass.
Model known(const Model& model, const std::vector<std::size_t>& coordinates, std::uint64_t like) {
  Budget budget;
  std::vector<Number> weights;
  for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
    bool same = true;
    for (const std::size_t i : coordinates) same = same && model.domain.digit(x, i) == model.domain.digit(like, i);
    weights.push_back(same ? model.prior->probability(x) : Number(0));
  }
  return {model.domain, model.channel, Prior::from_weights(model.domain, std::move(weights), budget)};
}

MeasuredLevel claimed_level(const Model& model, const Arguments& arguments, std::size_t coordinate) {
  Budget budget;
  MeasuredModel subject(model, budget);
  const Decision decision = find_notion("bcdp")->decide(subject, arguments);
  const auto& levels = std::get<NamedLevels>(decision.actual);
  REQUIRE(levels.size() == 1);
  CHECK(levels[0].first == model.domain.coordinate(coordinate).name);
  return levels[0].second;
}

Arguments claim_about(const Model& model, std::size_t coordinate) {
  Arguments arguments;
  CoordinateLevels levels(model.domain.size());
  levels[coordinate] = Level();
  arguments.set("epsilon", levels);
  return arguments;
}

Parties named(const Model& model, std::size_t coordinate, const std::vector<bool>& mask) {
  Parties parties;
  const std::vector<Label> all = parties_of(model.domain, coordinate);
  for (std::size_t v = 0; v < mask.size(); ++v) {
    if (mask[v]) parties.parties.push_back(all[v]);
  }
  return parties;
}

}  // namespace

TEST_CASE("levels between named values are those of the definition, by columns, by a search and along networks") {
  Random random(1601);
  Budget budget;
  int networks = 0, infinite = 0, compared = 0;
  for (int round = 0; round < effort(900, 90); ++round) {
    const auto& kinds = kinds_of_priors();
    const KindOfPrior& kind = kinds[static_cast<std::size_t>(round) % kinds.size()];
    CAPTURE(round);
    CAPTURE(kind.name);
    const Model model = random_product(random, kind, round % 4 == 0 ? Entries::kWithExp : Entries::kRational);
    for (std::size_t i = 0; i < model.domain.size(); ++i) {
      const std::vector<Number> masses = model.prior->marginal_weights(i, budget);
      const AllowedPairs direction = random_direction(random, masses);
      if (!compares(direction, masses)) continue;
      const Level level = naive_bcdp(model, i, direction);
      MeasuredModel subject(model, budget);
      const GroupLevel by_columns = subject.answer(between_values(model.domain, {i}, direction))[0];
      CHECK(by_columns.at_least == level);
      CHECK(direction.allows(by_columns.from, by_columns.to));
      ProjectedRows seen = rows_by_value(model, i, budget);
      seen.direction = direction;
      const GroupLevel searched = search_outputs(seen, budget);
      CHECK(searched.at_least == level);
      CHECK(searched.shows_something());
      CHECK(direction.allows(searched.from, searched.to));
      CHECK(searched.witness.get().p_from == conditional(model, i, searched.from, searched.witness.get().output));
      ++compared;
      infinite += level.is_infinite() ? 1 : 0;
      const auto network = network_of(model, budget);
      if (!network) continue;
      const GroupLevel along = network_levels(model, *network, {2048, 0}, budget, {{i, direction}})[i];
      CHECK(along.at_least == level);
      CHECK(direction.allows(along.from, along.to));
      ++networks;
    }
  }
  CHECK(compared > effort(500, 40));
  CHECK(networks > effort(50, 4));
  CHECK(infinite > 0);
}

TEST_CASE("a search between named values that is stopped at once is not below the level, and shows none that is not") {
  Random random(1602);
  Budget budget;
  int open = 0;
  for (int round = 0; round < effort(300, 30); ++round) {
    const auto& kinds = kinds_of_priors();
    const Model model =
        random_product(random, kinds[static_cast<std::size_t>(round) % kinds.size()], Entries::kRational);
    const std::vector<Number> masses = model.prior->marginal_weights(0, budget);
    const AllowedPairs direction = random_direction(random, masses);
    if (!compares(direction, masses)) continue;
    ProjectedRows seen = rows_by_value(model, 0, budget);
    seen.direction = direction;
    const GroupLevel stopped = search_outputs(seen, budget, {.seconds = 0});
    const Level level = naive_bcdp(model, 0, direction);
    CHECK(stopped.at_least <= level);
    CHECK(level <= stopped.at_most());
    open += stopped.unfinished ? 1 : 0;
  }
  CHECK(open > 0);
}

TEST_CASE("a claim with a scope is measured as the definition says, of the adversary who knows most") {
  Random random(1603);
  int several = 0, trivial = 0;
  for (int round = 0; round < effort(400, 40); ++round) {
    CAPTURE(round);
    const Model model = random_model(random, round % 4 == 0 ? Entries::kWithExp : Entries::kRational);
    const std::size_t d = model.domain.size();
    const std::size_t i = below(random, d);
    std::vector<std::size_t> others;
    for (std::size_t j = 0; j < d; ++j) {
      if (j != i && below(random, 2) == 0) others.push_back(j);
    }
    const AllowedPairs direction{std::vector<bool>(), std::vector<bool>(model.domain.values(i), false)};
    AllowedPairs named_only = direction;
    named_only.to[below(random, named_only.to.size())] = true;
    Arguments arguments = claim_about(model, i);
    if (!others.empty()) arguments.set("known", Coordinates{others});
    arguments.set("to", named(model, i, named_only.to));
    Level largest;
    for (std::uint64_t like = 0; like < model.domain.inputs(); ++like) {
      if (model.prior->probability(like).is_zero()) continue;
      largest = std::max(largest, naive_bcdp(known(model, others, like), i, named_only));
    }
    const MeasuredLevel found = claimed_level(model, arguments, i);
    CHECK(found.at_least == largest);
    CHECK(!found.unfinished);
    several += others.size() > 1 ? 1 : 0;
    const Witness witness = found.witness.get();
    if (witness.outputs.empty()) {
      ++trivial;
      continue;
    }
    CHECK(level_between(witness.p_from, witness.p_to) == largest);
    CHECK(witness.given.size() == others.size());
  }
  CHECK(several > 0);
  CHECK(trivial > 0);
}

TEST_CASE("of an independent attribute that nothing sees, the witness names values that are meant") {
  const Domain domain({{"x", {"0", "1"}}, {"y", {"0", "1", "2"}}});
  const std::vector<std::size_t> seen{0};
  std::vector<Factor> factors;
  factors.push_back(
      {channel_of_rows({{Number::ratio(1, 2), Number::ratio(1, 2)}, {Number::ratio(1, 4), Number::ratio(3, 4)}}),
       seen});
  const Model model{domain, std::make_shared<const ProductChannel>(domain, std::move(factors)), Prior::uniform(domain)};
  Arguments arguments = claim_about(model, 1);
  arguments.set("from", Parties{{Label(std::string("2"))}});
  arguments.set("to", Parties{{Label(std::string("1")), Label(std::string("2"))}});
  const MeasuredLevel found = claimed_level(model, arguments, 1);
  CHECK(found.at_least == Level());
  CHECK(std::get<std::string>(found.witness.get().from) == "2");
  CHECK(std::get<std::string>(found.witness.get().to) == "1");
}

TEST_CASE("attributes that are known have more combinations than can be compared, and that is said") {
  std::vector<Coordinate> coordinates;
  for (int i = 0; i < 70; ++i) coordinates.push_back({"x" + std::to_string(i), {"0", "1"}});
  const Domain domain(coordinates);
  for (const std::size_t count : {std::size_t{16}, std::size_t{64}, std::size_t{69}}) {
    Arguments arguments;
    Coordinates known;
    for (std::size_t i = 1; i <= count; ++i) known.coordinates.push_back(i);
    arguments.set("known", known);
    const std::vector<InputRow> rows{InputRow(70, 0), InputRow(70, 1)};
    const InputSubset inputs(domain, rows);
    CHECK_THROWS_AS(within_scope(domain, inputs, comparison_of_values(domain, inputs, 0, Level()), arguments),
                    LimitError);
  }
}

TEST_CASE("two values, told apart more in one direction than in the other") {
  const Domain domain({{"x", {"0", "1"}}});
  const ChannelPtr channel =
      channel_of_rows({{Number::ratio(1, 2), Number::ratio(1, 2)}, {Number::ratio(9, 10), Number::ratio(1, 10)}});
  const Model model{domain, channel, Prior::uniform(domain)};
  Arguments up = claim_about(model, 0);
  up.set("from", Parties{{Label(std::string("1"))}});
  CHECK(claimed_level(model, up, 0).at_least == Level::of_exponential(Number::ratio(9, 5)));
  Arguments down = claim_about(model, 0);
  down.set("from", Parties{{Label(std::string("0"))}});
  CHECK(claimed_level(model, down, 0).at_least == Level::of_exponential(Number(5)));
}

TEST_CASE("any known attributes: the worst of all sets, and all others if these are independent") {
  Random random(4907);
  int open = 0, worse = 0, independent = 0;
  for (int round = 0; round < effort(150, 30); ++round) {
    CAPTURE(round);
    Model model = random_model(random, Entries::kRational);
    if (round % 3 == 0) {
      std::vector<std::vector<Number>> marginals;
      for (std::size_t i = 0; i < model.domain.size(); ++i) {
        auto& own = marginals.emplace_back();
        for (std::size_t v = 0; v < model.domain.values(i); ++v) {
          own.push_back(Number(static_cast<std::int64_t>(v == 0 ? 1 : below(random, 4))));
        }
      }
      model.prior = Prior::product(model.domain, marginals);
    }
    const std::size_t d = model.domain.size();
    for (std::size_t i = 0; i < d; ++i) {
      CAPTURE(i);
      Level largest;
      for (std::size_t mask = 0; mask < std::size_t{1} << d; ++mask) {
        if ((mask >> i & 1) != 0) continue;
        Arguments one = claim_about(model, i);
        std::vector<std::size_t> coordinates;
        for (std::size_t k = 0; k < d; ++k) {
          if ((mask >> k & 1) != 0) coordinates.push_back(k);
        }
        if (!coordinates.empty()) one.set("known", Coordinates{coordinates});
        const MeasuredLevel level = claimed_level(model, one, i);
        largest = std::max(largest, level.at_least);
      }
      Arguments any = claim_about(model, i);
      any.set("known", std::string("any"));
      const MeasuredLevel found = claimed_level(model, any, i);
      CHECK(found.at_least == largest);
      open += found.unfinished ? 1 : 0;
      worse += claimed_level(model, claim_about(model, i), i).at_least < largest ? 1 : 0;
      independent += model.prior->has_independent_coordinates() ? 1 : 0;
    }
  }
  CHECK(open == 0);
  CHECK(worse > 0);
  CHECK(independent > 0);
}

TEST_CASE("a claim that has a part of the time limit may be about any known attributes") {
  Random random(4908);
  const Model model = random_model(random, Entries::kRational);
  Budget budget;
  MeasuredModel subject(model, budget);
  const Budget::Part part(budget, 1000);
  Arguments any = claim_about(model, 0);
  any.set("known", std::string("any"));
  CHECK(std::get<NamedLevels>(find_notion("bcdp")->decide(subject, any).actual).size() == 1);
}
