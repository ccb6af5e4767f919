// For outputs that are real numbers or too many to count: a one-dimensional score that separates two sides, with a
// guess where it is far enough from even. One candidate is the log-ratio of the spec's probabilities or densities.
// The other is a logistic regression on features of the output. The bound is valid for any score, because the score
// is learned from other runs than those that judge it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "audits/features.h"
#include "base/namespaces.h"
#include "mechanisms/mechanism.h"

namespace oddsbound::audits {

class ScoredRule {
 public:
  virtual ~ScoredRule() = default;
  /// Returns one of the game's two sides, or kAbstain.
  virtual std::int32_t answer(const Output& output) const = 0;
  /// Describes the rule for the report.
  virtual std::string describe() const = 0;
};

struct ScoredAttack {
  Game game;
  std::shared_ptr<const ScoredRule> rule;
  double predicted = 0;
};

/// Returns the pairs of sides whose features differ most, at most `count`.
std::vector<Game> separated_pairs(const Question& question, const Features& features, const KeptOutputs& outputs,
                                  std::size_t count);

/// For chosen inputs: returns the pairs with the largest stated privacy loss, at most `count`; none if that takes too
/// long.
std::vector<Game> stated_pairs(const Question& question, const Mechanism& mechanism, std::size_t count);

/// Returns the best score for a game: learned from the first half of the outputs, chosen on the rest.
ScoredAttack learn_score(const Question& question, const Game& game, const Mechanism& mechanism, const Domain& domain,
                         std::shared_ptr<const Features> features, const KeptOutputs& outputs, std::uint64_t rounds,
                         double alpha, std::size_t candidates);

}  // namespace oddsbound::audits
