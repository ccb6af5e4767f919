#include "audits/findings.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "audits/confidence.h"
#include "audits/exhaustive.h"
#include "base/errors.h"

namespace oddsbound::audits {

namespace {

// The level that this many right guesses prove.
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

LevelFinding judge(GameEvidence evidence, bool interrupted, double alpha) {
  LevelFinding finding;
  finding.question = std::move(evidence.question);
  finding.game = std::move(evidence.game);
  finding.how = std::move(evidence.how);
  finding.score = evidence.score;
  finding.planned = evidence.planned;
  finding.alpha = alpha;
  // In an interrupted audit the number of rounds may depend on the outcomes.
  finding.any_time = interrupted;
  judge_claims(finding);
  return finding;
}

// The largest possible bound: if the two inputs with the most runs had no output in common.
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

// The last factor covers rounding errors of the factors and of alpha itself.
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
    findings.no_upper = error.what();
  }
}

}  // namespace

AuditFindings assess_recorded(const Spec& spec, const Tally& runs, const AuditOptions& options, Budget& budget) {
  AuditFindings findings;
  findings.runs = runs.total();
  const AskedClaims asked = asked_claims(spec, options.all_levels, budget);
  const std::vector<Question>& questions = asked.questions;
  findings.left_out = unasked_claims(questions, spec, asked.unasked);
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
      // The bound is already rounded down. An excess within the rounding of the claim is no contradiction.
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
  for (GameEvidence& evidence : measurement.evidence) {
    findings.levels.push_back(judge(std::move(evidence), interrupted, alpha));
  }
  findings.left_out = unasked_claims(questions_of(findings), spec, measurement.unasked);
  std::vector<Tally>& stages = measurement.stages;
  if (stages.empty()) {
    findings.agreement.untested =
        findings.tried ? "not all inputs were tried" : "the outputs are too many to be counted one by one";
    findings.no_upper = findings.agreement.untested;
  } else if (!interrupted) {
    add_table_findings(findings, spec, stages, options.alpha, budget);
  } else {
    // The time of the interruption may depend on the outcomes.
    for (std::size_t s = 1; s < stages.size(); ++s) stages[0] += stages[s];
    findings.agreement =
        check_agreement_any_time(*spec.model.channel, stages[0], alpha_of_agreement(options.alpha), budget);
    findings.no_upper = "an interrupted audit has none";
  }
  return findings;
}

namespace {

constexpr std::size_t kMostKeys = 256;

// How often the number fell into each range, for either side. The last entry counts outputs without a number.
struct RangeCounts {
  std::vector<double> first, second;

  // True if the chi-squared distance exceeds its mean (ranges - 1) by more than 3 standard deviations (variance 2 *
  // mean).
  bool differ() const {
    const double firsts = total(first), seconds = total(second);
    double distance = 0, ranges = -1;
    for (std::size_t r = 0; r < first.size(); ++r) {
      const double both = first[r] + second[r];
      if (both == 0) continue;
      ++ranges;
      const double expected = both * firsts / (firsts + seconds);
      distance += (first[r] - expected) * (first[r] - expected) * (firsts + seconds) / (expected * seconds);
    }
    constexpr double kErrors = 3;
    return ranges > 0 && distance > ranges + kErrors * std::sqrt(2 * ranges);
  }
  double log_ratio(std::size_t r) const {
    const auto share = [&](const std::vector<double>& counts) {
      return (counts[r] + 0.5) / (total(counts) + 0.5 * static_cast<double>(counts.size()));
    };
    return std::log(share(first) / share(second));
  }

 private:
  static double total(const std::vector<double>& counts) {
    double sum = 0;
    for (const double count : counts) sum += count;
    return sum;
  }
};

std::vector<double> ends_of_ranges(const std::vector<double>& a, const std::vector<double>& b, std::size_t ranges) {
  std::vector<double> all(a);
  all.insert(all.end(), b.begin(), b.end());
  std::sort(all.begin(), all.end());
  // The greatest number ends no range, but any number below it may.
  const auto greatest = std::lower_bound(all.begin(), all.end(), all.back());
  std::vector<double> ends;
  for (std::size_t r = 1; r < ranges && greatest != all.begin(); ++r) {
    const double end = std::min(all[r * all.size() / ranges], *std::prev(greatest));
    if (ends.empty() || end > ends.back()) ends.push_back(end);
  }
  return ends;
}

std::size_t range_of(const std::vector<double>& ends, double number) {
  return static_cast<std::size_t>(std::lower_bound(ends.begin(), ends.end(), number) - ends.begin());
}

std::vector<double> counts_of(const std::vector<double>& ends, const std::vector<double>& numbers, std::size_t runs) {
  std::vector<double> counts(ends.size() + 2);
  for (const double number : numbers) ++counts[range_of(ends, number)];
  counts.back() = static_cast<double>(runs - numbers.size());
  return counts;
}

}  // namespace

std::vector<RevealedKey> revealed_keys(const KeptOutputs& outputs) {
  std::map<RevealedKey, std::size_t> seen;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (const RevealedKey key : outputs.words[i]) ++seen[key];
  }
  std::vector<std::pair<std::size_t, RevealedKey>> common;
  for (const auto& [key, times] : seen) common.emplace_back(times, key);
  std::sort(common.rbegin(), common.rend());
  common.resize(std::min(common.size(), kMostKeys));
  std::vector<RevealedKey> keys;
  for (const auto& [times, key] : common) keys.push_back(key);
  std::sort(keys.begin(), keys.end());
  return keys;
}

ToldFrequencies::ToldFrequencies(const std::vector<RevealedKey>& keys, std::uint32_t first, const KeptOutputs& outputs,
                                 std::size_t count, std::size_t ranges)
    : ranges_(ranges) {
  std::unordered_map<RevealedKey, std::vector<double>> revealed[2];
  std::size_t runs[2] = {0, 0};
  for (std::size_t i = 0; i < count; ++i) {
    const int side = outputs.side[i] == first ? 0 : 1;
    ++runs[side];
    for (std::size_t k = 0; k < outputs.words[i].size(); ++k) {
      revealed[side][outputs.words[i][k]].push_back(outputs.values[i][k]);
    }
  }
  for (const RevealedKey key : keys) learn(key, revealed[0][key], revealed[1][key], runs[0], runs[1]);
}

void ToldFrequencies::learn(RevealedKey key, const std::vector<double>& first, const std::vector<double>& second,
                            std::size_t firsts, std::size_t seconds) {
  if (first.empty() && second.empty()) return;
  About about{ends_of_ranges(first, second, ranges_), {}};
  const RangeCounts counts{counts_of(about.ends, first, firsts), counts_of(about.ends, second, seconds)};
  if (!counts.differ()) return;
  for (std::size_t r = 0; r <= about.ends.size(); ++r) about.ratios.push_back(counts.log_ratio(r));
  about.absent = counts.log_ratio(about.ends.size() + 1);
  none_revealed_ += about.absent;
  about_.emplace(key, std::move(about));
}

double ToldFrequencies::log_ratio(const Output& output) const {
  double sum = none_revealed_;
  for (std::size_t k = 0; k < output.words.size(); ++k) {
    const auto found = about_.find(output.words[k]);
    if (found == about_.end()) continue;
    const About& about = found->second;
    sum += about.ratios[range_of(about.ends, output.values[k])] - about.absent;
  }
  return sum;
}

}  // namespace oddsbound::audits
