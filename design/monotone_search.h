// Monotone optimization (Tuy 2000): the point of a box of levels with the least loss that keeps all limits. Limits
// that hold at some levels hold at lower ones; the loss falls as levels rise.
//
// Branch and bound: a box whose lower corner breaks a limit has no feasible point, and in any other box no point
// has less loss than the upper corner. Boxes are halved, the one with the least bound first, until none can
// improve the best point by more than the gap. All statements rest on decisions and losses at corners, which are
// exact.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/budget.h"
#include "design/program.h"
#include "verifier/exact/number.h"

namespace oddsbound::designs {

/// Coordinates in [0, 1].
using Corner = std::vector<Number>;

struct MonotoneProblem {
  std::size_t dimensions = 1;
  /// Non-increasing in every coordinate. nullopt = unbounded; finite whenever all coordinates are positive.
  std::function<std::optional<Number>(const Corner&)> loss;
  /// Whether all limits hold at the point. If they do, they hold at every point below it.
  std::function<Answer(const Corner&)> kept;
  Number gap;  // relative to the loss: smaller improvements are not sought
  std::uint64_t most_decisions = 0;
};

/// A division of the unit box: halves, and halves of these.
struct BoxTree {
  struct Node {
    std::optional<std::size_t> coordinate{};  // along which it is halved; nullopt: a leaf
    Number at{0};
    std::size_t low = 0, high = 0;           // the halves, by index
    std::optional<std::size_t> broken_at{};  // of a leaf: a point of `broken` that is not above its lower corner
  };
  std::vector<Node> nodes;     // the first one is the unit box
  std::vector<Corner> broken;  // points that break a limit
};

struct MonotoneOptimum {
  Corner at;
  Number loss;      // at that point
  Number at_least;  // lower bound for all points that keep all limits
  std::uint64_t decisions = 0, open = 0;
  bool stopped = false;  // at most_decisions
  BoxTree proof;
};

/// Boxes are not halved below a width of 2^-kNarrowestBits.
inline constexpr unsigned kNarrowestBits = 20;

/// Returns the optimum; nullopt if the starting point is not known to keep all limits: the point 0, or 2^-20 in
/// every coordinate if the loss at 0 is unbounded. Throws LimitError past the budget.
std::optional<MonotoneOptimum> least_within(const MonotoneProblem& problem, Budget& budget);

// The least loss as a function of the limits: a parametric linear program with one number t in place of e^level. A
// basis that is optimal at one t stays optimal until an entry or a dual changes its sign, and until then the
// optimal mechanism is a rational function of t. Whether a basis is optimal at a given t is decided exactly.

struct CurveStep {
  Number t, loss;
  bool turns = false;    // the optimal basis changes between the previous step and this one
  bool exactly = false;  // the change is exactly at this t: the next basis is optimal here too
};

/// Returns losses at increasing t, including `from` and `to`. Where the optimal basis changes, there are steps on
/// both sides, at most 2^-20 of t apart; or one step at exactly that t, if it is a fraction with few digits. The
/// loss is non-increasing in t, so between two steps it lies between their losses. at: the problem at t; only
/// bounds of limits may depend on t. Throws LimitError past the budget.
std::vector<CurveStep> loss_curve(const std::function<DesignProblem(const Number& t)>& at, const Number& from,
                                  const Number& to, Budget& budget);

}  // namespace oddsbound::designs
