// How to play: which sides, and how to answer each output. Learned from runs of a pilot, or from the stated channel;
// the bound holds for any rule, a good one only makes it large.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "audits/game.h"
#include "base/budget.h"

namespace oddsbound::audits {

struct Attack {
  Game game;
  Rule rule;
  double predicted = 0;  // the bound that it should give
};

/// P(output given side), [side][output], as far as known.
using Rates = std::vector<std::vector<double>>;

/// What each output is answered with, and how likely that is to be right.
struct Answers {
  Rule rule;
  std::vector<double> strength;
  /// The rule that abstains where the strength is below `least`.
  Rule above(double least) const;
  /// The same, with the answers of others where it answers.
  Rule above(double least, const Answers& others) const;
};

class Strategist {
 public:
  /// stated: as the spec says; may be rounded.
  Strategist(const Question& question, Rates stated);

  /// Attacks for `rounds` rounds at error alpha: first the most promising one, then those that could be better if what
  /// the pilot shows is no chance, at most kShortlist in all. Rules from the spec are judged by all runs, those learned
  /// from `learn` by the runs of `test`.
  std::vector<Attack> shortlist(const Tally& learn, const Tally& test, std::uint64_t rounds, double alpha,
                                Budget& budget) const;
  static constexpr std::size_t kShortlist = 8;

  /// What should work if the sampler is as stated, in a game of so many rounds, and how it is expected to fare in very
  /// many.
  struct Expected {
    Attack attack;
    Score score;
  };
  Expected as_stated(std::uint64_t rounds, double alpha) const;

  /// The rates that counts per side show, with the stated ones as a few runs more.
  Rates learned(const Tally& sides) const;
  const Rates& stated() const { return stated_; }
  /// The games among which to choose: those of all sides of a group, and pairs, the most telling ones where they are
  /// many.
  std::vector<Game> group_games() const;
  std::vector<Game> pair_games(const Rates& rates) const;
  /// The pairs most worth trying, if they are many: those that differ most beyond a level.
  std::vector<Game> most_telling(std::vector<Game> pairs, const Rates& rates, double level) const;
  Answers answers(const Game& game, const Rates& rates) const;

  /// The least strength at which `value` of the score on counts per side is greatest, and that value; answering nothing
  /// is worth 0.
  struct Threshold {
    double least = 2;
    double value = 0;
    Score score;
  };
  using Value = std::function<double(const Score& score, std::size_t thresholds)>;
  Threshold best_threshold(const Game& game, const Answers& answers, const Tally& sides,
                           const std::vector<std::uint64_t>& totals, const Value& value) const;

 private:
  const Question& question_;
  Rates stated_;
};

/// P(y given side), from the rows of a channel (rounded_rows).
Rates stated_rates(const Question& question, const Rates& rows);
/// How many runs each side had.
std::vector<std::uint64_t> totals_of(const Tally& sides);

/// How many standard errors the best of so many candidates is likely to look better than it is.
double doubt_of(std::size_t candidates);
/// Wilson's lower limit of the probability of a right guess, that many standard errors down. Only to choose by.
double wilson_limit(const Score& score, double errors);

/// Predicts, from a score on a sample, the bound that another sample of `rounds` rounds will give at error alpha.
class Prediction {
 public:
  Prediction(const Question& question, std::uint64_t rounds, double alpha);
  double operator()(const Score& score, std::size_t labels, double doubt) const;

 private:
  double final_;      // standard errors of the other sample, times the root of its size
  double scale_ = 0;  // e^level + 1 where delta is bounded
};

}  // namespace oddsbound::audits
