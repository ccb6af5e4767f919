// The point of a box of levels where a loss is least, among those that keep limits which hold at lower levels wherever
// they hold at higher ones, while the loss falls as levels rise (monotone optimization: Tuy 2000).
//
// A box whose lower corner breaks a limit has no point that keeps all; in any other no point loses less than its upper
// corner. So boxes are halved, that of the least possible loss first, until none can lose much less than the best
// point found: every statement rests on decisions at corners, and on losses there, which are exact.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/budget.h"
#include "design/program.h"
#include "verifier/exact/number.h"

namespace oddsbound::designs {

/// In [0, 1] each.
using Corner = std::vector<Number>;

enum class Kept { kYes, kNo, kOpen };

struct MonotoneProblem {
  std::size_t dimensions = 1;
  /// Falls as coordinates rise; none: without bound, which is nowhere so where all coordinates are above 0.
  std::function<std::optional<Number>(const Corner&)> loss;
  /// Whether all limits are kept there. Whatever lies below a point that keeps them keeps them.
  std::function<Kept(const Corner&)> kept;
  Number gap;  // a share of the loss: who could lose less by no more than that is not looked for
  std::uint64_t most_decisions = 0;
};

/// How the unit box falls into boxes: halves, and halves of these.
struct BoxTree {
  struct Node {
    std::optional<std::size_t> coordinate{};  // along which it is halved; none: it is not
    Number at{0};
    std::size_t low = 0, high = 0;           // the halves: nodes
    std::optional<std::size_t> broken_at{};  // not halved: a point of `broken` that is not above the lower corner
  };
  std::vector<Node> nodes;     // the first is the whole
  std::vector<Corner> broken;  // points where a limit is broken
};

struct MonotoneOptimum {
  Corner at;
  Number loss;      // there
  Number at_least;  // of any point that keeps all limits
  std::uint64_t decisions = 0, open = 0;
  bool stopped = false;  // by the number of decisions
  BoxTree proof;
};

/// Boxes are no narrower.
inline constexpr unsigned kNarrowestBits = 20;

/// None if the loss is without bound wherever a coordinate is 0, and a limit is broken where all are 2^-20 (or it is
/// open whether one is). Throws LimitError past the budget.
std::optional<MonotoneOptimum> least_within(const MonotoneProblem& problem, Budget& budget);

// How the least loss falls as limits get wider: the same program with one number t in place of e^level. A basis that is
// best at one t is so up to where an entry or a price would change its sign, and the best mechanism is a rational
// function of t until there. Whether a basis is best at a t is decided exactly.

struct CurveStep {
  Number t, loss;
  bool turns = false;    // what was best for smaller t is not best beyond here: between the step before and this one
  bool exactly = false;  // it is best at this very t, and so is what is best beyond
};

/// Losses at rising t, the first and the last among them. Where what is best turns, steps on both sides are there, no
/// farther apart than 2^-20 of t; or the very t, where that is a fraction of few digits. The loss does not rise with t,
/// so between two steps it lies between theirs. at: what is wanted for t, of which limits' bounds alone depend on it.
/// Throws LimitError past the budget.
std::vector<CurveStep> loss_curve(const std::function<DesignProblem(const Number& t)>& at, const Number& from,
                                  const Number& to, Budget& budget);

}  // namespace oddsbound::designs
