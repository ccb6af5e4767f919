#include "verifier/notions/probabilistic.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/errors.h"
#include "verifier/engine/decompose.h"
#include "verifier/engine/pair_classes.h"
#include "verifier/notions/approximate.h"
#include "verifier/notions/delta_by_parts.h"
#include "verifier/notions/divergences.h"
#include "verifier/notions/listed_events.h"
#include "verifier/notions/stated.h"

namespace oddsbound::notions {

namespace {

// Pairs of inputs with the same losses: numbers of independent outputs by the index of their losses, and one such pair.
using Counts = std::map<std::size_t, std::uint64_t>;
using Wholes = std::map<Counts, std::vector<std::size_t>>;  // the kind chosen in each component

// All pairs of inputs of a group; nullopt if they are of too many kinds.
std::optional<Wholes> wholes_of(const ComponentChoices& components, Budget& budget) {
  constexpr std::size_t kMost = 4096;
  Wholes wholes{{{}, {}}};
  for (const auto& kinds : components) {
    Wholes longer;
    for (const auto& [counts, chosen] : wholes) {
      budget.check();
      for (std::size_t choice = 0; choice <= kinds.size(); ++choice) {
        const bool equal = choice == kinds.size();
        Counts own = counts;
        if (!equal) {
          for (const auto& [index, times] : kinds[choice]) own[index] += times;
        }
        std::vector<std::size_t> with = chosen;
        with.push_back(equal ? PartPairs::kEqual : choice);
        longer.try_emplace(std::move(own), std::move(with));
      }
    }
    wholes = std::move(longer);
    if (wholes.size() > kMost) return std::nullopt;
  }
  return wholes;
}

// Declared classes give the pairs that differ in all coordinates that may differ. Other pairs have other losses, unless
// a component is one channel, or has one coordinate, or neighbors differ in one.
bool has_all_kinds(const Model& model, const CoordinateGroups& groups, Budget& budget) {
  const bool one_each =
      std::all_of(groups.groups.begin(), groups.groups.end(), [](const auto& group) { return group.size() == 1; });
  if (one_each || with_pair_classes(*model.channel) != nullptr) return true;
  const std::vector<engine::Component> components = engine::components_of(model, budget);
  return std::all_of(components.begin(), components.end(), [](const engine::Component& component) {
    return component.coordinates.size() == 1 || engine::units_of_model(component.model).size() == 1 ||
           !engine::has_large_unit(component.model);
  });
}

// Returns nullopt if kinds of pairs of inputs, or sums of losses, are too many to list.
std::optional<MeasuredNumber> tail_of_parts(const PartPairs& pairs, const Number& factor, MeasuredModel& subject) {
  MeasuredNumber worst = no_delta(subject.domain());
  std::pair<InputRow, InputRow> inputs;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto wholes = wholes_of(pairs.choices(k), subject.budget());
    if (!wholes) return std::nullopt;
    for (const auto& [counts, chosen] : *wholes) {
      LossProduct product;
      for (const auto& [index, times] : counts) product.push_back({pairs.losses()[index], times});
      const auto losses = listed_losses(product, true, subject.budget());
      if (!losses) return std::nullopt;
      LossDistribution::Event event = losses->more_likely_than(factor);
      if (event.p <= worst.at_least) continue;
      inputs = pairs.neighbors(k, chosen);
      worst.witness.from = subject.domain().tuple(inputs.first);
      worst.witness.to = subject.domain().tuple(inputs.second);
      worst.witness.p_to = std::move(event.q);
      worst.witness.p_from = worst.at_least = std::move(event.p);
    }
  }
  if (!has_described_events(subject.channel())) {
    worst.witness.likelihood_event = false;
    if (!worst.at_least.is_zero()) list_event(subject, inputs.first, inputs.second, factor, worst.witness);
  }
  return worst;
}

MeasuredNumber measured_tail(MeasuredModel& subject, const Arguments& arguments) {
  const CoordinateGroups groups = neighborhoods(subject.domain(), arguments);
  const Level& epsilon = arguments.get<Level>("epsilon");
  if (epsilon.is_infinite()) return no_delta(subject.domain());
  if (const auto parts = part_pairs(subject, groups)) {
    if (has_all_kinds(subject.model(), groups, subject.budget())) {
      if (auto tail = tail_of_parts(*parts, epsilon.exponential(), subject)) return *std::move(tail);
    }
    if (!subject.can_enumerate()) {
      throw LimitError("the parts have too many kinds of pairs of inputs, or too many sums of losses, to list");
    }
  }
  return with_event(subject, largest_tail(subject, epsilon, groups));
}

// The sum of P(y) over the outputs with P(y) > e^epsilon Q(y) is at most delta.
Statement state_tail(const Model& model, const Arguments& arguments, Budget& budget) {
  const auto& epsilon = arguments.get<Level>("epsilon");
  const auto& delta = arguments.get<Number>("delta");
  Statement statement;
  statement.begin_bound();
  statement.add_attained(Formula::equal(delta, Number(0)));
  if (epsilon.is_infinite()) return statement;
  for_rows_of_neighbors(model, neighborhoods(model.domain, arguments), budget,
                        [&](DistributionView p, DistributionView q) {
                          std::vector<Amount> tail;
                          for (std::size_t y = 0; y < p.size(); ++y) {
                            if (p[y].is_zero()) continue;
                            const Number most = epsilon.exponential() * q[y];
                            tail.push_back(Amount::where(Formula::greater(p[y], most), p[y]));
                          }
                          const Amount sum = Amount::sum(std::move(tail));
                          statement.add_violation(Formula::greater(sum, delta));
                          statement.add_attained(Formula::equal(sum, delta));
                        });
  return statement;
}

// P(R) <= e^epsilon Q(R) + P(loss > epsilon) for all events R.
Definition imply_approximate(const Model& model, const Arguments& arguments, const InputSubset& inputs) {
  Comparison comparison = comparison_of_neighbors(model.domain, inputs, neighborhoods(model.domain, arguments));
  comparison.level = arguments.get<Level>("epsilon");
  comparison.delta = arguments.get<Number>("delta");
  return {comparison};
}

}  // namespace

Notion probabilistic_dp_notion() {
  return {.name = "probabilistic_dp",
          .summary =
              "probabilistic differential privacy: between neighbors, the loss exceeds eps with probability at "
              "most delta",
          .source = "Meiser, Approximate and Probabilistic Differential Privacy Definitions (2018)",
          .fields = with_neighbors({{"epsilon", FieldKind::kLevel}, {"delta", FieldKind::kProbability}}),
          .form = ClaimForm::kLevelAndDelta,
          .decide =
              [](MeasuredModel& subject, const Arguments& arguments) {
                return decide_number(measured_tail(subject, arguments), arguments.get<Number>("delta"));
              },
          .state = state_tail,
          .imply = imply_approximate,
          .complaint = complaint_about_records,
          .unbounded = true,
          .locking = {.bounds = {"delta"}}};
}

}  // namespace oddsbound::notions
