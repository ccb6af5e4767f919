// Sums over inputs that are linear in every row of a network's tables.
//
// The probability of an input is a product of entries, one from a row of each coordinate. So a sum over inputs is
// folded coordinate by coordinate, children before parents: the value of an assignment of the first coordinates is
// the mixture, by the row that this assignment selects, of the values of its extensions by the next coordinate. If
// a row may be any mixture of some points, the fold takes the best point each time it meets the row. This bounds
// the sum, and is exact if no row is met twice. Cost: one combination per assignment of every prefix of coordinates.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/budget.h"
#include "verifier/model/domain.h"
#include "verifier/priors/prior_set.h"

namespace oddsbound::priors {

using Point = std::vector<Number>;  // a distribution over the values of a coordinate
/// All mixtures of these points.
using Points = std::shared_ptr<const std::vector<Point>>;
/// The possible values of each row of a network.
using Box = std::vector<Points>;

Points single_point(const Point& point);
/// Returns the extreme points of the distributions within the intervals. Throws LimitError if there are more than
/// 200, or if the budget is exceeded.
std::vector<Point> extreme_points(const IntervalNode::Row& row, Budget& budget);
Point middle_of(const std::vector<Point>& points);

/// The tables of a network as a list of rows, and folds of sums over them.
class NetworkRows {
 public:
  /// Throws LimitError for more than 2^16 inputs or more than 200 extreme points of a row, and if the budget is
  /// exceeded.
  NetworkRows(const Domain& domain, const std::vector<IntervalNode>& nodes, Budget& budget);

  const Box& all() const { return all_; }
  std::uint64_t inputs() const { return inputs_; }
  std::size_t coordinate_of(std::size_t row) const { return coordinates_[row]; }
  /// Returns the first row of a coordinate, which is its only row if it has no parents.
  std::size_t first_row(std::size_t coordinate) const { return first_row_[coordinate]; }
  bool has_parents(std::size_t coordinate) const { return !parents_[coordinate].empty(); }
  /// order() is an order of coordinates that rarely meets the same unknown row twice; times_met() counts how often
  /// it meets a row.
  const std::vector<std::size_t>& order() const { return order_; }
  std::size_t times_met(std::size_t row) const;
  /// Returns these coordinates and all their ancestors.
  std::vector<bool> with_ancestors(std::vector<bool> coordinates) const;

  /// Returns the probability of every input, in input order.
  std::vector<Number> joint(const std::vector<Point>& rows) const;

  /// Folds one value per input. Only coordinates that depend on `last` come after it in the order; kAnyLast uses
  /// order(), which rarely meets the same unknown row twice.
  static constexpr std::size_t kAnyLast = static_cast<std::size_t>(-1);
  /// combine(row, values of the extensions) returns the value before the extension.
  template <typename Value, typename Combine>
  Value fold(std::size_t last, std::vector<Value> by_input, Combine combine) const {
    const Walk& walk = last == kAnyLast ? walks_.back() : walks_[last];
    std::vector<Value> values;
    values.reserve(by_input.size());
    for (const std::uint64_t x : walk.inputs) values.push_back(std::move(by_input[x]));
    for (std::size_t step = walk.rows.size(); step-- > 0;) {
      const std::vector<std::uint32_t>& rows = walk.rows[step];
      const std::size_t count = values.size() / rows.size();
      for (std::size_t k = 0; k < rows.size(); ++k) {
        values[k] = combine(rows[k], std::span<const Value>(values).subspan(k * count, count));
      }
      values.resize(rows.size());
    }
    return std::move(values.front());
  }

 private:
  // An order of the coordinates, parents first: the inputs in that order, and the row that each assignment of the
  // first coordinates selects for the next one.
  struct Walk {
    std::vector<std::uint64_t> inputs;
    std::vector<std::vector<std::uint32_t>> rows;
  };

  std::vector<std::size_t> parents_first() const;
  std::vector<std::size_t> order_for_unknown_rows(const Domain& domain) const;
  std::vector<std::size_t> order_with_last(const std::vector<std::size_t>& parents_first, std::size_t last) const;
  Walk walk_in(const Domain& domain, const std::vector<std::size_t>& order) const;

  std::uint64_t inputs_;
  std::vector<std::vector<std::size_t>> parents_;  // per coordinate
  std::vector<std::size_t> first_row_;             // per coordinate
  std::vector<std::size_t> coordinates_;           // per row
  Box all_;
  std::vector<std::size_t> order_;  // for kAnyLast
  std::vector<Walk> walks_;         // one per coordinate that comes last, then the one for kAnyLast
};

}  // namespace oddsbound::priors
