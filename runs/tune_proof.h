// That claims fail at every value of a parameter in a range.
#pragma once

#include <optional>
#include <span>

#include "results/tune_result.h"
#include "specs/varied_spec.h"

namespace oddsbound::runs {

/// The part of the range, all of it or nearly so, at every value of which some claim is proven to fail by one and the
/// same violation; none where no such proof was found. inner_is_upper: the end from which on claims are about to hold
/// is the upper one.
std::optional<TuneRange> failing_range(const VariedSpec& spec, const TuneRange& range, bool inner_is_upper,
                                       std::span<const std::size_t> claims, const SmtOptions& smt, Budget& budget);

}  // namespace oddsbound::runs
