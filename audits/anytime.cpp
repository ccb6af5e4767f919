#include "audits/anytime.h"

#include <algorithm>
#include <cmath>

#include "audits/confidence.h"
#include "audits/exhaustive.h"
#include "base/errors.h"
#include "verifier/engine/measured_model.h"
#include "verifier/exact/interval.h"
#include "verifier/exact/threads.h"

namespace oddsbound::audits {

namespace {

constexpr std::uint64_t kFirstChunk = 64;
constexpr std::uint64_t kLargestChunk = 1 << 16;
constexpr std::uint64_t kMostCellsKept = 1 << 12;  // cells of a chunk's counts in a checkpoint

// A sequence of rounds of games with a fixed number of labels: all sides of a group, or pairs.
struct Wager {
  Game game;
  Rule rule;
  Score score;
  double growth = 0;  // expected growth per round, in nats
};

double growth_of(const Score& score, double allowed, double doubt) {
  const double low = wilson_limit(score, doubt);
  if (low <= allowed) return 0;
  const double gain = low * std::log(low / allowed) + (1 - low) * std::log((1 - low) / (1 - allowed));
  return gain * static_cast<double>(score.guesses) / static_cast<double>(score.rounds);
}

double log_mean(double a, double b) {
  const double larger = std::max(a, b);
  if (std::isinf(larger)) return larger;
  return larger + std::log((std::exp(a - larger) + std::exp(b - larger)) / 2);
}

class Contest {
 public:
  Contest(Question question, std::size_t index, const Rates& rows, const AuditOptions& options, double alpha,
          Budget& budget)
      : question_(std::move(question)),
        index_(index),
        options_(options),
        budget_(budget),
        strategist_(question_, stated_rates(question_, rows)),
        threshold_(-std::log(alpha)),
        alpha_(alpha),
        by_input_(rows.size(), rows[0].size()),
        sides_(question_.sides.size(), rows[0].size()) {
    strictest_ = &question_.claims[0];
    for (const ClaimedLevel& claim : question_.claims) {
      if (!claim.expect_holds) continue;
      const bool stricter =
          claim.level < strictest_->level || (question_.bounds_delta() && claim.delta < strictest_->delta);
      if (!strictest_->expect_holds || stricter) strictest_ = &claim;
    }
    plan();
  }

  std::uint64_t next_chunk() const { return std::clamp(made_ / 8, kFirstChunk, kLargestChunk); }

  void play_chunk(Runner& runner, std::uint64_t rounds) {
    Wager& wager = wagers_[chosen_];
    const std::uint64_t stream = stream_of(index_, kAnytimeStage, chunk_++);
    const Dealer dealer(question_, wager.game, options_.seed);
    const Tally block = counted(runner, dealer, rounds, stream);
    const Tally sides = by_side(question_, block);
    wager.score += play(wager.game, wager.rule, sides);
    by_input_ += block;
    sides_ += sides;
    made_ += rounds;
    plan();
  }

  /// log of the evidence against a level (or delta).
  double log_evidence_at(const std::function<double(const Game&)>& allowed) const {
    double logs[2] = {0, 0};
    for (int w = 0; w < 2; ++w) {
      const Score& score = wagers_[w].score;
      if (score.guesses > 0) logs[w] = log_evidence(score.guesses, score.right, allowed(wagers_[w].game));
    }
    return log_mean(logs[0], logs[1]);
  }
  double log_evidence_against(const ClaimedLevel& claim) const {
    return log_evidence_at([&](const Game& game) { return allowed_share(question_, game, claim.level, claim.delta); });
  }
  const ClaimedLevel& strictest() const { return *strictest_; }
  double threshold() const { return threshold_; }
  std::uint64_t made() const { return made_; }
  const Tally& by_input() const { return by_input_; }

  LevelFinding finding() const {
    LevelFinding finding;
    const bool pairs = wagers_[0].game.sides.empty() || wagers_[1].score.guesses > wagers_[0].score.guesses;
    const Wager& wager = wagers_[pairs ? 1 : 0];
    finding.game = wager.game;
    finding.how = "learned as the audit went on";
    finding.score = wager.score;
    finding.planned = made_;
    finding.alpha = alpha_;
    finding.any_time = true;
    finding.bound = bound(made_);
    finding.ceiling = shown_by(question_, wager.game, anytime_lower_limit(made_, made_, alpha_ / 2));
    for (const ClaimedLevel& claim : question_.claims) {
      finding.claims.push_back({claim, log_evidence_against(claim) >= threshold_ * (1 + 1e-15)});
    }
    finding.question = question_;
    return finding;
  }

 private:
  // A run that resumes from a checkpoint knows the counts of earlier chunks; the next games follow from them.
  Tally counted(Runner& runner, const Dealer& dealer, std::uint64_t rounds, std::uint64_t stream) {
    const Tally zero(by_input_.rows(), by_input_.outputs());
    const auto count = [&] {
      Tally block = zero;
      runner.count(dealer.deal(rounds, stream).runs, stream, block);
      return block;
    };
    if (budget_.limits().scope == nullptr || zero.rows() * zero.outputs() > kMostCellsKept) return count();
    const TaskBody lead = [&](WorkerPool&, Budget&) {
      BinaryWriter writer;
      pack(writer, count());
      return writer.take();
    };
    BinaryWriter question;
    question.put(stream).put(rounds).put(options_.seed).put(options_.alpha).put(options_.samples);
    const Bytes outcome = run_task(task_name("a chunk of runs", question.take()), {}, lead, budget_);
    BinaryReader reader(outcome);
    Tally block = unpack(reader, zero);
    require_sum_of(rounds, block);
    reader.require_end();
    return block;
  }

  // The largest level that the evidence contradicts.
  double bound(std::uint64_t rounds) const {
    if (rounds == 0) return 0;
    const auto enough = [&](double value) {
      return log_evidence_at([&](const Game& game) { return share_at(game, value); }) >= threshold_ * (1 + 1e-15);
    };
    double low = 0;
    double high = 1;
    if (!enough(0)) return 0;
    while (!question_.bounds_delta() && high < 64 && enough(high)) {
      low = high;
      high *= 2;
    }
    for (int i = 0; i < 50; ++i) {
      const double middle = (low + high) / 2;
      (enough(middle) ? low : high) = middle;
    }
    return low;
  }

  double share_at(const Game& game, double value) const {
    if (!question_.bounds_delta()) return share_of(value, game.sides.size() - 1);
    const double even = exact::rounded_above(question_.at->exponential() / (question_.at->exponential() + Number(1)));
    return std::min(1.0, even + value * exact::rounded_above(Number(1) / (question_.at->exponential() + Number(1))));
  }

  // Chooses the next games, from all rounds so far.
  void plan() {
    const Rates rates = strategist_.learned(sides_);
    const double level = question_.bounds_delta() ? 0 : strictest_->level.approx();
    const std::vector<Game> games[2] = {strategist_.group_games(),
                                        strategist_.most_telling(strategist_.pair_games(rates), rates, level)};
    // The same runs choose the pairs and judge them.
    const std::size_t candidates[2] = {games[0].size(), question_.pairs.size()};
    const auto totals = totals_of(sides_);
    for (int w = 0; w < 2; ++w) {
      Wager& wager = wagers_[w];
      wager.growth = -1;
      for (const Game& game : games[w]) {
        budget_.check_every();
        // The evidence of a wager is about guesses among a fixed number of labels.
        if (wager.score.guesses > 0 && game.sides.size() != wager.game.sides.size()) continue;
        const double allowed = allowed_share(question_, game, strictest_->level, strictest_->delta);
        for (const Rates* of : {&strategist_.stated(), &rates}) {
          const Answers answers = strategist_.answers(game, *of);
          const auto found = strategist_.best_threshold(
              game, answers, sides_, totals, [&](const Score& score, std::size_t thresholds) {
                return growth_of(score, allowed, doubt_of(candidates[w] * thresholds));
              });
          if (found.value <= wager.growth) continue;
          wager.growth = found.value;
          wager.game = game;
          wager.rule = answers.above(found.value > 0 ? found.least : 0);
        }
      }
    }
    chosen_ = wagers_[1].growth > wagers_[0].growth ? 1 : 0;
  }

  Question question_;
  std::size_t index_;
  const AuditOptions& options_;
  Budget& budget_;
  Strategist strategist_;
  double threshold_, alpha_;
  Tally by_input_, sides_;
  const ClaimedLevel* strictest_ = nullptr;
  Wager wagers_[2];
  std::size_t chosen_ = 0;
  std::uint64_t made_ = 0;
  std::uint64_t chunk_ = 0;
};

}  // namespace

AnytimeResult audit_until(const Spec& spec, Runner& runner, const AuditOptions& options, Budget& budget,
                          const std::function<void(std::uint64_t, double)>& progress) {
  std::vector<std::unique_ptr<Contest>> contests;
  Budget thinking(without_time(budget.limits()));
  AskedClaims asked = asked_claims(spec, false, budget);
  std::vector<Question>& questions = asked.questions;
  AnytimeResult result;
  result.findings.left_out = leave_out(asked, spec);
  if (questions.empty()) throw ModelError("--until needs a claim that should hold and could be contradicted");
  const double alpha = alpha_of_levels(options.alpha, questions.size());
  const Rates rows = rounded_rows(*spec.model.channel, thinking);
  for (std::size_t q = 0; q < questions.size(); ++q) {
    contests.push_back(std::make_unique<Contest>(std::move(questions[q]), q, rows, options, alpha, thinking));
    result.levels.push_back({q, contests[q]->threshold(), {}});
  }
  AuditFindings& findings = result.findings;
  bool contradicted = false;
  try {
    while (findings.runs < options.samples && !contradicted && !findings.interrupted) {
      for (std::size_t q = 0; q < contests.size() && findings.runs < options.samples && !contradicted; ++q) {
        Contest& contest = *contests[q];
        const std::uint64_t rounds = std::min(contest.next_chunk(), options.samples - findings.runs);
        contest.play_chunk(runner, rounds);
        findings.runs += rounds;
        const double evidence = contest.log_evidence_against(contest.strictest());
        result.levels[q].history.push_back({findings.runs, evidence});
        contradicted = evidence >= contest.threshold() * (1 + 1e-15);
        if (progress) progress(findings.runs, evidence);
      }
      if (budget.seconds_left() <= 0) findings.interrupted = {kOutOfTime, true};
    }
  } catch (const ProgramError& error) {
    findings.interrupted = {error.what(), error.by_limit()};
  }
  Tally all(spec.model.domain.inputs(), spec.model.channel->outputs());
  for (const auto& contest : contests) {
    findings.levels.push_back(contest->finding());
    all += contest->by_input();
  }
  findings.agreement = check_agreement_any_time(*spec.model.channel, all, alpha_of_agreement(options.alpha), thinking);
  findings.no_upper = "an audit that may stop at any time has none";
  return result;
}

}  // namespace oddsbound::audits
