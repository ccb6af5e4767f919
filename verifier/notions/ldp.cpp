#include "verifier/notions/ldp.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/errors.h"
#include "verifier/engine/input_levels.h"
#include "verifier/notions/scope.h"
#include "verifier/notions/tolerance.h"
#include "verifier/smt/query.h"
#include "verifier/smt/refinement.h"

namespace oddsbound::notions {

namespace {

Decision decide_ldp(MeasuredModel& subject, const Arguments& arguments) {
  return decide_level(measured(subject.model(), ldp_level(subject)), arguments.get<Level>("epsilon"));
}

Decision decide_bdp(MeasuredModel& subject, const Arguments& arguments) {
  if (const auto* for_all = arguments.find_if<ForAll>(kForAll)) {
    return decide_level(input_level_over(subject, *for_all->set), arguments.get<Level>("epsilon"));
  }
  return decide_level(measured(subject.model(), bdp_level(subject)), arguments.get<Level>("epsilon"));
}

Definition define_ldp(const Model&, const Arguments& arguments, const InputSubset& inputs) {
  Comparison comparison;
  comparison.level = arguments.get<Level>("epsilon");
  comparison.pairs = pairs_among(inputs.places());
  return {comparison};
}

// Definition 2: any two sets of inputs of positive probability.
Definition define_bdp(const Model&, const Arguments& arguments, const InputSubset& inputs) {
  Comparison comparison;
  comparison.level = arguments.get<Level>("epsilon");
  for (const std::uint64_t x : inputs.places()) {
    comparison.labels.emplace_back(inputs.tuple(x));
    comparison.label_of.push_back(static_cast<std::uint32_t>(x));
  }
  return {comparison};
}

// The BDP level between inputs that agree on the known coordinates.
MeasuredLevel bdp_given(MeasuredModel& subject, const Prior& prior, const std::vector<std::size_t>& known) {
  MeasuredLevel largest = largest_given(subject, prior, known, [](MeasuredModel& part, double) {
    return std::vector{measured(part.model(), bdp_level(part))};
  })[0];
  // Drop the evidence: both inputs of the witness contain these values.
  largest.witness.update([](Witness& witness) { witness.given.clear(); });
  return largest;
}

}  // namespace

const InputLevel& ldp_level(MeasuredModel& subject) { return level_among_all(subject); }

const InputLevel& bdp_level(MeasuredModel& subject) {
  return subject.remember("bdp", [&] { return level_among_possible(subject); });
}

Notion ldp_notion() {
  return {.name = "ldp",
          .title = "local DP",
          .summary = "local differential privacy: P(y given x) <= e^eps P(y given x') for all inputs and outputs",
          .source = "BCDP paper, Definition 1",
          .fields = {compared({"epsilon", FieldKind::kLevel})},
          .decide = decide_ldp,
          .define = define_ldp,
          .measure = [](MeasuredModel& subject) { return measured(subject.model(), ldp_level(subject)); },
          .measure_given =
              [](MeasuredModel& subject, const std::vector<std::size_t>& known) {
                return bdp_given(subject, Prior::uniform(subject.domain()), known);
              },
          .audited = true,
          .large_proofs = {.by_parts = true, .by_cases = true, .by_classes = true},
          .in_new_specs = "all answers together",
          .drawn = DrawnBeside::kInputs,
          .expect = [](MeasuredModel& subject, const Arguments&) { expect_among_all(subject); }};
}

Notion bdp_notion() {
  return {
      .name = "bdp",
      .title = "Bayesian DP",
      .summary = "Bayesian differential privacy: ldp over the inputs that the prior holds possible",
      .source = "BCDP paper, Definition 2 and Proposition 1",
      .needs_prior = true,
      .fields = {compared({"epsilon", FieldKind::kLevel}), field_for_all()},
      .decide = decide_bdp,
      .define = define_bdp,
      .measure = [](MeasuredModel& subject) { return measured(subject.model(), bdp_level(subject)); },
      .measure_given = [](MeasuredModel& subject,
                          const std::vector<std::size_t>& known) { return bdp_given(subject, subject.prior(), known); },
      .complaint = complaint_about_set,
      .large_proofs = {.by_parts = true},
      .expect =
          [](MeasuredModel& subject, const Arguments& arguments) {
            if (!arguments.has(kForAll)) expect_among_possible(subject);
          }};
}

namespace {

void require_rational(const Matrix& matrix) {
  for (const auto& row : matrix) {
    for (const Number& number : row) {
      if (!number.is_rational()) {
        throw LimitError("post-processing is decided for rational probabilities, and " + number.to_string() +
                         " is not one");
      }
    }
  }
}

struct Problem {
  Matrix channel, other;
};

Problem problem_of(const Model& model, const Arguments& arguments, Budget& budget) {
  const Channel& other = *arguments.get<ChannelPtr>("of");
  constexpr std::uint64_t kMostInputs = 256;
  constexpr std::uint64_t kMostOutputs = 1024;
  if (model.domain.inputs() > kMostInputs || std::max(model.channel->outputs(), other.outputs()) > kMostOutputs) {
    throw LimitError("post-processing is decided for at most " + std::to_string(kMostInputs) + " inputs and " +
                     std::to_string(kMostOutputs) + " outputs");
  }
  Problem problem{rows_of(*model.channel, budget), rows_of(other, budget)};
  require_rational(problem.channel);
  require_rational(problem.other);
  return problem;
}

constexpr double kSolverSeconds = 60;

Decision decide_post_processing(MeasuredModel& subject, const Arguments& arguments) {
  const Problem problem = problem_of(subject.model(), arguments, subject.budget());
  const Limits& limits = subject.budget().limits();
  Decision decision;
  // Elimination runs before the solver and uses the same time budget.
  const Solver solver = [&](const std::string& text, ChildLimits most) {
    most.seconds = std::min(most.seconds, subject.budget().seconds_left());
    return solve_with_z3(text, most);
  };
  Refinement refinement =
      decide_refinement(problem.channel, problem.other, solver, {kSolverSeconds, limits.max_memory_mb});
  decision.holds = answer_of(refinement.holds);
  decision.tight = Answer::kYes;
  decision.actual = std::move(refinement);
  return decision;
}

std::string ask_for_kernel(const Model& model, const Arguments& arguments, bool,
                           const std::vector<std::string>& title) {
  Budget budget;
  const Problem problem = problem_of(model, arguments, budget);
  constexpr std::size_t kMostTerms = 1 << 20;
  if (problem.other.size() * problem.other[0].size() * problem.channel[0].size() > kMostTerms) {
    throw LimitError("the question is too large to be put to Z3 as it is");
  }
  return kernel_script(problem.channel, problem.other).text(title);
}

}  // namespace

Notion post_processing_notion() {
  return {.name = "post_processing_of",
          .summary =
              "whether the mechanism is a post-processing of another one on the same inputs: a kernel turns the "
              "other one's outputs into its own",
          .source = "Blackwell (1953); Sherman (1951), Stein (1951)",
          .fields = {{"of", FieldKind::kMechanism}},
          .form = ClaimForm::kMechanism,
          .decide = decide_post_processing,
          .question = ask_for_kernel,
          .unbounded = true,
          .locking = {.bounds = {}, .verdict = true}};
}

namespace {

Decision decide_cdp(MeasuredModel& subject, const Arguments& arguments) {
  return decide_coordinates(subject.domain(), measured_cdp(subject), arguments.get<CoordinateLevels>("epsilon"));
}

Definition define_cdp(const Model& model, const Arguments& arguments, const InputSubset& inputs) {
  const CoordinateLevels& levels = arguments.get<CoordinateLevels>("epsilon");
  Definition definition;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (!levels[i]) continue;
    Comparison& comparison = definition.emplace_back();
    comparison.about = model.domain.coordinate(i).name;
    comparison.level = *levels[i];
    comparison.pairs = inputs.pairs_within({i});
  }
  return definition;
}

}  // namespace

const std::vector<InputLevel>& cdp_levels(MeasuredModel& subject) {
  return subject.remember("cdp", [&] { return levels_along(subject, every_coordinate(subject.domain())); });
}

void expect_cdp(MeasuredModel& subject) { expect_along(subject, every_coordinate(subject.domain())); }

std::vector<MeasuredLevel> measured_cdp(MeasuredModel& subject) {
  std::vector<MeasuredLevel> levels;
  for (const InputLevel& level : cdp_levels(subject)) {
    subject.budget().check();
    levels.push_back(level.shown_as([model = subject.kept_model(), i = levels.size()](const InputPair& pair) {
      Witness own = witness_of(*model, pair);
      own.coordinate = model->domain.coordinate(i).name;
      return own;
    }));
  }
  return levels;
}

Notion cdp_notion() {
  return {.name = "cdp",
          .title = "coordinate DP",
          .summary =
              "coordinate differential privacy: ldp between inputs that differ in one coordinate only, per "
              "coordinate",
          .source = "BCDP paper, Definition 3",
          .fields = {compared({"epsilon", FieldKind::kCoordinateLevels})},
          .form = ClaimForm::kByCoordinate,
          .decide = decide_cdp,
          .define = define_cdp,
          .measure = measured_cdp,
          .audited = true,
          .large_proofs = {.by_parts = true, .by_cases = true, .by_classes = true},
          .in_new_specs = "no answer depends on",
          .expect = [](MeasuredModel& subject, const Arguments&) { expect_cdp(subject); }};
}

namespace {

Decision decide_partial(MeasuredModel& subject, const Arguments& arguments) {
  return decide_coordinates(subject.domain(), measured_cdp(subject), arguments.get<CoordinateLevels>("epsilon"));
}

// Definition 5: the level of a pair is the sum over the coordinates that differ, which lie within one record.
Definition define_partial(const Model& model, const Arguments& arguments, const InputSubset& inputs) {
  const Domain& domain = model.domain;
  const CoordinateLevels& levels = arguments.get<CoordinateLevels>("epsilon");
  CoordinateGroups records;
  if (arguments.has("records")) {
    records = arguments.get<CoordinateGroups>("records");
  } else {
    records.groups.emplace_back(domain.size());
    std::iota(records.groups[0].begin(), records.groups[0].end(), std::size_t{0});
  }
  std::map<std::vector<std::size_t>, std::size_t> index;
  Definition definition;
  const auto comparison_of = [&](const std::vector<std::size_t>& changed) -> Comparison& {
    const auto [place, added] = index.try_emplace(changed, definition.size());
    if (!added) return definition[place->second];
    Comparison& comparison = definition.emplace_back();
    for (const std::size_t i : changed) {
      comparison.level = comparison.level + *levels[i];
      comparison.about += (comparison.about.empty() ? "" : ", ") + domain.coordinate(i).name;
    }
    if (changed.size() > 1) comparison.tight = Comparison::Tight::kNone;
    return comparison;
  };
  // One comparison per claimed level, even if no inputs differ in its coordinate: `tight` is about all levels.
  for (std::size_t i = 0; i < domain.size(); ++i) comparison_of({i});
  // For a subset of the inputs, only pairs that differ in one coordinate: there are too many sets of coordinates
  // to query each.
  for (std::size_t i = 0; i < domain.size() && !inputs.are_all(); ++i) {
    const bool in_record = std::any_of(records.groups.begin(), records.groups.end(), [&](const auto& record) {
      return std::find(record.begin(), record.end(), i) != record.end();
    });
    if (in_record) comparison_of({i}).pairs = inputs.pairs_within({i});
  }
  if (!inputs.are_all()) return definition;
  for (const auto& [from, to] : pairs_among(inputs.places())) {
    std::vector<std::size_t> changed;
    for (std::size_t i = 0; i < domain.size(); ++i) {
      if (domain.digit(from, i) != domain.digit(to, i)) changed.push_back(i);
    }
    const bool one_record = std::any_of(records.groups.begin(), records.groups.end(), [&](const auto& record) {
      return differ_within(domain, inputs, from, to, record);
    });
    if (!one_record) continue;
    comparison_of(changed).pairs.emplace_back(from, to);
  }
  return definition;
}

}  // namespace

Notion partial_dp_notion() {
  return {.name = "partial_dp",
          .summary =
              "partial differential privacy: inputs that differ within one record may differ by the sum of the "
              "levels of the coordinates that differ",
          .source = "partial-DP paper, Definitions 4 and 5",
          .fields = {compared({"epsilon", FieldKind::kAllCoordinateLevels}), {"records", FieldKind::kRecords, false}},
          .form = ClaimForm::kByCoordinate,
          .decide = decide_partial,
          .define = define_partial,
          .locking = {.measures = "cdp"},
          .expect = [](MeasuredModel& subject, const Arguments&) { expect_cdp(subject); }};
}

}  // namespace oddsbound::notions
