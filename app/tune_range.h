// Which values of a parameter are tried first.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "reports/tune_result.h"
#include "specs/varied_spec.h"

namespace oddsbound::app {

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

// That claims fail at every value of a parameter in a range.

/// The part of the range, all of it or nearly so, at every value of which some claim is proven to fail by one and the
/// same violation; none where no such proof was found. inner_is_upper: the end from which on claims are about to hold
/// is the upper one.
std::optional<TuneRange> failing_range(const VariedSpec& spec, const TuneRange& range, bool inner_is_upper,
                                       std::span<const std::size_t> claims, const SmtOptions& smt, Budget& budget);

}  // namespace oddsbound::app
