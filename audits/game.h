// The random-label guessing game: a label is drawn among some sides of a question, the mechanism runs for it, and a
// rule guesses the label from the output or abstains.
//
// If the sides are eps-indistinguishable, a guess among m equally likely labels is right with probability at most
// e^eps / (e^eps + m - 1), for any rule and any past, because the label is fresh. For (eps, delta) the label is the
// first of two with probability 1 / (1 + e^eps), and every round is guessed. A guess is then right with probability
// at most (e^eps + delta) / (1 + e^eps).
#pragma once

#include "audits/outcomes.h"

#include <cstdint>
#include <memory>
#include <vector>

#include "audits/question.h"
#include "audits/runner.h"

namespace oddsbound::audits {

struct Game {
  std::vector<std::uint32_t> sides;  // the label is one of these
  bool only_first = false;           // only the first is ever guessed: one-way comparison
  friend bool operator==(const Game&, const Game&) = default;
};

/// The label that each output is answered with (an index into the game's sides), or kAbstain.
constexpr std::int32_t kAbstain = -1;
using Rule = std::vector<std::int32_t>;

/// True if the question compares the sides in the directions that the game needs.
bool is_game_of(const Question& question, const Game& game);
/// Returns counts per side, from counts per input.
Tally by_side(const Question& question, const Tally& by_input);
/// Returns the score of a rule on rounds that were counted per side.
Score play(const Game& game, const Rule& rule, const Tally& sides);

/// Returns the largest probability of a right guess that the level (and delta) allows, rounded up.
double allowed_share(const Question& question, const Game& game, const Level& level, const Number& delta);
/// Returns the level (or delta) that a probability of right guesses proves, rounded down.
double shown_by(const Question& question, const Game& game, double share);

struct Deal {
  std::vector<Runs> runs;
  std::vector<InputRow> drawn{};  // drawn from the prior; runs point to them
};

/// Draws labels and an input for each. Deterministic for a stream.
class Dealer {
 public:
  Dealer(const Question& question, const Game& game, std::uint64_t seed);
  ~Dealer();
  /// Returns the runs of some rounds, in random order.
  Deal deal(std::uint64_t rounds, std::uint64_t stream) const;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace oddsbound::audits
