#include "audits/findings.h"

#include <algorithm>
#include <cmath>

#include "audits/confidence.h"
#include "audits/intervals.h"
#include "audits/left_out.h"
#include "base/errors.h"
#include "base/short_message.h"

namespace oddsbound::audits {

namespace {

// The level that so many right guesses show.
double shown(const LevelFinding& finding, std::uint64_t guesses, std::uint64_t right) {
  const double share = finding.any_time ? anytime_lower_limit(guesses, right, finding.alpha)
                                        : lower_limit(guesses, right, finding.alpha);
  return shown_by(finding.question, finding.game, share);
}

bool contradicts(const LevelFinding& finding, double allowed) {
  const Score& score = finding.score;
  if (score.right == 0) return false;
  return finding.any_time ? log_evidence(score.guesses, score.right, allowed) >= -std::log(finding.alpha) * (1 + 1e-15)
                          : tail_bound(score.guesses, score.right, allowed) <= finding.alpha;
}

void judge_claims(LevelFinding& finding) {
  const bool played = finding.game.sides.size() > 1;
  if (played) {
    finding.bound = shown(finding, finding.score.guesses, finding.score.right);
    const std::uint64_t rounds = finding.any_time ? finding.score.rounds : finding.planned;
    finding.ceiling = shown(finding, rounds, rounds);
  }
  for (const ClaimedLevel& claimed : finding.question.claims) {
    const bool refuted =
        played && contradicts(finding, allowed_share(finding.question, finding.game, claimed.level, claimed.delta));
    finding.claims.push_back({claimed, refuted});
  }
}

LevelFinding judge(Evidence evidence, bool interrupted, double alpha) {
  LevelFinding finding;
  finding.question = std::move(evidence.question);
  finding.game = std::move(evidence.game);
  finding.how = std::move(evidence.how);
  finding.score = evidence.score;
  finding.planned = evidence.planned;
  finding.alpha = alpha;
  // How many rounds there were may then depend on what came out.
  finding.any_time = interrupted;
  judge_claims(finding);
  return finding;
}

// What would be shown if the two inputs run most often had no output in common.
double recorded_ceiling(const Question& question, const Tally& runs, double alpha) {
  std::vector<std::uint64_t> totals = totals_of(runs);
  std::sort(totals.rbegin(), totals.rend());
  if (totals.size() < 2 || totals[1] == 0) return 0;
  const double each = alpha / (2 * static_cast<double>(runs.rows() * runs.outputs()));
  const double low = lower_limit(totals[0], totals[0], each);
  const double high = upper_limit(totals[1], 0, each);
  return std::max(0.0, question.bounds_delta() ? low - std::exp(question.at->approx()) * high : std::log(low / high));
}

}  // namespace

// The last factor makes good what rounding of the others and of alpha itself may add.
double alpha_of_levels(double alpha, std::size_t questions) {
  return alpha * 0.8 / static_cast<double>(questions) * (1 - 0x1p-45);
}
double alpha_of_agreement(double alpha) { return alpha * 0.1; }
double alpha_of_upper_bounds(double alpha) { return alpha * 0.05; }
double alpha_of_dependence(double alpha) { return alpha * 0.05; }

bool AuditFindings::contradicted() const {
  return std::any_of(levels.begin(), levels.end(), [](const LevelFinding& level) {
    return std::any_of(level.claims.begin(), level.claims.end(),
                       [](const ClaimFinding& claim) { return claim.contradicted && claim.claimed.expect_holds; });
  });
}

namespace {

std::vector<Question> questions_of(const AuditFindings& findings) {
  std::vector<Question> questions;
  for (const LevelFinding& level : findings.levels) questions.push_back(level.question);
  return questions;
}

// Agreement and upper bounds, from the counts of separate stages.
void add_table_findings(AuditFindings& findings, const Spec& spec, std::span<const Tally> stages, double alpha,
                        Budget& budget) {
  findings.agreement = check_agreement(*spec.model.channel, stages, alpha_of_agreement(alpha), budget);
  const std::vector<Question> questions = questions_of(findings);
  try {
    const auto bounds = bounds_from_intervals(questions, stages, alpha_of_upper_bounds(alpha), budget);
    for (std::size_t q = 0; q < bounds.size(); ++q) findings.levels[q].upper = bounds[q].high;
  } catch (const LimitError& error) {
    findings.no_upper = shortened(error.what());
  }
}

}  // namespace

AuditFindings assess_recorded(const Spec& spec, const Tally& runs, const AuditOptions& options, Budget& budget) {
  AuditFindings findings;
  findings.runs = runs.total();
  const std::vector<Question> questions = questions_of(spec, options.all_levels, budget);
  findings.left_out = unasked_claims(questions, spec);
  const std::span<const Tally> stages(&runs, 1);
  const double alpha = alpha_of_levels(options.alpha, 1);
  const auto bounds = bounds_from_intervals(questions, stages, alpha, budget);
  for (std::size_t q = 0; q < questions.size(); ++q) {
    LevelFinding& finding = findings.levels.emplace_back();
    finding.question = questions[q];
    finding.alpha = alpha;
    finding.bound = bounds[q].low;
    finding.recorded = true;
    finding.how = "intervals around every probability at once";
    if (finding.bound > 0) {
      finding.game.sides = {bounds[q].from, bounds[q].to};
      if (!finding.question.bounds_delta()) finding.witness = spec.model.channel->output_label(bounds[q].output);
    }
    finding.ceiling = recorded_ceiling(questions[q], runs, alpha);
    for (const ClaimedLevel& claimed : finding.question.claims) {
      // The bound is rounded down already; what lies within the rounding of the claim is no contradiction.
      const double value = finding.question.bounds_delta() ? claimed.delta.approx() : claimed.level.approx();
      finding.claims.push_back({claimed, finding.bound > value * (1 + 1e-12)});
    }
  }
  add_table_findings(findings, spec, stages, options.alpha, budget);
  return findings;
}

AuditFindings assess(const Spec& spec, Measurement measurement, const AuditOptions& options, Budget& budget) {
  AuditFindings findings;
  findings.interrupted = std::move(measurement.interrupted);
  findings.runs = measurement.runs();
  findings.tried = measurement.tried;
  const bool interrupted = static_cast<bool>(findings.interrupted);
  const double alpha = alpha_of_levels(options.alpha, measurement.evidence.size());
  for (Evidence& evidence : measurement.evidence) {
    findings.levels.push_back(judge(std::move(evidence), interrupted, alpha));
  }
  findings.left_out = unasked_claims(questions_of(findings), spec);
  std::vector<Tally>& stages = measurement.stages;
  if (stages.empty()) {
    findings.agreement.untested =
        findings.tried ? "not all inputs were tried" : "the outputs are too many to be counted one by one";
    findings.no_upper = findings.agreement.untested;
  } else if (!interrupted) {
    add_table_findings(findings, spec, stages, options.alpha, budget);
  } else {
    // When it ended may depend on what came out.
    for (std::size_t s = 1; s < stages.size(); ++s) stages[0] += stages[s];
    findings.agreement =
        check_agreement_any_time(*spec.model.channel, stages[0], alpha_of_agreement(options.alpha), budget);
    findings.no_upper = "an interrupted audit has none";
  }
  return findings;
}

}  // namespace oddsbound::audits
