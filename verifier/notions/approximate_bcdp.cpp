// Single values suffice: given a set of values outputs are distributed as a mixture of those given each, and the
// divergence of two mixtures is at most the mean of those of their parts (it is jointly convex).
#include "verifier/notions/approximate_bcdp.h"

#include "verifier/measures/tradeoff.h"
#include "verifier/notions/scope.h"

namespace oddsbound::notions {

namespace {

// The largest excess of one value's outputs over another's, with the event that shows it.
struct Excess {
  Number delta{0};
  Witness witness{};
};

void take_excess(const MeasuredModel& subject, const Number& factor, const std::vector<Number>& from,
                 const std::vector<Number>& to, const Witness& sides, Excess& largest) {
  Excess excess{Number(0), sides};
  std::vector<std::uint64_t> event;
  std::vector<WeightedTerm> in_from, in_to;
  for (std::uint64_t y = 0; y < from.size(); ++y) {
    subject.budget().tick();
    if (compare_products(from[y], Number(1), factor, to[y]) <= 0) continue;
    event.push_back(y);
    in_from.push_back({Number(1), from[y]});
    in_to.push_back({Number(1), to[y]});
  }
  excess.witness.p_from = weighted_sum(in_from);
  excess.witness.p_to = weighted_sum(in_to);
  excess.delta = excess.witness.p_from - factor * excess.witness.p_to;
  if (excess.delta <= largest.delta && !largest.witness.coordinate.empty()) return;
  for (const std::uint64_t y : event) excess.witness.outputs.push_back(subject.channel().output_label(y));
  largest = std::move(excess);
}

void take_coordinate(MeasuredModel& subject, std::size_t coordinate, const Direction& direction, const Number& factor,
                     const Given& given, Excess& largest) {
  const Coordinate& own = subject.domain().coordinate(coordinate);
  const std::vector<Number> masses = subject.prior().marginal_weights(coordinate, subject.budget());
  std::vector<std::size_t> values;
  std::vector<GivenInputs> inputs;
  for (std::size_t v = 0; v < masses.size(); ++v) {
    if (masses[v].is_zero()) continue;
    values.push_back(v);
    inputs.push_back(given_value(subject, coordinate, v));
  }
  const std::vector<std::vector<Number>> distributions = output_distributions(subject, inputs);
  for (std::size_t a = 0; a < values.size(); ++a) {
    for (std::size_t b = 0; b < values.size(); ++b) {
      if (!direction.allows(values[a], values[b])) continue;
      const Witness sides{{}, own.values[values[a]], own.values[values[b]], Number(0), Number(0), own.name, given};
      take_excess(subject, factor, distributions[a], distributions[b], sides, largest);
    }
  }
}

Excess largest_excess(MeasuredModel& subject, const Arguments& arguments) {
  Excess largest;
  const Level& epsilon = arguments.get<Level>("epsilon");
  if (epsilon.is_infinite()) return largest;
  const Number factor = epsilon.exponential();
  const Scope scope(arguments);
  const std::size_t coordinate = claimed_coordinates(arguments)[0];
  const bool has_sides = scope.from || scope.to;
  const Direction direction = has_sides ? direction_of(scope, parties_of(subject.domain(), coordinate)) : Direction();
  for (const GivenModel& given : models_given(subject.model(), subject.prior(), scope.known, subject.budget())) {
    MeasuredModel part(given.model, subject.budget());
    take_coordinate(part, coordinate, direction, factor, given.given, largest);
  }
  return largest;
}

Decision decide_approximate_bcdp(MeasuredModel& subject, const Arguments& arguments) {
  Excess worst = largest_excess(subject, arguments);
  const Number& delta = arguments.get<Number>("delta");
  Decision decision;
  decision.holds = answer_of(worst.delta <= delta);
  decision.tight = answer_of(worst.delta == delta);
  if (decision.holds == Answer::kNo) decision.witness = worst.witness;
  decision.actual = Delta{std::move(worst.delta), std::move(worst.witness)};
  return decision;
}

Definition define_approximate_bcdp(const Model& model, const Arguments& arguments, const LookedAt& inputs) {
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
      .define = define_approximate_bcdp,
      .complaint = complaint_about_scope,
      .locking = {.bounds = {"delta"}}};
}

}  // namespace oddsbound::notions
