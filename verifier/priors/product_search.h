// The largest quotient over a set of priors at any output of a product, without going through inputs or outputs.
//
// Best first, as outputs are searched under one prior (engine/output_search.h): a node fixes the outputs of the first
// parts, set_level.h says what is still possible below it, and an output is looked at exactly, by the search of
// the set's kind, on the inputs that the set names and those of the largest and the smallest entries. Whenever it is
// stopped, the level lies between the best output and the bound of the node whose turn it is.
#pragma once

#include <memory>

#include "verifier/engine/output_search.h"
#include "verifier/engine/pass.h"
#include "verifier/priors/prior_set.h"
#include "verifier/priors/product_columns.h"
#include "verifier/priors/set_level.h"

namespace oddsbound::priors {

/// As level_over(). Throws LimitError where the set has something to say about every input, or tells of no bounds.
SetLevel search_product(const Model& model, const PriorSet& set, const RowLabels& labels, const AllowedPairs& direction,
                        std::size_t at_once, Budget& budget, const SearchLimits& patience);

// A set's search from column to column of a pass.

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

}  // namespace oddsbound::priors
