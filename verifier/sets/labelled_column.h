// The column of an output, by label and place.
#pragma once

#include "verifier/ratios/pass.h"
#include "verifier/sets/prior_set.h"

namespace oddsbound::sets {

/// An empty one, for as many labels.
LabelledColumn column_for(const LabelledInputs& inputs);
/// Takes over the entries of an output.
void fill(LabelledColumn& column, const LabelledInputs& inputs, ColumnView& view);

}  // namespace oddsbound::sets
