#include "verifier/notions/ldp.h"

#include <algorithm>

#include "base/errors.h"
#include "verifier/engine/input_levels.h"
#include "verifier/notions/scope.h"
#include "verifier/notions/shuffled.h"
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
          .decide_shuffled = as_one_report(decide_ldp, OtherPeople::kSameInput),
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
    throw LimitError("the question is too large for Z3: it has more than " + std::to_string(kMostTerms) + " terms");
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

}  // namespace oddsbound::notions
