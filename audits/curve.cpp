#include "audits/curve.h"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <set>

#include "audits/attack.h"
#include "audits/findings.h"
#include "audits/sampling.h"
#include "base/errors.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/interval.h"
#include "verifier/exact/number_sum.h"
#include "verifier/notions/table.h"

namespace oddsbound::audits {

namespace {

constexpr double kStatedWeight = 64;  // of the stated channel, in runs of an input
constexpr std::uint64_t kFewestCurveRuns = 100;
enum CurveStage : std::uint64_t { kCurveLearn, kCurveTest, kCurveFresh };

using SidePair = std::pair<std::uint32_t, std::uint32_t>;

std::vector<Level> sorted_epsilons(std::span<const Level> epsilons) {
  std::vector<Level> sorted(epsilons.begin(), epsilons.end());
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  if (sorted.empty() || sorted.size() > kMostCurvePoints) {
    throw ModelError("found " + std::to_string(sorted.size()) + " values of epsilon, expected 1 to " +
                     std::to_string(kMostCurvePoints));
  }
  if (sorted.back().is_infinite()) {
    throw ModelError("found epsilon inf, expected finite ones: delta is 0 at an infinite epsilon");
  }
  return sorted;
}

Question neighbors_question(const Spec& spec) {
  const Notion& notion = *find_notion("approximate_dp");
  Question question;
  question.notion = notion.name;
  const Domain& domain = spec.model.domain;
  for (std::uint32_t x = 0; x < domain.inputs(); ++x) {
    question.sides.push_back({domain.tuple(x), {x}, {Number(1)}});
    question.side_of.push_back(x);
  }
  for (const Comparison& comparison : notion.define(spec.model, arguments_of_curve(spec), InputSubset(domain))) {
    for (const auto& [from, to] : comparison.pairs) {
      question.pairs.emplace_back(static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to));
    }
  }
  std::sort(question.pairs.begin(), question.pairs.end());
  if (question.pairs.empty()) throw ModelError("there is nothing to audit: no two inputs are compared");
  return question;
}

// Chooses the pair of inputs, and an event for each epsilon. Doubles suffice: every choice gives a valid bound.
class CurveStrategy {
 public:
  CurveStrategy(const Question& question, const Rates& rows, const Tally& learn, const Tally& test,
                std::span<const Level> epsilons, std::uint64_t rounds, double alpha)
      : question_(question), epsilons_(epsilons), strategist_(question, stated_rates(question, rows)), all_(learn) {
    all_ += test;
    // By all runs, because the stated channel does not depend on them; what the first half shows, by the other one.
    sources_.push_back({strategist_.stated(), &all_});
    sources_.push_back({strategist_.learned(learn), &test});
    errors_ = std::sqrt(2.0) * boost::math::erfc_inv(2 * alpha) / std::sqrt(static_cast<double>(rounds) / 2 + 1);
  }

  struct Choice {
    SidePair pair;
    std::vector<std::vector<bool>> events;  // [epsilon]
  };

  // The pair whose bounds should be the largest on the whole: at each epsilon, relative to the best pair.
  Choice best(Budget& budget) const {
    const std::vector<SidePair> pairs = promising_pairs();
    std::vector<std::vector<double>> bounds;
    std::vector<double> largest(epsilons_.size());
    for (const SidePair& pair : pairs) {
      budget.check();
      std::vector<double>& own = bounds.emplace_back();
      for (std::size_t k = 0; k < epsilons_.size(); ++k) {
        own.push_back(std::max(0.0, best_event(pair, k).bound));
        largest[k] = std::max(largest[k], own[k]);
      }
    }
    std::size_t chosen = 0;
    double most = -1;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      double sum = 0;
      for (std::size_t k = 0; k < largest.size(); ++k) sum += largest[k] > 0 ? bounds[i][k] / largest[k] : 0;
      if (sum <= most) continue;
      most = sum;
      chosen = i;
    }
    Choice choice{pairs[chosen], {}};
    for (std::size_t k = 0; k < epsilons_.size(); ++k) choice.events.push_back(best_event(choice.pair, k).event);
    return choice;
  }

 private:
  struct Source {
    Rates rates;
    const Tally* judge;  // runs that predict the bound
  };
  struct Event {
    std::vector<bool> event;
    double bound = -1;
  };

  // The pairs that differ most at the smallest, the middle and the largest epsilon.
  std::vector<SidePair> promising_pairs() const {
    std::set<SidePair> found;
    for (const Source& source : sources_) {
      const std::vector<Game> games = strategist_.pair_games(source.rates);
      for (const std::size_t k : {std::size_t{0}, epsilons_.size() / 2, epsilons_.size() - 1}) {
        for (const Game& game : strategist_.most_telling(games, source.rates, epsilons_[k].approx())) {
          for (const SidePair& pair :
               {SidePair(game.sides[0], game.sides[1]), SidePair(game.sides[1], game.sides[0])}) {
            if (std::binary_search(question_.pairs.begin(), question_.pairs.end(), pair)) found.insert(pair);
          }
        }
      }
    }
    return {found.begin(), found.end()};
  }

  Event best_event(const SidePair& pair, std::size_t epsilon) const {
    const double factor = std::exp(epsilons_[epsilon].approx());
    Event best;
    for (const Source& source : sources_) {
      const auto &from = source.rates[pair.first], &to = source.rates[pair.second];
      std::vector<bool> event(from.size());
      for (std::size_t y = 0; y < event.size(); ++y) event[y] = from[y] > factor * to[y];
      const double p = rate_of(event, pair.first, *source.judge), q = rate_of(event, pair.second, *source.judge);
      const double doubt = std::sqrt(p * (1 - p)) + factor * std::sqrt(q * (1 - q));
      const double bound = p - factor * q - errors_ * doubt;
      if (best.event.empty() || bound > best.bound) best = {std::move(event), bound};
    }
    return best;
  }

  // P(event given side), by the runs and a few more of the stated channel.
  double rate_of(const std::vector<bool>& event, std::uint32_t side, const Tally& tally) const {
    const auto counts = tally.row(side);
    double seen = 0, stated = 0;
    for (std::size_t y = 0; y < event.size(); ++y) {
      if (!event[y]) continue;
      seen += static_cast<double>(counts[y]);
      stated += strategist_.stated()[side][y];
    }
    const double rate = (seen + kStatedWeight * stated) / (static_cast<double>(tally.total(side)) + kStatedWeight);
    return std::min(1.0, rate);
  }

  const Question& question_;
  std::span<const Level> epsilons_;
  Strategist strategist_;
  Tally all_;
  std::vector<Source> sources_;
  double errors_ = 0;  // standard errors of a limit, divided by the root of an input's fresh runs
};

std::uint64_t runs_in(const std::vector<bool>& event, std::span<const std::uint64_t> counts) {
  std::uint64_t sum = 0;
  for (std::size_t y = 0; y < event.size(); ++y) sum += event[y] ? counts[y] : 0;
  return sum;
}

// alpha: of either limit
void bound_delta(CurveBound& bound, std::uint64_t runs_from, std::uint64_t runs_to, double alpha) {
  if (runs_from == 0 || runs_to == 0) return;
  const Number low = exact::number_of(lower_limit(runs_from, bound.in_from, alpha));
  const Number high = exact::number_of(upper_limit(runs_to, bound.in_to, alpha));
  const Number delta = low - bound.epsilon.exponential() * high;
  constexpr int kDigits = 12;
  if (delta.sign() > 0) bound.at_least = rounded_decimal(delta, false, kDigits);
}

}  // namespace

Arguments arguments_of_curve(const Spec& spec) {
  Arguments arguments;
  for (const Claim& claim : spec.claims) {
    if (claim.notion->name != "approximate_dp" || !claim.notion->defines(claim.arguments)) continue;
    arguments = claim.arguments;
    break;
  }
  arguments.set("epsilon", Level());
  arguments.set("delta", Number(0));
  return arguments;
}

CurveEvidence measure_curve(const Spec& spec, Runner& runner, std::span<const Level> epsilons,
                            const AuditOptions& options, Budget& budget, const AuditProgress& progress) {
  const std::vector<Level> sorted = sorted_epsilons(epsilons);
  if (!outputs_are_counted(spec)) {
    throw ModelError("a curve is audited where outputs can be counted, of at most " + std::to_string(kMostInputs) +
                     " inputs");
  }
  if (options.samples < kFewestCurveRuns) {
    throw ModelError("found " + std::to_string(options.samples) + " runs, expected at least " +
                     std::to_string(kFewestCurveRuns));
  }
  const Question question = neighbors_question(spec);
  Budget thinking(without_time(budget.limits()));
  const Rates rows = rounded_rows(*spec.model.channel, thinking);
  Sampling sampling(runner, options, budget, progress);
  const Tally zero(spec.model.domain.inputs(), spec.model.channel->outputs());
  const auto count = [&](CurveStage stage, std::uint64_t rounds, const Game& game) {
    return sampling.count({0, stage, rounds}, Dealer(question, game, options.seed), zero);
  };
  Game everyone;
  for (std::uint32_t s = 0; s < question.sides.size(); ++s) everyone.sides.push_back(s);

  const std::uint64_t pilot = options.samples / 10, fresh = options.samples - pilot;
  const double alpha = alpha_of_levels(options.alpha, sorted.size()) / 2;
  CurveEvidence evidence;
  runner.begin_stage(true);
  const Tally learn = count(kCurveLearn, pilot / 2, everyone), test = count(kCurveTest, pilot - pilot / 2, everyone);
  evidence.stages = {learn, zero};
  evidence.stages[0] += test;
  const CurveStrategy strategy(question, rows, learn, test, sorted, fresh, alpha);
  CurveStrategy::Choice choice = strategy.best(thinking);
  evidence.from = choice.pair.first;
  evidence.to = choice.pair.second;
  runner.begin_stage(false);
  const Tally played = count(kCurveFresh, fresh, {{choice.pair.first, choice.pair.second}});
  evidence.stages[1] = played;
  evidence.runs_from = played.total(evidence.from);
  evidence.runs_to = played.total(evidence.to);
  evidence.interrupted = sampling.interrupted();
  // The number of runs until an interruption may depend on outcomes.
  if (evidence.interrupted) return evidence;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    CurveBound& bound = evidence.bounds.emplace_back();
    bound.epsilon = sorted[k];
    bound.event = std::move(choice.events[k]);
    bound.in_from = runs_in(bound.event, played.row(evidence.from));
    bound.in_to = runs_in(bound.event, played.row(evidence.to));
    bound_delta(bound, evidence.runs_from, evidence.runs_to, alpha);
  }
  return evidence;
}

}  // namespace oddsbound::audits
