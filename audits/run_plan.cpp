#include "audits/run_plan.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>

#include "audits/attack.h"
#include "audits/confidence.h"
#include "audits/exact.h"
#include "audits/findings.h"
#include "audits/left_out.h"
#include "audits/measure.h"
#include "base/errors.h"
#include "verifier/ratios/rows.h"

namespace oddsbound::audits {

namespace {

using Binomial = boost::math::binomial;

constexpr std::uint64_t kMostSamples = 1'000'000'000'000;
// Guesses may be fewer than expected: with so small a probability fewer than are counted on.
constexpr double kUnlucky = 0.005;
// Some 15 % of the rounds of a question are a pilot. It may not find the best attack, which costs as much again and
// more: with this share and no fewer rounds, audits of randomized responses, unary encodings and others find nine of
// ten.
constexpr double kPlayed = 0.5;
constexpr std::uint64_t kFewest = 500;

class Planner {
 public:
  Planner(const Question& question, const Rates& rows, const Channel& channel, double alpha, double error,
          Budget& budget)
      : question_(question),
        strategist_(question, stated_rates(question, rows)),
        stated_(exact_answer(question, channel, budget)),
        alpha_(alpha),
        error_(error),
        budget_(budget) {}

  PlannedClaim plan(const ClaimedLevel& claimed, double margin, std::uint64_t questions) {
    PlannedClaim planned{question_.title(), question_.at, claimed, std::nullopt};
    if (!stated_.level && !stated_.delta) {
      planned.reason = "the stated channel is too large to be planned with";
      return planned;
    }
    if (question_.bounds_delta() && claimed.delta.approx() + margin >= 1) {
      planned.reason = "no delta is so large";
      return planned;
    }
    const std::uint64_t most = kMostSamples / questions;
    std::uint64_t enough = kFewest;
    while (!finds(planned, margin, enough)) {
      if (enough >= most) {
        planned.reason = "it takes more than 10^12 runs";
        return planned;
      }
      enough = std::min(2 * enough, most);
    }
    for (std::uint64_t few = enough / 2; few >= kFewest && enough - few > enough / 200 + 1;) {
      const std::uint64_t middle = few + (enough - few) / 2;
      (finds(planned, margin, middle) ? enough : few) = middle;
    }
    finds(planned, margin, enough);
    planned.samples = enough * questions;
    return planned;
  }

 private:
  // Whether so many rounds of a question find the violation; notes what they are played with.
  bool finds(PlannedClaim& planned, double margin, std::uint64_t rounds) {
    budget_.look();
    const auto played = static_cast<std::uint64_t>(kPlayed * static_cast<double>(rounds));
    const Strategist::Expected expected = strategist_.as_stated(played, error_);
    const Score& score = expected.score;
    const ClaimedLevel& claimed = planned.claimed;
    planned.guessed = static_cast<double>(score.guesses) / static_cast<double>(score.rounds);
    planned.allowed = allowed_share(question_, expected.attack.game, claimed.level, claimed.delta);
    planned.violated = violated_share(expected, claimed, margin);
    if (planned.guessed <= 0 || planned.violated <= planned.allowed) return false;
    const auto all = static_cast<double>(played);
    const double guesses =
        planned.guessed >= 1 ? all : std::floor(boost::math::quantile(Binomial(all, planned.guessed), kUnlucky));
    if (guesses < 1) return false;
    using boost::math::complement;
    const double right = std::ceil(boost::math::quantile(complement(Binomial(guesses, planned.allowed), alpha_))) + 1;
    if (right > guesses) return false;
    const double power = boost::math::cdf(complement(Binomial(guesses, planned.violated), right - 1));
    return power * (1 - kUnlucky) >= kPlannedPower;
  }

  // The odds of a right guess grow by as much as the level.
  double violated_share(const Strategist::Expected& expected, const ClaimedLevel& claimed, double margin) const {
    if (question_.bounds_delta()) {
      const double factor = std::exp(question_.at->approx());
      return (factor + claimed.delta.approx() + margin) / (1 + factor);
    }
    const std::size_t others = expected.attack.game.sides.size() - 1;
    const double wanted = claimed.level.approx() + margin;
    const double share = static_cast<double>(expected.score.right) / static_cast<double>(expected.score.guesses);
    const bool infinite = stated_.level->is_infinite() || share >= 1;
    const double shift = infinite ? 0 : wanted - stated_.level->approx();
    return share_of(infinite ? wanted : std::max(0.0, level_of_share(share, others) + shift), others);
  }

  const Question& question_;
  Strategist strategist_;
  ExactAnswer stated_;
  double alpha_, error_;
  Budget& budget_;
};

}  // namespace

ClaimPlans plan_runs(const Spec& spec, const AuditOptions& options, double margin, Budget& budget) {
  require_no_symbols(spec, "an audit");
  if (!outputs_are_counted(spec)) {
    throw ModelError("runs are planned for outputs that can be counted, of at most " + std::to_string(kMostInputs) +
                     " inputs");
  }
  const std::vector<Question> all = questions_of(spec, options.all_levels, budget);
  std::vector<Question> questions = all;
  ClaimPlans plans;
  plans.left_out = leave_out(questions, spec);
  if (questions.empty()) throw ModelError("--plan-runs needs a claim that should hold and could be contradicted");
  const double alpha = alpha_of_levels(options.alpha, all.size());
  const Rates rows = rounded_rows(*spec.model.channel, budget);
  for (const Question& question : questions) {
    Planner planner(question, rows, *spec.model.channel, alpha, options.alpha / static_cast<double>(all.size()),
                    budget);
    for (const ClaimedLevel& claimed : question.claims) {
      if (claimed.expect_holds) {
        plans.claims.push_back(planner.plan(claimed, margin, all.size()));
      } else {
        plans.left_out.push_back({claimed.claim, question.title(), "it is expected to be refuted"});
      }
    }
  }
  std::stable_sort(plans.left_out.begin(), plans.left_out.end(),
                   [](const ClaimLeftOut& a, const ClaimLeftOut& b) { return a.claim < b.claim; });
  return plans;
}

}  // namespace oddsbound::audits
