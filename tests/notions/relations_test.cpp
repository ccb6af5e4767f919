// The relations between notions that docs/which-notion.md lists, on random models.
#include <doctest/doctest.h>

#include "tests/support/effort.h"
#include "tests/support/random_model.h"
#include "verifier/notions/table.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

// Levels of one model, by the notion's name: of a coordinate, or of the whole input. Of an enclosure the lower end, or
// the upper one.
class Levels {
 public:
  explicit Levels(const Model& model) : model_(model), subject_(model_, budget_) {}

  Level of(const std::string& notion, std::optional<std::size_t> coordinate = {}, bool upper_end = false) {
    const Notion& found = *find_notion(notion);
    Arguments arguments;
    if (found.form == ClaimForm::kByCoordinate) {
      arguments.set("epsilon", CoordinateLevels(model_.domain.size(), Level::infinite()));
      const Decision decision = found.decide(subject_, arguments);
      return std::get<NamedLevels>(decision.actual)[coordinate.value()].second.at_least;
    }
    arguments.set(found.locking.bounds.front(), Level::infinite());
    if (coordinate) arguments.set("coordinate", Coordinates{{*coordinate}});
    const Decision decision = found.decide(subject_, arguments);
    const MeasuredLevel& level = *single_level(decision.actual);
    return upper_end ? level.at_most() : level.at_least;
  }

  // The posterior probability of the coordinate's first value.
  Number posterior(std::size_t coordinate) {
    Arguments arguments;
    arguments.set("coordinate", Coordinates{{coordinate}});
    arguments.set("values", Parties{{Label(model_.domain.coordinate(coordinate).values[0])}});
    arguments.set("at_most", Number(1));
    return std::get<MeasuredNumber>(find_notion("posterior")->decide(subject_, arguments).actual).at_least;
  }

  MeasuredLevel renyi(std::int64_t order) {
    Arguments arguments;
    arguments.set("order", order);
    arguments.set("epsilon", Level::infinite());
    return std::get<MeasuredLevel>(find_notion("renyi_dp")->decide(subject_, arguments).actual);
  }

  MeasuredLevel renyi_bcdp(std::int64_t order, std::size_t coordinate) {
    Arguments arguments;
    arguments.set("order", order);
    arguments.set("epsilon", Level::infinite());
    arguments.set("coordinate", Coordinates{{coordinate}});
    return std::get<MeasuredLevel>(find_notion("renyi_bcdp")->decide(subject_, arguments).actual);
  }

  MeasuredLevel approximate_zcdp(const Number& delta) {
    Arguments arguments;
    arguments.set("rho", Level::infinite());
    arguments.set("delta", delta);
    return std::get<MeasuredLevel>(find_notion("approximate_zcdp")->decide(subject_, arguments).actual);
  }

  Number number(const std::string& notion, const Arguments& arguments) {
    return std::get<MeasuredNumber>(find_notion(notion)->decide(subject_, arguments).actual).at_least;
  }

  Answer holds(const std::string& notion, const Arguments& arguments) {
    return find_notion(notion)->decide(subject_, arguments).holds;
  }

 private:
  const Model& model_;
  Budget budget_;
  MeasuredModel subject_;
};

Level rarest_value(const Model& model, std::size_t coordinate) {
  Budget budget;
  Level most;
  for (const Number& mass : model.prior->marginal_weights(coordinate, budget)) {
    if (!mass.is_zero()) most = std::max(most, Level::of_exponential(model.prior->total() / mass));
  }
  return most;
}

}  // namespace

TEST_CASE("levels of notions relate as the manual says") {
  Random random(4906);
  int strict = 0;
  for (int round = 0; round < effort(600, 80); ++round) {
    CAPTURE(round);
    const Model model = random_model(random, Entries::kRational);
    Levels levels(model);
    Budget budget;
    const Level ldp = levels.of("ldp"), bdp = levels.of("bdp");
    CHECK(bdp <= ldp);
    for (std::size_t i = 0; i < model.domain.size(); ++i) {
      CHECK(levels.of("cdp", i) <= ldp);
      const Level bcdp = levels.of("bcdp", i);
      CHECK(bcdp <= bdp);
      const Level up = levels.of("pointwise_maximal_leakage", i), down = levels.of("lower_lift", i);
      CHECK(up <= bcdp);
      CHECK(down <= bcdp);
      CHECK(bcdp <= up + down);
      CHECK(levels.of("local_information_privacy", i) == std::max(up, down));
      CHECK(up <= rarest_value(model, i));
      const Number prior = model.prior->marginal_weights(i, budget)[0] / model.prior->total();
      const Number posterior = levels.posterior(i);
      CHECK(posterior >= prior);
      CHECK(posterior <= prior * up.exponential());
      strict += up < down || down < up ? 1 : 0;
    }
    std::vector<std::optional<std::size_t>> targets{std::nullopt};
    for (std::size_t i = 0; i < model.domain.size(); ++i) targets.emplace_back(i);
    for (const auto& target : targets) {
      const Level maximal = levels.of("maximal_leakage", target);
      CHECK(levels.of("information", target) <= maximal);
      CHECK(levels.of("bayes_leakage", target) <= maximal);
      CHECK(maximal <= levels.of("pointwise_maximal_leakage", target));
    }
    Arguments pure;
    pure.set("epsilon", ldp);
    pure.set("delta", Number(0));
    CHECK(levels.holds("approximate_dp", pure) == Answer::kYes);
    const Level rho_at_most = levels.of("zcdp", {}, true);
    Level before;
    for (const std::int64_t order : {2, 3, 5, 9}) {
      const MeasuredLevel renyi = levels.renyi(order);
      CHECK(before <= renyi.at_most());
      CHECK(renyi.at_least <= ldp);
      CHECK(renyi.at_least <= rho_at_most.times(order));
      CHECK(levels.of("kl_dp") <= renyi.at_most());
      before = renyi.at_least;
    }
    for (const std::int64_t order : {2, 5}) {
      for (std::size_t i = 0; i < model.domain.size(); ++i) {
        const Level own = levels.renyi_bcdp(order, i).at_least;
        CHECK(own <= levels.of("bcdp", i));
        CHECK(own <= levels.renyi(order).at_most());
      }
    }
    Arguments zero;
    zero.set("epsilon", Level());
    zero.set("delta", Number(0));
    const Number distance = levels.number("approximate_dp", zero);
    Level least = rho_at_most;
    for (const Number& delta : {Number(0), Number::ratio(1, 20), Number::ratio(1, 4)}) {
      const MeasuredLevel rho = levels.approximate_zcdp(delta);
      CHECK(rho.at_least <= least);
      CHECK((rho.at_most().is_zero() || delta < distance));
      CHECK((!rho.at_least.is_zero() || delta >= distance));
      least = rho.at_most();
    }
    CHECK(levels.of("kl_dp") <= rho_at_most);
    const Level range = levels.of("bounded_range");
    CHECK(ldp <= range);
    CHECK(range <= ldp.times(2));
    for (const Level& epsilon : {Level(), Level::of_exponential(Number(2)), ldp}) {
      Arguments asked;
      asked.set("epsilon", epsilon);
      asked.set("delta", Number(0));
      const auto delta = [&](const char* notion) { return levels.number(notion, asked); };
      CHECK(delta("approximate_dp") <= delta("probabilistic_dp"));
      CHECK((epsilon < ldp || delta("probabilistic_dp").is_zero()));
      // Losses that are capped at epsilon have at most the rho of epsilon-DP.
      const double nats = epsilon.approx();
      CHECK((epsilon.is_infinite() ||
             levels.approximate_zcdp(delta("approximate_dp")).at_least.approx() <= nats * nats / 2 + 1e-12));
    }
    if (ldp.is_infinite()) continue;
    CHECK(levels.of("zcdp").approx() <= range.approx() * range.approx() / 8 + 1e-12);
    const double rho = levels.of("zcdp").approx();
    CHECK(rho <= ldp.approx() * ldp.approx() / 2 + 1e-12);  // both ends are rounded
  }
  CHECK(strict > 20);
}
