// Sums over inputs that are linear in every row of a network's tables.
//
// The probability of an input is a product of entries, one of a row of each coordinate. So a sum over inputs is folded
// coordinate by coordinate, children before parents: what follows an assignment of the first coordinates is a mixture,
// by the row that this assignment chooses, of what follows it and each value of the next one. Of a row that may be any
// mixture of some points, the fold takes the best point each time it meets the row. That bounds the sum, and is its
// largest value where no row is met twice.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/budget.h"
#include "verifier/model/domain.h"
#include "verifier/priors/prior_set.h"

namespace oddsbound::priors {

using Point = std::vector<Number>;  // a distribution of the values of a coordinate
/// Any mixture of these.
using Points = std::shared_ptr<const std::vector<Point>>;
/// What each row of a network may be.
using Box = std::vector<Points>;

Points single_point(const Point& point);
/// The distributions in the intervals of which no other ones are mixtures. Throws LimitError for more than a search can
/// use, and past the budget.
std::vector<Point> extreme_points(const IntervalNode::Row& row, Budget& budget);
Point middle_of(const std::vector<Point>& points);

/// The tables of a network as a list of rows, and how sums are folded by them.
class NetworkRows {
 public:
  /// Throws LimitError for more inputs, or more extreme points of a row, than a search can use, and past the budget.
  NetworkRows(const Domain& domain, const std::vector<IntervalNode>& nodes, Budget& budget);

  const Box& all() const { return all_; }
  std::uint64_t inputs() const { return inputs_; }
  std::size_t coordinate_of(std::size_t row) const { return coordinates_[row]; }
  /// The first row of a coordinate; the only one, if it has no parents.
  std::size_t first_row(std::size_t coordinate) const { return first_row_[coordinate]; }
  bool has_parents(std::size_t coordinate) const { return !parents_[coordinate].empty(); }
  /// In an order of coordinates that meets rows that are not known seldom: that order, and how often it meets a row.
  const std::vector<std::size_t>& order() const { return order_; }
  std::size_t times_met(std::size_t row) const;
  /// The coordinates that some of these depend on, directly or not, and these.
  std::vector<bool> with_ancestors(std::vector<bool> coordinates) const;

  /// The probability of every input, in input order.
  std::vector<Number> joint(const std::vector<Point>& rows) const;

  /// Folds one value per input. No coordinate that does not depend on `last` comes after it; kAnyLast: in an order that
  /// meets rows that are not known seldom.
  static constexpr std::size_t kAnyLast = static_cast<std::size_t>(-1);
  /// combine(row, what follows each value): what is known before the value.
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
  // An order of the coordinates, parents first: the inputs in it, and the row that each assignment of the first few
  // coordinates chooses for the next one.
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
  std::vector<Walk> walks_;         // per coordinate that comes last, and for kAnyLast
};

}  // namespace oddsbound::priors
