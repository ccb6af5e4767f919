// Where inputs and outputs can be enumerated, one pass finds the extreme lifts. Otherwise the lift of a value follows
// from a level between two groups, those with the value and all others. With p = P(a) and r = P(y given a) / P(y given
// not a):
//
//   P(y) = p P(y given a) + (1 - p) P(y given not a), so the lift is r / (p r + 1 - p),
//
// which grows with r and is at most 1/p. The inverse of the lift is p + (1 - p) / r. So the search over outputs for the
// level of a secret with two labels (engine/group_levels.h) finds both extremes, or bounds of them.
#include "verifier/notions/lift.h"

#include <utility>

#include "base/errors.h"
#include "verifier/engine/decompose.h"
#include "verifier/engine/group_levels.h"
#include "verifier/engine/input_levels.h"
#include "verifier/notions/input_lift.h"
#include "verifier/notions/lift_tail.h"
#include "verifier/notions/scope.h"
#include "verifier/smt/sides.h"

namespace oddsbound::notions {

namespace {

constexpr const char* kAtMost = "at_most";
constexpr const char* kValues = "values";
constexpr const char* kDeltaOfLift = "delta";

// Which lifts a notion bounds: how much more likely an output makes a value, how much less likely, or both.
enum class Lift { kUpper, kLower, kBoth };

// An output with its probabilities given a label and without it. Greater means a larger quotient.
struct Extreme {
  std::uint64_t output = 0;
  std::uint32_t label = 0;
  Number from{0}, to{1};

  bool is_below(const Extreme& other) const { return compare_products(other.from, to, from, other.to) > 0; }
};

struct Extremes {
  Extreme upper;  // from the label, to everyone
  Extreme lower;  // from everyone, to the label
};

/// The extreme lifts of the labels of a partition; the first of equal ones.
class LiftScan final : public AccumulatorOf<LiftScan> {
 public:
  LiftScan(const std::vector<Number>& weights, const Partition& partition) {
    auto groups = std::make_shared<Groups>();
    const std::vector<std::uint32_t> label_of = partition.labels();
    groups->members.resize(partition.size());
    groups->masses.resize(partition.size());
    for (std::uint64_t x = 0; x < weights.size(); ++x) {
      if (weights[x].is_zero()) continue;
      groups->members[label_of[x]].emplace_back(x, weights[x]);
      groups->masses[label_of[x]] += weights[x];
      groups->total += weights[x];
    }
    groups_ = std::move(groups);
  }

  void offer(ColumnView& column) override {
    const std::span<const std::uint32_t> ranks = column.ranks();
    std::vector<Number> joint(groups_->members.size());
    std::optional<std::uint32_t> most, least;
    const auto below = [&](std::uint32_t a, std::uint32_t b) {
      return compare_products(joint[a], groups_->masses[b], joint[b], groups_->masses[a]) < 0;
    };
    std::vector<FractionTerm> terms;
    for (std::uint32_t label = 0; label < joint.size(); ++label) {
      if (groups_->members[label].empty()) continue;
      terms.clear();
      for (const auto& [x, weight] : groups_->members[label]) terms.push_back(column.pool().term(weight, ranks[x]));
      joint[label] = weighted_sum(terms);
      if (!most || below(*most, label)) most = label;
      if (!least || below(label, *least)) least = label;
    }
    const Number everyone = sum_of(joint) / groups_->total;
    if (everyone.is_zero()) return;
    take_larger(found_.upper, {column.output(), *most, joint[*most] / groups_->masses[*most], everyone});
    take_larger(found_.lower, {column.output(), *least, everyone, joint[*least] / groups_->masses[*least]});
  }
  void take(LiftScan&& later) {
    take_larger(found_.upper, std::move(later.found_.upper));
    take_larger(found_.lower, std::move(later.found_.lower));
  }
  LiftScan successor() const {
    LiftScan next = *this;
    next.found_ = {};
    return next;
  }

  Extremes finish(MeasuredModel&) { return std::move(found_); }

 private:
  struct Groups {
    std::vector<std::vector<std::pair<std::uint64_t, Number>>> members;  // by label: inputs with mass, and weights
    std::vector<Number> masses;
    Number total;
  };

  static void take_larger(Extreme& best, Extreme other) {
    if (best.is_below(other)) best = std::move(other);
  }

  std::shared_ptr<const Groups> groups_;
  Extremes found_;
};

struct LiftQuestion {
  Partition partition;

  using Accumulator = LiftScan;
  friend bool operator==(const LiftQuestion&, const LiftQuestion&) = default;
  std::unique_ptr<LiftScan> begin(MeasuredModel& subject) const {
    return std::make_unique<LiftScan>(subject.prior().dense(subject.budget()).weights, partition);
  }
};

// The object of the adversary's interest: the value of a coordinate, the label of a secret, or all values.
struct Target {
  Partition partition;
  std::optional<std::size_t> coordinate;
  std::optional<std::vector<Label>> labels;  // nullopt: inputs
  std::vector<std::uint32_t> only{};         // whether the label is one of these; empty: which label it is

  Label label(const Domain& domain, std::size_t place) const {
    return labels ? (*labels)[place] : Label(domain.tuple(place));
  }
};

Target target_of(const Domain& domain, const Arguments& arguments) {
  if (const auto* one = arguments.find_if<Coordinates>("coordinate")) {
    const std::size_t i = one->coordinates[0];
    return {Partition::by_value(domain, i), i, parties_of(domain, i)};
  }
  if (const auto* secret = arguments.find_if<Secret>("secret")) return {secret->inputs, std::nullopt, secret->labels};
  return {Partition::by_input(domain), std::nullopt, std::nullopt};
}

// Labels of a level: those of the partition, and everyone after them.
GroupLevel level_of(const MeasuredModel& subject, Extreme extreme, std::size_t everyone, bool upper) {
  GroupLevel level;
  level.from = upper ? extreme.label : everyone;
  level.to = upper ? everyone : extreme.label;
  level.attain({subject.channel().split(extreme.output), std::move(extreme.from), std::move(extreme.to)});
  return level;
}

// The two labels of a level in one of these directions: the label, or all labels of `only`, and everyone.
Label label_of_only(const Target& target) {
  if (target.only.size() == 1) return (*target.labels)[target.only[0]];
  std::string names;
  for (const std::uint32_t label : target.only) {
    names += (names.empty() ? "" : " or ") + party_text((*target.labels)[label]);
  }
  return Label(names);
}

// The level of the lift, or of its inverse, from the level between those with a value, which have the share p of the
// mass, and all others.
Level lift_of(const Level& between, const Number& p, bool upper) {
  const Number rest = Number(1) - p;
  if (between.is_infinite()) return upper ? Level::of_exponential(Number(1) / p) : between;
  const Number& r = between.exponential();
  return Level::of_exponential(upper ? r / (p * r + rest) : p + rest * r);
}

// The lift of the first label of `two`, whose members have the share p of the mass. The labels of the result are those
// given.
GroupLevel searched(MeasuredModel& subject, const Partition& two, const Number& p, bool upper, double seconds,
                    std::size_t label, std::size_t everyone) {
  const AllowedPairs direction =
      upper ? AllowedPairs{{true, false}, {false, true}} : AllowedPairs{{false, true}, {true, false}};
  GroupLevel level;
  try {
    level = level_between_labels(subject, two, seconds, direction);
  } catch (const Interrupted&) {
    throw;
  } catch (const LimitError& error) {
    level.unfinished = Unfinished{Level::infinite(), error.what()};
  }
  level.at_least = lift_of(level.at_least, p, upper);
  if (level.unfinished) level.unfinished->at_most = lift_of(level.unfinished->at_most, p, upper);
  level.transport_bound.reset();
  level.witness.update([p, upper](FoundOutput& found) {
    Number& all = upper ? found.p_to : found.p_from;
    all = p * (upper ? found.p_from : found.p_to) + (Number(1) - p) * all;
  });
  level.from = upper ? label : everyone;
  level.to = upper ? everyone : label;
  return level;
}

// The largest of the levels of all labels, each in its own search.
GroupLevel searched_largest(MeasuredModel& subject, const Partition& partition, bool upper) {
  const std::vector<Number> masses = label_masses(subject, partition);
  const Number& total = subject.prior().total();
  const double reserve = subject.budget().seconds_left() - engine::seconds_to_search(subject.budget());
  std::optional<GroupLevel> largest;
  for (std::uint32_t label = 0; label < masses.size(); ++label) {
    if (masses[label].is_zero() || masses[label] == total) continue;
    const double seconds = (subject.budget().seconds_left() - reserve) / static_cast<double>(masses.size() - label);
    GroupLevel level = searched(subject, partition.against_others({label}), masses[label] / total, upper, seconds,
                                label, partition.size());
    if (largest) {
      take_larger(*largest, std::move(level));
    } else {
      largest = std::move(level);
    }
  }
  return largest.value_or(GroupLevel());
}

// The prior probability of the labels of `only`.
Number probability_of_only(const MeasuredModel& subject, const Target& target) {
  const Prior& prior = subject.prior();
  if (!target.coordinate) return label_masses(subject, target.partition.against_others(target.only))[0] / prior.total();
  const std::vector<Number> masses = prior.marginal_weights(*target.coordinate, subject.budget());
  Number own(0);
  for (const std::uint32_t value : target.only) own += masses[value];
  return own / prior.total();
}

// The lift of whether the label is one of some labels.
GroupLevel searched_only(MeasuredModel& subject, const Target& target, bool upper) {
  const Partition two = target.partition.against_others(target.only);
  const Number p = probability_of_only(subject, target);
  if (p.is_zero() || p.is_one()) return {};
  return searched(subject, two, p, upper, engine::seconds_to_search(subject.budget()), 0, target.partition.size());
}

// With independent coordinates only the component that sees the coordinate counts. The others scale both sides.
std::optional<GroupLevel> level_in_component(MeasuredModel& subject, const Target& target, bool upper);

GroupLevel lift_level(MeasuredModel& subject, const Target& target, bool upper) {
  if (subject.can_enumerate() && target.only.empty()) {
    const Extremes& found = subject.answer(LiftQuestion{target.partition});
    return level_of(subject, upper ? found.upper : found.lower, target.partition.size(), upper);
  }
  if (target.coordinate && !subject.can_enumerate()) {
    if (auto level = level_in_component(subject, target, upper)) return *std::move(level);
  }
  if (!target.only.empty()) return searched_only(subject, target, upper);
  return searched_largest(subject, target.partition, upper);
}

bool is_of_inputs(const Arguments& arguments) { return !arguments.has("coordinate") && !arguments.has("secret"); }

// The lift of a whole input where inputs and outputs are too many to enumerate.
const InputLift& lift_of_inputs(MeasuredModel& subject, bool upper) {
  return subject.remember(upper ? "largest lift of inputs" : "largest inverse of lifts of inputs", [&] {
    return largest_lift_of_inputs(subject, upper, [](MeasuredModel& part, bool of_part) {
      const GroupLevel level = lift_level(part, target_of(part.domain(), Arguments()), of_part);
      return InputLift{level, part.domain().row(of_part ? level.from : level.to)};
    });
  });
}

std::optional<GroupLevel> level_in_component(MeasuredModel& subject, const Target& target, bool upper) {
  if (!subject.prior().has_independent_coordinates() || engine::is_connected(subject.model())) return std::nullopt;
  const std::vector<engine::Component> components = engine::components_of(subject.model(), subject.budget());
  for (std::size_t c = 0; c < components.size(); ++c) {
    const std::vector<std::size_t>& own = components[c].coordinates;
    const auto place = std::find(own.begin(), own.end(), *target.coordinate);
    if (place == own.end()) continue;
    MeasuredModel part(components[c].model, subject.budget());
    const auto i = static_cast<std::size_t>(place - own.begin());
    const Domain& domain = part.domain();
    const Target here{Partition::by_value(domain, i), i, parties_of(domain, i), target.only};
    GroupLevel level = lift_level(part, here, upper);
    if (!level.shows_something()) return level;
    const auto likely = std::make_shared<const engine::LikelyOutputs>(subject, components);
    level.witness = level.witness.mapped([likely, c](const FoundOutput& found) { return likely->with(c, found); });
    return level;
  }
  return GroupLevel();
}

MeasuredLevel measured_lift_of_inputs(MeasuredModel& subject, bool upper) {
  const InputLift& lift = lift_of_inputs(subject, upper);
  const Label input = subject.domain().tuple(lift.input);
  return measured(subject.model(), lift.level, upper ? input : everyone(), upper ? everyone() : input, "");
}

MeasuredLevel measured_lift(MeasuredModel& subject, const Arguments& arguments, Lift lift) {
  if (is_of_inputs(arguments) && !subject.can_enumerate()) {
    if (lift != Lift::kBoth) return measured_lift_of_inputs(subject, lift == Lift::kUpper);
    MeasuredLevel level = measured_lift_of_inputs(subject, true);
    take_larger(level, measured_lift_of_inputs(subject, false));
    return level;
  }
  const Target target = target_of(subject.domain(), arguments);
  const std::string coordinate = target.coordinate ? subject.domain().coordinate(*target.coordinate).name : "";
  const auto measure = [&](bool upper) {
    const GroupLevel level = lift_level(subject, target, upper);
    const auto label = [&](std::size_t place) {
      return place < target.partition.size() ? target.label(subject.domain(), place) : everyone();
    };
    return measured(subject.model(), level, label(level.from), label(level.to), coordinate);
  };
  if (lift != Lift::kBoth) return measure(lift == Lift::kUpper);
  MeasuredLevel level = measure(true);
  take_larger(level, measure(false));
  return level;
}

MeasuredNumber measured_tail_of_lift(MeasuredModel& subject, const Arguments& arguments) {
  const auto target = [&] { return target_of(subject.domain(), arguments); };
  std::optional<std::size_t> coordinate;
  if (const auto* one = arguments.find_if<Coordinates>("coordinate")) coordinate = one->coordinates[0];
  const bool by_inputs = is_of_inputs(arguments);
  return lift_tail(
      subject, [&] { return target().partition; }, coordinate, by_inputs, arguments.get<Level>("epsilon"),
      [&] { return by_inputs ? lift_of_inputs(subject, true).level : lift_level(subject, target(), true); });
}

template <Lift lift>
Decision decide_lift(MeasuredModel& subject, const Arguments& arguments) {
  if (arguments.has(kDeltaOfLift)) {
    return decide_number(measured_tail_of_lift(subject, arguments), arguments.get<Number>(kDeltaOfLift));
  }
  return decide_level(measured_lift(subject, arguments, lift), arguments.get<Level>("epsilon"));
}

// Compares the labels of a partition with everyone. The caller adds the pairs and the level.
Comparison comparison_with_everyone(const Domain& domain, const InputSubset& inputs, const Partition& partition,
                                    std::vector<Label> labels, std::optional<std::size_t> coordinate) {
  Comparison comparison;
  comparison.labels = std::move(labels);
  comparison.labels.push_back(everyone());
  comparison.last_is_everyone = true;
  comparison.label_at = [partition](InputView row) { return partition.label_of(row); };
  for (const std::uint64_t x : inputs.places()) comparison.label_of.push_back(comparison.label_at(inputs.row(x)));
  if (coordinate) comparison.about = domain.coordinate(*coordinate).name;
  return comparison;
}

template <Lift lift>
Definition define_lift(const Model& model, const Arguments& arguments, const InputSubset& inputs) {
  const Target target = target_of(model.domain, arguments);
  const std::size_t size = target.partition.size();
  std::vector<Label> labels;
  for (std::size_t label = 0; label < size; ++label) labels.push_back(target.label(model.domain, label));
  Comparison comparison =
      comparison_with_everyone(model.domain, inputs, target.partition, std::move(labels), target.coordinate);
  comparison.level = arguments.get<Level>("epsilon");
  auto& pairs = comparison.label_pairs.emplace();
  for (std::uint64_t label = 0; label < size; ++label) {
    if (lift != Lift::kLower) pairs.emplace_back(label, size);
    if (lift != Lift::kUpper) pairs.emplace_back(size, label);
  }
  return {comparison};
}

// The outputs y with P(y, s) > e^epsilon P(y) P(s) for some label s have a probability of at most delta. Weights of the
// prior need not sum to 1.
Statement state_tail_of_lift(const Model& model, const Arguments& arguments, Budget& budget) {
  const auto& epsilon = arguments.get<Level>("epsilon");
  const auto& delta = arguments.get<Number>(kDeltaOfLift);
  Statement statement;
  statement.begin_bound();
  statement.add_attained(Formula::equal(delta, Number(0)));
  if (epsilon.is_infinite()) return statement;
  const Comparison comparison = define_lift<Lift::kUpper>(model, arguments, InputSubset(model.domain))[0];
  const Sides sides = smt::sides_of(model, comparison, rows_of(*model.channel, budget), budget);
  const std::size_t all = sides.joint.size() - 1;
  std::vector<Amount> tail;
  for (std::size_t y = 0; y < sides.joint[all].size(); ++y) {
    const Number& mass = sides.joint[all][y];
    if (mass.is_zero()) continue;
    std::vector<Formula> lifted;
    for (std::size_t label = 0; label < all; ++label) {
      if (sides.joint[label][y].is_zero()) continue;
      budget.check_every();
      lifted.push_back(
          Formula::greater(sides.joint[label][y] * sides.mass[all], epsilon.exponential() * mass * sides.mass[label]));
    }
    tail.push_back(Amount::where(Formula::any(std::move(lifted)), mass));
  }
  const Amount sum = Amount::sum(std::move(tail));
  const Number most = delta * sides.mass[all];
  statement.add_violation(Formula::greater(sum, most));
  statement.add_attained(Formula::equal(sum, most));
  return statement;
}

// For a label of probability p, P(R given s) <= e^epsilon P(R) + delta / p: the outputs with a larger lift have at most
// the probability delta, and given s at most delta / p.
template <Lift lift>
Definition imply_lift(const Model& model, const Arguments& arguments, const InputSubset& inputs) {
  Definition definition = define_lift<lift>(model, arguments, inputs);
  const auto* delta = arguments.find_if<Number>(kDeltaOfLift);
  if (delta == nullptr || delta->is_zero()) return definition;
  const Target target = target_of(model.domain, arguments);
  Budget budget;
  const MeasuredModel subject(model, budget);
  const Comparison whole = std::move(definition[0]);
  definition.clear();
  constexpr std::size_t kMostLabels = 256;  // levels of an audit
  if (whole.labels.size() - 1 > kMostLabels) {
    throw LimitError("it is audited by one delta for each of " + std::to_string(whole.labels.size() - 1) +
                     " values, and an audit has at most " + std::to_string(kMostLabels));
  }
  for (std::uint32_t label = 0; label + 1 < whole.labels.size(); ++label) {
    Target one = target;
    one.only = {label};
    const Number p = probability_of_only(subject, one);
    if (p <= *delta) continue;
    definition.push_back(whole);
    definition.back().label_pairs = {{label, whole.labels.size() - 1}};
    definition.back().delta = *delta / p;
  }
  return definition;
}

std::optional<std::pair<std::string, std::string>> complaint_about_target(const Domain&, const Arguments& arguments) {
  if (!arguments.has("coordinate") || !arguments.has("secret")) return std::nullopt;
  return std::pair("secret", std::string("a claim is about a coordinate or about a secret"));
}

template <Lift lift>
Notion lift_notion(const std::string& name, const std::string& summary, const std::string& source) {
  Notion notion{.name = name,
                .summary = summary,
                .source = source,
                .needs_prior = true,
                .fields = {{"epsilon", FieldKind::kLevel},
                           {"coordinate", FieldKind::kCoordinate, false},
                           {"secret", FieldKind::kSecret, false}},
                .decide = decide_lift<lift>,
                .define = define_lift<lift>,
                .imply = imply_lift<lift>,
                .complaint = complaint_about_target,
                .expect = [](MeasuredModel& subject, const Arguments& arguments) {
                  if (!subject.can_enumerate()) return;
                  const Partition labels = target_of(subject.domain(), arguments).partition;
                  if (arguments.has(kDeltaOfLift)) {
                    expect_lift_tail(subject, labels, arguments.get<Level>("epsilon"));
                  } else {
                    subject.expect(LiftQuestion{labels});
                  }
                }};
  if (lift == Lift::kUpper) {
    notion.fields.push_back({kDeltaOfLift, FieldKind::kProbability, false});
    notion.state = state_tail_of_lift;
  }
  return notion;
}

// The posterior probability is the prior one times the lift. The label is that of `only`.
Target named_target(const Domain& domain, const Arguments& arguments) {
  Target target = target_of(domain, arguments);
  for (const Label& named : arguments.get<Parties>(kValues).parties) {
    const auto place = std::find(target.labels->begin(), target.labels->end(), named);
    target.only.push_back(static_cast<std::uint32_t>(place - target.labels->begin()));
  }
  return target;
}

MeasuredNumber measured_posterior(MeasuredModel& subject, const Arguments& arguments) {
  const Target target = named_target(subject.domain(), arguments);
  const Number p = probability_of_only(subject, target);
  const std::string coordinate = target.coordinate ? subject.domain().coordinate(*target.coordinate).name : "";
  const GroupLevel lift = lift_level(subject, target, true);
  const MeasuredLevel level = measured(subject.model(), lift, label_of_only(target), everyone(), coordinate);
  MeasuredNumber posterior{p * level.at_least.exponential(), level.witness.get(), {}, NumberKind::kPosterior};
  if (level.unfinished) {
    posterior.unfinished = {p * level.unfinished->at_most.exponential(), level.unfinished->reason};
  }
  return posterior;
}

Definition define_posterior(const Model& model, const Arguments& arguments, const InputSubset& inputs) {
  const Target target = named_target(model.domain, arguments);
  const Partition two = target.partition.against_others(target.only);
  Budget budget;
  const Number p = probability_of_only(MeasuredModel(model, budget), target);
  Comparison comparison = comparison_with_everyone(model.domain, inputs, two,
                                                   {label_of_only(target), Label("other values")}, target.coordinate);
  comparison.label_pairs = {{0, 2}};
  if (p.is_zero()) {
    // Nothing is compared. The probability is 0 after every output, so only the bound 0 is tight, like level 0.
    if (!arguments.get<Number>(kAtMost).is_zero()) comparison.level = Level::of_exponential(Number(2));
    return {comparison};
  }
  // P(y given the values) <= (at_most / p) P(y). Below p, which is the mean of the posterior probability over all
  // outputs, nothing holds: not even for the empty event.
  const Number most_lift = arguments.get<Number>(kAtMost) / p;
  if (most_lift < Number(1)) {
    comparison.delta = most_lift - Number(1);
  } else {
    comparison.level = Level::of_exponential(most_lift);
  }
  return {comparison};
}

std::optional<std::pair<std::string, std::string>> complaint_about_values(const Domain& domain,
                                                                          const Arguments& arguments) {
  if (const auto complaint = complaint_about_target(domain, arguments)) return complaint;
  if (!arguments.has("coordinate") && !arguments.has("secret")) {
    return std::pair("values", std::string("expected 'coordinate' or 'secret' beside it, whose values these are"));
  }
  const auto has = [&](const Label& named) {
    if (const auto* secret = arguments.find_if<Secret>("secret")) {
      return std::find(secret->labels.begin(), secret->labels.end(), named) != secret->labels.end();
    }
    const auto* value = std::get_if<std::string>(&named);
    const std::size_t coordinate = arguments.get<Coordinates>("coordinate").coordinates[0];
    return value != nullptr && domain.find_value(coordinate, *value).has_value();
  };
  for (const Label& named : arguments.get<Parties>(kValues).parties) {
    if (!has(named)) return std::pair(kValues, "found " + party_text(named) + ", which is no value of it");
  }
  return std::nullopt;
}

}  // namespace

Notion posterior_notion() {
  return {
      .name = "posterior",
      .summary = "posterior probability: under the prior, no output makes the given values more probable than stated",
      .source = "Bayes' rule; Evfimievski, Gehrke and Srikant, Limiting Privacy Breaches (2003), Definition 1",
      .needs_prior = true,
      .fields = {{kAtMost, FieldKind::kProbability},
                 {kValues, FieldKind::kParties},
                 {"coordinate", FieldKind::kCoordinate, false},
                 {"secret", FieldKind::kSecret, false}},
      .form = ClaimForm::kNumber,
      .decide =
          [](MeasuredModel& subject, const Arguments& arguments) {
            return decide_number(measured_posterior(subject, arguments), arguments.get<Number>(kAtMost));
          },
      .define = define_posterior,
      .complaint = complaint_about_values,
      .locking = {.bounds = {kAtMost}},
      .expect =
          [](MeasuredModel& subject, const Arguments& arguments) {
            const Target target = named_target(subject.domain(), arguments);
            expect_between_labels(subject, target.partition.against_others(target.only));
          }};
}

Notion pointwise_maximal_leakage_notion() {
  return lift_notion<Lift::kUpper>(
      "pointwise_maximal_leakage",
      "pointwise maximal leakage: under the prior, no output makes a value more than e^eps times as likely as it was",
      "Saeidian, Cervia, Oechtering and Skoglund, Pointwise Maximal Leakage (2023), Theorem 1");
}

Notion lower_lift_notion() {
  return lift_notion<Lift::kLower>(
      "lower_lift", "lower lift: under the prior, a value was at most e^eps times as likely as any output makes it",
      "Zarrabian, Ding and Sadeghi, On the Lift, Related Privacy Measures, and Applications (2023)");
}

Notion local_information_privacy_notion() {
  return lift_notion<Lift::kBoth>(
      "local_information_privacy",
      "local information privacy: under the prior, an output changes the probability of a value at most by the factor "
      "e^eps, up or down",
      "du Pin Calmon and Fawaz, Privacy against Statistical Inference (2012); Jiang, Seif, Tandon and Li (2021)");
}

}  // namespace oddsbound::notions
