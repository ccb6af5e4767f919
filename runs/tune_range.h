// Which values of a parameter are tried first.
#pragma once

#include <vector>

#include "results/tune_result.h"
#include "specs/varied_spec.h"

namespace oddsbound::runs {

/// The range that was asked for, or that the symbol has. Throws ModelError where there is none, or no value in it.
TuneRange range_to_tune(const VariedSpec& spec, const TuneRequest& request);
/// The values of the grid in it, in order: those that were asked for, or equal steps; with the ends that belong to it.
/// Throws ModelError for values outside.
std::vector<Number> grid_in(const TuneRange& range, const TuneRequest& request);

/// The number, or its logarithm.
TunedValue value_of(const Number& number, bool logarithm);
/// The values as those of a symbol, or of one whose logarithm is meant: then ends that are not logarithms are rounded
/// inward, but for one that may be rounded outward. None where that leaves no two values.
enum class Outward { kNone, kLow, kHigh };
std::optional<Symbol> symbol_over(const TuneRange& range, bool logarithm, Outward outward = Outward::kNone);

}  // namespace oddsbound::runs
