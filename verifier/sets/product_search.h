// The largest quotient over a set of priors at any output of a product, without going through inputs or outputs.
//
// Best first, as outputs are searched under one prior (ratios/output_search.h): a node fixes the outputs of the first
// parts, quotient_bounds.h says what is still possible below it, and an output is looked at exactly, by the search of
// the set's kind, on the inputs that the set names and those of the largest and the smallest entries. Whenever it is
// stopped, the level lies between the best output and the bound of the node whose turn it is.
#pragma once

#include "verifier/ratios/output_search.h"
#include "verifier/sets/product_columns.h"
#include "verifier/sets/set_level.h"

namespace oddsbound::sets {

/// As level_over(). Throws LimitError where the set has something to say about every input, or tells of no bounds.
SetLevel search_product(const Model& model, const PriorSet& set, const RowLabels& labels, const Direction& direction,
                        std::size_t at_once, Budget& budget, const Patience& patience);

}  // namespace oddsbound::sets
