// The largest quotient so far, over outputs that are looked at one after the other.
#pragma once

#include "verifier/sets/set_level.h"

namespace oddsbound::sets {

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

}  // namespace oddsbound::sets
