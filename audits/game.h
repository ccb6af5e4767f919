// The random-label guessing game: a label is drawn among some sides of a question, the mechanism runs for it, and the
// label is guessed from the output, or not.
//
// If the sides are eps-indistinguishable, a guess among m equally likely labels is right with probability at most
// e^eps / (e^eps + m - 1), whatever the rule is and whatever happened before, because the label is fresh. For (eps,
// delta) the label is the first of two with probability 1 / (1 + e^eps), and every round is guessed: right with
// probability at most (e^eps + delta) / (1 + e^eps).
#pragma once

#include "audits/outcomes.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "audits/question.h"
#include "audits/runner.h"

namespace oddsbound::audits {

struct Game {
  std::vector<std::uint32_t> sides;  // the label is one of these
  bool only_first = false;           // only the first is ever guessed: sides are compared one way
  friend bool operator==(const Game&, const Game&) = default;
};

/// Which of the game's sides an output is answered with, or kAbstain.
constexpr std::int32_t kAbstain = -1;
using Rule = std::vector<std::int32_t>;

/// Whether the sides are compared in the way the game needs.
bool is_game_of(const Question& question, const Game& game);
/// Counts per side, from counts per input.
Tally by_side(const Question& question, const Tally& by_input);
/// How a rule fared on the rounds that were counted per side.
Score play(const Game& game, const Rule& rule, const Tally& sides);

/// The greatest probability of a right guess that the level (and delta) allows, never too low.
double allowed_share(const Question& question, const Game& game, const Level& level, const Number& delta);
/// The level (or delta) that guesses right with this probability show, never too high.
double shown_by(const Question& question, const Game& game, double share);

struct Deal {
  std::vector<Runs> runs;
  std::vector<InputRow> drawn{};  // from the prior, for runs that name them
};

/// Draws labels and, for each, an input. The same stream gives the same.
class Dealer {
 public:
  Dealer(const Question& question, const Game& game, std::uint64_t seed);
  ~Dealer();
  /// The runs of some rounds, in random order.
  Deal deal(std::uint64_t rounds, std::uint64_t stream) const;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace oddsbound::audits
