// The largest quotient over all rows that the tables of a network may have, by branch and bound over boxes.
//
// With all rows but one fixed, the quotient is largest on the line between two extreme points of that row, or at
// one of them if the masses of the labels do not depend on it (line.h). So the best line, with all other rows
// fixed, is exact. In a box, each row is a mixture of some points:
//
// - A point is dropped if moving mass from it to another point decreases the quotient for no rows of the box. A
//   box with a single open row is solved exactly.
// - The quotient in a box is at most the largest P(output | from) over the smallest P(output | to), and at most R
//   / (1 - s), where R is the quotient in the middle and s the largest change of its logarithm from there.
// - Otherwise a row is split: into its points, the lines between them, or the halves of a line.
//
// If a level is attained with several rows in the interior, the search does not terminate by itself: it stops near
// the level, with a proven bound.
#pragma once

#include "verifier/priors/box_bounds.h"
#include "verifier/priors/member.h"

namespace oddsbound::priors {

/// All rows of a network, one of which moves towards another point.
struct RowLine {
  std::vector<Point> rows;
  std::size_t moving = 0;
  Point end;

  /// Returns the rows, with this weight on the end.
  std::vector<Point> at(const Number& weight) const;
};

struct LargestByRows {
  BestLine<RowLine> best;
  /// Set if the search stopped early: an upper bound of the quotient. nullopt: the best line is exact, or nothing
  /// exceeds the known quotient.
  std::optional<Ratio> below;
};

/// A question about the rows of a network.
struct RowQuestion {
  const NetworkRows& rows;
  std::vector<std::uint32_t> label_of;  // per input
  std::vector<bool> moves_masses;       // per row: whether the masses of labels depend on it
  Box box;
  std::uint64_t most_folded;  // limit of the inputs in all folds for one output and pair
};

/// Returns the largest quotient. column: P(output | input), per input. Quotients of at most `known` need not be
/// found. Throws LimitError if the budget is exceeded.
LargestByRows largest_by_rows(const RowQuestion& question, const std::vector<Number>& column, std::uint32_t from,
                              std::uint32_t to, const std::optional<Ratio>& known, Budget& budget);

}  // namespace oddsbound::priors
