// Means over a set of priors, bounded whatever the output: what a search over the outputs of a product discards by
// (product_search.h).
//
// A set is cut into parts, so that what its labels share (the mass that is wrong, the weights of a mixture) lies within
// bounds of its own in each. Within a part labels are bounded on their own: no member of the part has a larger mean of
// a column given one label, nor a smaller one given another. Members that have the largest quotient at no output need
// not lie in any part.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "verifier/exact/number.h"

namespace oddsbound::sets {

/// In doubles: results are off to the wrong side by a relative error of 2^-50 for each place and once more at most.
/// Columns have one entry for every place of the label, 0 or between 1e-150 and 1e150, or infinite; `elsewhere`: what
/// every other input has at most (at least), not below (above) any entry.
class MeanBounds {
 public:
  virtual ~MeanBounds() = default;
  virtual std::size_t parts() const = 0;
  /// What the mean given the label is at most under any member of the part under which it has mass; 0 if none has.
  virtual double most(std::size_t part, std::size_t label, std::span<const double> column, double elsewhere) const = 0;
  /// What it is at least, for every part; infinite where no member gives the label mass.
  virtual void least(std::size_t label, std::span<const double> column, double elsewhere,
                     std::span<double> by_part) const = 0;
};

inline constexpr double kNoMean = std::numeric_limits<double>::infinity();

/// Masses by label and place, in doubles.
struct RoundedCells {
  std::vector<std::vector<double>> cells;
  std::vector<double> masses;
};
/// What an exact mass is in doubles; of one that is not 0 at least 1e-100, else throws LimitError.
double rounded_mass(const Number& mass);
RoundedCells rounded_cells(const std::vector<std::vector<Number>>& cells, const std::vector<Number>& masses);

/// The sum of masses times entries.
double sum_over(std::span<const double> cells, std::span<const double> column);

/// Masses with the entries they have.
struct EntryMass {
  double entry, mass;
};
/// Those that have mass, the largest entries first (or the smallest). Valid until the thread asks again.
std::span<const EntryMass> by_entry(std::span<const double> cells, std::span<const double> column, bool largest_first);

}  // namespace oddsbound::sets
