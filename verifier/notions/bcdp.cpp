#include "verifier/notions/bcdp.h"

#include <algorithm>

#include "base/errors.h"
#include "verifier/measures/composition.h"
#include "verifier/notions/cdp.h"
#include "verifier/notions/scope.h"
#include "verifier/ratios/group_search.h"
#include "verifier/structure/branches.h"
#include "verifier/structure/components.h"

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

// The first and the last value of positive mass that are compared, which nothing distinguishes.
ValueLevel nothing_released(const MeasuredModel& subject, std::size_t coordinate, const Direction& direction) {
  const std::vector<Number> masses = subject.prior().marginal_weights(coordinate, subject.budget());
  ValueLevel level;
  while (masses[level.from].is_zero()) ++level.from;
  level.to = level.from;
  level.p_from = level.p_to = Number(1);
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

// With independent coordinates what one component releases says nothing about the coordinates of another: the level
// is the component's own, and the other components' outputs only scale both probabilities of the witness.
std::vector<ValueLevel> levels_by_components(MeasuredModel& subject, std::span<const std::size_t> coordinates,
                                             const std::vector<Component>& components, const Direction& direction,
                                             double in_all) {
  std::vector<LikelyOutput> likely;
  for (const Component& component : components) likely.push_back(likely_output(component, subject.budget()));
  const auto completed = [&](ValueLevel level, std::size_t own) {
    std::vector<std::uint64_t> output(subject.channel().factors().size());
    for (std::size_t c = 0; c < components.size(); ++c) {
      const std::vector<std::uint64_t>& part = c == own ? level.output : likely[c].output;
      for (std::size_t k = 0; k < part.size(); ++k) output[components[c].factors[k]] = part[k];
      if (c == own) continue;
      level.p_from *= likely[c].probability;
      level.p_to *= likely[c].probability;
    }
    level.output = std::move(output);
    return level;
  };
  const double reserve = subject.budget().seconds_left() - in_all;
  std::vector<ValueLevel> levels;
  for (const std::size_t i : coordinates) {
    const double seconds =
        (subject.budget().seconds_left() - reserve) / static_cast<double>(coordinates.size() - levels.size());
    std::size_t own = 0;
    std::size_t place = 0;
    for (; own < components.size(); ++own) {
      const auto& mine = components[own].coordinates;
      place = static_cast<std::size_t>(std::find(mine.begin(), mine.end(), i) - mine.begin());
      if (place < mine.size()) break;
    }
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

// What a search left open is bounded by what the runs guarantee as well (composition.h).
void tighten(MeasuredModel& subject, const std::vector<std::size_t>& coordinates, std::vector<ValueLevel>& levels) {
  Limits limits = subject.budget().limits();
  limits.max_seconds = subject.budget().seconds_left() / 2;  // the rest is for what is done with the levels
  Budget budget(limits);
  for (std::size_t k = 0; k < levels.size(); ++k) {
    const std::size_t i = coordinates[k];
    ValueLevel& level = levels[k];
    if (!level.unfinished) continue;
    try {
      const Level shift = prior_shift(subject.domain(), subject.prior(), i, budget);
      const Level bound = composition_bound(cdp_levels(subject)[i].level, shift);
      if (bound == Level() && !level.shown) continue;  // a level of 0 needs an output that shows it
      level.unfinished->at_most = std::min(level.unfinished->at_most, bound);
    } catch (const LimitError&) {
      return;  // the search's bound stands
    }
    if (level.unfinished->at_most <= level.level) level.unfinished.reset();
  }
}

// direction: of the only coordinate.
std::vector<ValueLevel> compute_bcdp(MeasuredModel& subject, const std::vector<std::size_t>& coordinates,
                                     double seconds, const Direction& direction = {}) {
  if (!branches_of(subject.channel()).empty()) {
    return largest_of_branches(
        subject,
        [&](MeasuredModel& part, std::size_t left) {
          return compute_bcdp(part, coordinates, seconds_to_search(subject.budget()) / static_cast<double>(left),
                              direction);
        },
        take_larger);
  }
  std::vector<ValueLevel> levels =
      follows_from_components(subject)
          ? levels_by_components(subject, coordinates, components_of(subject.model(), subject.budget()), direction,
                                 seconds)
          : levels_between_values(subject, coordinates, seconds, direction);
  tighten(subject, coordinates, levels);
  return levels;
}

// Between two labels; coordinate: whose values these are, or empty.
MeasuredLevel measured_between(const MeasuredModel& subject, const ValueLevel& level, Party from, Party to,
                               std::string coordinate) {
  std::vector<std::string> outputs;
  if (level.shown) outputs.push_back(subject.channel().label_of(level.output));
  return {level.level,
          {std::move(outputs), std::move(from), std::move(to), level.p_from, level.p_to, std::move(coordinate)},
          level.way,
          level.unfinished,
          level.nodes};
}

MeasuredLevel measured_value(const MeasuredModel& subject, std::size_t coordinate, const ValueLevel& level) {
  const Coordinate& own = subject.domain().coordinate(coordinate);
  return measured_between(subject, level, own.values[level.from], own.values[level.to], own.name);
}

MeasuredLevel measured_label(const MeasuredModel& subject, const Secret& secret, const ValueLevel& level) {
  return measured_between(subject, level, secret.labels[level.from], secret.labels[level.to], "");
}

// Whether labels of these masses are compared at all.
bool compares_any(const std::vector<Number>& masses, const Direction& direction) {
  for (std::size_t from = 0; from < masses.size(); ++from) {
    for (std::size_t to = 0; to < masses.size() && !masses[from].is_zero(); ++to) {
      if (direction.allows(from, to) && !masses[to].is_zero()) return true;
    }
  }
  return false;
}

// The levels of these coordinates; with sides, of one.
std::vector<MeasuredLevel> bcdp_in_scope(MeasuredModel& subject, const std::vector<std::size_t>& coordinates,
                                         const Scope& scope) {
  const bool has_sides = scope.from || scope.to;
  const Direction direction =
      has_sides ? direction_of(scope, parties_of(subject.domain(), coordinates.at(0))) : Direction();
  return largest_given(subject, subject.prior(), scope.known, [&](MeasuredModel& part, double seconds) {
    std::vector<MeasuredLevel> levels;
    if (has_sides && !compares_any(part.prior().marginal_weights(coordinates[0], part.budget()), direction)) {
      levels.emplace_back().witness.coordinate = part.domain().coordinate(coordinates[0]).name;
      return levels;
    }
    for (const ValueLevel& level : compute_bcdp(part, coordinates, seconds, direction)) {
      levels.push_back(measured_value(part, coordinates[levels.size()], level));
    }
    return levels;
  });
}

// The masses of a secret's labels.
std::vector<Number> masses_of(const MeasuredModel& subject, const Secret& secret) {
  std::vector<std::vector<WeightedTerm>> terms(secret.labels.size());
  const auto add = [&](const Prior& prior, const std::function<std::uint32_t(InputView)>& label_of) {
    prior.each_row(subject.budget(), [&](InputView row, const Number& weight) {
      terms[label_of(row)].push_back({Number(1), weight});
    });
  };
  if (secret.coordinates.empty()) {
    add(subject.prior(), labels_by_row(subject.domain(), secret));
  } else {
    const Domain labels = subject.domain().restricted_to(secret.coordinates);
    add(subject.prior().marginal(secret.coordinates, subject.budget()),
        [&](InputView row) { return static_cast<std::uint32_t>(labels.number(row)); });
  }
  std::vector<Number> masses;
  for (const auto& of_label : terms) masses.push_back(weighted_sum(of_label));
  return masses;
}

MeasuredLevel secret_in_scope(MeasuredModel& subject, const Secret& secret, const Scope& scope) {
  const Direction direction = direction_of(scope, secret.labels);
  return largest_given(subject, subject.prior(), scope.known, [&](MeasuredModel& part, double seconds) {
    if (direction != Direction() && !compares_any(masses_of(part, secret), direction)) {
      return std::vector(1, MeasuredLevel());
    }
    return std::vector{measured_label(part, secret, level_between_labels(part, secret, seconds, direction))};
  })[0];
}

Decision decide_bcdp(MeasuredModel& subject, const Arguments& arguments) {
  const CoordinateLevels& claimed = arguments.get<CoordinateLevels>("epsilon");
  const Scope scope(arguments);
  if (scope.is_everything()) return decide_coordinates(subject.domain(), measured_bcdp(subject), claimed);
  const std::vector<std::size_t> coordinates = claimed_coordinates(arguments);
  std::vector<MeasuredLevel> measured(claimed.size());
  std::vector<MeasuredLevel> found = bcdp_in_scope(subject, coordinates, scope);
  for (std::size_t k = 0; k < found.size(); ++k) measured[coordinates[k]] = std::move(found[k]);
  return decide_coordinates(subject.domain(), measured, claimed);
}

Definition define_bcdp(const Model& model, const Arguments& arguments, const LookedAt& inputs) {
  const CoordinateLevels& levels = arguments.get<CoordinateLevels>("epsilon");
  Definition definition;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (!levels[i]) continue;
    definition.push_back(
        within_scope(model.domain, inputs, comparison_of_values(model.domain, inputs, i, *levels[i]), arguments));
  }
  return definition;
}

Definition define_secret(const Model& model, const Arguments& arguments, const LookedAt& inputs) {
  const Secret& secret = arguments.get<Secret>("secret");
  Comparison comparison;
  comparison.level = arguments.get<Level>("epsilon");
  comparison.labels = secret.labels;
  comparison.label_at = labels_by_row(model.domain, secret);
  for (const std::uint64_t x : inputs.places()) comparison.label_of.push_back(comparison.label_at(inputs.row(x)));
  return {within_scope(model.domain, inputs, std::move(comparison), arguments)};
}

void expect_secret(MeasuredModel& subject, const Arguments& arguments) {
  const Secret& secret = arguments.get<Secret>("secret");
  if (!Scope(arguments).is_everything()) return;
  if (!subject.model().prior || !prefers_columns(subject)) return;
  subject.expect(BetweenLabels{labels_of_inputs(subject.domain(), secret), secret.labels.size()});
}

Decision decide_secret(MeasuredModel& subject, const Arguments& arguments) {
  const Secret& secret = arguments.get<Secret>("secret");
  const Scope scope(arguments);
  if (!scope.is_everything()) {
    return decide_level(secret_in_scope(subject, secret, scope), arguments.get<Level>("epsilon"));
  }
  const ValueLevel level = level_between_labels(subject, secret, seconds_to_search(subject.budget()));
  const MeasuredLevel result = measured_label(subject, secret, level);
  Decision decision = decide_level(result, arguments.get<Level>("epsilon"));
  if (subject.wants_tradeoffs() && subject.can_enumerate()) {
    const std::vector<std::uint32_t> labels = labels_of_inputs(subject.domain(), secret);
    const auto given = [&](std::size_t label) {
      return given_label(subject, labels, static_cast<std::uint32_t>(label));
    };
    const auto distributions = output_distributions(subject, {given(level.from), given(level.to)});
    decision.tradeoff =
        Tradeoff{"secret", result.witness.from, result.witness.to, tradeoff_curve(distributions[0], distributions[1])};
  }
  return decision;
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

const std::vector<ValueLevel>& bcdp_levels(MeasuredModel& subject) {
  return subject.remember("bcdp", [&] {
    return compute_bcdp(subject, every_coordinate(subject.domain()), seconds_to_search(subject.budget()));
  });
}

std::vector<MeasuredLevel> measured_bcdp(MeasuredModel& subject) {
  std::vector<MeasuredLevel> levels;
  for (const ValueLevel& level : bcdp_levels(subject)) {
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
          .fields = with_scope({compared({"epsilon", FieldKind::kCoordinateLevels})}),
          .form = ClaimForm::kByCoordinate,
          .decide = decide_bcdp,
          .define = define_bcdp,
          .measure = measured_bcdp,
          .measure_given = bcdp_given,
          .audited = true,
          .complaint = complaint_about_scope,
          .drawn = DrawnBeside::kValues,
          .expect = [](MeasuredModel& subject, const Arguments& arguments) {
            if (Scope(arguments).is_everything()) expect_bcdp(subject);
          }};
}

Notion secret_notion() {
  return {.name = "secret",
          .summary = "Bayesian privacy of a function of the input: bcdp with labels in place of values",
          .source = "BCDP paper, Definition 4, for any partition of the inputs",
          .needs_prior = true,
          .fields = with_scope({{"secret", FieldKind::kSecret}, compared({"epsilon", FieldKind::kLevel})}),
          .decide = decide_secret,
          .define = define_secret,
          .complaint = complaint_about_scope,
          .expect = expect_secret};
}

}  // namespace oddsbound::notions
