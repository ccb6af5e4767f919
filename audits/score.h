// For outputs that are too many to be counted one by one, or real numbers: a one-dimensional score that tells two sides
// apart, and guesses where it is far enough from even. Where the spec knows the probabilities or densities the score is
// their log-ratio; the other candidate is a logistic regression on features of the output. The bound holds for any
// score, because it is learned from other runs than those it is judged by.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "audits/features.h"
#include "base/namespaces.h"
#include "mechanisms/mechanism.h"

namespace oddsbound::audits {

class ScoredRule {
 public:
  virtual ~ScoredRule() = default;
  /// Which of the game's two sides, or kAbstain.
  virtual std::int32_t answer(const Output& output) const = 0;
  /// Words for the report.
  virtual std::string describe() const = 0;
};

struct ScoredAttack {
  Game game;
  std::shared_ptr<const ScoredRule> rule;
  double predicted = 0;
};

/// The pairs of sides whose features differ most, at most `count`.
std::vector<Game> separated_pairs(const Question& question, const Features& features, const KeptOutputs& outputs,
                                  std::size_t count);

/// Of inputs that were chosen: the pairs between which the stated channel shows most, at most `count`; none where that
/// takes too much.
std::vector<Game> stated_pairs(const Question& question, const Mechanism& mechanism, std::size_t count);

/// The best of the scores for a game: learned from the first half of the outputs, chosen on the rest.
ScoredAttack learn_score(const Question& question, const Game& game, const Mechanism& mechanism, const Domain& domain,
                         std::shared_ptr<const Features> features, const KeptOutputs& outputs, std::uint64_t rounds,
                         double alpha, std::size_t candidates);

}  // namespace oddsbound::audits
