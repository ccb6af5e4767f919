// The level between labels over a set of priors: the largest under any of its members.
#pragma once

#include "verifier/engine/measured_model.h"
#include "verifier/engine/pair_losses.h"
#include "verifier/engine/projected_rows.h"
#include "verifier/model/definition.h"
#include "verifier/model/model.h"
#include "verifier/priors/definition.h"
#include "verifier/priors/prior_set.h"
#include "verifier/priors/product_columns.h"

namespace oddsbound::priors {

/// The inputs by the value of a coordinate, or by the label of a secret given per input.
LabelledInputs by_value(const Domain& domain, std::size_t coordinate);
LabelledInputs by_label(const std::vector<std::uint32_t>& label_of, std::size_t labels);

/// A level over a set: what shows it is an output, two labels, and a member under which their probabilities are these.
struct SetLevel {
  Ratio ratio{Surd(Number(1))};  // the level is its logarithm
  /// Split as Channel::split does; none: no member gives mass to two labels that are compared, or none was found.
  std::optional<std::vector<std::uint64_t>> output;
  std::size_t from = 0, to = 0;
  Number p_from, p_to;
  Member member;
  bool exact = true;                       // else the level is only proven not to be exceeded (SetSearch::is_exact)
  std::optional<Unfinished> unfinished{};  // a search was stopped: the level is what was found, and lies below that
  std::optional<std::uint64_t> nodes{};    // that a search opened

  Level level() const { return ratio.infinite ? Level::infinite() : Level::of_surd(ratio.value); }
};

/// The largest, over all members and outputs, of log(P(output given from) / P(output given to)).
///
/// Single outputs and labels suffice: under every member probabilities of events are mixtures of theirs.
/// at_once: as many levels are asked for together, of other coordinates.
/// Throws LimitError if there are too many inputs or outputs to go through, or past the budget.
SetLevel level_over(MeasuredModel& subject, const PriorSet& set, const LabelledInputs& inputs,
                    const AllowedPairs& direction, std::size_t at_once = 1);

// The largest quotient so far, over outputs that are looked at one after the other.

class LargestQuotient {
 public:
  /// Looks at one output and pair of labels. The search has looked at the column, which is that of the inputs; what
  /// the output is called is asked for if it is the largest.
  template <typename NameOutput>
  void compare(SetSearch& search, const LabelledInputs& inputs, const LabelledColumn& column, std::size_t from,
               std::size_t to, const NameOutput& name) {
    // Whatever the prior, no quotient is above that of the extremes.
    if (known_ && Ratio::of(column.largest(from), column.smallest(to)) <= *known_) return;
    if (known_ && search.is_at_most(from, to, *known_)) return;
    const std::optional<Ratio> ratio = search.largest(from, to);
    raise(search.stopped());
    if (!ratio || (known_ && *ratio <= *known_)) return;
    known_ = ratio;
    best_ = level_at(search, inputs, column, *ratio, from, to);
    best_->output = name();
  }
  void take(LargestQuotient&& later) {
    raise(std::move(later.stopped_));
    if (!later.best_ || (best_ && later.best_->ratio <= best_->ratio)) return;
    best_ = std::move(later.best_);
    known_ = best_->ratio;
  }
  /// For later outputs, of which those do not count that have no larger quotient than these.
  LargestQuotient successor() const {
    LargestQuotient later;
    later.known_ = known_;
    return later;
  }
  /// What a quotient must be above to count; none: any counts.
  const std::optional<Ratio>& known() const { return known_; }

  /// With what it may be at most, where searches were stopped.
  SetLevel level() const;
  const std::optional<SetLevel>& best() const { return best_; }

 private:
  void raise(std::optional<StoppedSearch> other) {
    if (other && (!stopped_ || other->at_most > stopped_->at_most)) stopped_ = std::move(other);
  }
  static SetLevel level_at(SetSearch& search, const LabelledInputs& inputs, const LabelledColumn& column,
                           const Ratio& ratio, std::size_t from, std::size_t to);

  std::optional<SetLevel> best_;
  std::optional<Ratio> known_;            // that of the best, or of what was found before
  std::optional<StoppedSearch> stopped_;  // of all that were, the one that leaves most open
};

// How large a quotient can still become over a set of priors once the first outputs of a product are fixed.
//
// Let w_r be what the fixed outputs give row r, f_r(y) what the others give it, and k(r, s) the least f_s(y) / f_r(y)
// over y (engine/pair_losses.h). Under any member, with P and Q what it is given the two labels, and for every row r,
//
//     f_r(y) <= sum_s Q_s w_s f_s(y) / sum_s Q_s w_s k(r, s),   so
//     sum_r P_r w_r f_r(y) <= sum_s Q_s w_s f_s(y) * sum_r P_r w_r / R_r,   R_r = least sum_s Q_s w_s k(r, s).
//
// The last sum and R_r are means of columns, which each kind of set bounds (definition.h). Inputs that are not named
// have at most, and at least, what the rows of the largest and the smallest entries have.

class QuotientBounds {
 public:
  /// All outlive it.
  QuotientBounds(const ProductColumns& columns, const Suffixes& suffixes, const MeanBounds& means, LossKernel& kernel);

  /// Of every row what the path's outputs give it, up to a common factor; none where doubles do not reach.
  std::optional<std::vector<double>> weights_at(std::span<const std::uint32_t> path) const;
  /// Not below the quotient of any output below a node of this depth, under any member.
  double largest_below(std::size_t depth, const std::vector<double>& weights, std::size_t from, std::size_t to);

 private:
  void reach(std::size_t depth, const std::vector<double>& weights, std::uint32_t suffix, std::size_t to,
             std::span<double> by_part);

  const ProductColumns& columns_;
  const Suffixes& suffixes_;
  const MeanBounds& means_;
  LossKernel& kernel_;
  std::vector<std::vector<std::uint32_t>> suffix_of_;  // [depth][row]
  std::vector<double> column_;
};

}  // namespace oddsbound::priors
