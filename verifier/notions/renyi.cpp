#include "verifier/notions/renyi.h"

#include <algorithm>
#include <limits>
#include <memory>

#include "base/errors.h"
#include "verifier/engine/decompose.h"
#include "verifier/engine/group_levels.h"
#include "verifier/engine/loss_distribution.h"
#include "verifier/engine/measured_model.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/interval.h"
#include "verifier/measures/cumulant.h"
#include "verifier/measures/tradeoff.h"
#include "verifier/notions/approximate.h"
#include "verifier/notions/divergences.h"
#include "verifier/notions/likelihood_classes.h"
#include "verifier/notions/scope.h"
#include "verifier/notions/stated.h"

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
template <typename Pairs>
void measure_pairs(const Pairs& pairs, std::int64_t order, Budget& budget, LargestDivergence& found) {
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
      measure(RowPairs(subject, groups), measure_pairs<RowPairs>);
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

// The sum of P(y)^a Q(y)^(1-a) is at most e^((a-1) epsilon).
StatePair state_power_sum(std::int64_t order, Budget& budget) {
  return [order, &budget](Statement& statement, DistributionView p, DistributionView q, const Level& level) {
    std::vector<Amount> terms;
    for (std::size_t y = 0; y < p.size(); ++y) {
      if (p[y].is_zero()) continue;
      budget.check_every();
      const Formula possible = Formula::greater(p[y], Number(0));
      if (level.is_infinite()) {
        // With symbols, q[y] may be 0 for some values alone.
        statement.add_attained(Formula::all({possible, Formula::equal(q[y], Number(0))}));
      } else if (q[y].is_zero()) {
        statement.add_violation(possible);
      } else {
        terms.push_back(p[y] * (p[y] / q[y]).pow(order - 1));
      }
    }
    if (level.is_infinite()) return;
    const Amount sum = Amount::sum(std::move(terms));
    const Number most = level.exponential().pow(order - 1);
    statement.add_violation(Formula::greater(sum, most));
    statement.add_attained(Formula::equal(sum, most));
  };
}

Statement state_renyi(const Model& model, const Arguments& arguments, Budget& budget) {
  return state_neighbors(model, arguments, kEpsilonField,
                         state_power_sum(arguments.get<std::int64_t>(kOrderField), budget), budget);
}

Definition imply_renyi(const Model& model, const Arguments& arguments, const InputSubset& inputs) {
  const auto order = arguments.get<std::int64_t>(kOrderField);
  return imply_neighbors(model, arguments, inputs, kEpsilonField,
                         [&](const Level& level) { return deltas_of_divergence(level, order); });
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
          .state = state_renyi,
          .imply = imply_renyi,
          .complaint = complaint_about_neighbors(kEpsilonField),
          .bounds_odds = false,
          .unbounded = true};
}

// Under the prior. Single values suffice, as for approximate_bcdp: S is jointly convex, so that mixtures of the
// distributions given single values have no larger divergence. One number describes an output, the ratio of its two
// probabilities: S is the sum over ratios r of r^(a - 1) P(ratio = r).
//
// Where outputs are too many, they are merged by their likelihoods (likelihood_classes.h). If these are too many as
// well, D_a is between that of the event of one output, and that of randomized response at the
// level e^L of the two sides in either order: among pairs with ratios between e^-L and e^L it has the largest sum of a
// convex function of the ratio. Also D_a <= D_inf.

namespace {

// The values of a coordinate, or the labels of a secret.
struct ComparedLabels {
  std::vector<Label> names;
  std::string coordinate;  // empty for a secret
  AllowedPairs direction;
};

// Labels of a model that are compared. A pair is named by two inputs of one value, the places of the labels.
class LabelPairs {
 public:
  LabelPairs(const std::vector<std::size_t>& labels, const std::vector<std::vector<Number>>& rows,
             const AllowedPairs& direction, Budget& budget) {
    for (std::size_t a = 0; a < labels.size(); ++a) {
      for (std::size_t b = 0; b < labels.size(); ++b) {
        budget.check();
        if (!direction.allows(labels[a], labels[b])) continue;
        any_ = true;
        LossDistribution losses = LossDistribution::of(rows[a], rows[b]);
        if (!losses.infinite().is_zero()) {
          infinite_ = {labels[a], labels[b], first_without(rows[a], rows[b])};
          p_infinite_ = rows[a][infinite_->output];
          return;
        }
        if (losses.is_trivial()) continue;
        pairs_.push_back({labels[a], labels[b], std::move(losses)});
      }
    }
  }

  struct Infinite {
    std::size_t from = 0, to = 0;
    std::uint64_t output = 0;
  };

  bool compares_any() const { return any_; }
  std::size_t size() const { return pairs_.size(); }
  std::vector<PairedMass> masses(std::size_t k) const {
    std::vector<PairedMass> masses;
    for (const LossDistribution::Atom& atom : pairs_[k].losses.atoms()) {
      masses.push_back({atom.mass, atom.mass / atom.ratio, 1});
    }
    return masses;
  }
  std::pair<InputRow, InputRow> neighbors(std::size_t k) const { return between(pairs_[k].from, pairs_[k].to); }
  static std::pair<InputRow, InputRow> between(std::size_t from, std::size_t to) {
    return {InputRow{static_cast<std::uint32_t>(from)}, InputRow{static_cast<std::uint32_t>(to)}};
  }
  /// An output that is possible given one label and impossible given the other one. Then pairs are missing.
  const std::optional<Infinite>& infinite() const { return infinite_; }
  const Number& p_infinite() const { return p_infinite_; }

 private:
  static std::uint64_t first_without(const std::vector<Number>& from, const std::vector<Number>& to) {
    std::uint64_t y = 0;
    while (from[y].is_zero() || !to[y].is_zero()) ++y;
    return y;
  }

  struct Pair {
    std::size_t from = 0, to = 0;
    LossDistribution losses;
  };

  std::vector<Pair> pairs_;
  std::optional<Infinite> infinite_;
  Number p_infinite_;
  bool any_ = false;
};

LabelPairs pairs_in_columns(MeasuredModel& subject, const Partition& partition, const AllowedPairs& direction) {
  const std::vector<Number> masses = label_masses(subject, partition);
  const std::vector<std::uint32_t> label_of = partition.labels();
  std::vector<std::size_t> labels;
  std::vector<GivenInputs> given;
  for (std::uint32_t label = 0; label < masses.size(); ++label) {
    if (masses[label].is_zero()) continue;
    labels.push_back(label);
    given.push_back(given_label(subject, label_of, label));
  }
  return {labels, output_distributions(subject, given), direction, subject.budget()};
}

// A divergence in a model, and the output that shows an infinite one, as Channel::split returns it.
struct DivergenceOfLabels {
  LargestDivergence largest;
  bool compares_any = true;
  std::optional<FoundOutput> infinite{};
};

// For pairs whose divergences are all finite.
DivergenceOfLabels divergence_of_pairs(MeasuredModel& subject, const LabelPairs& pairs, const Partition& partition,
                                       const AllowedPairs& direction, std::int64_t order) {
  DivergenceOfLabels found;
  found.compares_any = pairs.compares_any();
  if (pairs.size() == 0) {
    found.largest.sum = Number(1);
    // Any pair shows that all rows are equal.
    const std::vector<Number> masses = label_masses(subject, partition);
    for (std::size_t a = 0; a < masses.size(); ++a) {
      for (std::size_t b = 0; b < masses.size() && !masses[a].is_zero(); ++b) {
        if (masses[b].is_zero() || !direction.allows(a, b)) continue;
        found.largest.neighbors = LabelPairs::between(a, b);
      }
    }
  } else {
    measure_pairs(pairs, order, subject.budget(), found.largest);
  }
  return found;
}

DivergenceOfLabels infinite_divergence(const LabelPairs::Infinite& infinite, FoundOutput output) {
  DivergenceOfLabels found;
  found.infinite = std::move(output);
  found.largest.neighbors = LabelPairs::between(infinite.from, infinite.to);
  return found;
}

DivergenceOfLabels divergence_in_columns(MeasuredModel& subject, const Partition& partition,
                                         const AllowedPairs& direction, std::int64_t order) {
  const LabelPairs pairs = pairs_in_columns(subject, partition, direction);
  if (const auto& infinite = pairs.infinite()) {
    return infinite_divergence(*infinite, {subject.channel().split(infinite->output), pairs.p_infinite(), Number(0)});
  }
  return divergence_of_pairs(subject, pairs, partition, direction, order);
}

// Outputs with proportional likelihoods have one ratio for each pair of labels, so that they count as one output.
// nullopt: the classes are too many, or they took too long: bounds may decide at once.
std::optional<DivergenceOfLabels> divergence_by_classes(MeasuredModel& subject, const Partition& partition,
                                                        const AllowedPairs& direction, std::int64_t order) {
  const auto inputs = labeled_inputs(subject, [&](InputView row) { return partition.label_of(row); });
  if (!inputs) return std::nullopt;
  struct Found {
    std::optional<LikelihoodClasses> classes;
    bool complete;
  };
  const auto& [classes, complete] = subject.remember("classes of likelihoods within some time", [&] {
    constexpr double kMostSeconds = 10;
    const double left = subject.budget().seconds_left();
    auto found = classes_of_product(subject, *inputs, left - std::min(left / 2, kMostSeconds));
    const bool is_complete = found.has_value();
    return Found{std::move(found), is_complete};
  });
  if (!complete) return std::nullopt;
  constexpr std::size_t kMostCompared = std::size_t{1} << 20;  // pairs of labels x classes
  const std::size_t compared = std::min<std::size_t>(partition.size(), inputs->size());
  if (compared * compared > kMostCompared / classes->size()) return std::nullopt;
  std::vector<Number> masses(partition.size());
  for (const LabeledInput& input : *inputs) masses[input.label] += input.weight;
  std::vector<std::size_t> labels;
  std::vector<std::vector<Number>> rows;
  for (std::size_t label = 0; label < masses.size(); ++label) {
    if (masses[label].is_zero()) continue;
    labels.push_back(label);
    auto& row = rows.emplace_back();
    for (const LikelihoodClass& own : *classes) {
      subject.budget().check_every();
      row.push_back(probability_given(static_cast<std::uint32_t>(label), *inputs, own.likelihoods) / masses[label]);
    }
  }
  const LabelPairs pairs(labels, rows, direction, subject.budget());
  if (const auto& infinite = pairs.infinite()) {
    const LikelihoodClass& own = (*classes)[infinite->output];
    if (!own.example) return std::nullopt;
    const Model& model = subject.model();
    std::vector<std::uint64_t> output = output_of_example(model, *own.example);
    Likelihoods likelihoods;
    for (const LabeledInput& input : *inputs) {
      likelihoods.push_back(model.channel->entry_at(model.domain, input.row, output));
    }
    const auto from = static_cast<std::uint32_t>(infinite->from);
    const Number joint = probability_given(from, *inputs, likelihoods);
    return infinite_divergence(*infinite, {std::move(output), joint / masses[from], Number(0)});
  }
  return divergence_of_pairs(subject, pairs, partition, direction, order);
}

// D_a of two outputs with these probabilities, and of their complements.
RhoBounds divergence_of_event(const Number& p, const Number& q, std::int64_t order, Budget& budget) {
  const std::vector<PairedMass> masses{{p, q, 1}, {Number(1) - p, Number(1) - q, 1}};
  return rho_at(masses, static_cast<double>(order - 1), budget);
}

DivergenceOfLabels divergence_by_level(MeasuredModel& subject, const Partition& partition,
                                       const AllowedPairs& direction, std::int64_t order, double seconds) {
  DivergenceOfLabels found;
  found.compares_any = engine::compares_any(label_masses(subject, partition), direction);
  if (!found.compares_any) {
    found.largest.sum = Number(1);
    return found;
  }
  const bool narrowed = !direction.from.empty() || !direction.to.empty();
  const GroupLevel level = level_between_labels(subject, partition, narrowed ? seconds / 2 : seconds, direction);
  found.largest.neighbors = LabelPairs::between(level.from, level.to);
  if (level.at_least.is_infinite()) {
    found.infinite = level.witness.get();
    return found;
  }
  if (level.at_most().is_zero()) {
    found.largest.sum = Number(1);
    return found;
  }
  Level either = level.at_most();
  if (narrowed) either = std::max(either, level_between_labels(subject, partition, seconds / 2).at_most());
  RhoBounds& bounds = found.largest.over_order;
  bounds.at_most = std::numeric_limits<double>::infinity();
  if (!either.is_infinite()) {
    const Number p = either.exponential() / (either.exponential() + Number(1));
    bounds.at_most = divergence_of_event(p, Number(1) - p, order, subject.budget()).at_most;
  }
  if (level.shows_something()) {
    const FoundOutput shown = level.witness.get();
    if (!shown.p_to.is_zero()) {
      bounds.at_least = divergence_of_event(shown.p_from, shown.p_to, order, subject.budget()).at_least;
    }
  }
  found.largest.reason = "outputs are too many to go through (--max-cells)";
  return found;
}

DivergenceOfLabels divergence_of_labels(MeasuredModel& subject, const Partition& partition,
                                        const AllowedPairs& direction, std::int64_t order, double seconds) {
  if (subject.can_enumerate()) return divergence_in_columns(subject, partition, direction, order);
  if (auto found = divergence_by_classes(subject, partition, direction, order)) return *std::move(found);
  return divergence_by_level(subject, partition, direction, order,
                             std::min(seconds, engine::seconds_to_search(subject.budget())));
}

// With independent coordinates only the component that sees the coordinate counts: the others have equal outputs.
DivergenceOfLabels divergence_of_values(MeasuredModel& subject, std::size_t coordinate, const AllowedPairs& direction,
                                        std::int64_t order, double seconds) {
  const auto about =
      subject.can_enumerate() ? std::nullopt : engine::component_about(subject.model(), coordinate, subject.budget());
  if (!about) {
    const Partition values = Partition::by_value(subject.domain(), coordinate);
    return divergence_of_labels(subject, values, direction, order, seconds);
  }
  MeasuredModel part(about->component.model, subject.budget());
  const Partition values = Partition::by_value(part.domain(), about->coordinate);
  DivergenceOfLabels found = divergence_of_labels(part, values, direction, order, seconds);
  if (found.infinite) {
    const auto components = engine::components_of(subject.model(), subject.budget());
    found.infinite = engine::LikelyOutputs(subject, components).with(about->number, *found.infinite);
  }
  return found;
}

MeasuredLevel level_of_labels(MeasuredModel& subject, const DivergenceOfLabels& found, const ComparedLabels& compared,
                              std::int64_t order, const Level& claimed) {
  if (!found.compares_any) return {};
  const LargestDivergence& largest = found.largest;
  MeasuredLevel level;
  Witness witness;
  if (found.infinite) {
    level.at_least = Level::infinite();
    witness.outputs = {subject.channel().label_of(found.infinite->output)};
    witness.p_from = found.infinite->p_from;
    witness.p_to = found.infinite->p_to;
  } else {
    level = largest.sum ? level_of_power_sum(*largest.sum, order, claimed) : level_of_bounds(largest, order);
    witness.order = Number(order);
  }
  witness.from = compared.names.at(largest.neighbors.first.at(0));
  witness.to = compared.names.at(largest.neighbors.second.at(0));
  witness.coordinate = compared.coordinate;
  level.witness = witness;
  return level;
}

Decision decide_renyi_bcdp(MeasuredModel& subject, const Arguments& arguments) {
  const auto order = arguments.get<std::int64_t>(kOrderField);
  const auto& claimed = arguments.get<Level>(kEpsilonField);
  const Scope scope(arguments);
  const auto* secret = arguments.find_if<Secret>("secret");
  std::optional<std::size_t> coordinate;
  ComparedLabels compared;
  if (secret != nullptr) {
    compared.names = secret->labels;
  } else {
    coordinate = claimed_coordinates(arguments)[0];
    compared.names = parties_of(subject.domain(), *coordinate);
    compared.coordinate = subject.domain().coordinate(*coordinate).name;
  }
  compared.direction = direction_of(scope, compared.names);
  const auto measure = [&](MeasuredModel& part, double seconds) {
    const DivergenceOfLabels found =
        coordinate ? divergence_of_values(part, *coordinate, compared.direction, order, seconds)
                   : divergence_of_labels(part, secret->inputs, compared.direction, order, seconds);
    return std::vector{level_of_labels(part, found, compared, order, claimed)};
  };
  return decide_level(largest_given(subject, subject.prior(), scope.known, measure).at(0), claimed);
}

// The values or labels that are compared.
Comparison comparison_of_labels(const Model& model, const Arguments& arguments, const InputSubset& inputs) {
  const auto& level = arguments.get<Level>(kEpsilonField);
  if (const auto* secret = arguments.find_if<Secret>("secret")) {
    Comparison comparison = comparison_of_secret(inputs, *secret);
    comparison.level = level;
    return within_scope(model.domain, inputs, std::move(comparison), arguments);
  }
  return within_scope(model.domain, inputs,
                      comparison_of_values(model.domain, inputs, claimed_coordinates(arguments)[0], level), arguments);
}

Statement state_renyi_bcdp(const Model& model, const Arguments& arguments, Budget& budget) {
  return state_sides(model, comparison_of_labels(model, arguments, InputSubset(model.domain)),
                     state_power_sum(arguments.get<std::int64_t>(kOrderField), budget), budget);
}

Definition imply_renyi_bcdp(const Model& model, const Arguments& arguments, const InputSubset& inputs) {
  const auto& level = arguments.get<Level>(kEpsilonField);
  if (level.is_infinite()) return {};
  Definition definition;
  add_implied(definition, comparison_of_labels(model, arguments, inputs),
              deltas_of_divergence(level, arguments.get<std::int64_t>(kOrderField)));
  return definition;
}

std::optional<std::pair<std::string, std::string>> complaint_about_labels(const Domain& domain,
                                                                          const Arguments& arguments) {
  const bool has_secret = arguments.has("secret");
  if (arguments.has("coordinate") == has_secret) {
    return std::pair(has_secret ? "secret" : "notion",
                     has_secret ? std::string("found it beside 'coordinate', expected one of the two")
                                : std::string("found neither 'coordinate' nor 'secret', expected one of them"));
  }
  return complaint_about_scope(domain, arguments);
}

}  // namespace

Notion renyi_bcdp_notion() {
  return {.name = "renyi_bcdp",
          .summary =
              "Bayesian Renyi DP: under the prior, the Renyi divergence of the stated order between the outputs given "
              "two values is at most eps",
          .source = "Mironov (2017), Definition 3, between the distributions that BCDP compares",
          .needs_prior = true,
          .fields = with_scope({order_field(),
                                {kEpsilonField, FieldKind::kLevel},
                                {"coordinate", FieldKind::kCoordinate, false},
                                {"secret", FieldKind::kSecret, false}}),
          .decide = decide_renyi_bcdp,
          .state = state_renyi_bcdp,
          .imply = imply_renyi_bcdp,
          .complaint = complaint_about_labels,
          .bounds_odds = false,
          .unbounded = true};
}

}  // namespace oddsbound::notions
