// The level between labels over a set of priors: the largest level under any member. Also the bounds of quotients
// below a node of the search over a product (QuotientBounds).
#pragma once

#include <functional>
#include <optional>

#include "verifier/engine/averaged_bound.h"
#include "verifier/engine/measured_model.h"
#include "verifier/engine/pair_losses.h"
#include "verifier/engine/projected_rows.h"
#include "verifier/model/definition.h"
#include "verifier/model/model.h"
#include "verifier/priors/prior_set.h"
#include "verifier/priors/product_columns.h"

namespace oddsbound::priors {

/// Returns the largest log(P(output | from) / P(output | to)) over all members and outputs. The witness has a member
/// that attains it.
///
/// Single outputs and labels suffice: under every member the probabilities of events are mixtures of theirs.
/// at_once: number of such levels asked together, for different coordinates. Throws LimitError if inputs or
/// outputs are too many to enumerate, or if the budget is exceeded.
GroupLevel level_over(MeasuredModel& subject, const PriorSet& set, const ColumnInputs& inputs,
                      const AllowedPairs& direction, std::size_t at_once = 1);

// The largest quotient so far, over outputs that are evaluated one after another.

class LargestQuotient {
 public:
  /// Evaluates one output and pair of labels. `search` must be positioned at `column`, whose inputs are `inputs`.
  /// Calls name() for the output if its quotient is the largest.
  template <typename NameOutput>
  void compare(SetSearch& search, const ColumnInputs& inputs, const LabelledColumn& column, std::size_t from,
               std::size_t to, const NameOutput& name) {
    // For any prior the quotient is at most that of the extreme entries.
    if (known_ && Ratio::of(column.largest(from), column.smallest(to)) <= *known_) return;
    if (known_ && search.is_at_most(from, to, *known_)) return;
    const std::optional<Ratio> ratio = search.largest(from, to);
    raise(search.stopped());
    if (!ratio || (known_ && *ratio <= *known_)) return;
    known_ = ratio;
    best_ = best_at(search, inputs, column, from, to);
    best_->shown.output = name();
  }
  void take(LargestQuotient&& later) {
    raise(std::move(later.stopped_));
    if (!later.best_ || (best_ && *later.known_ <= *known_)) return;
    best_ = std::move(later.best_);
    known_ = std::move(later.known_);
  }
  /// Returns one for later outputs, which ignores quotients that do not exceed the largest of this one.
  LargestQuotient successor() const {
    LargestQuotient later;
    later.known_ = known_;
    return later;
  }
  /// Returns the quotient that others must exceed to count; nullopt: any counts.
  const std::optional<Ratio>& known() const { return known_; }

  /// Returns the level, with an upper bound if searches were stopped early or are not exact. It shows nothing if no
  /// member gives mass to two labels that are compared.
  GroupLevel level(const Domain& domain) const;

 private:
  struct Best {
    std::size_t from, to;
    FoundOutput shown;
    Member member;
    bool exact;  // false: the quotient is only an upper bound (SetSearch::is_exact)
  };

  void raise(std::optional<StoppedSearch> other) {
    if (other && (!stopped_ || other->at_most > stopped_->at_most)) stopped_ = std::move(other);
  }
  static Best best_at(SetSearch& search, const ColumnInputs& inputs, const LabelledColumn& column, std::size_t from,
                      std::size_t to);

  std::optional<Best> best_;
  std::optional<Ratio> known_;            // of the best, or of what was found before
  std::optional<StoppedSearch> stopped_;  // the stopped search with the largest bound
};

// Upper bounds of the quotient over a set of priors, once the first outputs of a product are fixed.
//
// Let w_r be the probability of the fixed outputs given row r, f_r(y) that of the other outputs, and k(r, s) = min
// over y of f_s(y) / f_r(y) (engine/pair_losses.h). Under any member, let P and Q be the distributions of rows
// given the two labels. For every row r,
//
//     f_r(y) <= sum_s Q_s w_s f_s(y) / sum_s Q_s w_s k(r, s),   so
//     sum_r P_r w_r f_r(y) <= sum_s Q_s w_s f_s(y) * sum_r P_r w_r / R_r,   R_r = min over Q of sum_s Q_s w_s k(r, s).
//
// The last sum and R_r are means of columns, which each kind of set bounds (prior_set.h). For inputs that are not
// named, the rows of the largest and the smallest entries are used.
//
// Where the set bounds both means of a part by weighted sums of entries, the averaged bound (engine/averaged_bound.h)
// holds for these sums, too. In long tables it is quicker and usually smaller.

class QuotientBounds {
 public:
  /// All arguments must outlive this object.
  QuotientBounds(const ProductColumns& columns, const Suffixes& suffixes, const MeanBounds& means, LossKernel& kernel,
                 engine::Averages averages);

  /// Returns for every row its probability of the path's outputs, up to a common factor; nullopt outside the range
  /// of doubles.
  std::optional<std::vector<double>> weights_at(std::span<const std::uint32_t> path) const;
  /// Returns an upper bound of the quotient of any output below a node at this depth, under any member.
  double largest_below(std::size_t depth, const std::vector<double>& weights, std::size_t from, std::size_t to);

  /// Another upper bound, or `most` if no quotient exceeds it. Infinity if there is none.
  double averaged_below(std::size_t depth, const std::vector<double>& weights, std::size_t from, std::size_t to,
                        double most, const std::function<void()>& look);
  /// Returns true if averaged_below() comes first at this depth.
  bool pays_averaged(std::size_t depth);
  /// Returns true if largest_below() is worth its time where averaged_below() has a bound that discards nothing.
  bool pays_largest(std::size_t depth);

 private:
  // Weights of the rows by suffix.
  bool gather(std::size_t depth, const std::vector<double>& weights, std::size_t label, bool largest,
              const MeanBounds::Weighted& sum, std::vector<double>& by_suffix) const;
  double steps(std::size_t depth) const;
  void reach(std::size_t depth, const std::vector<double>& weights, std::uint32_t suffix, std::size_t to,
             std::span<double> by_part);

  const ProductColumns& columns_;
  const Suffixes& suffixes_;
  const MeanBounds& means_;
  LossKernel& kernel_;
  const engine::Averages averages_;
  std::optional<engine::AveragedBound> averaged_;
  std::vector<std::vector<std::uint32_t>> suffix_of_;  // [depth][row]
  std::vector<double> column_;
};

}  // namespace oddsbound::priors
