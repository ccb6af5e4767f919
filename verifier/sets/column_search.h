// A set's search from column to column of a pass.
#pragma once

#include <memory>

#include "verifier/ratios/pass.h"
#include "verifier/sets/prior_set.h"

namespace oddsbound::sets {

class ColumnSearch {
 public:
  /// Both outlive it.
  ColumnSearch(const PriorSet& set, const SetQuestion& question);
  /// For later outputs: with this one's search, if it has one.
  ColumnSearch successor();

  /// The set's search, which looks at this output.
  SetSearch& look_at(ColumnView& view);
  /// Of the output that was looked at last.
  const LabelledColumn& column() const { return column_; }
  const LabelledInputs& inputs() const { return question_.inputs; }
  std::size_t labels() const { return question_.inputs.inputs.size(); }

 private:
  void fill(ColumnView& view);

  const PriorSet& set_;
  const SetQuestion& question_;
  std::unique_ptr<SetSearch> search_;
  LabelledColumn column_;
};

}  // namespace oddsbound::sets
