// The privacy of n shuffled reports: n people each send one report of the same channel, and the analyst sees how often
// each report occurs.
//
// Two kinds of adversary. One chooses the inputs of the other n - 1 people; neighbors differ in one person's input
// (excess_beside_any). The other one has a prior, from which the inputs of the other people are independent draws
// (excess_beside_draws).
//
// Reports with proportional columns are one class: within a class, the counts do not depend on the inputs. With two
// classes the count C of the other people's reports of the second class is a sum of independent bits, so its
// probabilities are log-concave. P(C = h - 1) / P(C = h) therefore rises with h, the quotient of the two hypotheses
// does too, and the best event is that of at least t reports of the second class:
//
//     delta = max over t of c P(C = t - 1) - (E - 1) P(C >= t),   c = p - E q,
//
// for people who send such a report with probability p and q <= p. The excess is jointly convex in the rows of all
// people, so of the other people's rows only those with the smallest and the largest probability matter. All of their
// numbers m are compared: the worst one is not always at an end. Doubles with an error bound discard most m; those left
// are computed with integers, or enclosed by Arb if the digits are too many.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "verifier/engine/loss_grid.h"
#include "verifier/exact/number.h"
#include "verifier/model/channel.h"

namespace oddsbound::engine {

/// The rows of one person's report, without repetitions, over classes of reports.
struct LocalReports {
  std::vector<std::vector<Number>> rows;  // [row][class]
  std::vector<std::uint32_t> row_of;      // [input]
  std::vector<std::uint32_t> class_of;    // [report]; of reports that nobody sends: UINT32_MAX

  /// Throws LimitError past the budget.
  static LocalReports of(const Channel& local, Budget& budget);
  std::size_t classes() const { return rows.empty() ? 0 : rows[0].size(); }
};

/// Rows of the person whose input the claim is about, on both sides.
using RowPair = std::pair<std::uint32_t, std::uint32_t>;

/// The event of the largest excess P - factor Q.
struct ShuffledEvent {
  RowPair rows{};
  std::vector<std::uint64_t> others;  // [row]: the number of other people with it
  /// The histograms of the event, as counts of classes; empty if there are more than kMostListed of all histograms.
  std::vector<std::vector<std::uint64_t>> histograms{};
  Number p, q;          // of the event, if the excess is exact
  NumberBounds excess;  // equal ends, if it is exact
  std::string reason;   // why it is not
  bool is_exact() const { return excess.lower == excess.upper; }
  static constexpr std::uint64_t kMostListed = 4096;
};

/// Returns the largest excess over the pairs and over all inputs of the other people, for a factor >= 1. The witness
/// shows the lower end. Throws LimitError past the budget.
ShuffledEvent excess_beside_any(const LocalReports& reports, const std::vector<RowPair>& pairs, std::uint64_t people,
                                const Number& factor, Budget& budget);

/// The same between two bounds, for many people and reports of many kinds.
ShuffledEvent bounds_beside_any(const LocalReports& reports, const std::vector<RowPair>& pairs, std::uint64_t people,
                                const Number& factor, Budget& budget);

}  // namespace oddsbound::engine
