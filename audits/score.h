// For outputs that are too many to be counted one by one, or real numbers: a one-dimensional score that tells two sides
// apart, and guesses where it is far enough from even. Where the spec knows the probabilities or densities the score is
// their log-ratio; the other candidate is a logistic regression on features of the output. The bound holds for any
// score, because it is learned from other runs than those it is judged by.
//
// Features of a tuple: a word of an output with up to 16 values is one-hot, others are numbers. Of a single output
// label: the words in it, as they occur or not. Of a vector: its coordinates, their squares, signs and products, and
// the trailing zero bits of each (which tell rounding errors of the sampler's arithmetic).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "audits/game.h"
#include "mechanisms/mechanism.h"

namespace oddsbound {

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

/// Outputs that were kept, with their sides.
struct KeptOutputs {
  std::vector<std::uint32_t> side;
  std::vector<std::vector<std::uint64_t>> words;
  std::vector<std::vector<double>> values;
  std::size_t size() const { return side.size(); }
  Output output(std::size_t i) const { return {words[i], values[i]}; }
  void add(std::uint32_t of, const Output& output);
};

/// Turns outputs into numbers.
class Features {
 public:
  /// Learns which words occur, and the scale of numbers.
  Features(const Mechanism& mechanism, const KeptOutputs& outputs);
  std::size_t size() const { return mean_.size(); }
  std::vector<double> of(const Output& output) const;

 private:
  std::vector<double> raw(const Output& output) const;

  const Mechanism& mechanism_;
  std::vector<std::string> tokens_;
  std::vector<double> mean_, scale_;
};

/// The pairs of sides whose features differ most, at most `count`.
std::vector<Game> separated_pairs(const Question& question, const Features& features, const KeptOutputs& outputs,
                                  std::size_t count);

/// The best of the scores for a game: learned from the first half of the outputs, chosen on the rest.
ScoredAttack learn_score(const Question& question, const Game& game, const Mechanism& mechanism, const Domain& domain,
                         std::shared_ptr<const Features> features, const KeptOutputs& outputs, std::uint64_t rounds,
                         double alpha, std::size_t candidates);

}  // namespace oddsbound
