#include "verifier/notions/context.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/errors.h"
#include "verifier/engine/decompose.h"
#include "verifier/engine/group_levels.h"
#include "verifier/engine/input_levels.h"
#include "verifier/engine/pair_excess.h"
#include "verifier/model/pair_levels.h"
#include "verifier/notions/scope.h"
#include "verifier/notions/shuffled.h"
#include "verifier/notions/tolerance.h"

namespace oddsbound::notions {

namespace {

using PairLevelsPtr = std::shared_ptr<const PairLevels>;
using BoundedPairsPtr = std::shared_ptr<const BoundedPairs>;

// The pairs that are constrained at all, with their bounds interned.
BoundedPairsPtr constrained_pairs(std::uint64_t inputs, const LevelMatrix& bounds) {
  std::unordered_map<Number, std::size_t, NumberHash> index;
  auto found = std::make_shared<BoundedPairs>();
  for (std::uint64_t from = 0; from < inputs; ++from) {
    for (std::uint64_t to = 0; to < inputs; ++to) {
      const Level& level = bounds.levels[from * inputs + to];
      if (from == to || level.is_infinite()) continue;
      const auto [place, added] = index.try_emplace(level.exponential(), found->bounds.size());
      if (added) found->bounds.emplace_back(level);
      found->pairs.push_back({static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to),
                              static_cast<std::uint32_t>(place->second)});
    }
  }
  return found;
}

BoundedPairsPtr constrained_pairs(MeasuredModel& subject, const Arguments& arguments) {
  if (const auto* levels = arguments.find_if<PairLevelsPtr>("epsilon")) {
    return std::make_shared<const BoundedPairs>(sufficient_pairs(**levels, subject.budget()));
  }
  return constrained_pairs(subject.domain().inputs(), arguments.get<LevelMatrix>("epsilon"));
}

// The distance that counts coordinates in which inputs differ, and its level per unit; null for other levels.
const PairLevels::ByDistance* counted_coordinates(const Arguments& arguments) {
  const auto* levels = arguments.find_if<PairLevelsPtr>("epsilon");
  const auto* by = levels == nullptr ? nullptr : std::get_if<PairLevels::ByDistance>(&(*levels)->form());
  return by != nullptr && by->distance.metric == Metric::kHamming ? by : nullptr;
}

// The components of a product, if the levels are a distance that sums steps: a step changes one component only.
std::vector<Component> components_of_steps(MeasuredModel& subject, const Arguments& arguments) {
  const auto* levels = arguments.find_if<PairLevelsPtr>("epsilon");
  const auto* by = levels == nullptr ? nullptr : std::get_if<PairLevels::ByDistance>(&(*levels)->form());
  if (by == nullptr || !by->distance.is_sum_of_steps()) return {};
  std::vector<Component> components = components_of(subject.model(), subject.budget());
  if (components.size() < 2) components.clear();
  return components;
}

void expect_context(MeasuredModel& subject, const Arguments& arguments) {
  if (const auto* by = counted_coordinates(arguments)) return expect_along(subject, by->distance.of);
  if (!components_of_steps(subject, arguments).empty()) return;
  const BoundedPairsPtr bounded = constrained_pairs(subject, arguments);
  if (!bounded->pairs.empty()) subject.expect(BetweenPairs{bounded});
}

AmongInputs from_sensitive(const Arguments& arguments) {
  return {std::vector<std::vector<std::uint64_t>>{arguments.get<Inputs>("sensitive").inputs}, true};
}

// A number of changed coordinates is a sum of single changes, so the levels along coordinates decide.
Decision decide_by_coordinates(MeasuredModel& subject, const PairLevels::ByDistance& by) {
  std::optional<InputLevel> worst;
  const std::vector<InputLevel> levels = levels_along(subject, by.distance.of);
  for (std::size_t k = 0; k < levels.size(); ++k) {
    if (subject.domain().values(by.distance.of[k]) < 2) continue;
    if (!worst) {
      worst = levels[k];
    } else {
      take_larger(*worst, levels[k]);
    }
  }
  if (!worst) {
    Decision nothing;
    nothing.holds = Answer::kYes;
    nothing.tight = answer_of(by.unit.is_zero());
    return nothing;
  }
  Decision decision = decide_level(measured(subject.model(), *worst), by.unit);
  if (decision.holds != Answer::kOpen) decision.pair_bound = by.unit;
  return decision;
}

// The distance between inputs of a component.
PairLevels within_component(const Component& component, const PairLevels::ByDistance& by) {
  Distance own{Metric::kL1, {}, {}};
  for (std::size_t k = 0; k < component.coordinates.size(); ++k) {
    const auto place = std::find(by.distance.of.begin(), by.distance.of.end(), component.coordinates[k]);
    if (place == by.distance.of.end()) continue;
    own.of.push_back(k);
    const Distance& whole = by.distance;
    own.numbers.push_back(whole.numbers[static_cast<std::size_t>(place - whole.of.begin())]);
  }
  return {component.model.domain, PairLevels::ByDistance{std::move(own), by.unit}, ""};
}

// The pair of a component as a pair of whole inputs. Other components keep their first input and get an output of
// positive probability.
InputPair whole_pair(const Model& model, const Component& component, const InputPair& pair) {
  const auto factors = model.channel->factors();
  InputPair whole{std::vector<std::uint64_t>(factors.size()), InputRow(model.domain.size()),
                  InputRow(model.domain.size())};
  for (std::size_t f = 0; f < factors.size(); ++f) {
    while (factors[f].channel->entry(0, whole.output[f]).is_zero()) ++whole.output[f];
  }
  for (std::size_t k = 0; k < component.factors.size(); ++k) whole.output[component.factors[k]] = pair.output[k];
  for (std::size_t k = 0; k < component.coordinates.size(); ++k) {
    whole.from[component.coordinates[k]] = pair.from[k];
    whole.to[component.coordinates[k]] = pair.to[k];
  }
  return whole;
}

bool has_larger_excess(const WorstPair& a, const WorstPair& b) {
  const Level *first = a.bound.level(), *second = b.bound.level();
  if (first != nullptr && second != nullptr) return b.level.at_least + *first < a.level.at_least + *second;
  return a.level.at_least.approx() - a.bound.approx() > b.level.at_least.approx() - b.bound.approx();
}

// nullopt: nothing is constrained. One component that is open leaves the whole open, unless another one is refuted.
std::optional<WorstPair> worst_of_components(MeasuredModel& subject, const std::vector<Component>& components,
                                             const PairLevels::ByDistance& by) {
  std::optional<WorstPair> worst;
  for (const Component& component : components) {
    const PairLevels levels = within_component(component, by);
    const auto bounded = std::make_shared<const BoundedPairs>(sufficient_pairs(levels, subject.budget()));
    if (bounded->pairs.empty()) continue;
    MeasuredModel part(component.model, subject.budget());
    WorstPair own = part.answer(BetweenPairs{bounded});
    own.level.witness = whole_pair(subject.model(), component, own.level.witness.get());
    if (!worst) {
      worst = std::move(own);
      continue;
    }
    const auto rank = [](const WorstPair& one) {
      return one.holds == Answer::kNo ? 3 : one.holds == Answer::kOpen ? 2 : one.attained == Answer::kYes ? 1 : 0;
    };
    if (rank(own) > rank(*worst) || (rank(own) == rank(*worst) && has_larger_excess(own, *worst)))
      worst = std::move(own);
  }
  return worst;
}

BoundedPairsPtr with_positive_levels(const BoundedPairs& bounded) {
  auto positive = std::make_shared<BoundedPairs>();
  positive->bounds = bounded.bounds;
  std::copy_if(bounded.pairs.begin(), bounded.pairs.end(), std::back_inserter(positive->pairs),
               [&](const BoundedPairs::Pair& pair) { return !bounded.bounds[pair.bound].is_zero(); });
  return positive;
}

Decision decide_context(MeasuredModel& subject, const Arguments& arguments) {
  if (const auto* by = counted_coordinates(arguments)) return decide_by_coordinates(subject, *by);
  const auto* function = arguments.find_if<PairLevelsPtr>("epsilon");
  const bool each_is_tight = function == nullptr || (*function)->is_matrix();
  std::optional<WorstPair> found;
  BoundedPairsPtr bounded;
  if (const std::vector<Component> components = components_of_steps(subject, arguments); !components.empty()) {
    found = worst_of_components(subject, components, std::get<PairLevels::ByDistance>((*function)->form()));
  } else {
    bounded = constrained_pairs(subject, arguments);
    if (!bounded->pairs.empty()) found = subject.answer(BetweenPairs{bounded});
  }
  Decision decision;
  if (!found) {
    decision.holds = Answer::kYes;
    decision.tight = answer_of(each_is_tight || (*function)->are_zero());
    return decision;
  }
  const WorstPair& worst = *found;
  if (worst.holds == Answer::kOpen) {
    throw LimitError("the loss of a pair and its level, " + worst.bound.to_string() + ", agree to " +
                     std::to_string(kMostComparedBits) + " binary digits, and are not known to be equal");
  }
  decision.holds = worst.holds;
  decision.actual = measured(subject.model(), worst.level);
  if (decision.holds == Answer::kNo) {
    decision.witness = std::get<MeasuredLevel>(decision.actual).witness.get();
    decision.pair_bound = worst.bound;
    return decision;
  }
  if (!each_is_tight) {
    decision.tight = answer_of(worst.attained == Answer::kYes || (*function)->are_zero());
    decision.pair_bound = worst.bound;
    // An attained level of 0 does not show that smaller levels fail.
    const auto positive =
        bounded && worst.bound.is_zero() && decision.tight == Answer::kNo ? with_positive_levels(*bounded) : nullptr;
    if (positive && !positive->pairs.empty()) {
      const WorstPair& other = subject.answer(BetweenPairs{positive});
      decision.actual = measured(subject.model(), other.level);
      decision.pair_bound = other.bound;
    }
    return decision;
  }
  const std::optional<std::size_t> slack = subject.answer(FirstSlack{bounded});
  decision.tight = answer_of(!slack);
  if (slack) {
    const auto [from, to, bound] = bounded->pairs[*slack];
    const auto alone = std::make_shared<const BoundedPairs>(BoundedPairs{{{from, to, 0}}, {bounded->bounds[bound]}});
    const WorstPair pair = subject.take(BetweenPairs{alone});
    decision.slack = LevelAndBound{measured(subject.model(), pair.level), pair.bound};
  }
  return decision;
}

AmongInputs within_blocks(const Arguments& arguments) { return {arguments.get<Partition>("blocks").members()}; }

template <AmongInputs compared(const Arguments&)>
Decision decide_among(MeasuredModel& subject, const Arguments& arguments) {
  const InputLevel level = level_among(subject, compared(arguments));
  return decide_level(measured(subject.model(), level), arguments.get<Level>("epsilon"));
}

template <AmongInputs compared(const Arguments&)>
void expect_compared(MeasuredModel& subject, const Arguments& arguments) {
  expect_among(subject, compared(arguments));
}

// The pairs whose levels are compared: all pairs of the subset; only the steps if levels are sums of steps and there
// are more than kMostInputs inputs.
std::vector<std::pair<std::uint64_t, std::uint64_t>> compared_pairs(const PairLevelsPtr* function,
                                                                    const InputSubset& inputs) {
  constexpr std::uint64_t kMostInputs = 32;
  const auto* by = function == nullptr ? nullptr : std::get_if<PairLevels::ByDistance>(&(*function)->form());
  if (by == nullptr || !by->distance.is_sum_of_steps() || !inputs.are_all() || inputs.size() <= kMostInputs) {
    return pairs_among(inputs.places());
  }
  Budget budget;  // the rest of the thread's
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
  for (const auto& pair : sufficient_pairs(**function, budget).pairs) pairs.emplace_back(pair.from, pair.to);
  return pairs;
}

// Levels that are a function are tight if one pair attains its own. Levels of a matrix are claimed one by one.
Definition define_context(const Model& model, const Arguments& arguments, const InputSubset& inputs) {
  const auto* function = arguments.find_if<PairLevelsPtr>("epsilon");
  // Levels that are all 0 are tight.
  const bool each_is_tight = function == nullptr || (*function)->is_matrix() || (*function)->are_zero();
  const auto level_of = [&](std::uint64_t from, std::uint64_t to) -> Level {
    if (function != nullptr) return *(*function)->at(from, to).level();
    return arguments.get<LevelMatrix>("epsilon").levels[from * model.domain.inputs() + to];
  };
  std::unordered_map<Number, std::size_t, NumberHash> index;
  Definition definition;
  for (const auto& [from, to] : compared_pairs(function, inputs)) {
    const Level level = level_of(inputs.number(from), inputs.number(to));
    if (level.is_infinite()) continue;
    const auto [place, added] = index.try_emplace(level.exponential(), definition.size());
    if (added) {
      definition.emplace_back().level = level;
      definition.back().tight = each_is_tight ? Comparison::Tight::kEach : Comparison::Tight::kSomewhere;
    }
    definition[place->second].pairs.emplace_back(from, to);
  }
  if (!each_is_tight && definition.empty()) {
    // Nothing is compared, so smaller levels hold.
    definition.emplace_back().level = Level::of_exponential(Number(2));
    definition.back().tight = Comparison::Tight::kSomewhere;
  }
  return definition;
}

Definition define_block(const Model&, const Arguments& arguments, const InputSubset& inputs) {
  Comparison comparison;
  comparison.level = arguments.get<Level>("epsilon");
  for (const std::vector<std::uint64_t>& block : arguments.get<Partition>("blocks").members()) {
    const auto within = pairs_among(inputs.places_of(block));
    comparison.pairs.insert(comparison.pairs.end(), within.begin(), within.end());
  }
  return {comparison};
}

}  // namespace

Definition define_high_low(const Model&, const Arguments& arguments, const InputSubset& inputs) {
  Comparison comparison;
  comparison.level = arguments.get<Level>("epsilon");
  for (const std::uint64_t from : inputs.places_of(arguments.get<Inputs>("sensitive").inputs)) {
    for (const std::uint64_t to : inputs.places()) {
      if (from != to) comparison.pairs.emplace_back(from, to);
    }
  }
  return {comparison};
}

std::optional<LevelAndBound> context_level(MeasuredModel& subject, const LevelMatrix& bounds) {
  const BoundedPairsPtr bounded = constrained_pairs(subject.domain().inputs(), bounds);
  if (bounded->pairs.empty()) return std::nullopt;
  const WorstPair& worst = subject.answer(BetweenPairs{bounded});
  return LevelAndBound{measured(subject.model(), worst.level), worst.bound};
}

Notion context_ldp_notion() {
  return {.name = "context_ldp",
          .summary = "context-aware local differential privacy: every ordered pair of inputs has a level of its own",
          .source = "context-aware LDP paper, Definition 2",
          .fields = {{"epsilon", FieldKind::kLevelMatrix}},
          .form = ClaimForm::kMatrix,
          .decide = decide_context,
          .define = define_context,
          .found = "the tightest pair has ",
          .drawn = DrawnBeside::kInputs,
          .locking = {.bounds = {}, .verdict = true, .pairs = true},
          .expect = expect_context};
}

Notion block_ldp_notion() {
  return {.name = "block_ldp",
          .summary = "block-structured local differential privacy: ldp between inputs of the same block",
          .source = "context-aware LDP paper, Definition 4",
          .fields = {{"blocks", FieldKind::kPartition}, compared({"epsilon", FieldKind::kLevel})},
          .decide = decide_among<within_blocks>,
          .define = define_block,
          .large_proofs = {.by_cases = true},
          .expect = expect_compared<within_blocks>};
}

Notion high_low_ldp_notion() {
  return {.name = "high_low_ldp",
          .summary =
              "high-low local differential privacy: no output is much more likely from a sensitive input than from "
              "any other",
          .source = "context-aware LDP paper, Definition 3",
          .fields = {{"sensitive", FieldKind::kInputs}, compared({"epsilon", FieldKind::kLevel})},
          .decide = decide_among<from_sensitive>,
          .define = define_high_low,
          .expect = expect_compared<from_sensitive>};
}

namespace {

MeasuredLevel measured_label(const MeasuredModel& subject, const Secret& secret, const GroupLevel& level) {
  return measured(subject.model(), level, secret.labels[level.from], secret.labels[level.to], "");
}

MeasuredLevel secret_in_scope(MeasuredModel& subject, const Secret& secret, const Scope& scope, std::size_t sets = 1) {
  const AllowedPairs direction = direction_of(scope, secret.labels);
  return largest_given(
      subject, subject.prior(), scope.known,
      [&](MeasuredModel& part, double seconds) {
        if (direction != AllowedPairs() && !compares_any(label_masses(part, secret.inputs), direction)) {
          return std::vector(1, MeasuredLevel());
        }
        return std::vector{measured_label(part, secret, level_between_labels(part, secret.inputs, seconds, direction))};
      },
      sets)[0];
}

Definition define_secret(const Model& model, const Arguments& arguments, const InputSubset& inputs) {
  Comparison comparison = comparison_of_secret(inputs, arguments.get<Secret>("secret"));
  comparison.level = arguments.get<Level>("epsilon");
  return {within_scope(model.domain, inputs, std::move(comparison), arguments)};
}

void expect_secret(MeasuredModel& subject, const Arguments& arguments) {
  const Secret& secret = arguments.get<Secret>("secret");
  if (!Scope(arguments).is_everything() || arguments.has(kForAll)) return;
  expect_between_labels(subject, secret.inputs);
}

Decision decide_secret(MeasuredModel& subject, const Arguments& arguments) {
  const Secret& secret = arguments.get<Secret>("secret");
  if (const auto* for_all = arguments.find_if<ForAll>(kForAll)) {
    return decide_level(label_level_over(subject, *for_all->set, arguments), arguments.get<Level>("epsilon"));
  }
  const Scope scope(arguments);
  if (scope.any_known) {
    const MeasuredLevel level = largest_of_known(subject, secret.inputs.coordinates(),
                                                 [&](const std::vector<std::size_t>& known, std::size_t left) {
                                                   Scope one = scope;
                                                   one.known = known;
                                                   return secret_in_scope(subject, secret, one, left);
                                                 });
    return decide_level(level, arguments.get<Level>("epsilon"));
  }
  if (!scope.is_everything()) {
    return decide_level(secret_in_scope(subject, secret, scope), arguments.get<Level>("epsilon"));
  }
  const GroupLevel level = level_between_labels(subject, secret.inputs, seconds_to_search(subject.budget()));
  const MeasuredLevel result = measured_label(subject, secret, level);
  Decision decision = decide_level(result, arguments.get<Level>("epsilon"));
  if (subject.wants_tradeoffs() && subject.can_enumerate()) {
    const std::vector<std::uint32_t> labels = secret.inputs.labels();
    const auto given = [&](std::size_t label) {
      return given_label(subject, labels, static_cast<std::uint32_t>(label));
    };
    const auto distributions = output_distributions(subject, {given(level.from), given(level.to)});
    const Witness witness = result.witness.get();
    decision.tradeoff =
        Tradeoff{"secret", witness.from, witness.to, tradeoff_curve(distributions[0], distributions[1])};
  }
  return decision;
}

}  // namespace

Notion secret_notion() {
  return {.name = "secret",
          .summary = "Bayesian privacy of a function of the input: bcdp with labels in place of values",
          .source = "BCDP paper, Definition 4, for any partition of the inputs",
          .needs_prior = true,
          .fields = with_scope(
              {{"secret", FieldKind::kSecret}, compared({"epsilon", FieldKind::kLevel}), field_for_all()}, true),
          .decide = decide_secret,
          .decide_shuffled = as_one_report(decide_secret, OtherPeople::kDraws),
          .define = define_secret,
          .complaint = complaint_about_set,
          .expect = expect_secret};
}

}  // namespace oddsbound::notions
