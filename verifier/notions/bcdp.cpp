#include "verifier/notions/bcdp.h"

#include <algorithm>

#include "base/errors.h"
#include "verifier/engine/decompose.h"
#include "verifier/engine/group_search.h"
#include "verifier/measures/tradeoff.h"
#include "verifier/notions/cdp.h"
#include "verifier/notions/scope.h"
#include "verifier/notions/tolerance.h"

namespace oddsbound::notions {

namespace {

// An output of a component that has positive probability under its prior, with that probability.
struct LikelyOutput {
  std::vector<std::uint64_t> output;
  Number probability;
};

LikelyOutput likely_output(const Component& component, Budget& budget) {
  const Model& model = component.model;
  const std::vector<Number>& weights = model.prior->dense(budget).weights;
  std::uint64_t x = 0;
  while (weights[x].is_zero()) ++x;
  LikelyOutput result;
  if (model.channel->factors().empty()) {
    result.output = {0};
    while (model.channel->entry(x, result.output[0]).is_zero()) ++result.output[0];
  } else {
    for (const Factor& factor : model.channel->factors()) {
      const Projection project(model.domain, factor.coordinates);
      result.output.push_back(0);
      while (factor.channel->entry(project(x), result.output.back()).is_zero()) ++result.output.back();
    }
  }
  std::vector<WeightedTerm> terms;
  for (x = 0; x < weights.size(); ++x) {
    if (weights[x].is_zero()) continue;
    terms.push_back({weights[x], model.channel->entry_of(x, result.output)});
  }
  result.probability = weighted_sum(terms) / model.prior->total();
  return result;
}

// One likely output per component. Together they complete the output of one component to an output of the whole
// channel; the other components only scale both probabilities.
class LikelyOutputs {
 public:
  LikelyOutputs(MeasuredModel& subject, const std::vector<Component>& components)
      : output_(subject.channel().factors().size()) {
    for (const Component& component : components) {
      LikelyOutput likely = likely_output(component, subject.budget());
      factors_.push_back(component.factors);
      put(likely.output, factors_.back(), output_);
      probabilities_.push_back(std::move(likely.probability));
    }
    all_ = product_of(probabilities_, 0, probabilities_.size());
  }

  /// own: the component of `part`, or the number of components if no component sees the coordinate.
  FoundOutput with(std::size_t own, const FoundOutput& part) const {
    FoundOutput whole{output_, part.p_from * all_, part.p_to * all_};
    if (own == factors_.size()) return whole;
    put(part.output, factors_[own], whole.output);
    whole.p_from /= probabilities_[own];
    whole.p_to /= probabilities_[own];
    return whole;
  }

 private:
  static void put(const std::vector<std::uint64_t>& part, const std::vector<std::size_t>& factors,
                  std::vector<std::uint64_t>& whole) {
    for (std::size_t k = 0; k < part.size(); ++k) whole[factors[k]] = part[k];
  }

  // A product tree: each long number takes part in O(log n) multiplications.
  static Number product_of(const std::vector<Number>& numbers, std::size_t begin, std::size_t end) {
    if (begin == end) return Number(1);
    if (end - begin == 1) return numbers[begin];
    const std::size_t middle = begin + (end - begin) / 2;
    return product_of(numbers, begin, middle) * product_of(numbers, middle, end);
  }

  std::vector<std::uint64_t> output_;
  std::vector<std::vector<std::size_t>> factors_;  // of each component
  std::vector<Number> probabilities_;              // of each component's output
  Number all_;
};

// The level 0 of a coordinate that no component sees: the first and last values of positive mass that are
// compared.
FoundLevel nothing_released(const MeasuredModel& subject, std::size_t coordinate, const AllowedPairs& direction) {
  const std::vector<Number> masses = subject.prior().marginal_weights(coordinate, subject.budget());
  FoundLevel level;
  while (masses[level.from].is_zero()) ++level.from;
  level.to = level.from;
  level.attained_by = FoundOutput{{}, Number(1), Number(1)};
  for (std::size_t from = level.from; from < masses.size(); ++from) {
    for (std::size_t to = masses.size(); to-- > 0;) {
      if (masses[from].is_zero() || masses[to].is_zero() || !direction.allows(from, to)) continue;
      level.from = from;
      level.to = to;
      return level;
    }
  }
  return level;
}

// If coordinates are independent, the outputs of one component reveal nothing about the coordinates of another.
// The level of a coordinate is that of its component; the other components only scale both probabilities of the
// witness.
std::vector<FoundLevel> levels_by_components(MeasuredModel& subject, std::span<const std::size_t> coordinates,
                                             const std::vector<Component>& components, const AllowedPairs& direction,
                                             double in_all) {
  const auto likely = std::make_shared<const LikelyOutputs>(subject, components);
  const auto completed = [&](FoundLevel level, std::size_t own) {
    level.attained_by =
        Lazy<FoundOutput>::made_by([likely, found = level.attained_by, own] { return likely->with(own, found.get()); });
    return level;
  };
  std::vector<std::pair<std::size_t, std::size_t>> places(subject.domain().size(), {components.size(), 0});
  for (std::size_t c = 0; c < components.size(); ++c) {
    for (std::size_t k = 0; k < components[c].coordinates.size(); ++k) places[components[c].coordinates[k]] = {c, k};
  }
  const double reserve = subject.budget().seconds_left() - in_all;
  std::vector<FoundLevel> levels;
  for (const std::size_t i : coordinates) {
    const double seconds =
        (subject.budget().seconds_left() - reserve) / static_cast<double>(coordinates.size() - levels.size());
    const auto [own, place] = places[i];
    if (own == components.size()) {
      levels.push_back(completed(nothing_released(subject, i, direction), own));
      continue;
    }
    MeasuredModel part(components[own].model, subject.budget());
    levels.push_back(completed(levels_between_values(part, {place}, seconds, direction)[0], own));
  }
  return levels;
}

bool follows_from_components(MeasuredModel& subject) {
  return subject.prior().has_independent_coordinates() && !is_connected(subject.model());
}

// Bounds an unfinished level also by composition_bound() (measures/tradeoff.h).
void tighten(MeasuredModel& subject, const std::vector<std::size_t>& coordinates, std::vector<FoundLevel>& levels) {
  Limits limits = subject.budget().limits();
  limits.max_seconds = subject.budget().seconds_left() / 2;  // the rest is for the work after the levels
  Budget budget(limits);
  for (std::size_t k = 0; k < levels.size(); ++k) {
    const std::size_t i = coordinates[k];
    FoundLevel& level = levels[k];
    if (!level.unfinished) continue;
    try {
      const Level shift = prior_shift(subject.domain(), subject.prior(), i, budget);
      const Level bound = composition_bound(cdp_levels(subject)[i].level, shift);
      if (bound == Level() && !level.shown) continue;  // level 0 needs an output as its witness
      level.unfinished->at_most = std::min(level.unfinished->at_most, bound);
    } catch (const LimitError&) {
      return;  // the bound of the search remains
    }
    if (level.unfinished->at_most <= level.level) level.unfinished.reset();
  }
}

// direction: other than the default only with a single coordinate.
std::vector<FoundLevel> compute_bcdp(MeasuredModel& subject, const std::vector<std::size_t>& coordinates,
                                     double seconds, const AllowedPairs& direction = {}) {
  if (!branches_of(subject.channel()).empty()) {
    return largest_of_branches(
        subject,
        [&](MeasuredModel& part, std::size_t left) {
          return compute_bcdp(part, coordinates, seconds_to_search(subject.budget()) / static_cast<double>(left),
                              direction);
        },
        take_larger);
  }
  std::vector<FoundLevel> levels =
      follows_from_components(subject)
          ? levels_by_components(subject, coordinates, components_of(subject.model(), subject.budget()), direction,
                                 seconds)
          : levels_between_values(subject, coordinates, seconds, direction);
  tighten(subject, coordinates, levels);
  return levels;
}

MeasuredLevel measured_value(const MeasuredModel& subject, std::size_t coordinate, const FoundLevel& level) {
  const Coordinate& own = subject.domain().coordinate(coordinate);
  return measured_between(subject, level, own.values[level.from], own.values[level.to], own.name);
}

// Returns the levels of these coordinates. If the scope has sides, there is one coordinate.
std::vector<MeasuredLevel> bcdp_in_scope(MeasuredModel& subject, const std::vector<std::size_t>& coordinates,
                                         const Scope& scope) {
  const bool has_sides = scope.from || scope.to;
  const AllowedPairs direction =
      has_sides ? direction_of(scope, parties_of(subject.domain(), coordinates.at(0))) : AllowedPairs();
  return largest_given(subject, subject.prior(), scope.known, [&](MeasuredModel& part, double seconds) {
    std::vector<MeasuredLevel> levels;
    if (has_sides && !compares_any(part.prior().marginal_weights(coordinates[0], part.budget()), direction)) {
      levels.emplace_back().witness.update(
          [&](Witness& witness) { witness.coordinate = part.domain().coordinate(coordinates[0]).name; });
      return levels;
    }
    for (const FoundLevel& level : compute_bcdp(part, coordinates, seconds, direction)) {
      levels.push_back(measured_value(part, coordinates[levels.size()], level));
    }
    return levels;
  });
}

Decision decide_bcdp(MeasuredModel& subject, const Arguments& arguments) {
  const CoordinateLevels& claimed = arguments.get<CoordinateLevels>("epsilon");
  if (const auto* for_all = arguments.find_if<ForAll>(kForAll)) {
    std::vector<MeasuredLevel> measured(claimed.size());
    const std::vector<std::size_t> coordinates = claimed_coordinates(arguments);
    std::size_t to_come = coordinates.size();
    for (const std::size_t i : coordinates) {
      measured[i] = value_level_over(subject, *for_all->set, i, Scope(arguments), coordinates.size(), --to_come);
    }
    return decide_coordinates(subject.domain(), measured, claimed);
  }
  const Scope scope(arguments);
  if (scope.is_everything()) return decide_coordinates(subject.domain(), measured_bcdp(subject), claimed);
  const std::vector<std::size_t> coordinates = claimed_coordinates(arguments);
  std::vector<MeasuredLevel> measured(claimed.size());
  std::vector<MeasuredLevel> found = bcdp_in_scope(subject, coordinates, scope);
  for (std::size_t k = 0; k < found.size(); ++k) measured[coordinates[k]] = std::move(found[k]);
  return decide_coordinates(subject.domain(), measured, claimed);
}

Definition define_bcdp(const Model& model, const Arguments& arguments, const InputSubset& inputs) {
  const CoordinateLevels& levels = arguments.get<CoordinateLevels>("epsilon");
  Definition definition;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (!levels[i]) continue;
    definition.push_back(
        within_scope(model.domain, inputs, comparison_of_values(model.domain, inputs, i, *levels[i]), arguments));
  }
  return definition;
}

}  // namespace

std::vector<MeasuredLevel> bcdp_given(MeasuredModel& subject, const std::vector<std::size_t>& known) {
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < subject.domain().size(); ++i) {
    if (std::find(known.begin(), known.end(), i) == known.end()) others.push_back(i);
  }
  Scope scope;
  scope.known = known;
  return bcdp_in_scope(subject, others, scope);
}

const std::vector<FoundLevel>& bcdp_levels(MeasuredModel& subject) {
  return subject.remember("bcdp", [&] {
    return compute_bcdp(subject, every_coordinate(subject.domain()), seconds_to_search(subject.budget()));
  });
}

std::vector<MeasuredLevel> measured_bcdp(MeasuredModel& subject) {
  std::vector<MeasuredLevel> levels;
  for (const FoundLevel& level : bcdp_levels(subject)) {
    levels.push_back(measured_value(subject, levels.size(), level));
  }
  return levels;
}

void expect_bcdp(MeasuredModel& subject) {
  if (!subject.model().prior || follows_from_components(subject) || !prefers_columns(subject)) return;
  subject.expect(BetweenValues{every_coordinate(subject.domain())});
}

Notion bcdp_notion() {
  return {.name = "bcdp",
          .title = "Bayesian coordinate DP",
          .summary =
              "Bayesian coordinate differential privacy: what the output says about one coordinate, given how "
              "coordinates correlate",
          .source = "BCDP paper, Definition 4",
          .needs_prior = true,
          .fields = with_scope({compared({"epsilon", FieldKind::kCoordinateLevels}), field_for_all()}),
          .form = ClaimForm::kByCoordinate,
          .decide = decide_bcdp,
          .define = define_bcdp,
          .measure = measured_bcdp,
          .measure_given = bcdp_given,
          .audited = true,
          .complaint = complaint_about_set,
          .large_proofs = {.by_bounds = true},
          .in_new_specs = "what all answers say about",
          .tolerates = true,
          .drawn = DrawnBeside::kValues,
          .expect = [](MeasuredModel& subject, const Arguments& arguments) {
            if (Scope(arguments).is_everything() && !arguments.has(kForAll)) expect_bcdp(subject);
          }};
}

}  // namespace oddsbound::notions
