#include "verifier/notions/averages.h"

#include "base/errors.h"
#include "verifier/exact/expression.h"
#include "verifier/measures/leakage.h"
#include "verifier/measures/shared_sums.h"
#include "verifier/notions/bcdp.h"
#include "verifier/notions/divergences.h"

namespace oddsbound::notions {

namespace {

// The coordinate that a claim is about; nullopt: the whole input.
std::optional<std::size_t> claimed_coordinate(const Arguments& arguments) {
  const auto* one = arguments.find_if<Coordinates>("coordinate");
  return one == nullptr ? std::nullopt : std::optional(one->coordinates[0]);
}

Decision decide_average(Average average, const Level& claimed) {
  Decision decision = decide_level(average.level, claimed);
  decision.witness.reset();
  decision.actual = std::move(average);
  return decision;
}

// Calls decide(model, coordinate): of the whole, or of the component that alone reveals something about the coordinate.
template <typename Decide>
auto decide_about(MeasuredModel& subject, std::optional<std::size_t> coordinate, const Decide& decide) {
  if (coordinate && !subject.can_enumerate()) {
    const auto [component, place] = measures::shared_component(subject, *coordinate);
    if (component) return decide(component->part, std::optional(place));
  }
  return decide(subject, coordinate);
}

Decision decide_bayes_leakage(MeasuredModel& subject, const Arguments& arguments) {
  const auto decide = [&](MeasuredModel& part, std::optional<std::size_t> coordinate) {
    Guesses guesses = guesses_of(part, coordinate);
    MeasuredLevel level{Level::of_exponential(guesses.factor()), {}};
    const bool bounded = guesses.posterior_at_most.has_value();
    if (bounded)
      level.unfinished = {Level::of_exponential(guesses.factor_at_most()), reason_of_bounds(guesses.complete)};
    Decision decision = decide_average({level, std::move(guesses)}, arguments.get<Level>("epsilon"));
    decision.by_sums = bounded;
    return decision;
  };
  return decide_about(subject, claimed_coordinate(arguments), decide);
}

// The prior under which all values of the coordinate (or all inputs) that had mass are alike, and their rows given each
// are as before. The best guess under it is right with probability (sum over y of max over s of P(y given s)) / k.
Prior evened_out(const Model& model, std::optional<std::size_t> coordinate, Budget& budget) {
  const Prior& prior = *model.prior;
  const Domain& domain = model.domain;
  if (prior.has_independent_coordinates()) {
    std::vector<std::vector<Number>> marginals;
    for (std::size_t i = 0; i < domain.size(); ++i) {
      std::vector<Number>& marginal = marginals.emplace_back(prior.marginal_weights(i, budget));
      if (coordinate && *coordinate != i) continue;
      for (Number& weight : marginal) weight = Number(weight.is_zero() ? 0 : 1);
    }
    return Prior::product(domain, std::move(marginals));
  }
  std::vector<Number> masses;
  if (coordinate) masses = prior.marginal_weights(*coordinate, budget);
  std::vector<WeightedRow> rows;
  prior.each_row(budget, [&](InputView row, const Number& weight) {
    rows.push_back({InputRow(row.begin(), row.end()), coordinate ? weight / masses[row[*coordinate]] : Number(1)});
  });
  return Prior::from_rows(domain, std::move(rows), budget);
}

Model evened_out_model(const Model& model, std::optional<std::size_t> coordinate, Budget& budget) {
  return {model.domain, model.channel, evened_out(model, coordinate, budget)};
}

Decision decide_maximal_leakage(MeasuredModel& subject, const Arguments& arguments) {
  if (!subject.prior().has_independent_coordinates()) require_few_rows(subject);
  const Model even = evened_out_model(subject.model(), claimed_coordinate(arguments), subject.budget());
  MeasuredModel evened(even, subject.budget());
  Decision decision = decide_bayes_leakage(evened, arguments);
  // Guesses under another prior than the spec's would mislead.
  std::get<Average>(decision.actual).guesses.reset();
  return decision;
}

// With weights w of values and masses w(s, y): the sum over y of the largest w(s, y) is at most e^epsilon times the
// largest w(s).
Statement state_guesses(const Model& model, std::optional<std::size_t> coordinate, const Level& level, Budget& budget) {
  const std::vector<std::vector<Number>> rows = rows_of(*model.channel, budget);
  const std::vector<Number>& weights = model.prior->dense(budget).weights;
  const auto label_of = [&](std::uint64_t x) { return coordinate ? model.domain.digit(x, *coordinate) : x; };
  const std::uint64_t labels = coordinate ? model.domain.values(*coordinate) : model.domain.inputs();
  Statement statement;
  statement.begin_bound();
  if (level.is_infinite()) return statement;
  std::vector<Number> masses(labels);
  for (std::uint64_t x = 0; x < weights.size(); ++x) masses[label_of(x)] += level.exponential() * weights[x];
  std::vector<Amount> after;
  for (std::uint64_t y = 0; y < model.channel->outputs(); ++y) {
    std::vector<std::vector<WeightedTerm>> terms(labels);
    for (std::uint64_t x = 0; x < weights.size(); ++x) {
      budget.check_every();
      if (!weights[x].is_zero() && !rows[x][y].is_zero()) terms[label_of(x)].push_back({weights[x], rows[x][y]});
    }
    std::vector<Amount> guesses;
    for (const auto& own : terms) guesses.emplace_back(weighted_sum(own));
    after.push_back(Amount::largest(std::move(guesses)));
  }
  const Amount most = Amount::largest({masses.begin(), masses.end()});
  const Amount sum = Amount::sum(std::move(after));
  statement.add_violation(Formula::greater(sum, most));
  statement.add_attained(Formula::equal(sum, most));
  return statement;
}

Statement state_bayes_leakage(const Model& model, const Arguments& arguments, Budget& budget) {
  return state_guesses(model, claimed_coordinate(arguments), arguments.get<Level>("epsilon"), budget);
}

// Which values are possible must not depend on the symbols: the inverse of a mass that may be 0 is an error.
Statement state_maximal_leakage(const Model& model, const Arguments& arguments, Budget& budget) {
  const std::optional<std::size_t> coordinate = claimed_coordinate(arguments);
  const auto require_fixed_support = [](const Number& mass) {
    if (mass.has_symbols()) static_cast<void>(Number(1) / mass);
  };
  if (coordinate) {
    for (const Number& mass : model.prior->marginal_weights(*coordinate, budget)) require_fixed_support(mass);
  } else {
    for (const Number& weight : model.prior->dense(budget).weights) require_fixed_support(weight);
  }
  return state_guesses(evened_out_model(model, coordinate, budget), coordinate, arguments.get<Level>("epsilon"),
                       budget);
}

// With labels that are equally likely, the best guess between two of them is right with probability (1 + TV) / 2, and
// the largest sum of two maxima, 1 + TV, is at most e^epsilon.
Definition imply_maximal_leakage(const Model& model, const Arguments& arguments, const InputSubset& inputs) {
  const auto& level = arguments.get<Level>("epsilon");
  if (level.is_infinite() || level.exponential() >= Number(2)) return {};
  Comparison comparison;
  if (const auto coordinate = claimed_coordinate(arguments)) {
    comparison = comparison_of_values(model.domain, inputs, *coordinate, Level());
  } else {
    for (const std::uint64_t x : inputs.places()) {
      comparison.labels.emplace_back(inputs.tuple(x));
      comparison.label_of.push_back(static_cast<std::uint32_t>(x));
    }
  }
  comparison.delta = level.exponential() - Number(1);
  return {comparison};
}

// log(exp(nats)), for a rational number of nats.
Level level_of_nats(const Number& nats) { return Level::of_exponential(Number::exp_of(nats)); }

Decision decide_information_of(MeasuredModel& subject, std::optional<std::size_t> coordinate, const Level& claimed) {
  if (!has_information_bounds(subject, coordinate)) {
    const std::vector<WeightedLog> information = information_of(subject, coordinate);
    return decide_average({level_of_logs(information, claimed), std::nullopt}, claimed);
  }
  const auto [nats, complete] = information_bounds(subject, coordinate);
  MeasuredLevel level{level_of_nats(nats.lower), {}};
  if (nats.lower < nats.upper) level.unfinished = {level_of_nats(nats.upper), reason_of_bounds(complete)};
  Decision decision = decide_average({std::move(level), std::nullopt}, claimed);
  decision.by_sums = true;
  return decision;
}

Decision decide_information(MeasuredModel& subject, const Arguments& arguments) {
  return decide_about(subject, claimed_coordinate(arguments), [&](MeasuredModel& part, auto coordinate) {
    return decide_information_of(part, coordinate, arguments.get<Level>("epsilon"));
  });
}

// Announces the sums over outputs of such claims.
template <typename Expect>
void expect_about(MeasuredModel& subject, const Arguments& arguments, const Expect& expect) {
  if (subject.can_enumerate()) return;
  decide_about(subject, claimed_coordinate(arguments), [&](MeasuredModel& part, auto coordinate) {
    if (!part.can_enumerate()) expect(part, coordinate);
  });
}

bool follows_from_output_classes(const MeasuredModel& subject, const Arguments& arguments) {
  return has_output_classes(subject.model(), claimed_coordinate(arguments));
}

}  // namespace

Notion bayes_leakage_notion() {
  return {.name = "bayes_leakage",
          .summary =
              "multiplicative Bayes leakage: under the prior, the best guess after the output is right at most e^eps "
              "times as often as the best guess without it",
          .source = "Smith (2009); Alvim et al., The Science of Quantitative Information Flow (2020), Chapter 7",
          .needs_prior = true,
          .fields = {compared({"epsilon", FieldKind::kLevel}), {"coordinate", FieldKind::kCoordinate, false}},
          .decide = decide_bayes_leakage,
          .limit_guesses =
              [](const Arguments& arguments) {
                return LimitedGuesses{claimed_coordinate(arguments), arguments.get<Level>("epsilon")};
              },
          .state = state_bayes_leakage,
          .large_proofs = {.by_output_classes = follows_from_output_classes},
          .bounds_odds = false,
          .unbounded = true,
          .expect = [](MeasuredModel& subject,
                       const Arguments& arguments) { expect_about(subject, arguments, measures::expect_guesses); }};
}

Notion maximal_leakage_notion() {
  return {
      .name = "maximal_leakage",
      .summary =
          "maximal leakage: under any prior with the same possible values, the best guess after the output is right "
          "at most e^eps times as often as before",
      .source = "Issa, Wagner and Kamath, An Operational Approach to Information Leakage (2020), Theorem 1",
      .needs_prior = true,
      .fields = {compared({"epsilon", FieldKind::kLevel}), {"coordinate", FieldKind::kCoordinate, false}},
      .decide = decide_maximal_leakage,
      .state = state_maximal_leakage,
      .imply = imply_maximal_leakage,
      .large_proofs = {.by_output_classes = follows_from_output_classes},
      .bounds_odds = false,
      .unbounded = true};
}

Notion information_notion() {
  return {.name = "information",
          .summary = "mutual information: under the prior, the output reveals at most eps nats on average",
          .source = "Shannon (1948); Cover and Thomas, Elements of Information Theory, Section 2.3",
          .needs_prior = true,
          .fields = {compared({"epsilon", FieldKind::kLevel}), {"coordinate", FieldKind::kCoordinate, false}},
          .decide = decide_information,
          .large_proofs = {.by_output_classes = follows_from_output_classes},
          .bounds_odds = false,
          .unbounded = true,
          .expect = [](MeasuredModel& subject, const Arguments& arguments) {
            expect_about(subject, arguments, measures::expect_information);
          }};
}

namespace {

// The effect of one output on a value, by Bayes' rule.
Effect effect_of(const MeasuredModel& subject, std::size_t coordinate, std::size_t value,
                 const std::vector<std::uint64_t>& output) {
  const Prior& prior = subject.prior();
  std::vector<WeightedTerm> all, own;
  prior.each_row(subject.budget(), [&](InputView row, const Number& weight) {
    all.push_back({weight, subject.channel().entry_at(subject.domain(), row, output)});
    if (row[coordinate] == value) own.push_back(all.back());
  });
  const Number joint = weighted_sum(all);
  return {subject.channel().label_of(output), joint / prior.total(), weighted_sum(own) / joint};
}

class Measuring {
 public:
  explicit Measuring(MeasuredModel& subject) : subject_(subject) {}

  Effects take() {
    require_few_rows(subject_);
    const std::vector<GroupLevel>& levels = bcdp_levels(subject_);
    attempt([&] { average_ = &leakages_of(subject_); });
    for (std::size_t i = 0; i < levels.size(); ++i) add(i, levels[i]);
    if (average_ != nullptr) effects_.record = average_->record;
    return std::move(effects_);
  }

 private:
  template <typename Compute>
  void attempt(Compute compute) {
    try {
      compute();
    } catch (const LimitError& error) {
      if (effects_.without.empty()) effects_.without = error.what();
    }
  }

  void add(std::size_t i, const GroupLevel& level) {
    AttributeEffects& own = effects_.attributes.emplace_back();
    // With an infinite level, report the value that is ruled out, not the one that becomes more likely.
    const std::size_t value = level.at_least.is_infinite() ? level.to : level.from;
    own.level = level.at_most();
    own.value = subject_.domain().coordinate(i).values[value];
    attempt([&] {
      own.prior = subject_.prior().marginal_weights(i, subject_.budget())[value] / subject_.prior().total();
      if (level.shows_something()) own.worst = effect_of(subject_, i, value, level.witness.get().output);
      if (average_ == nullptr) return;
      own.average = average_->values[i];
      if (!average_->likeliest.empty()) own.frequent = effect_of(subject_, i, value, average_->likeliest);
    });
  }

  MeasuredModel& subject_;
  Effects effects_;
  const Leakages* average_ = nullptr;  // nullptr: a limit was reached
};

}  // namespace

Effects measure_effects(MeasuredModel& subject) { return Measuring(subject).take(); }

}  // namespace oddsbound::notions
