// The largest quotient over a set of priors at any output of a product, by best-first branch and bound. Neither
// inputs nor outputs are enumerated.
//
// As in the search under one prior (engine/output_search.h), a node fixes the outputs of the first parts.
// QuotientBounds (set_level.h) bounds the quotients below it. An output is evaluated exactly by the search of the
// set's kind, on the inputs that the set names and those with the largest and the smallest entries. At any time
// the level lies between the best output and the bound of the node in turn.
#pragma once

#include <memory>

#include "verifier/engine/output_search.h"
#include "verifier/engine/pass.h"
#include "verifier/priors/prior_set.h"
#include "verifier/priors/product_columns.h"
#include "verifier/priors/set_level.h"

namespace oddsbound::priors {

/// Like level_over(), for products. Throws LimitError if the set has conditions on every input or has no bounds,
/// and if a set whose quotient is largest part by part meets a part that sees more than what is compared.
GroupLevel search_product(const Model& model, const PriorSet& set, const Partition& labels,
                          const AllowedPairs& direction, std::size_t at_once, Budget& budget,
                          const SearchLimits& search_limits);

// The search of a set, moved from column to column of a pass.

class ColumnSearch {
 public:
  /// Both arguments must outlive this object.
  ColumnSearch(const PriorSet& set, const SetQuestion& question);
  /// Returns a ColumnSearch for later outputs, which takes over the set's search if there is one.
  ColumnSearch successor();

  /// Returns the set's search, positioned at this output.
  SetSearch& look_at(ColumnView& view);
  /// Returns the column of the current output.
  const LabelledColumn& column() const { return column_; }
  const ColumnInputs& inputs() const { return question_.inputs; }
  std::size_t labels() const { return question_.inputs.inputs.size(); }

 private:
  void fill(ColumnView& view);

  const PriorSet& set_;
  const SetQuestion& question_;
  std::unique_ptr<SetSearch> search_;
  LabelledColumn column_;
};

}  // namespace oddsbound::priors
