// Finds, in doubles, the means and shares that prove a bound over a box of a network's rows (row_proof.h). The
// caller checks them exactly.
#pragma once

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "verifier/priors/prior_set.h"
#include "verifier/priors/row_search.h"

namespace oddsbound::priors {

/// The interval of every entry, per row of a network.
using IntervalBox = std::vector<IntervalNode::Row>;

/// Visits fill(value, its mass) for the distribution within the bounds that puts as much mass as possible on the
/// values that come first in the order of `before`.
template <typename Mass, typename Before, typename Fill>
void fill_row(const std::vector<Mass>& lower, const std::vector<Mass>& upper, Before before, Fill fill) {
  std::vector<std::size_t> order(lower.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), before);
  Mass left(1);
  for (const Mass& least : lower) left -= least;
  for (const std::size_t k : order) {
    const Mass added = std::min(left, Mass(upper[k] - lower[k]));
    fill(k, Mass(lower[k] + added));
    left -= added;
  }
}

class MeanCutter {
 public:
  /// The question must outlive this object. column: P(output | input), per input. tight_at: P(output | from) at
  /// which the quotient equals the bound.
  MeanCutter(const RowQuestion& question, const std::vector<Number>& column, std::uint32_t from, std::uint32_t to,
             double bound, const std::optional<Number>& tight_at, Budget& budget);

  /// Returns nullopt if no share suffices for some mean.
  std::optional<MeanCuts> cut(const IntervalBox& box);
  /// True if some rows come nearer to the bound than doubles can distinguish. The same then holds for some part of
  /// the box.
  bool is_hopeless() const { return is_hopeless_; }

 private:
  // Joint and mass of `from` (n, m) and of `to` (k, l).
  struct Sums {
    double n = 0, m = 0, k = 0, l = 0;
  };
  struct Row {
    std::vector<double> lower, upper;
  };
  using Rows = std::vector<Row>;
  struct Shares {
    double least, best;
  };

  double weighed(const Sums& sums, double mean, double share) const;
  Sums farthest(const Rows& rows, double mean, double share) const;
  bool passes(const Rows& rows, double mean, double share, double room) const;
  double farthest_mean(const Rows& rows, double share, double mean) const;
  std::optional<Shares> shares_at(const Rows& rows, double mean, double room);
  double reach(const Rows& rows, double mean, double most, double share, double room) const;
  std::optional<MeanCuts> climb(const Rows& rows, double least, double most);

  const RowQuestion& question_;
  const std::vector<double> column_;
  const std::uint32_t from_, to_;
  const double bound_;
  const std::optional<Number>& tight_at_;
  const double tight_;
  Budget& budget_;
  bool is_hopeless_ = false;
};

}  // namespace oddsbound::priors
