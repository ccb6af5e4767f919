// The largest quotient over all rows that the tables of a network may have.
//
// With all rows but one fixed, the quotient of one row is largest on the line between two of its extreme points, or at
// one of them if the masses of labels do not depend on it (line.h). So rows are lines, and a best one with all others
// fixed is exact. Which are best is found by branch and bound over boxes, in each of which a row is a mixture of some
// points:
//
// - A point is dropped if, whatever the rows of the box, moving mass from it to another one does not lower the
//   quotient. What is left where one row is open is exact.
// - Nothing in a box has more than the largest P(output given from) over the smallest P(output given to), nor more than
//   R / (1 - s), with R the quotient in its middle and s what its logarithm can change from there.
// - Else a row is split: into its points, the lines between them, or halves of a line.
//
// Where a level is attained with several rows inside, it has no end: it stops near it, with a proven bound.
#pragma once

#include "verifier/priors/box_bounds.h"
#include "verifier/priors/member.h"

namespace oddsbound::priors {

/// All rows of a network, and one of them on the way to another point.
struct RowLine {
  std::vector<Point> rows;
  std::size_t moving = 0;
  Point end;

  /// The rows with a weight for the end.
  std::vector<Point> at(const Number& weight) const;
};

struct LargestByRows {
  BestLine<RowLine> best;
  /// No rows have more; none: the best line is exact, or no better than what is known.
  std::optional<Ratio> below;
};

/// What is asked of the rows of a network.
struct RowQuestion {
  const NetworkRows& rows;
  std::vector<std::uint32_t> label_of;  // per input
  std::vector<bool> moves_masses;       // per row: whether what labels weigh depends on it
  Box box;
  std::uint64_t most_folded;  // inputs, in all sums of one output and pair together
};

/// column: P(output given input), per input. What is at most `known` need not be found.
/// Throws LimitError past the budget.
LargestByRows largest_by_rows(const RowQuestion& question, const std::vector<Number>& column, std::uint32_t from,
                              std::uint32_t to, const std::optional<Ratio>& known, Budget& budget);

}  // namespace oddsbound::priors
