// The range and grid of a tuned parameter, and proofs that claims fail on a range.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "reports/tune_result.h"
#include "specs/varied_spec.h"

namespace oddsbound::app {

/// Returns the requested range, or the symbol's. Throws ModelError if there is none or it is empty.
TuneRange range_to_tune(const VariedSpec& spec, const TuneRequest& request);
/// Returns the grid values in the range, in order: the requested ones, or equal steps, including closed ends. Throws
/// ModelError for values outside.
std::vector<Number> grid_in(const TuneRange& range, const TuneRequest& request);

/// Returns the number, or its logarithm.
TunedValue value_of(const Number& number, bool logarithm);
/// Returns the range as that of a symbol, or of a symbol whose logarithm is the parameter. Ends that are not
/// logarithms are then rounded inward, except for the one end that may be rounded outward. nullopt if fewer than two
/// values remain.
enum class Outward { kNone, kLow, kHigh };
std::optional<Symbol> symbol_over(const TuneRange& range, bool logarithm, Outward outward = Outward::kNone);

// Proofs that claims fail at every value of a range

/// Returns the part of the range (all or nearly all) on which some claim provably fails at every value, by one common
/// violation; nullopt if no such proof was found. inner_is_upper: the claims begin to hold at the upper end.
std::optional<TuneRange> failing_range(const VariedSpec& spec, const TuneRange& range, bool inner_is_upper,
                                       std::span<const std::size_t> claims, const SmtOptions& smt, Budget& budget);

}  // namespace oddsbound::app
