#include "verifier/notions/post_processing.h"

#include <algorithm>

#include "base/errors.h"
#include "verifier/smt/query.h"
#include "verifier/smt/refinement.h"

namespace oddsbound::notions {

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
  // Elimination takes its part of the time before the solver is asked.
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
          .locking = {.bounds = {}, .verdict = true}};
}

}  // namespace oddsbound::notions
