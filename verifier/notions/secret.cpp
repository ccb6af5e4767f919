#include "verifier/notions/secret.h"

#include "verifier/notions/over_set.h"
#include "verifier/notions/scope.h"
#include "verifier/notions/value_levels.h"
#include "verifier/ratios/group_search.h"

namespace oddsbound::notions {

namespace {

MeasuredLevel measured_label(const MeasuredModel& subject, const Secret& secret, const ValueLevel& level) {
  return measured_between(subject, level, secret.labels[level.from], secret.labels[level.to], "");
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
  if (!Scope(arguments).is_everything() || arguments.has(kForAll)) return;
  if (!subject.model().prior || !prefers_columns(subject)) return;
  subject.expect(BetweenLabels{labels_of_inputs(subject.domain(), secret), secret.labels.size()});
}

Decision decide_secret(MeasuredModel& subject, const Arguments& arguments) {
  const Secret& secret = arguments.get<Secret>("secret");
  if (const auto* for_all = arguments.find_if<ForAll>(kForAll)) {
    return decide_level(label_level_over(subject, *for_all->set, arguments), arguments.get<Level>("epsilon"));
  }
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
    const Witness witness = result.witness.get();
    decision.tradeoff =
        Tradeoff{"secret", witness.from, witness.to, tradeoff_curve(distributions[0], distributions[1])};
  }
  return decision;
}

}  // namespace

Notion secret_notion() {
  return {
      .name = "secret",
      .summary = "Bayesian privacy of a function of the input: bcdp with labels in place of values",
      .source = "BCDP paper, Definition 4, for any partition of the inputs",
      .needs_prior = true,
      .fields = with_scope({{"secret", FieldKind::kSecret}, compared({"epsilon", FieldKind::kLevel}), field_for_all()}),
      .decide = decide_secret,
      .define = define_secret,
      .complaint = complaint_about_set,
      .expect = expect_secret};
}

}  // namespace oddsbound::notions
