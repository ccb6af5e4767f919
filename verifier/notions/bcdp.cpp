#include "verifier/notions/bcdp.h"

#include <algorithm>
#include <functional>
#include <sstream>

#include "base/errors.h"
#include "verifier/exact/threads.h"
#include "verifier/measures/composition.h"
#include "verifier/model/product_channel.h"
#include "verifier/networks/network_search.h"
#include "verifier/notions/cdp.h"
#include "verifier/ratios/group_search.h"
#include "verifier/ratios/output_search.h"
#include "verifier/structure/components.h"

namespace oddsbound::notions {

namespace {

ValueLevel with_split_output(const Channel& channel, const GroupLevel& level) {
  return {level.level, channel.split(level.output), level.from, level.to, level.p_from, level.p_to};
}

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

// The first and the last value of positive mass, which nothing distinguishes.
ValueLevel nothing_released(const MeasuredModel& subject, std::size_t coordinate) {
  const std::vector<Number> masses = subject.prior().marginal_weights(coordinate, subject.budget());
  ValueLevel level;
  while (masses[level.from].is_zero()) ++level.from;
  level.to = masses.size() - 1;
  while (masses[level.to].is_zero()) --level.to;
  level.p_from = level.p_to = Number(1);
  return level;
}

// Where inputs x outputs are too many, or every entry of theirs were to be multiplied out, products are searched by
// what their factors see of the rows that occur.
bool is_searched(const MeasuredModel& subject) {
  const auto* product = dynamic_cast<const ProductChannel*>(&subject.channel());
  if (product == nullptr) return false;
  return !subject.can_enumerate() || !product->has_few_products(subject.budget());
}

// Of the time that is left, what searches may take: what is found must be written.
double seconds_to_search(const Budget& budget) { return 0.9 * budget.seconds_left(); }

ValueLevel found_by(Way way, SearchedLevel level) {
  ValueLevel result{
      level.level, std::move(level.output), level.from, level.to, std::move(level.p_from), std::move(level.p_to), way};
  if (way == Way::kSearch) result.nodes = level.nodes;
  result.transport_bound = std::move(level.root_bound);
  result.unfinished = std::move(level.unfinished);
  return result;
}

// Says of which coordinate the search tells.
std::function<void(double, double, std::uint64_t)> told_of(const std::string& coordinate, const Limits& limits) {
  if (!limits.told) return {};
  return [&limits, coordinate](double at_least, double at_most, std::uint64_t nodes) {
    std::ostringstream text;
    text.precision(4);
    text << std::fixed << "bcdp " << coordinate << " " << at_least << " to " << at_most << ", " << nodes << " nodes";
    limits.told(text.str());
  };
}

// None if the prior is not a network that can be gone along.
std::optional<std::vector<ValueLevel>> levels_of_network(MeasuredModel& subject,
                                                         std::span<const std::size_t> coordinates, double seconds) {
  Budget unstopped(subject.budget(), Budget::kUnstopped);
  const std::optional<Network> network = network_of(subject.model(), unstopped);
  if (!network) return std::nullopt;
  const std::vector<SearchedLevel> all = search_network(subject.model(), *network, subject.budget(), seconds);
  std::vector<ValueLevel> levels;
  for (const std::size_t i : coordinates) levels.push_back(found_by(Way::kNetwork, all[i]));
  return levels;
}

// Within so many seconds in all: those that are quick leave their share to those after them. A stop ends the searches,
// and leaves what is known.
std::vector<ValueLevel> searched_levels(MeasuredModel& subject, std::span<const std::size_t> coordinates,
                                        double seconds) {
  std::vector<ValueLevel> levels(coordinates.size());
  const std::size_t threads = wanted_threads(subject.budget().limits());
  const double reserve = subject.budget().seconds_left() - seconds;
  by_threads(threads, levels.size(), subject.budget(), [&](std::uint64_t k, std::size_t, Budget& budget) {
    const std::size_t waiting = levels.size() - k;
    const double share = static_cast<double>(std::min(threads, waiting)) / static_cast<double>(waiting);
    // Also of a coordinate that was not begun when a stop was asked for something is to be known.
    Budget unstopped(budget, Budget::kUnstopped);
    const SeenRows seen = rows_by_value(subject.model(), coordinates[k], unstopped);
    const Patience patience{share * (budget.seconds_left() - reserve), budget.limits().stop,
                            told_of(subject.domain().coordinate(coordinates[k]).name, budget.limits())};
    levels[k] = found_by(Way::kSearch, search_outputs(seen, unstopped, patience));
  });
  return levels;
}

std::vector<ValueLevel> levels_between_values(MeasuredModel& subject, const BetweenValues& question, double seconds) {
  if (is_searched(subject)) {
    if (auto levels = levels_of_network(subject, question.coordinates, seconds)) return *std::move(levels);
    return searched_levels(subject, question.coordinates, seconds);
  }
  std::vector<ValueLevel> levels;
  for (const GroupLevel& level : subject.answer(question)) {
    levels.push_back(with_split_output(subject.channel(), level));
  }
  return levels;
}

// With independent coordinates what one component releases says nothing about the coordinates of another: the level
// is the component's own, and the other components' outputs only scale both probabilities of the witness.
std::vector<ValueLevel> levels_by_components(MeasuredModel& subject, std::span<const std::size_t> coordinates,
                                             const std::vector<Component>& components) {
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
  std::vector<ValueLevel> levels;
  for (const std::size_t i : coordinates) {
    const double seconds =
        seconds_to_search(subject.budget()) / static_cast<double>(coordinates.size() - levels.size());
    std::size_t own = 0;
    std::size_t place = 0;
    for (; own < components.size(); ++own) {
      const auto& mine = components[own].coordinates;
      place = static_cast<std::size_t>(std::find(mine.begin(), mine.end(), i) - mine.begin());
      if (place < mine.size()) break;
    }
    if (own == components.size()) {
      levels.push_back(completed(nothing_released(subject, i), own));
      continue;
    }
    MeasuredModel part(components[own].model, subject.budget());
    levels.push_back(completed(levels_between_values(part, BetweenValues{{place}}, seconds)[0], own));
  }
  return levels;
}

BetweenValues between_all_values(const Domain& domain) {
  BetweenValues question;
  for (std::size_t i = 0; i < domain.size(); ++i) question.coordinates.push_back(i);
  return question;
}

bool follows_from_components(MeasuredModel& subject) {
  return subject.prior().has_independent_coordinates() && !is_connected(subject.model());
}

// What a search left open is bounded by what the runs guarantee as well (composition.h).
void tighten(MeasuredModel& subject, std::vector<ValueLevel>& levels) {
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (!levels[i].unfinished) continue;
    try {
      const Level shift = prior_shift(subject.domain(), subject.prior(), i, subject.budget());
      const Level bound = composition_bound(cdp_levels(subject)[i].level, shift);
      levels[i].unfinished->at_most = std::min(levels[i].unfinished->at_most, bound);
    } catch (const LimitError&) {
      return;  // the search's bound stands
    }
    if (levels[i].unfinished->at_most <= levels[i].level) levels[i].unfinished.reset();
  }
}

std::vector<ValueLevel> compute_bcdp(MeasuredModel& subject) {
  const BetweenValues question = between_all_values(subject.domain());
  const bool by_components = follows_from_components(subject);
  std::vector<ValueLevel> levels =
      by_components
          ? levels_by_components(subject, question.coordinates, components_of(subject.model(), subject.budget()))
          : levels_between_values(subject, question, seconds_to_search(subject.budget()));
  tighten(subject, levels);
  return levels;
}

Decision decide_bcdp(MeasuredModel& subject, const Arguments& arguments) {
  return decide_coordinates(subject.domain(), measured_bcdp(subject), arguments.get<CoordinateLevels>("epsilon"));
}

Definition define_bcdp(const Model& model, const Arguments& arguments) {
  const CoordinateLevels& levels = arguments.get<CoordinateLevels>("epsilon");
  Definition definition;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (levels[i]) definition.push_back(comparison_of_values(model.domain, i, *levels[i]));
  }
  return definition;
}

Definition define_secret(const Model&, const Arguments& arguments) {
  const Secret& secret = arguments.get<Secret>("secret");
  Comparison comparison;
  comparison.level = arguments.get<Level>("epsilon");
  comparison.labels = secret.labels;
  comparison.label_of = secret.label_of;
  return {comparison};
}

void expect_secret(MeasuredModel& subject, const Arguments& arguments) {
  const Secret& secret = arguments.get<Secret>("secret");
  subject.expect(BetweenLabels{secret.label_of, secret.labels.size()});
}

Decision decide_secret(MeasuredModel& subject, const Arguments& arguments) {
  const Secret& secret = arguments.get<Secret>("secret");
  const ValueLevel level = secret_level(subject, secret.label_of, secret.labels.size());
  const MeasuredLevel result{level.level,
                             {{subject.channel().label_of(level.output)},
                              secret.labels[level.from],
                              secret.labels[level.to],
                              level.p_from,
                              level.p_to,
                              ""}};
  Decision decision = decide_level(result, arguments.get<Level>("epsilon"));
  if (subject.wants_tradeoffs()) {
    const auto given = [&](std::size_t label) {
      return given_label(subject, secret.label_of, static_cast<std::uint32_t>(label));
    };
    const auto distributions = output_distributions(subject, {given(level.from), given(level.to)});
    decision.tradeoff =
        Tradeoff{"secret", result.witness.from, result.witness.to, tradeoff_curve(distributions[0], distributions[1])};
  }
  return decision;
}

}  // namespace

const std::vector<ValueLevel>& bcdp_levels(MeasuredModel& subject) {
  return subject.remember("bcdp", [&] { return compute_bcdp(subject); });
}

std::vector<MeasuredLevel> measured_bcdp(MeasuredModel& subject) {
  std::vector<MeasuredLevel> levels;
  for (const ValueLevel& level : bcdp_levels(subject)) {
    const Coordinate& coordinate = subject.domain().coordinate(levels.size());
    levels.push_back({level.level,
                      {{subject.channel().label_of(level.output)},
                       coordinate.values[level.from],
                       coordinate.values[level.to],
                       level.p_from,
                       level.p_to,
                       coordinate.name},
                      level.way,
                      level.unfinished,
                      level.nodes});
  }
  return levels;
}

ValueLevel secret_level(MeasuredModel& subject, std::vector<std::uint32_t> label_of, std::size_t labels) {
  return with_split_output(subject.channel(), subject.answer(BetweenLabels{std::move(label_of), labels}));
}

void expect_bcdp(MeasuredModel& subject) {
  if (!subject.model().prior || follows_from_components(subject) || is_searched(subject)) return;
  subject.expect(between_all_values(subject.domain()));
}

Notion bcdp_notion() {
  return {.name = "bcdp",
          .title = "Bayesian coordinate DP",
          .summary =
              "Bayesian coordinate differential privacy: what the output says about one coordinate, given how "
              "coordinates correlate",
          .source = "BCDP paper, Definition 4",
          .needs_prior = true,
          .fields = {{"epsilon", FieldKind::kCoordinateLevels}},
          .form = ClaimForm::kByCoordinate,
          .decide = decide_bcdp,
          .define = define_bcdp,
          .measure = measured_bcdp,
          .audited = true,
          .drawn = DrawnBeside::kValues,
          .expect = [](MeasuredModel& subject, const Arguments&) { expect_bcdp(subject); }};
}

Notion secret_notion() {
  return {.name = "secret",
          .summary = "Bayesian privacy of a function of the input: bcdp with labels in place of values",
          .source = "BCDP paper, Definition 4, for any partition of the inputs",
          .needs_prior = true,
          .fields = {{"secret", FieldKind::kSecret}, {"epsilon", FieldKind::kLevel}},
          .decide = decide_secret,
          .define = define_secret,
          .expect = expect_secret};
}

}  // namespace oddsbound::notions
