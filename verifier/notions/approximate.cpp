// Filter in doubles, decide exactly. Each pair is measured in doubles first: a term max(0, a - c b) has error <=
// 2^-47 a and the a sum to 1, so a delta has error <= 2^-47 + outputs * 2^-53. Only pairs that may attain the
// maximum are summed exactly, and pairs with equal entries on their event only once. The same for the mass of the event
// alone (probabilistic DP): in doubles, outputs that may belong to it count.

#include "verifier/notions/approximate.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/errors.h"
#include "verifier/engine/group_levels.h"
#include "verifier/engine/measured_model.h"
#include "verifier/engine/output_sums.h"
#include "verifier/exact/decimal.h"
#include "verifier/measures/shared_sums.h"
#include "verifier/measures/tradeoff.h"
#include "verifier/notions/delta_by_parts.h"
#include "verifier/notions/scope.h"
#include "verifier/notions/shuffled.h"

namespace oddsbound::notions {

namespace {

class PairDeltas {
 public:
  // kExcess: P - e^epsilon Q of the event; kMass: its P.
  enum class Measure { kExcess, kMass };

  PairDeltas(MeasuredModel& subject, const Number& factor, Measure measure)
      : subject_(subject),
        columns_(subject.columns()),
        factor_(factor),
        factor_approx_(factor.approx()),
        measure_(measure) {
    filter_ = columns_.pool().approximations_usable() && factor_approx_ < 0x1p400;
    slack_ = 2 * (0x1p-46 + static_cast<double>(columns_.outputs()) * 0x1p-52);
    rows_ = rank_rows(columns_, subject.budget());
  }

  void offer(std::uint64_t from, std::uint64_t to) {
    subject_.budget().check();
    if (filter_) {
      const double approx = approximate(from, to);
      if (approx < best_approx_ - slack_) return;
      if (measure_ == Measure::kExcess) best_approx_ = std::max(best_approx_, approx);
    }
    const std::vector<std::uint64_t> event = event_of(from, to);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> key;
    for (const std::uint64_t y : event) key.emplace_back(row(from)[y], row(to)[y]);
    std::sort(key.begin(), key.end());
    const auto [place, added] = seen_.try_emplace(std::move(key));
    if (!added) return;
    HockeyStick candidate{Number(0), from, to, event, sum(from, event), sum(to, event)};
    candidate.delta = measure_ == Measure::kMass ? candidate.p_from : candidate.p_from - factor_ * candidate.p_to;
    if (candidate.delta <= best_.delta) return;
    best_ = std::move(candidate);
    if (measure_ == Measure::kMass) best_approx_ = best_.delta.approx();
  }

  const HockeyStick& best() const { return best_; }

 private:
  const std::uint32_t* row(std::uint64_t x) const { return rows_.data() + x * columns_.outputs(); }

  // The excess, or an upper bound of the mass.
  double approximate(std::uint64_t from, std::uint64_t to) const {
    double delta = 0;
    for (std::uint64_t y = 0; y < columns_.outputs(); ++y) {
      const double p = columns_.pool().approx(row(from)[y]);
      const double q = factor_approx_ * columns_.pool().approx(row(to)[y]);
      if (measure_ == Measure::kMass) {
        delta += p < q * (1 - 0x1p-46) ? 0 : p;
      } else {
        delta += p - q > 0 ? p - q : 0;
      }
    }
    return delta;
  }

  bool exceeds(std::uint32_t from, std::uint32_t to) const {
    const double left = columns_.pool().approx(from);
    const double right = factor_approx_ * columns_.pool().approx(to);
    if (filter_ && left > right * (1 + 0x1p-46)) return true;
    if (filter_ && left < right * (1 - 0x1p-46)) return false;
    return columns_.pool().value(from) > factor_ * columns_.pool().value(to);
  }

  std::vector<std::uint64_t> event_of(std::uint64_t from, std::uint64_t to) const {
    std::vector<std::uint64_t> event;
    for (std::uint64_t y = 0; y < columns_.outputs(); ++y) {
      if (exceeds(row(from)[y], row(to)[y])) event.push_back(y);
    }
    return event;
  }

  Number sum(std::uint64_t x, const std::vector<std::uint64_t>& event) const {
    std::map<std::uint32_t, std::int64_t> counts;
    for (const std::uint64_t y : event) ++counts[row(x)[y]];
    std::vector<WeightedTerm> terms;
    for (const auto& [rank, count] : counts) terms.push_back({Number(count), columns_.pool().value(rank)});
    return weighted_sum(terms);
  }

  MeasuredModel& subject_;
  const Columns& columns_;
  Number factor_;
  double factor_approx_;
  Measure measure_;
  bool filter_;
  double slack_;
  std::vector<std::uint32_t> rows_;
  double best_approx_ = 0;
  HockeyStick best_;
  std::map<std::vector<std::pair<std::uint32_t, std::uint32_t>>, bool> seen_;
};

Definition define_approximate(const Model& model, const Arguments& arguments, const InputSubset& inputs) {
  Comparison comparison = comparison_of_neighbors(model.domain, inputs, neighborhoods(model.domain, arguments));
  comparison.level = arguments.get<Level>("epsilon");
  comparison.delta = arguments.get<Number>("delta");
  comparison.tight = Comparison::Tight::kDelta;
  return {comparison};
}

Decision decide_approximate(MeasuredModel& subject, const Arguments& arguments) {
  return decide_number(measured_delta(subject, arguments), arguments.get<Number>("delta"));
}

}  // namespace

Comparison comparison_of_neighbors(const Domain& domain, const InputSubset& inputs, const CoordinateGroups& groups) {
  Comparison comparison;
  const auto are_neighbors = [&](std::uint64_t from, std::uint64_t to) {
    if (groups.only) return groups.only->relates(inputs.number(from), inputs.number(to));
    return std::any_of(groups.groups.begin(), groups.groups.end(),
                       [&](const auto& group) { return differ_within(domain, inputs, from, to, group); });
  };
  for (const auto& [from, to] : pairs_among(inputs.places())) {
    if (are_neighbors(from, to)) comparison.pairs.emplace_back(from, to);
  }
  return comparison;
}

MeasuredNumber measured_delta(MeasuredModel& subject, const Arguments& arguments) {
  const CoordinateGroups compared = neighborhoods(subject.domain(), arguments);
  const bool by_parts = has_losses_by_parts(subject.channel()) || is_slow_to_compare_rows(subject.model(), compared);
  if (by_parts && !compared.only) {
    auto delta = delta_by_parts(subject, arguments, compared);
    if (delta) return *std::move(delta);
  }
  return with_event(subject, hockey_stick(subject, arguments.get<Level>("epsilon"), compared));
}

MeasuredNumber with_event(const MeasuredModel& subject, HockeyStick worst) {
  Witness witness;
  for (const std::uint64_t y : worst.event) witness.outputs.push_back(subject.channel().output_label(y));
  witness.from = subject.domain().tuple(worst.from);
  witness.to = subject.domain().tuple(worst.to);
  witness.p_from = std::move(worst.p_from);
  witness.p_to = std::move(worst.p_to);
  return {std::move(worst.delta), std::move(witness)};
}

namespace {

HockeyStick worst_event(MeasuredModel& subject, const Level& epsilon, const CoordinateGroups& groups,
                        PairDeltas::Measure measure) {
  if (epsilon.is_infinite()) return {};
  PairDeltas deltas(subject, epsilon.exponential(), measure);
  for_all_neighbors(subject.domain(), groups, [&](std::uint64_t from, std::uint64_t to) { deltas.offer(from, to); });
  return deltas.best();
}

}  // namespace

HockeyStick hockey_stick(MeasuredModel& subject, const Level& epsilon, const CoordinateGroups& groups) {
  return worst_event(subject, epsilon, groups, PairDeltas::Measure::kExcess);
}

HockeyStick largest_tail(MeasuredModel& subject, const Level& epsilon, const CoordinateGroups& groups) {
  return worst_event(subject, epsilon, groups, PairDeltas::Measure::kMass);
}

Notion approximate_dp_notion() {
  return {.name = "approximate_dp",
          .summary = "approximate differential privacy: P(R given x) <= e^eps P(R given x') + delta for all events R",
          .source = "the hockey-stick divergence; partial-DP paper, Definition 1, for one record",
          .fields = with_neighbors({{"epsilon", FieldKind::kLevel}, {"delta", FieldKind::kProbability}}),
          .form = ClaimForm::kLevelAndDelta,
          .decide = decide_approximate,
          .decide_shuffled = decide_shuffled_delta,
          .define = define_approximate,
          .complaint = complaint_about_records,
          .large_proofs = {.by_losses = true, .by_classes = true},
          .unbounded = true,
          .locking = {.bounds = {"delta"}}};
}

// Single values suffice: the distribution of outputs given a set of values is a mixture of those given each value.
// The divergence is jointly convex, so between two mixtures it is at most the mean of those between the parts.

namespace {

// The largest excess of one value's output distribution over another's so far.
struct LargestExcess {
  MeasuredNumber delta;  // with its event
  Number at_most;        // the upper end, if bounds of sums over outputs are part of it
  std::string reason;    // why these are bounds
  bool by_sums = false;

  bool is_new(const Number& lower) const { return lower > delta.at_least || delta.witness.coordinate.empty(); }
  void take(MeasuredNumber other) {
    at_most = std::max(at_most, other.at_least);
    if (is_new(other.at_least)) delta = std::move(other);
  }
};

void take_excess(const MeasuredModel& subject, const Number& factor, const std::vector<Number>& from,
                 const std::vector<Number>& to, const Witness& sides, LargestExcess& largest) {
  MeasuredNumber excess{Number(0), sides};
  std::vector<std::uint64_t> event;
  std::vector<WeightedTerm> in_from, in_to;
  for (std::uint64_t y = 0; y < from.size(); ++y) {
    subject.budget().check_every();
    if (compare_products(from[y], Number(1), factor, to[y]) <= 0) continue;
    event.push_back(y);
    in_from.push_back({Number(1), from[y]});
    in_to.push_back({Number(1), to[y]});
  }
  excess.witness.p_from = weighted_sum(in_from);
  excess.witness.p_to = weighted_sum(in_to);
  excess.at_least = excess.witness.p_from - factor * excess.witness.p_to;
  if (!largest.is_new(excess.at_least)) return;
  for (const std::uint64_t y : event) excess.witness.outputs.push_back(subject.channel().output_label(y));
  largest.take(std::move(excess));
}

// A pair of values of a coordinate, named.
Witness sides_of(const MeasuredModel& subject, std::size_t coordinate, std::size_t from, std::size_t to,
                 const Evidence& given) {
  const Coordinate& own = subject.domain().coordinate(coordinate);
  return {{}, own.values[from], own.values[to], Number(0), Number(0), own.name, given};
}

void take_coordinate(MeasuredModel& subject, std::size_t coordinate, const AllowedPairs& direction,
                     const Number& factor, const Evidence& given, LargestExcess& largest) {
  const ValueRows of_values = rows_of_values(subject, coordinate);
  const std::vector<std::size_t>& values = of_values.values;
  for (std::size_t a = 0; a < values.size(); ++a) {
    for (std::size_t b = 0; b < values.size(); ++b) {
      if (!direction.allows(values[a], values[b])) continue;
      const Witness sides = sides_of(subject, coordinate, values[a], values[b], given);
      take_excess(subject, factor, of_values.rows[a], of_values.rows[b], sides, largest);
    }
  }
}

// A delta of 0 is decided by the level, never by bounds: delta is 0 if and only if the level is at most epsilon. A
// positive delta is at least what the witness of the level shows. Returns nullopt if delta is 0, otherwise a lower end.
std::optional<Number> lower_end_by_level(MeasuredModel& subject, std::size_t coordinate, const AllowedPairs& direction,
                                         const Level& epsilon) {
  GroupLevel level;
  try {
    level = levels_between_values(subject, {coordinate}, seconds_to_search(subject.budget()) / 4, direction)[0];
  } catch (const Interrupted&) {
    throw;
  } catch (const LimitError&) {
    return Number(0);  // the bounds of the sum remain
  }
  if (level.at_most() <= epsilon) return std::nullopt;
  if (level.at_least <= epsilon) return Number(0);
  const FoundOutput shown = level.witness.get();
  const Number excess = shown.p_from - epsilon.exponential() * shown.p_to;
  return rounded_decimal(excess, false);
}

// The excesses of all pairs of values with mass.
measures::AskedSums asked_excesses(const MeasuredModel& subject, std::size_t coordinate, const AllowedPairs& direction,
                                   const Level& epsilon) {
  measures::AskedSums asked{coordinate};
  const std::vector<Number> masses = subject.prior().marginal_weights(coordinate, subject.budget());
  for (std::uint32_t a = 0; a < masses.size(); ++a) {
    for (std::uint32_t b = 0; b < masses.size() && !masses[a].is_zero(); ++b) {
      if (masses[b].is_zero() || !direction.allows(a, b)) continue;
      asked.excesses.push_back({a, b, epsilon.exponential()});
    }
  }
  return asked;
}

// The same as take_coordinate, by bounds of the sums over outputs.
void take_bounds(MeasuredModel& subject, std::size_t coordinate, const AllowedPairs& direction,
                 const Arguments& arguments, const Evidence& given, LargestExcess& largest) {
  const Level& epsilon = arguments.get<Level>("epsilon");
  const measures::AskedSums sums = asked_excesses(subject, coordinate, direction, epsilon);
  if (sums.excesses.empty()) return;
  const auto largest_at = [&](const engine::LabelSums::Excess& pair, Number lower) {
    MeasuredNumber delta{std::move(lower), sides_of(subject, coordinate, pair.from, pair.to, given)};
    delta.witness.likelihood_event = true;
    return delta;
  };
  // Before the pass, which may use up the time.
  std::optional<Number> by_level = Number(0);
  const bool zero_is_claimed = arguments.get<Number>("delta").is_zero();
  if (zero_is_claimed) by_level = lower_end_by_level(subject, coordinate, direction, epsilon);
  if (!by_level) return largest.take(largest_at(sums.excesses[0], Number(0)));
  const measures::FoundSums found = measures::sums_over_outputs(subject, sums);
  const std::vector<engine::NumberBounds>& bounds = found.excesses;
  const auto is_lower = [](const auto& a, const auto& b) { return a.lower < b.lower; };
  const auto best = static_cast<std::size_t>(std::max_element(bounds.begin(), bounds.end(), is_lower) - bounds.begin());
  Number upper;
  for (const engine::NumberBounds& pair : bounds) upper = std::max(upper, pair.upper);
  MeasuredNumber delta = largest_at(sums.excesses[best], rounded_decimal(bounds[best].lower, false));
  if (delta.at_least.is_zero() && !zero_is_claimed) {
    by_level = lower_end_by_level(subject, coordinate, direction, epsilon);
    if (!by_level) return largest.take(std::move(delta));
  }
  delta.at_least = std::max(delta.at_least, *by_level);
  delta.witness.unlisted = true;
  largest.at_most = std::max(largest.at_most, rounded_decimal(upper, true));
  largest.reason = reason_of_bounds(found.complete);
  largest.take(std::move(delta));
}

bool is_summed(const MeasuredModel& part) { return !part.can_enumerate() && engine::can_sum_outputs(part.model()); }

void take_part(MeasuredModel& part, std::size_t coordinate, const AllowedPairs& direction, const Arguments& arguments,
               const Evidence& given, LargestExcess& largest) {
  if (is_summed(part)) {
    largest.by_sums = true;
    take_bounds(part, coordinate, direction, arguments, given, largest);
  } else {
    take_coordinate(part, coordinate, direction, arguments.get<Level>("epsilon").exponential(), given, largest);
  }
}

LargestExcess largest_excess(MeasuredModel& subject, const Arguments& arguments) {
  LargestExcess largest;
  const Level& epsilon = arguments.get<Level>("epsilon");
  if (epsilon.is_infinite()) return largest;
  const Scope scope(arguments);
  const std::size_t coordinate = claimed_coordinates(arguments)[0];
  const AllowedPairs direction = direction_of(scope, parties_of(subject.domain(), coordinate));
  const auto take = [&](MeasuredModel& part, const Evidence& given) {
    std::pair<std::shared_ptr<measures::SharedComponent>, std::size_t> about;
    if (!part.can_enumerate()) about = measures::shared_component(part, coordinate);
    const auto& [component, place] = about;
    if (!component) return take_part(part, coordinate, direction, arguments, given, largest);
    take_part(component->part, place, direction, arguments, given, largest);
    // Outputs of a component are no outputs of the whole.
    if (std::exchange(largest.delta.witness.outputs, {}).empty()) return;
    largest.delta.witness.likelihood_event = true;
  };
  if (scope.known.empty()) {  // claims share passes
    take(subject, {});
    return largest;
  }
  for (const GivenModel& given : models_given(subject.model(), subject.prior(), scope.known, subject.budget())) {
    MeasuredModel part(given.model, subject.budget());
    take(part, given.given);
  }
  return largest;
}

// Announces the sums over outputs that a claim asks for, unless it knows something, or delta is 0: then the level
// decides.
void expect_excesses(MeasuredModel& subject, const Arguments& arguments) {
  const Level& epsilon = arguments.get<Level>("epsilon");
  const Scope scope(arguments);
  if (epsilon.is_infinite() || subject.can_enumerate() || !scope.known.empty()) return;
  if (arguments.get<Number>("delta").is_zero()) return;
  const std::size_t coordinate = claimed_coordinates(arguments)[0];
  const AllowedPairs direction = direction_of(scope, parties_of(subject.domain(), coordinate));
  const auto [component, place] = measures::shared_component(subject, coordinate);
  MeasuredModel& part = component ? component->part : subject;
  if (!is_summed(part)) return;
  const measures::AskedSums asked = asked_excesses(part, component ? place : coordinate, direction, epsilon);
  if (!asked.excesses.empty()) measures::expect_sums(part, asked);
}

Decision decide_approximate_bcdp(MeasuredModel& subject, const Arguments& arguments) {
  LargestExcess largest = largest_excess(subject, arguments);
  if (largest.at_most > largest.delta.at_least) {
    largest.delta.unfinished = MeasuredNumber::Unfinished{largest.at_most, largest.reason};
  }
  Decision decision = decide_number(std::move(largest.delta), arguments.get<Number>("delta"));
  decision.by_sums = largest.by_sums;
  return decision;
}

Definition define_approximate_bcdp(const Model& model, const Arguments& arguments, const InputSubset& inputs) {
  const std::size_t coordinate = claimed_coordinates(arguments)[0];
  Comparison comparison = comparison_of_values(model.domain, inputs, coordinate, arguments.get<Level>("epsilon"));
  comparison.delta = arguments.get<Number>("delta");
  comparison.tight = Comparison::Tight::kDelta;
  return {within_scope(model.domain, inputs, std::move(comparison), arguments)};
}

}  // namespace

Notion approximate_bcdp_notion() {
  return {
      .name = "approximate_bcdp",
      .summary =
          "approximate Bayesian coordinate DP: P(R given x_i = a) <= e^eps P(R given x_i = b) + delta for all "
          "events R, under the prior",
      .source = "the hockey-stick divergence between the distributions that BCDP compares",
      .needs_prior = true,
      .fields = with_scope(
          {{"epsilon", FieldKind::kLevel}, {"delta", FieldKind::kProbability}, {"coordinate", FieldKind::kCoordinate}}),
      .form = ClaimForm::kLevelAndDelta,
      .decide = decide_approximate_bcdp,
      .decide_shuffled = decide_shuffled_delta_of_values,
      .define = define_approximate_bcdp,
      .complaint = complaint_about_scope,
      .unbounded = true,
      .locking = {.bounds = {"delta"}},
      .expect = expect_excesses};
}

std::vector<Field> with_neighbors(std::vector<Field> fields) {
  fields.push_back({"neighbors", FieldKind::kNeighbors, false, "", {"all", "coordinate", "record"}});
  fields.push_back({"records", FieldKind::kRecords, false});
  fields.push_back({"differ", FieldKind::kCoordinates, false});
  return fields;
}

namespace {

CoordinateGroups groups_of(const Domain& domain, const Arguments& arguments) {
  if (const auto* pairs = arguments.find_if<std::shared_ptr<const InputPairs>>("neighbors")) return {{}, *pairs};
  const std::string kind = arguments.has("neighbors") ? arguments.get<std::string>("neighbors") : "all";
  if (kind == "record" && arguments.has("records")) return arguments.get<CoordinateGroups>("records");
  CoordinateGroups groups;
  if (kind != "coordinate") groups.groups.emplace_back();
  for (std::size_t i = 0; i < domain.size(); ++i) {
    if (kind == "coordinate") groups.groups.emplace_back();
    groups.groups.back().push_back(i);
  }
  return groups;
}

}  // namespace

CoordinateGroups neighborhoods(const Domain& domain, const Arguments& arguments) {
  CoordinateGroups groups = groups_of(domain, arguments);
  const auto* differ = arguments.find_if<Coordinates>("differ");
  if (differ == nullptr || groups.only) return groups;
  const auto is_the_same = [&](std::size_t i) {
    return std::find(differ->coordinates.begin(), differ->coordinates.end(), i) == differ->coordinates.end();
  };
  for (auto& group : groups.groups) group.erase(std::remove_if(group.begin(), group.end(), is_the_same), group.end());
  groups.groups.erase(
      std::remove_if(groups.groups.begin(), groups.groups.end(), [](const auto& group) { return group.empty(); }),
      groups.groups.end());
  return groups;
}

std::optional<std::pair<std::string, std::string>> complaint_about_records(const Domain&, const Arguments& arguments) {
  if (arguments.has("differ") && arguments.find_if<std::shared_ptr<const InputPairs>>("neighbors") != nullptr) {
    return std::pair{"differ", "the pairs of inputs in 'neighbors' already say what differs"};
  }
  const auto* neighbors = arguments.find_if<std::string>("neighbors");
  if (!arguments.has("records") || (neighbors != nullptr && *neighbors == "record")) return std::nullopt;
  return std::pair{"records", "'records' needs \"neighbors\": \"record\""};
}

}  // namespace oddsbound::notions
