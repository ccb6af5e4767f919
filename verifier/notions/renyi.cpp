#include "verifier/notions/renyi.h"

#include <algorithm>
#include <limits>
#include <memory>

#include "base/errors.h"
#include "verifier/engine/measured_model.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/interval.h"
#include "verifier/measures/cumulant.h"
#include "verifier/notions/approximate.h"
#include "verifier/notions/divergences.h"

namespace oddsbound::notions {

namespace {

constexpr const char* kOrderField = "order";
constexpr const char* kEpsilonField = "epsilon";

// The largest divergence between neighbors.
struct LargestDivergence {
  std::optional<Witness> infinite;
  std::pair<InputRow, InputRow> neighbors;  // that attain it, or the lower bound
  std::optional<Number> sum;                // S of these neighbors
  RhoBounds over_order{};                   // without a sum: bounds of D_a / a
  std::string reason{};                     // the same: why there is no sum
};

// S. masses: q > 0 wherever p > 0. P^a Q^(1-a) = P (P/Q)^(a-1), in which factors that P and Q share cancel.
//
// Sums of 4, 8, 16, ... terms, so that a sum beyond the limit of numbers is found before all terms are added.
Number power_sum(std::span<const PairedMass> masses, std::int64_t order, Budget& budget) {
  std::vector<WeightedTerm> terms;
  std::size_t most = 4;
  for (const auto& [p, q, count] : masses) {
    if (p.is_zero()) continue;
    budget.check_every();
    terms.push_back({Number(count), p * (p / q).pow(order - 1)});
    if (terms.size() < most) continue;
    terms = {{Number(1), weighted_sum(terms)}};
    most *= 2;
  }
  return weighted_sum(terms);
}

// Calls find_exact, which may reach a limit on the length of numbers, and find_bounds if it does.
template <typename FindExact, typename FindBounds>
void exactly_or_bounded(LargestDivergence& found, const FindExact& find_exact, const FindBounds& find_bounds) {
  try {
    find_exact();
  } catch (const Interrupted&) {
    throw;
  } catch (const LimitError& error) {
    found.sum.reset();
    found.reason = std::string("the sum over outputs is too long to be exact: ") + error.what();
    find_bounds();
  }
}

// Only pairs whose upper bound is at least the largest lower bound may have the largest sum.
void measure_pairs(const RowPairs& pairs, std::int64_t order, Budget& budget, LargestDivergence& found) {
  std::vector<RhoBounds> bounds;
  std::size_t best = 0;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    bounds.push_back(rho_at(pairs.masses(k), static_cast<double>(order - 1), budget));
    if (bounds[k].at_least > bounds[best].at_least) best = k;
  }
  const auto find_exact = [&] {
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      if (bounds[k].at_most < bounds[best].at_least) continue;
      Number sum = power_sum(pairs.masses(k), order, budget);
      if (found.sum && sum <= *found.sum) continue;
      found.sum = std::move(sum);
      found.neighbors = pairs.neighbors(k);
    }
  };
  exactly_or_bounded(found, find_exact, [&] {
    found.neighbors = pairs.neighbors(best);
    found.over_order = bounds[best];
    for (const RhoBounds& own : bounds) found.over_order.at_most = std::max(found.over_order.at_most, own.at_most);
  });
}

// The product over components of the largest S of their kinds of pairs.
void measure_parts(const PartPairs& pairs, std::int64_t order, Budget& budget, LargestDivergence& found) {
  const std::vector<std::vector<PairedMass>> masses = pairs.masses();
  const auto find_exact = [&] {
    std::vector<Number> sums;
    for (const auto& own : masses) sums.push_back(power_sum(own, order, budget));
    LargestProduct largest = largest_product(pairs, sums, budget);
    found.sum = std::move(largest.product);
    found.neighbors = std::move(largest.neighbors);
  };
  exactly_or_bounded(found, find_exact, [&] {
    const double beyond = static_cast<double>(order - 1);
    const IndependentPairs losses(masses, budget);
    double most = 0;
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const ComponentChoices choices = pairs.choices(k);
      const RhoBounds bounds = losses.at(choices, beyond);
      most = std::max(most, bounds.at_most);
      if (k > 0 && bounds.at_least <= found.over_order.at_least) continue;
      found.over_order = bounds;
      found.neighbors = pairs.neighbors(k, losses.worst_choices(choices, beyond));
    }
    found.over_order.at_most = most;
  });
}

const LargestDivergence& largest_divergence(MeasuredModel& subject, const CoordinateGroups& groups,
                                            std::int64_t order) {
  const std::string key = "Renyi divergence of order " + std::to_string(order) + " in" + key_of_groups(groups);
  return subject.remember(key, [&] {
    LargestDivergence found;
    found.neighbors = any_neighbors(subject.domain(), groups);
    const auto measure = [&](const auto& pairs, const auto& of_pairs) {
      found.infinite = pairs.infinite();
      if (found.infinite) return;
      if (pairs.size() == 0) {
        found.sum = Number(1);  // all rows are equal
      } else {
        of_pairs(pairs, order, subject.budget(), found);
      }
    };
    if (const auto parts = part_pairs(subject, groups)) {
      measure(*parts, measure_parts);
    } else {
      measure(RowPairs(subject, groups), measure_pairs);
    }
    return found;
  });
}

MeasuredLevel level_of_bounds(const LargestDivergence& found, std::int64_t order) {
  const auto nats = [&](double over_order) { return decimal_bounds(number_of(over_order) * Number(order)); };
  const double most = found.over_order.at_most;
  MeasuredLevel level{rounded_level(nats(found.over_order.at_least).lower), {}};
  level.unfinished =
      Unfinished{most < std::numeric_limits<double>::infinity() ? rounded_level(nats(most).upper) : Level::infinite(),
                 found.reason};
  return level;
}

// log(sum) / (order - 1). Readers of results compute with exact levels, so a long one is rounded.
MeasuredLevel level_of_power_sum(const Number& sum, std::int64_t order, const Level& claimed) {
  constexpr std::size_t kMostCharacters = std::size_t{1} << 14;
  const auto root = root_of_degree(sum, static_cast<unsigned long>(order - 1));
  if (root && root->text_size() <= kMostCharacters) return {Level::of_exponential(*root), {}};
  const std::vector<WeightedLog> divergence{{Number::ratio(1, order - 1), sum}};
  MeasuredLevel level = rounded_outward(divergence, kFirstDigits);
  if (leaves_open(level, claimed)) {
    bool compared = true;
    try {
      if (claimed.exponential().pow(order - 1) == sum) return {claimed, {}};
    } catch (const Interrupted&) {
      throw;
    } catch (const LimitError&) {
      compared = false;  // too long to compare exactly; more digits may decide it
    }
    level = refined_outward(divergence, claimed, compared);
  }
  if (root) level.unfinished->reason = "the exact level is long, and is rounded outward";
  return level;
}

MeasuredLevel level_of_order(MeasuredModel& subject, const CoordinateGroups& groups, std::int64_t order,
                             const Level& claimed) {
  const LargestDivergence& found = largest_divergence(subject, groups, order);
  if (found.infinite) {
    MeasuredLevel level{Level::infinite(), {}};
    level.witness = *found.infinite;
    return level;
  }
  MeasuredLevel level = found.sum ? level_of_power_sum(*found.sum, order, claimed) : level_of_bounds(found, order);
  level.witness = between_inputs(subject.domain(), found.neighbors, Number(order));
  return level;
}

Decision decide_renyi(MeasuredModel& subject, const Arguments& arguments) {
  const auto order = arguments.get<std::int64_t>(kOrderField);
  return decide_divergence(subject.domain(), arguments, kEpsilonField, neighborhoods(subject.domain(), arguments),
                           [&](const CoordinateGroups& groups, const Level& claimed) {
                             return level_of_order(subject, groups, order, claimed);
                           });
}

Field order_field() {
  Field order{kOrderField, FieldKind::kInteger};
  order.least = kLeastOrder;
  order.most = kGreatestOrder;
  return order;
}

}  // namespace

Notion renyi_dp_notion() {
  return {.name = "renyi_dp",
          .summary =
              "Renyi differential privacy: between neighbors, the Renyi divergence of the stated order is at most eps",
          .source = "Mironov, Renyi Differential Privacy (2017), Definition 4",
          .fields = with_neighbors({order_field(), {kEpsilonField, FieldKind::kLevelOrByCoordinate}}),
          .decide = decide_renyi,
          .complaint = complaint_about_neighbors(kEpsilonField),
          .bounds_odds = false,
          .unbounded = true};
}

}  // namespace oddsbound::notions
