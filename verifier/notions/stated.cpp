#include "verifier/notions/stated.h"

#include <arb.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "verifier/notions/approximate.h"
#include "verifier/smt/sides.h"

namespace oddsbound::notions {

namespace {

// Calls visit(groups, level, coordinate) for the one level, or for those of coordinates.
template <typename Visit>
void for_claimed_levels(const Domain& domain, const Arguments& arguments, const std::string& levels,
                        const Visit& visit) {
  if (const auto* level = arguments.find_if<Level>(levels)) {
    visit(neighborhoods(domain, arguments), *level, std::string());
    return;
  }
  const auto& by_coordinate = arguments.get<CoordinateLevels>(levels);
  for (std::size_t i = 0; i < by_coordinate.size(); ++i) {
    if (by_coordinate[i]) visit(CoordinateGroups{{{i}}}, *by_coordinate[i], domain.coordinate(i).name);
  }
}

}  // namespace

void add_least(Statement& statement, const Level& level) {
  if (!level.is_infinite()) statement.add_attained(Formula::equal(level.exponential(), Number(1)));
}

void for_rows_of_neighbors(const Model& model, const CoordinateGroups& groups, Budget& budget,
                           const std::function<void(DistributionView p, DistributionView q)>& visit) {
  const std::vector<std::vector<Number>> rows = rows_of(*model.channel, budget);
  for_all_neighbors(model.domain, groups, [&](std::uint64_t from, std::uint64_t to) {
    budget.check();
    visit(rows[from], rows[to]);
  });
}

Statement state_neighbors(const Model& model, const Arguments& arguments, const std::string& levels,
                          const StatePair& pair, Budget& budget) {
  Statement statement;
  for_claimed_levels(model.domain, arguments, levels, [&](const auto& groups, const Level& level, const auto&) {
    statement.begin_bound();
    add_least(statement, level);
    for_rows_of_neighbors(model, groups, budget,
                          [&](DistributionView p, DistributionView q) { pair(statement, p, q, level); });
  });
  return statement;
}

Statement state_sides(const Model& model, const Comparison& comparison, const StatePair& pair, Budget& budget) {
  Statement statement;
  statement.begin_bound();
  add_least(statement, comparison.level);
  const Sides sides = smt::sides_of(model, comparison, rows_of(*model.channel, budget), budget);
  std::map<std::uint64_t, std::vector<Number>> given;
  const auto distribution = [&](std::uint64_t side) -> const std::vector<Number>& {
    std::vector<Number>& row = given[side];
    if (!row.empty()) return row;
    for (const Number& joint : sides.joint[side]) row.push_back(joint / sides.mass[side]);
    return row;
  };
  for (const auto& [from, to] : pairs_of(comparison, sides)) {
    budget.check();
    const std::vector<Number>& p = distribution(from);
    pair(statement, p, distribution(to), comparison.level);
  }
  return statement;
}

void add_implied(Definition& definition, const Comparison& comparison, const std::vector<ImpliedDelta>& bounds) {
  for (const auto& [epsilon, delta] : bounds) {
    if (delta >= Number(1)) continue;
    definition.push_back(comparison);
    definition.back().level = epsilon;
    definition.back().delta = delta;
  }
}

Definition imply_neighbors(const Model& model, const Arguments& arguments, const InputSubset& inputs,
                           const std::string& levels,
                           const std::function<std::vector<ImpliedDelta>(const Level&)>& deltas) {
  Definition definition;
  for_claimed_levels(model.domain, arguments, levels,
                     [&](const auto& groups, const Level& level, const std::string& coordinate) {
                       if (level.is_infinite()) return;
                       Comparison comparison = comparison_of_neighbors(model.domain, inputs, groups);
                       comparison.about = coordinate;
                       add_implied(definition, comparison, deltas(level));
                     });
  return definition;
}

Number short_above(const Ball& ball) {
  const Number least = end_of(ball, true);
  if (least.sign() <= 0) return least;
  return simplest_between(least, least * Number::ratio(1025, 1024));
}

Level short_epsilon(double nats) {
  const Number near = number_of(std::exp(nats));
  return Level::of_exponential(simplest_between(near * Number::ratio(49, 50), near * Number::ratio(51, 50)));
}

namespace {

constexpr slong kImpliedBits = 256;

// Keeps the ball whose upper end is smaller.
void take_smaller(Ball& best, const Ball& other) {
  if (arb_is_finite(other.get()) == 0) return;
  if (arb_is_finite(best.get()) == 0 || end_of(other, true) < end_of(best, true)) arb_set(best.get(), other.get());
}

// e^(order - 1) (divergence - epsilon) (1 - 1 / order)^order / (order - 1)
void set_tail_bound(Ball& result, const Ball& divergence, const Ball& epsilon, std::int64_t order) {
  Ball factor;
  arb_sub(result.get(), divergence.get(), epsilon.get(), kImpliedBits);
  arb_mul_si(result.get(), result.get(), order - 1, kImpliedBits);
  arb_exp(result.get(), result.get(), kImpliedBits);
  arb_set_si(factor.get(), order - 1);
  arb_div_si(factor.get(), factor.get(), order, kImpliedBits);
  arb_pow_ui(factor.get(), factor.get(), static_cast<ulong>(order), kImpliedBits);
  arb_mul(result.get(), result.get(), factor.get(), kImpliedBits);
  arb_div_si(result.get(), result.get(), order - 1, kImpliedBits);
}

// (sqrt(e^divergence - 1 + (E - 1)^2) - (E - 1)) / 2
void set_square_bound(Ball& result, const Ball& divergence, const Ball& factor) {
  Ball excess, square;
  arb_expm1(square.get(), divergence.get(), kImpliedBits);
  arb_sub_si(excess.get(), factor.get(), 1, kImpliedBits);
  arb_addmul(square.get(), excess.get(), excess.get(), kImpliedBits);
  arb_sqrtpos(square.get(), square.get(), kImpliedBits);
  arb_sub(result.get(), square.get(), excess.get(), kImpliedBits);
  arb_mul_2exp_si(result.get(), result.get(), -1);
}

// The smaller of sqrt(nats / 2) and sqrt(1 - e^-nats)
void take_distance_bounds(Ball& best, const Ball& nats) {
  Ball other;
  arb_mul_2exp_si(other.get(), nats.get(), -1);
  arb_sqrtpos(other.get(), other.get(), kImpliedBits);
  take_smaller(best, other);
  arb_neg(other.get(), nats.get());
  arb_expm1(other.get(), other.get(), kImpliedBits);
  arb_neg(other.get(), other.get());
  arb_sqrtpos(other.get(), other.get(), kImpliedBits);
  take_smaller(best, other);
}

}  // namespace

ImpliedDelta distance_of_mean_loss(const Level& divergence) {
  Ball best, nats(divergence.exponential(), kImpliedBits);
  arb_log(nats.get(), nats.get(), kImpliedBits);
  arb_pos_inf(best.get());
  take_distance_bounds(best, nats);
  return {Level(), short_above(best)};
}

std::vector<ImpliedDelta> deltas_of_divergence(const Level& order_bound, std::int64_t order) {
  constexpr double kMostNats = 50;
  constexpr std::int64_t kMostOrder = 64;
  const bool every_order = order == 0;
  if (order_bound.is_zero()) return {{Level(), Number(0)}};
  const double bound = order_bound.approx();
  if (!(bound < kMostNats)) return {};
  Ball nats(order_bound.exponential(), kImpliedBits);
  arb_log(nats.get(), nats.get(), kImpliedBits);
  // zCDP has the mean rho and, as a normal distribution has, the standard deviation sqrt(2 rho).
  const double rho = every_order ? bound : bound / static_cast<double>(order);
  std::vector<ImpliedDelta> implied;
  for (const int deviations : {0, 2}) {
    const Level epsilon = deviations == 0 ? Level() : short_epsilon(rho + deviations * std::sqrt(2 * rho));
    const Ball factor(epsilon.exponential(), kImpliedBits);
    Ball logarithm, best, other, divergence;
    arb_log(logarithm.get(), factor.get(), kImpliedBits);
    arb_pos_inf(best.get());
    arb_mul_si(divergence.get(), nats.get(), every_order ? 2 : 1, kImpliedBits);  // of order 2, or more
    set_square_bound(other, divergence, factor);
    take_smaller(best, other);
    for (std::int64_t a = every_order ? 2 : order; a <= (every_order ? kMostOrder : order); ++a) {
      arb_mul_si(divergence.get(), nats.get(), every_order ? a : 1, kImpliedBits);
      set_tail_bound(other, divergence, logarithm, a);
      take_smaller(best, other);
    }
    if (epsilon.is_zero()) take_distance_bounds(best, nats);
    implied.push_back({epsilon, short_above(best)});
  }
  return implied;
}

}  // namespace oddsbound::notions
