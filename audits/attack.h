// How to play the guessing game: which sides, and which guess for each output. Rules are learned from pilot runs or
// from the stated channel. The bound is valid for any rule; a good rule makes it large.
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

/// P(output given side) as [side][output], as far as known.
using Rates = std::vector<std::vector<double>>;

/// The guess for each output, and its probability of being right.
struct Answers {
  Rule rule;
  std::vector<double> strength;
  /// The rule that abstains where the strength is below `least`.
  Rule above(double least) const;
  /// The same, with the guesses of `others` where it guesses.
  Rule above(double least, const Answers& others) const;
};

class Strategist {
 public:
  /// stated: the rates in the spec; may be rounded.
  Strategist(const Question& question, Rates stated);

  /// Returns attacks for `rounds` rounds at error alpha, at most kShortlist. The most promising one comes first, then
  /// those that could be better if the pilot's result is no accident. Rules from the spec are judged by all runs,
  /// rules learned from `learn` by the runs of `test`.
  std::vector<Attack> shortlist(const Tally& learn, const Tally& test, std::uint64_t rounds, double alpha,
                                Budget& budget) const;
  static constexpr std::size_t kShortlist = 8;

  /// The best attack if the sampler is as stated, for a game of `rounds` rounds, and its expected score over very
  /// many rounds.
  struct Expected {
    Attack attack;
    Score score;
  };
  Expected as_stated(std::uint64_t rounds, double alpha) const;

  /// The rates that the counts per side show, smoothed by the stated rates as a few extra runs.
  Rates learned(const Tally& sides) const;
  const Rates& stated() const { return stated_; }
  /// The candidate games: all sides of a group, and pairs (the most promising ones if there are many).
  std::vector<Game> group_games() const;
  std::vector<Game> pair_games(const Rates& rates) const;
  /// The pairs with the largest difference beyond a level; all pairs if they are few.
  std::vector<Game> most_telling(std::vector<Game> pairs, const Rates& rates, double level) const;
  Answers answers(const Game& game, const Rates& rates) const;

  /// The smallest strength that maximizes `value` of the score on counts per side, and that maximum. Guessing nothing
  /// has value 0.
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
/// The number of runs of each side.
std::vector<std::uint64_t> totals_of(const Tally& sides);

/// By how many standard errors the best of this many candidates is likely to be overrated.
double doubt_of(std::size_t candidates);
/// Wilson's lower limit of the probability of a right guess, `errors` standard errors down. Used only to choose
/// attacks.
double wilson_limit(const Score& score, double errors);

/// Predicts, from a score on a sample, the bound of another sample of `rounds` rounds at error alpha.
class Prediction {
 public:
  Prediction(const Question& question, std::uint64_t rounds, double alpha);
  double operator()(const Score& score, std::size_t labels, double doubt) const;

 private:
  double final_;      // standard errors of the other sample, times the square root of its size
  double scale_ = 0;  // e^level + 1 if delta is bounded
};

}  // namespace oddsbound::audits
